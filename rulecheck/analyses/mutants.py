"""A check that cannot fail is worthless: deliberate rule changes, on both sides, that `prove` must refute.

A mutant is a replacement in the source text of one encoding; the changed module is compiled beside the real
one and takes its place in a proof. The text to replace must occur exactly once, so a mutant cannot silently
miss its rule when the code changes.

The compiled code that the solvers run is a third text of the rules. Its mutants replace the real one where
`certify` compares it with the engine's moves.

A comparison of the encodings cannot refute what they share (pieces, boards, notation). Its mutants must be noticed by
a claim or a move count; see `rulecheck.analyses.shared`.
"""

from __future__ import annotations

import functools
import importlib
import importlib.util
import sys
import tomllib
import types
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rulecheck.jobs import Report, ignore
from rulecheck.kept import run_kept
from rulecheck.model import InputError, Readings, Result, Status, Witness
from rulecheck.registry import Choice, Game, find, load, read_resource

COMPILED, SHARED = "compiled", "shared"
SIDES = ("engine", "spec", COMPILED, SHARED)
COMPARED = 3_000  # positions at which compiled moves are compared with the engine's


@dataclass(frozen=True)
class Mutant:
    id: str
    side: str
    clause: str
    text: str
    old: str
    new: str
    family: str = ""  # the proof that is run, on the sides of engine and spec
    readings: Mapping[str, str] = field(default_factory=dict)
    params: Mapping[str, str] = field(default_factory=dict)  # of the game that is proved or compared
    module: str = ""  # where the text is, if not in the module that holds the encoding's class


def read_mutants(game: Game) -> list[Mutant]:
    if game.mutants_file is None:
        raise InputError(f"{game.slug} comes without mutants")
    rows = tomllib.loads(read_resource(game.mutants_file)).get("mutant", [])
    mutants = [Mutant(**row) for row in rows]
    for mutant in mutants:
        if mutant.side not in SIDES or mutant.clause not in game.rulebook.clauses:
            raise InputError(f"mutant {mutant.id}: side is one of {', '.join(SIDES)} and clause a known id")
        if mutant.side == SHARED and not mutant.module:
            raise InputError(f"mutant {mutant.id}: a change of what is shared lacks the key 'module'")
        if mutant.side in ("engine", "spec") and not mutant.family:
            raise InputError(f"mutant {mutant.id}: a change of an encoding lacks the key 'family'")
    if len({m.id for m in mutants}) != len(mutants):
        raise InputError(f"{game.mutants_file}: a mutant's id stands twice")
    return mutants


def encodings(game: Game, mutant: Mutant | None = None) -> tuple[Callable[..., Any], Callable[..., Any]]:
    """The engine's and the spec's class, one of them changed if a mutant is given."""
    if game.spec_name is None:
        raise InputError(f"{game.slug} comes without constraints, so there is nothing to compare its engine with")
    engine, spec = load(game.engine_name), load(game.spec_name)
    if mutant is None:
        return engine, spec
    if mutant.side == "engine":
        return _mutate(game.engine_name, mutant), functools.partial(_kept_spec, game.spec_name)
    return engine, _mutate(game.spec_name, mutant)


@functools.lru_cache(maxsize=8)
def _kept_spec(name: str, params: Any, readings: Readings, **options: Any) -> Any:
    """Many engines are compared with the same constraints, which take longer to build than to ask."""
    return load(name)(params, readings, **options)


def _mutate(name: str, mutant: Mutant, *, plain: bool = False) -> Callable[..., Any]:
    """The class or function of this name, changed; if `plain`, without being compiled."""
    module_name, _, attribute = name.partition(":")
    if mutant.module:
        return _around(module_name, attribute, mutant, plain)
    module = types.ModuleType(f"{module_name}__{mutant.id}")
    sys.modules[module.__name__] = module
    exec(_changed_code(module_name, mutant), module.__dict__)
    changed: Callable[..., Any] = getattr(module, attribute)
    return changed


def module_of(game: Game, mutant: Mutant) -> str:
    """The module that holds the text of a mutant."""
    encoding = {"engine": game.engine_name, "spec": game.spec_name}.get(mutant.side)
    return mutant.module or (encoding or _compiled(game)).partition(":")[0]


def changed_text(module_name: str, mutant: Mutant) -> str:
    source = importlib.util.find_spec(module_name)
    if source is None or source.origin is None:
        raise InputError(f"the source of {module_name} cannot be found")
    text = Path(source.origin).read_text(encoding="utf-8")
    if (times := text.count(mutant.old)) != 1:
        raise InputError(f"mutant {mutant.id}: its text occurs {times} times in {module_name}, not once")
    return text.replace(mutant.old, mutant.new)


def _changed_code(module_name: str, mutant: Mutant) -> types.CodeType:
    return compile(changed_text(module_name, mutant), f"<{module_name}__{mutant.id}>", "exec")


def _around(module_name: str, attribute: str, mutant: Mutant, plain: bool) -> Callable[..., Any]:
    """An encoding in several modules, `name`, `name_more`: all are reloaded around the changed one."""
    if not mutant.module.startswith(f"{module_name}_"):
        raise InputError(f"mutant {mutant.id}: {mutant.module} is no part of {module_name}")
    code = _changed_code(mutant.module, mutant)
    from solvers import compiled

    njit = compiled.njit
    other: Any = _as_written if plain else _without_cache(njit)
    compiled.njit = other
    real = {n: sys.modules.pop(n) for n in list(sys.modules) if n == module_name or n.startswith(f"{module_name}_")}
    try:
        for package, _, child in (name.rpartition(".") for name in real):
            vars(sys.modules[package]).pop(child, None)
        module = sys.modules[mutant.module] = types.ModuleType(mutant.module)
        exec(code, module.__dict__)
        changed: Callable[..., Any] = getattr(importlib.import_module(module_name), attribute)
        return changed
    finally:
        compiled.njit = njit
        for name in [n for n in sys.modules if n == module_name or n.startswith(f"{module_name}_")]:
            del sys.modules[name]
        sys.modules.update(real)
        for name, kept in real.items():
            package, _, child = name.rpartition(".")
            setattr(sys.modules[package], child, kept)


def _without_cache(njit: Callable[..., Any]) -> Callable[..., Any]:
    """The unchanged sources key the disk cache: the change would go unnoticed, or be cached as the real code."""
    return lambda cache, **options: njit(cache=False, **options)


def _as_written(**options: Any) -> Callable[..., Any]:
    """On the smallest games, running a changed function as Python is faster than compiling it."""
    return lambda function: function


def try_mutant(game: Game, mutant: Mutant) -> Result:
    """Prove, or compare, with the mutant in place; REFUTED is the right answer."""
    if mutant.side == COMPILED:
        return _compare(game, mutant)
    if mutant.side == SHARED:
        return _notice(game, mutant)
    readings: Readings = game.rulebook.choose(mutant.readings)
    result: Result = game.hints.run_family(
        mutant.family, game.params(mutant.params), encodings(game, mutant), readings, lambda done: None
    )
    return result


def _notice(game: Game, mutant: Mutant) -> Result:
    """REFUTED by the first claim or count that the changed vocabulary breaks; its name is the scope."""
    from rulecheck.analyses.shared import noticed

    notice = noticed(game.slug, mutant.module, changed_text(mutant.module, mutant))
    if "by" not in notice:
        return Result(Status.UNKNOWN, "all claims and move counts", cases=notice["tried"], sample=True)
    return Result(Status.REFUTED, notice["by"], Witness(notice["position"], note=notice["note"]), cases=notice["tried"])


def _compare(game: Game, mutant: Mutant) -> Result:
    """As `certify` does: everywhere in a small game, in places drawn by strata in a large one."""

    choice = Choice(game, game.params(mutant.params), game.rulebook.choose(mutant.readings))
    compare = _walks_compared if _compiled(game).endswith(":walks") else _moves_compared
    compared, problems = compare(choice, mutant)
    scope = f"{compared:,} positions of a small game, compiled moves against the engine's"
    if not problems:
        return Result(Status.UNKNOWN, scope, cases=compared, sample=True)
    position, _, text = problems[0].partition(": ")
    witness = Witness(position, note=text, params=choice.params.as_dict())
    return Result(Status.REFUTED, scope, witness, cases=compared)


def _compiled(game: Game) -> str:
    if game.hints.compiled is None:
        raise InputError(f"{game.slug} has no compiled successors that could be changed")
    return game.hints.compiled


def _moves_compared(choice: Any, mutant: Mutant) -> tuple[int, list[str]]:
    """The number of positions compared, and the problems."""
    from rulecheck.solve.certifying import numbers_to_compare
    from rulecheck.solve.graph_views import move_problems
    from rulecheck.solve.packed import Packed

    make = _mutate(_compiled(choice.game), mutant)
    space = Packed(make(choice.params, choice.readings))
    numbers = numbers_to_compare(space, COMPARED)
    return len(numbers), move_problems(choice, space, numbers)


def _walks_compared(choice: Any, mutant: Mutant) -> tuple[int, list[str]]:
    """The same for a game with dice."""
    from rulecheck.solve.walk_tables import walk_turn_problems

    make = _mutate(_compiled(choice.game), mutant, plain=True)
    walks = make(choice.params, choice.readings)
    return walks.size, walk_turn_problems(choice, walks, range(walks.size))


def _score_one(task: tuple[str, str]) -> dict[str, Any]:
    slug, name = task
    game = find(slug)
    mutant = next(m for m in read_mutants(game) if m.id == name)
    result = try_mutant(game, mutant)
    return {
        "mutant": mutant.id,
        "side": mutant.side,
        "clause": mutant.clause,
        "text": mutant.text,
        "family": mutant.family,
        "by": _refuted_by(mutant, result),
        **result.as_json(),
    }


def _refuted_by(mutant: Mutant, result: Result) -> str | None:
    if result.status is not Status.REFUTED:
        return None
    return {COMPILED: "comparing moves", SHARED: result.scope}.get(mutant.side, f"family {mutant.family}")


def score(game: Game, mutants: Sequence[Mutant], jobs: int = 1, report: Report = ignore) -> list[dict[str, Any]]:
    """One row for each mutant; its `result` should be REFUTED."""
    todo = [(game.slug, m.id) for m in mutants]
    return run_kept(game, "mutants", _score_one, todo, dict[str, Any], jobs=jobs, report=report)
