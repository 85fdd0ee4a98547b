"""Ice Palace's own questions: `build` for the best palace, `force` for who can win a round."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rulecheck.commands.common import (
    AsJson,
    Chosen,
    GameName,
    Params,
    emit,
    finish,
    open_game,
    position_at,
    settings,
)
from rulecheck.commands.own import OwnCommands
from rulecheck.model import InputError
from rulecheck.registry import Choice

if TYPE_CHECKING:
    from rulecheck.games.icepalace.research.building import Bounds, Built
    from rulecheck.games.icepalace.research.forcing_strategy import Answer

GAME = "icepalace"

Asked = Annotated[str | None, typer.Argument(metavar="[POSITION]", help="a position, or - for standard input")]
Palace = Annotated[str | None, typer.Option("--palace", metavar="STACKS", help="the palace, as in p0,0:A3B1 p1,0:A2")]
Material = Annotated[
    str | None, typer.Option("--material", metavar="PYRAMIDS", help="what to build with, as in A1A1B2")
]
For = Annotated[
    str | None,
    typer.Option("--player", "--for", metavar="PLAYER", help="whose points or round [default: the mover's]"),
]
Hands = Annotated[
    str | None,
    typer.Option("--hands", metavar="HANDS", help="each player's hand, as in A1A3/B2/C1K3; - is empty"),
]
Opener = Annotated[str, typer.Option("--opener", metavar="PLAYER", help="who opens the round with these --hands")]
DealSeed = Annotated[int | None, typer.Option("--seed", help="deal at random; equal seeds give equal hands")]
Keep = Annotated[int | None, typer.Option("--keep", min=1, metavar="N", help="keep N pyramids of each hand dealt")]
Most = Annotated[int | None, typer.Option("--most", min=1, metavar="N", help="give up after N states")]
Tree = Annotated[
    Path | None, typer.Option("--tree", metavar="FILE", help="write the whole strategy for `rulecheck certify`")
]


def _open(game: str, params: list[str] | None, readings: list[str] | None, what: str) -> Choice:
    choice = open_game(game, params, readings)
    if choice.game.slug != GAME:
        raise InputError(f"{what} is a question about {GAME}, and {choice.game.slug} has no palace")
    return choice


def _player(choice: Choice, given: str | None, mover: str) -> str:
    player = mover if given is None else given
    if player not in choice.params.letters:
        raise InputError(f"option --player wants one of {', '.join(choice.params.letters)}, found {player!r}")
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
    """Prove how many pyramids can be added to the palace, and the best and the worst result for a player."""
    from rulecheck.games.icepalace.research.building import Builder

    choice = _open(game, param, reading, "build")
    here = _building(choice, position, palace, material)
    builder = Builder(choice.engine(), choice.spec(), here.palace, here.left, _player(choice, player, here.mover))
    built = builder.answer()
    document = {
        "position": str(here),
        "player": built.player,
        "left": len(here.left),
        "points": builder.points,
        "number": built.number.as_json(),
        "best": built.best.as_json(),
        "worst": built.worst.as_json(),
        **settings(choice),
    }
    emit(document, as_json, lambda: _print_built(built, len(here.left), builder.points))
    finish(not built.is_proved)


def _building(choice: Choice, position: str | None, palace: str | None, material: str | None) -> Any:
    """The position in question; --palace and --material make one with empty hands."""
    if position is not None:
        if palace is not None or material is not None:
            raise InputError("give a position, or --palace and --material, not both")
        here = position_at(choice, position).value
        if not here.left:
            raise InputError("nothing is left to build in this position; expected one with left=, or --material")
        return here
    if material is None:
        raise InputError("build wants a position with left=, or --material (and --palace, if it is not empty)")
    return choice.game.read_position(choice.params, _line(choice, palace or "", material))


def _line(choice: Choice, palace: str, material: str) -> str:
    pairs = sorted(material[at : at + 2] for at in range(0, len(material), 2))
    players, colours = choice.params.players, len(choice.params.colours)
    hands, bag = "/".join("-" * players), "/".join(["000"] * colours)
    return " ".join(["A", *palace.split(), f"hands={hands}", f"bag={bag}", "marker=A", f"left={''.join(pairs)}"])


def _print_built(built: Built, left: int, points: int) -> None:
    print(f"can be used: {_bounds_text(built.number)} of {left}")
    for name, part in (("best", built.best), ("worst", built.worst)):
        print(f"{name} for {built.player}: {_bounds_text(part)} points, {points} now")
        print(f"  {' '.join(map(str, part.steps)) or 'nothing is built'}")


def _bounds_text(part: Bounds) -> str:
    value = str(part.low) if part.low == part.high else f"{part.low} to {part.high}"
    return f"{part.status.value} {value}" + (f" ({part.why})" if part.why else "")


# -- force ---------------------------------------------------------------------------------------------------


def force(
    game: GameName,
    position: Asked = None,
    hands: Hands = None,
    opener: Opener = "A",
    seed: DealSeed = None,
    keep: Keep = None,
    player: For = None,
    most: Most = None,
    tree: Tree = None,
    param: Params = None,
    reading: Chosen = None,
    as_json: AsJson = False,
) -> None:
    """Prove whether a player can place last even if all others cooperate, with open hands and a checked strategy."""
    choice = _open(game, param, reading, "force")
    asked = [text for text in (position, hands, None if seed is None else str(seed)) if text is not None]
    if len(asked) != 1:
        raise InputError("force wants one of these: a position of a round, --hands, or --seed")
    if keep is not None and seed is None:
        raise InputError("--keep is said of hands that --seed deals")
    _force(choice, _round(choice, position, hands, opener, seed, keep), player, most, tree, as_json)


def _round(
    choice: Choice, position: str | None, hands: str | None, opener: str, seed: int | None, keep: int | None
) -> Any:
    """The position in question; given or dealt hands are those of a round about to open."""
    from rulecheck.games.icepalace.research.forcing_deals import deal

    if position is not None:
        return position_at(choice, position).value
    if seed is not None:
        return deal(choice.engine(), seed, keep)  # type: ignore[arg-type]
    bag = "/".join(["000"] * len(choice.params.colours))
    line = f"{opener} hands={_sorted_hands(hands or '')} bag={bag} marker={opener}"
    return choice.game.read_position(choice.params, line)


def _sorted_hands(hands: str) -> str:
    """Each hand in order, whatever order its pyramids were typed in."""
    return "/".join("".join(sorted(hand[at : at + 2] for at in range(0, len(hand), 2))) for hand in hands.split("/"))


def _force(choice: Choice, here: Any, player: str | None, most: int | None, tree: Path | None, as_json: bool) -> None:
    from rulecheck.files import write_file
    from rulecheck.games.icepalace.research.forcing import MOST_STATES
    from rulecheck.games.icepalace.research.forcing_strategy import as_text
    from rulecheck.games.icepalace.research.forcing_strategy import force as ask

    whose = _player(choice, player, here.mover)
    answer = ask(choice.engine(), here, whose, MOST_STATES if most is None else most)  # type: ignore[arg-type]
    if tree is not None and answer.document:
        write_file(tree, as_text(answer.document))
    written = str(tree) if tree is not None and answer.document else None
    document = {"position": str(here), **answer.as_json(), "tree": written, **settings(choice)}
    emit(document, as_json, lambda: _print_forced(answer, str(here), written))
    finish(answer.forces is None)


def _print_forced(answer: Answer, position: str, written: str | None) -> None:
    print(position)
    if answer.forces is None:
        print(f"{answer.result}: whether {answer.player} can force the round; {answer.why}")
        return
    print(f"{answer.result}: {answer.player} {'can' if answer.forces else 'cannot'} force the round")
    against = "does not" if position.startswith(answer.player) else "stops it"
    for move, forces in answer.moves.items():
        print(f"    {move:<9} {'not known' if forces is None else 'forces it' if forces else against}")
    print(f"over within {answer.within} moves; {answer.states:,} states searched")
    print(f"strategy of {answer.nodes:,} nodes, accepted by the checker" + (f": {written}" if written else ""))


def certify_strategy(file: Path, document: Any, as_json: bool) -> None:
    """Check a strategy with the engine alone."""
    from rulecheck.games.icepalace.research.forcing_check import problems, read_strategy

    strategy = read_strategy(document)
    wrong = problems(strategy)
    verdict = {
        "certificate": str(file),
        "result": "REFUTED" if wrong else "PROVED",
        "game": GAME,
        "position": document["position"],
        "player": strategy.player,
        "forces": strategy.forces,
        "nodes": len(strategy.nodes),
        "problems": wrong,
        "params": document["params"],
        "readings": document["readings"],
    }
    emit(verdict, as_json, lambda: _print_checked(verdict))
    finish(bool(wrong))


def _print_checked(verdict: dict[str, Any]) -> None:
    shown = f"{verdict['player']} {'can' if verdict['forces'] else 'cannot'} force the round"
    print(f"{verdict['result']}: {shown} in {verdict['position']}; strategy of {verdict['nodes']:,} nodes")
    for problem in verdict["problems"]:
        print(f"    {problem}")


OWN = OwnCommands((build, force), {"rulecheck icepalace strategy 1": certify_strategy})
