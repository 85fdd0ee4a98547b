"""`solve` and `probe` for games that are explored by their engines."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rulecheck.commands.common import emit, finish, settings
from rulecheck.commands.settle import print_settled, sampled_symmetry, worth_text
from rulecheck.contract import End
from rulecheck.explore import Who, steps
from rulecheck.model import InputError
from rulecheck.registry import Choice
from rulecheck.solve.probing import require_agreement, view

if TYPE_CHECKING:
    from rulecheck.api.solving import Effort
    from rulecheck.solve.by_play import PlaySolved
    from rulecheck.solve.tables import Values
    from rulecheck.solve.worth import PlayValues, Way, Worth
    from solvers.tablebase import Table

SHOWN = 5  # moves printed for each thing that chance may bring


# -- solve -----------------------------------------------------------------------------------------------------


def tell_play(solved: PlaySolved, effort: Effort, as_json: bool) -> None:
    worth = view(solved.play, solved.choice.engine().start(), effort.hero)
    if solved.solution is None:
        _tell_outcomes(solved, worth, as_json)
    else:
        _tell_bounds(solved, worth, effort.exact, as_json)


def _tell_outcomes(solved: PlaySolved, worth: Worth, as_json: bool) -> None:
    start = solved.choice.engine().start()
    counts = {name: solved.about[name] for name in ("positions", "ended", "win", "tie", "draw", "loss")}
    found = {**worth.as_json(), "best": solved.play.best(start), **counts, "longest_win": solved.play.longest_win()}
    document = {"game": solved.choice.game.slug, **found, **_frame(solved)}
    emit(document, as_json, lambda: print_settled(document, _called(solved.play, start, worth)))


def _frame(solved: PlaySolved) -> dict[str, Any]:
    alike = None if solved.alike is None else solved.alike.as_json()
    return {"alike": alike, "table": str(solved.path), **settings(solved.choice)}


def _called(values: PlayValues[Any, Any], position: Any, worth: Worth) -> str:
    """The one whose view it is, in a sentence."""
    over = values.engine.end(position) is not None
    return worth.player if over or worth.player != values.engine.actor(position) else "the player to move"


def _tell_bounds(solved: PlaySolved, worth: Worth, exact: bool, as_json: bool) -> None:
    assert solved.solution is not None
    start = solved.choice.engine().start()
    size = {name: solved.about[name] for name in ("positions", "ended", "nodes")}
    how = {"width": solved.solution.width, "reached": solved.solution.reached, "resumable": False}
    found = {**_fractions(solved, worth, exact), **worth.as_json(), "best": solved.play.best(start), **size, **how}
    document = {"game": solved.choice.game.slug, **found, **_frame(solved)}
    emit(document, as_json, lambda: _print_bounds(document, worth, _called(solved.play, start, worth)))
    finish(not solved.solution.reached)


def _fractions(solved: PlaySolved, worth: Worth, exact: bool) -> dict[str, str]:
    from rulecheck.solve.solver import exact_start

    if not exact:
        return {}
    mover = solved.play.worth(solved.choice.engine().start()).player
    own, other = exact_start(solved.bounded) if worth.player == mover else exact_start(solved.bounded)[::-1]
    return {"value": own, "opponent_value": other}


def _print_bounds(found: dict[str, Any], worth: Worth, who: str) -> None:
    checked = f"accepted by the checker{sampled_symmetry(found)}"
    print(f"{found['positions']:,} positions, all bounds within {found['width']:.2g}, {checked}")
    assert worth.values is not None
    _print_values(worth.values, who)
    if "value" in found:
        print(f"exactly: {found['value']} and {found['opponent_value']}")
    if isinstance(found["best"], dict):
        for label, move in found["best"].items():
            print(f"best with {label}: {move}")
    else:
        print(f"best: {', '.join(found['best'])}")
    if not found["reached"]:
        print("the bounds hold, but are wider than requested; moves are ranked by their lower bounds")
    print(f"table: {found['table']}")


def _print_values(values: Values, who: str) -> None:
    width = max(len(who), len("the other side")) + len(" can force")
    for side, part in ((f"{who} can force", values.win), ("the other side can force", values.loss)):
        print(f"{side:<{width}}  {part}")
    print(f"{'neither can':<{width}}  {values.neither}")


# -- probe -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Asked:
    """What a table says of a position, and of every way on."""

    position: str
    worth: Worth
    who: str  # in a sentence, the one whose view it is
    end: End | None
    best: list[str] | dict[str, str]
    ways: list[Way[Any]]
    after: list[list[Way[Any]]]  # for each thing that chance may bring, the moves there

    @property
    def by_chance(self) -> bool:
        return bool(self.after)

    def as_json(self) -> dict[str, Any]:
        view = self.worth.player
        found = {"position": self.position, **self.worth.as_json(), "best": self.best}
        if not self.by_chance:
            return {**found, "moves": _rows(self.ways, view)}
        rolls = [
            {"roll": way.step.label, "weight": way.step.weight, **_row(way, view), "turns": _rows(turns, view)}
            for way, turns in zip(self.ways, self.after, strict=True)
        ]
        return {**found, "rolls": rolls}


def _row(way: Way[Any], view: str) -> dict[str, Any]:
    return {"result": str(way.step.result), **way.worth.seen_by(view).as_json()}


def _rows(ways: list[Way[Any]], view: str) -> list[dict[str, Any]]:
    """With what each move gives away against the best one, where that is a number."""
    from rulecheck.solve.tables import best_values, given_away

    rows = [{"move": way.step.label, **_row(way, view)} for way in ways]
    values = [way.worth.values for way in ways if way.worth.values is not None]
    if values:
        best = best_values(values)
        loses = [given_away(best.win, found.win).as_json() for found in values]
        return [{**row, "loses": lost} for row, lost in zip(rows, loses, strict=True)]
    return rows


def ask_play(table: Table, choice: Choice, here: Any, hero: str | None) -> tuple[dict[str, Any], Callable[[], None]]:
    """What to print, as a document and for a person."""
    from rulecheck.solve.play_tables import TabledPlay

    values = TabledPlay(table, choice)
    if hero is not None and len(values.engine.players) > 2 and hero != values.hero:
        raise InputError(f"{table.path} was solved for {values.hero}, not for {hero}")
    require_agreement(table, values, here)
    answer = ask_values(values, here, hero)
    return answer.as_json(), lambda: _print_asked(answer)


def ask_values(values: PlayValues[Any, Any], here: Any, hero: str | None) -> Asked:
    """What solved play says of a position, wherever it is kept."""
    worth, ways = view(values, here, hero), values.ways(here)
    who, _ = steps(values.engine, here)
    after = [values.choices(way.step.result) for way in ways] if who is Who.CHANCE else []
    called = _called(values, here, worth)
    return Asked(str(here), worth, called, values.engine.end(here), values.best(here), ways, after)


def _print_asked(answer: Asked) -> None:
    print(answer.position)
    if answer.worth.values is not None:
        _print_values(answer.worth.values, answer.who)
    else:
        print(worth_text(answer.worth.as_json(), answer.who))
    if answer.end is not None:
        print(f"the game is over: {answer.end}")
    elif not answer.ways:
        print("no move is left, so play stops")
    if answer.by_chance:
        _print_chances(answer)
    else:
        _print_moves(answer.ways, answer.worth.player, len(answer.ways))


def _print_chances(answer: Asked) -> None:
    whole = sum(way.step.weight for way in answer.ways)
    for way, turns in zip(answer.ways, answer.after, strict=True):
        likely = f"{way.step.weight} of {whole}"
        print(f"with {way.step.label} ({likely}): {way.worth.seen_by(answer.worth.player).text}")
        _print_moves(turns, answer.worth.player, SHOWN)


def _print_moves(ways: list[Way[Any]], view: str, shown: int) -> None:
    width = max((len(way.step.label) for way in ways[:shown]), default=0)
    for way in ways[:shown]:
        print(f"    {way.step.label:<{width}}  {way.worth.seen_by(view).text}")
    if shown < len(ways):
        print(f"    and {len(ways) - shown} more")
