"""Ice Palace's own questions: `build` for the best palace, `force` for who can win a round."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from rulecheck.commands.common import (
    AsJson,
    Chosen,
    GameName,
    Opened,
    Params,
    emit,
    finish,
    open_game,
    settings,
)
from rulecheck.model import InputError

if TYPE_CHECKING:
    from rulecheck.studies.icepalace.building import Bounds, Built

GAME = "icepalace"

Asked = Annotated[str | None, typer.Argument(metavar="[POSITION]", help="a position, or - for standard input")]
Palace = Annotated[str | None, typer.Option("--palace", metavar="STACKS", help="the palace, as in p0,0:A3B1 p1,0:A2")]
Material = Annotated[
    str | None, typer.Option("--material", metavar="PYRAMIDS", help="what to build with, as in A1A1B2")
]
For = Annotated[
    str | None, typer.Option("--for", metavar="PLAYER", help="whose points or round; the mover's if left out")
]


def register(app: typer.Typer) -> None:
    app.command()(build)


def _open(game: str, params: list[str] | None, readings: list[str] | None, what: str) -> Opened:
    opened = open_game(game, params, readings)
    if opened.game.slug != GAME:
        raise InputError(f"{what} is a question about {GAME}, and {opened.game.slug} has no palace")
    return opened


def _player(opened: Opened, given: str | None, mover: str) -> str:
    player = mover if given is None else given
    if player not in opened.params.letters:
        raise InputError(f"option --for wants one of {', '.join(opened.params.letters)}, found {player!r}")
    return player


# -- build ---------------------------------------------------------------------------------------------------


def build(
    game: GameName,
    position: Asked = None,
    palace: Palace = None,
    material: Material = None,
    player: For = None,
    param: Params = None,
    reading: Chosen = None,
    as_json: AsJson = False,
) -> None:
    """How many pyramids can be added to the palace, and the best and the worst that can do for a player, proved."""
    from rulecheck.studies.icepalace.building import Builder

    opened = _open(game, param, reading, "build")
    here = _building(opened, position, palace, material)
    builder = Builder(opened.engine(), opened.spec(), here.palace, here.left, _player(opened, player, here.mover))
    found = builder.answer()
    document = {
        "position": str(here),
        "player": found.player,
        "left": len(here.left),
        "points": builder.points,
        "number": found.number.as_json(),
        "best": found.best.as_json(),
        "worst": found.worst.as_json(),
        **settings(opened),
    }
    emit(document, as_json, lambda: _print_built(found, len(here.left), builder.points))
    finish(not found.is_proved)


def _building(opened: Opened, position: str | None, palace: str | None, material: str | None) -> Any:
    """The position asked about; --palace and --material make one with empty hands."""
    if position is not None:
        if palace is not None or material is not None:
            raise InputError("give a position, or --palace and --material, not both")
        here = opened.position(position)
        if not here.left:
            raise InputError("nothing is left to build in this position; expected one with left=, or --material")
        return here
    if material is None:
        raise InputError("build wants a position with left=, or --material (and --palace, if it is not empty)")
    return opened.game.read_position(opened.params, _line(opened, palace or "", material))


def _line(opened: Opened, palace: str, material: str) -> str:
    pairs = sorted(material[at : at + 2] for at in range(0, len(material), 2))
    players, colours = opened.params.players, len(opened.params.colours)
    hands, bag = "/".join("-" * players), "/".join(["000"] * colours)
    return " ".join(["A", *palace.split(), f"hands={hands}", f"bag={bag}", "marker=A", f"left={''.join(pairs)}"])


def _print_built(found: Built, left: int, points: int) -> None:
    print(f"can be used: {_told(found.number)} of {left}")
    for name, part in (("best", found.best), ("worst", found.worst)):
        print(f"{name} for {found.player}: {_told(part)} points, {points} now")
        print(f"  {' '.join(map(str, part.steps)) or 'nothing is built'}")


def _told(part: Bounds) -> str:
    value = str(part.low) if part.low == part.high else f"{part.low} to {part.high}"
    return f"{part.status.value} {value}" + (f" ({part.why})" if part.why else "")
