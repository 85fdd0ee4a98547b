"""Mutants made from the source of both encodings, for any game with constraints: one typo in each.

The game's own proofs compare each mutant with the other encoding: in smaller versions if the game has any, else as
printed; under the default readings and under each other value. The proofs do not cover how a game begins or which moves
there are to judge, so the claims also test a changed engine. A mutant that nothing notices survives, and is shown with
its diff: it changes nothing, or there is a hole.
"""

from __future__ import annotations

import difflib
import importlib.util
import random
import re
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import product, zip_longest
from pathlib import Path
from types import FrameType
from typing import Any

from rulecheck.analyses.claims import single_changes
from rulecheck.analyses.edits import Edit, edited, edits
from rulecheck.analyses.mutants import Mutant, encodings
from rulecheck.analyses.versions import PRINTED, Sized, versions
from rulecheck.contract import AnyEngine
from rulecheck.hints import Hints
from rulecheck.jobs import Report, ignore, run_all
from rulecheck.model import InputError, Readings, Result, Status, Witness
from rulecheck.registry import Game, find

USUAL = 20  # mutants drawn by default
SECONDS = 60.0  # of processor time for all proofs about one mutant; a longer one is UNKNOWN


@dataclass(frozen=True)
class Made:
    """A mutant with its kind and its diff."""

    mutant: Mutant
    kind: str
    diff: str


def made_mutants(game: Game) -> list[Made]:
    """All mutants, the engine's first, in the order of the text."""
    if game.spec_name is None:
        raise InputError(f"{game.slug} comes without constraints, so there is nothing to compare its engine with")
    sides = {"engine": game.engine_name, "spec": game.spec_name}
    return [made for side, name in sides.items() for made in _of_side(game, side, name.partition(":")[0])]


def _of_side(game: Game, side: str, module: str) -> Iterator[Made]:
    """An encoding may be in several modules: `name`, `name_more`."""
    spec = importlib.util.find_spec(module)
    if spec is None or spec.origin is None:
        raise InputError(f"the source of {module} cannot be found")
    main = Path(spec.origin)
    for file in (main, *sorted(main.parent.glob(f"{main.stem}_*.py"))):
        part = "" if file == main else f"{module}{file.stem.removeprefix(main.stem)}"
        source = file.read_text(encoding="utf-8")
        for number, edit in enumerate(edits(source), start=1):
            yield _made(game, side, part, source, edit, f"{file.stem}-{edit.line}-{number}")


def _made(game: Game, side: str, module: str, source: str, edit: Edit, name: str) -> Made:
    old, new = _whole_lines(source, edit)
    said, put = source.encode()[edit.start : edit.stop].decode(), edit.new
    text = f"line {edit.line}, {edit.kind}: {_short(said)} becomes {_short(put)}"
    shown = difflib.unified_diff(source.splitlines(), edited(source, edit).splitlines(), n=0, lineterm="")
    diff = "\n".join(line for line in shown if not line.startswith(("---", "+++", "@@")))
    return Made(Mutant(name, side, _clause(game, source, edit), text, old, new, module=module), edit.kind, diff)


def _short(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= 50 else f"{words[:24]} ... {words[-21:]}"


def _whole_lines(source: str, edit: Edit) -> tuple[str, str]:
    """The changed lines, before and after, with enough lines above to make them unique."""
    text = source.encode()
    stop = text.find(b"\n", edit.stop) + 1 or len(text)
    start = text.rfind(b"\n", 0, edit.start) + 1
    while text.count(text[start:stop]) > 1:
        start = text.rfind(b"\n", 0, start - 1) + 1
    changed = text[start : edit.start] + edit.new.encode() + text[edit.stop : stop]
    return text[start:stop].decode(), changed.decode()


def _clause(game: Game, source: str, edit: Edit) -> str:
    """The last clause named before the change in its function; empty if there is none."""
    above = source.splitlines()[max(edit.function - 1, 0) : edit.line] if edit.function else []
    named = [id for line in above for id in re.findall(r"[A-Z]+-\d+[a-z]?", line) if id in game.rulebook.clauses]
    return named[-1] if named else ""


def drawn(made: Sequence[Made], count: int, seed: int) -> list[Made]:
    """`count` of the mutants, spread evenly over kinds and sides, in the order of the text."""
    groups: dict[tuple[str, str], list[Made]] = {}
    for one in made:
        groups.setdefault((one.kind, one.mutant.side), []).append(one)
    for name, group in groups.items():
        random.Random(f"{seed}/{name}").shuffle(group)
    in_turn = [one for row in zip_longest(*groups.values()) for one in row if one is not None]
    chosen = {one.mutant.id for one in in_turn[:count]}
    return [one for one in made if one.mutant.id in chosen]


# -- Refuting them -------------------------------------------------------------------------------------------------


class _TookTooLongError(BaseException):
    """Not an Exception: proofs treat exceptions of a game's code as failures of that game."""


@contextmanager
def _at_most(seconds: float) -> Iterator[None]:
    """Stop a changed rule that runs for ever, on systems with a timer of processor time."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise _TookTooLongError

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def try_made(game: Game, mutant: Mutant, seconds: float = SECONDS) -> tuple[Result, str]:
    """The result of the proofs, and what noticed the mutant: a family of proofs, an error, or nothing."""
    try:
        with _at_most(seconds):
            return _first_refutation(game, mutant)
    except _TookTooLongError:
        return Result(Status.UNKNOWN, f"not settled in {seconds:g} seconds of the processor"), ""
    except Exception as error:  # a changed encoding may fail in any way
        return Result(Status.UNKNOWN, "the changed encoding fails"), f"error: {type(error).__name__}: {error}"


def _first_refutation(game: Game, mutant: Mutant) -> tuple[Result, str]:
    both, sizes = encodings(game, mutant), _sizes(game)
    unsettled, compared = "", 0
    for family, version, readings in product(_families(game), sizes, _variants(game)):
        result = game.hints.run_family(family, version.params, both, readings, lambda done: None)
        if result.status is Status.REFUTED:
            return result, f"family {family}"
        unsettled = unsettled or ("" if result.is_fine else result.scope)
        compared += result.cases
    broken = _broken_claim(game, both[0]) if mutant.side == "engine" else None
    if broken is not None:
        return broken, broken.scope
    scope = unsettled or f"nothing tells it apart: {', '.join(version.name for version in sizes)}, under each reading"
    return Result(Status.UNKNOWN, scope, cases=compared), ""


def _broken_claim(game: Game, engine: Callable[..., AnyEngine]) -> Result | None:
    """The first claim that the real engine keeps under the default readings, and this one does not."""
    readings, checks = game.rulebook.defaults(), game.hints.checks()
    for claim in game.rulebook.claims.values():
        holds, seen = checks[claim.check](lambda params: engine(game.params(params), readings), claim.data)
        if claim.holds_by_default and not holds:
            return Result(Status.REFUTED, f"claim {claim.id}", Witness(seen, note=claim.text))
    return None


def _uses_general_proofs(game: Game) -> bool:
    return type(game.hints).run_family is Hints.run_family


def _sizes(game: Game) -> list[Sized]:
    """The boards to prove on; a game's own proofs choose their boards themselves."""
    smaller = [version for version in versions(game) if version.name != PRINTED]
    return smaller if smaller and _uses_general_proofs(game) else [Sized(PRINTED, game.params({}))]


def _families(game: Game) -> list[str]:
    """The quickest first. With fields, comparing play position by position would prove nothing more."""
    names = game.hints.family_names(game.params({}))
    if _uses_general_proofs(game):
        return ["ends", "moves", "sense"] if game.fields else names
    return list(game.hints.quick_families) or [name for name in names if name not in game.hints.long_families]


def _variants(game: Game) -> list[Readings]:
    return [game.rulebook.defaults(), *single_changes(game.rulebook)]


def _score_one(task: tuple[str, str]) -> dict[str, Any]:
    slug, name = task
    game = find(slug)
    made = next(one for one in made_mutants(game) if one.mutant.id == name)
    result, by = try_made(game, made.mutant)
    mutant = made.mutant
    said = {"mutant": mutant.id, "side": mutant.side, "clause": mutant.clause, "text": mutant.text, "kind": made.kind}
    return {**said, "by": by or None, "noticed": bool(by), "diff": made.diff, **result.as_json()}


def score_made(game: Game, made: Sequence[Made], jobs: int = 1, report: Report = ignore) -> list[dict[str, Any]]:
    """One row for each: refuted by a family, failing with an error, or surviving."""
    return run_all(_score_one, [(game.slug, one.mutant.id) for one in made], jobs=jobs, report=report)
