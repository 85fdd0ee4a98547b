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
