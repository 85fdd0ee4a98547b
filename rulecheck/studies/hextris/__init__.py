"""Hextris's part of every analysis."""

from rulecheck.studies import COMPARED, Study

STUDY = Study(
    __name__,
    long_families=(
        "direct",
        "groups",
        "exchange-A",
        "exchange-B",
        "small",
        "groups-three",
        "turns-three",
        "open-three",
        "listing",
    ),
    compares=COMPARED,
    quick_families=("lists", "small-alike", "pass-1"),
    find_difference="separated:find_difference",
    dead_text="dead:dead_text",
    estimate="playing:estimate",
    normalised="rulecheck.spaces.hextris:normalised",
    packing="rulecheck.spaces.hextris:packing",
    puzzles="puzzles:KINDS",
    stated_turns="stated:StatedTurns",
)
