"""Nest race's part of every analysis."""

from rulecheck.studies import COMPARED, Study

# The readings of the pat rule.
PAT = (
    *("pat", "horizon", "blocker", "self_cover", "finished", "free", "cannot_free", "conflict", "lift_conflict"),
    *("s2_scope", "cover_depth", "s2_cause"),
)

STUDY = Study(
    __name__,
    long_families=(
        "readings-narrow",
        "reached-narrow",
        "hops-4-full",
        "arrangements-1",
        "arrangements-2",
        "arrangements-3",
        "arrangements-4",
        "chains-full",
        "readings-small",
        "pat-chosen",
        "drawn",
        "reached-small",
        "pat-pairs",
        "hops-4",
        "pat-4",
        "reached-4",
    ),
    quick_families=("touched", "listed"),
    pair_families=("touched",),
    paired=6,
    compares=COMPARED,
    find_difference="shapes:find_difference",
    difference_scope="shapes:difference_scope",
    dead_text="coverage:dead_text",
    proposals="stalemates:proposals",
    estimate="playing:estimate",
    normalised="rulecheck.spaces.nestrace:normalised",
    packing="rulecheck.spaces.nestrace:packing",
    puzzles="puzzles:KINDS",
    stated_turns="stated:StatedTurns",
)
