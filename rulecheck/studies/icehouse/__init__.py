"""Icehouse's part of every analysis."""

from rulecheck.studies import COMPARED, Study

STUDY = Study(
    __name__,
    long_families=(
        "contact-all",
        "six-captures",
        "six-pieces",
        "many-samples",
        "lines-all",
        "ranges-all",
        "two-captures",
        "mixed",
        "first-four",
        "more-stashes",
    ),
    quick_families=("touched",),
    pair_families=(  # the quick parts of "touched"
        *("one-contact", "one-line", "one-range", "one-fits", "first", "attack", "freezing", "capturing"),
        *("redundancy", "early", "icehouse", "found", "counted", "frozen"),
    ),
    paired=2,
    compares=COMPARED,
    find_difference="shapes:find_difference",
    witness_scope="shapes:witness_scope",
    offered="playing:offered",
    actor="playing:actor",
    estimate="playing:estimate",
    attack="attack:attack",
    fortress="fortress:fortress",
    puzzles="puzzles:KINDS",
    alike="alike:alike",
)
