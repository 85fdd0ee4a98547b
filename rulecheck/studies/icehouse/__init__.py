"""Icehouse's part of every analysis."""

from rulecheck.studies import Study

STUDY = Study(
    __name__,
    long_families=("contact-all", "lines-all", "six", "first-four", "many-samples"),
    quick_families=("touched",),
    attack="attack:attack",
    fortress="fortress:fortress",
)
