"""Crosswalk's part of every analysis."""

from rulecheck.studies import COMPARED, Study

STUDY = Study(
    __name__,
    long_families=("turns-3",),
    quick_families=("step", "relocation", "win", "turns-1", "turns-2"),
    pair_families=("turns-2",),
    compares=COMPARED,
    normalised="solving:normalised",
    chart="solving:chart",
    by_number="solving:by_number",
    walks="rulecheck.spaces.crosswalk:walks",
    number="solving:number",
    numbered="solving:numbered",
    estimate="playing:estimate",
    puzzles="puzzles:KINDS",
    stated_turns="stated:StatedTurns",
)
