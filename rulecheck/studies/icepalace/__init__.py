"""Ice Palace's part of every analysis."""

from rulecheck.studies import COMPARED, Study

STUDY = Study(
    __name__,
    long_families=(
        "more-players",
        "game-flat",
        "game-blacks",
        "game-whites",
        "game-refilled",
        "layouts-4",
        "more-buildings",
    ),
    quick_families=("touched",),
    paired=2,
    compares=COMPARED,
    never_separated="shapes:never_separated",
    find_difference="shapes:find_difference",
    witness_scope="shapes:witness_scope",
    replay="lines:replay",
    estimate="playing:estimate",
    counts="playing:counts",
    normalised="alike:normalised",
    puzzles="puzzles:KINDS",
    stated_turns="stated:StatedTurns",
)
