"""Crosswalk's part of every analysis."""

from rulecheck.studies import Study

STUDY = Study(
    __name__,
    long_families=("turns-3",),
    quick_families=("step", "relocation", "win", "turns-1"),
    normalised="solving:normalised",
    chart="solving:chart",
    estimate="playing:estimate",
)
