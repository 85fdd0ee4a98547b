"""How solved games and their positions are printed, whichever method solved them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rulecheck.solve.probing import Probe
    from rulecheck.solve.solved import Solved
    from rulecheck.solve.tables import Range, Values
    from rulecheck.solve.worth import Way

SHOWN = 5  # moves printed for each thing that chance may bring
SHOWN_MOVES = 40  # of the longest win; the table knows the rest
MEANING = {
    "win": "{} wins",
    "loss": "{} loses",
    "tie": "nobody wins, and play stops",
    "draw": "nobody can force a win, and play need not end",
}


# -- A solved game -----------------------------------------------------------------------------------------------


def print_solved(solved: Solved, start: Probe, document: dict[str, Any]) -> None:
    checked = f"accepted by the checker{_sampled_symmetry(document)}"
    if solved.solution is None:
        print(f"{document['positions']:,} positions, each {checked}")
        _print_outcomes(document, start)
    else:
        print(f"{document['positions']:,} positions, all bounds within {document['width']:.2g}, {checked}")
        _print_bounds(document, start, solved.solution.requested)
    print(f"table: {document['table']}")


def _sampled_symmetry(document: dict[str, Any]) -> str:
    """For the headline, if the game is too large to compare all positions that it calls alike."""
    alike = document["alike"]
    if alike is None or alike["everywhere"]:
        return ""
    return f", given the symmetry of the game, which holds at {alike['compared']:,} positions compared"


def _print_outcomes(document: dict[str, Any], start: Probe) -> None:
    shares = [(name, document[name]) for name in MEANING if document[name]]
    print("for the player to move: " + ", ".join(f"{count:,} {name}" for name, count in shares))
    print(f"at the start: {_worth(start)}")
    if document["best"]:
        print(f"best: {', '.join(document['best'])}")
    if document["longest_win"]:
        longest = document["longest_win"]
        print(f"the longest win takes {longest['distance']} moves: {longest['position']}")
        more = " ..." if len(longest["line"]) > SHOWN_MOVES else ""
        print(f"    {', '.join(longest['line'][:SHOWN_MOVES])}{more}")


def _print_bounds(document: dict[str, Any], start: Probe, requested: float) -> None:
    assert start.worth.values is not None
    _print_values(start.worth.values, start.who)
    if "value" in document:
        print(f"exactly: {document['value']} and {document['opponent_value']}")
    if isinstance(start.best, dict):
        for label, move in start.best.items():
            print(f"best with {label}: {move}")
    else:
        print(f"best: {', '.join(start.best)}")
    if not document["reached"]:
        wider = f"wider than the {requested:g} asked for"
        print(f"the bounds hold, but are {wider}; turns are ranked by their lower bounds")
    if document["resumable"]:
        print("--resume continues from here")


# -- A position --------------------------------------------------------------------------------------------------


def print_probe(answer: Probe) -> None:
    print(answer.position)
    if answer.worth.values is not None:
        _print_values(answer.worth.values, answer.who)
    else:
        print(_worth(answer))
    if answer.end is not None:
        print(f"the game is over: {answer.end}")
    elif not answer.ways:
        print("no move is left, so play stops")
    if answer.by_chance:
        _print_chances(answer)
        return
    if answer.brought is not None and answer.ways:
        print(f"with {answer.brought}: {answer.worth.text}")
    _print_moves(answer.ways, answer.worth.player, len(answer.ways))


def _print_chances(answer: Probe) -> None:
    whole = sum(way.step.weight for way in answer.ways)
    for way, turns in zip(answer.ways, answer.after, strict=True):
        likely = f"{way.step.weight} of {whole}"
        print(f"with {way.step.label} ({likely}): {way.worth.seen_by(answer.worth.player).text}")
        _print_moves(turns, answer.worth.player, SHOWN, f"; --roll {way.step.label} shows all")


def _print_moves(ways: list[Way[Any]], view: str, shown: int, rest: str = "") -> None:
    """With what each gives away against the best one, where there is chance."""
    from rulecheck.solve.probing import losses

    width = max((len(way.step.label) for way in ways[:shown]), default=0)
    lost = losses(ways)
    contenders = sum(loses is not None and loses.low == 0 for loses in lost)
    for way, loses in zip(ways[:shown], lost[:shown], strict=True):
        print(f"    {way.step.label:<{width}}  {way.worth.seen_by(view).text}{_against_best(loses, contenders)}")
    if shown < len(ways):
        print(f"    and {len(ways) - shown} more{rest}")


def _against_best(loses: Range | None, contenders: int) -> str:
    if loses is None:
        return ""
    if loses.low:
        return f"  loses {loses}"
    return "  best" if contenders == 1 or loses.high == 0 else "  may be best"


# -- What it is worth --------------------------------------------------------------------------------------------


def _worth(answer: Probe) -> str:
    outcome, distance = answer.worth.outcome, answer.worth.distance
    assert outcome is not None
    name, away = outcome.name.lower(), "" if distance is None else f" in {distance} moves"
    return f"{name}{away} ({MEANING[name].format(answer.who)})"


def _print_values(values: Values, who: str) -> None:
    other = "the opponent" if who == "the player to move" else "the other side"
    width = max(len(who), len(other)) + len(" can force")
    for side, part in ((f"{who} can force", values.win), (f"{other} can force", values.loss)):
        print(f"{side:<{width}}  {part}")
    print(f"{'neither can':<{width}}  {values.neither}")
