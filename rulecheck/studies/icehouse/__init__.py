"""Icehouse's part of every analysis."""

from rulecheck.studies import Study

STUDY = Study(
    __name__,
    long_families=(
        "contact-all",
        "six-captures",
        "six-pieces",
        "many-samples",
        "lines-all",
        "two-captures",
        "mixed",
        "first-four",
    ),
    quick_families=("touched",),
    attack="attack:attack",
    fortress="fortress:fortress",
)
