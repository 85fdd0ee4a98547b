"""What notices a change in the vocabulary that both encodings of a game use.

Engine = spec cannot: the two change together. Independent figures can: the rulebook's claims, and move counts not made
by the engine alone. The change must be seen by every module, so it is made in a process of its
own, before anything of the game is imported; nothing else may be imported at the head of this module.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import types
from collections.abc import Iterator, Sequence
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rulecheck.registry import Game

MOST_NODES = 3000  # larger counts are left out


def noticed(slug: str, module: str, source: str) -> dict[str, Any]:
    """`tried`: the number of claims and counts tried, up to the first that fails with this source of the module; `by`,
    `position` and `note` say which failed, and why, if one did."""
    from rulecheck.model import InputError

    task = json.dumps({"game": slug, "module": module, "source": source})
    # Compiled code is kept on disk by the name of its own file alone, and would outlive the change.
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    run = subprocess.run(
        [sys.executable, "-m", __name__], input=task, env=environment, capture_output=True, text=True, check=False
    )
    if run.returncode:
        raise InputError(f"{slug} cannot be run with the changed {module}: {run.stderr.strip().splitlines()[-1]}")
    answer: dict[str, Any] = json.loads(run.stdout)
    return answer


class _Changed(SourceFileLoader):
    """Finds and loads one module from the given source."""

    def __init__(self, name: str, source: str) -> None:
        super().__init__(name, f"<changed {name}>")
        self.source = source

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: types.ModuleType | None = None
    ) -> ModuleSpec | None:
        spec = PathFinder.find_spec(name, path) if name == self.name else None
        if spec is not None:
            spec.loader = self
        return spec

    def get_code(self, fullname: str) -> types.CodeType:
        return compile(self.source, self.path, "exec")


def _run(task: dict[str, str]) -> dict[str, Any]:
    if task["module"] in sys.modules:
        raise RuntimeError(f"{task['module']} is imported already")
    sys.meta_path.insert(0, _Changed(task["module"], task["source"]))

    from rulecheck.registry import find

    tried = 0
    for by, position, problem in _checks(find(task["game"])):
        tried += 1
        if problem:
            return {"tried": tried, "by": by, "position": position, "note": problem}
    return {"tried": tried}


def _checks(game: Game) -> Iterator[tuple[str, str, str]]:
    """The check, its position, and the problem, if any: the sheet's claims first, our own last."""
    yield from _claims(game, ours=False)
    yield from _counts(game)
    yield from _claims(game, ours=True)


def _claims(game: Game, *, ours: bool) -> Iterator[tuple[str, str, str]]:
    """Under the default readings."""
    from rulecheck.analyses.claims import evaluate, factory
    from rulecheck.model import InputError

    make = factory(game, game.rulebook.defaults())
    for claim in (claim for claim in game.rulebook.claims.values() if claim.is_ours == ours):
        try:
            outcome = evaluate(claim, make, game.hints.checks())
            problem = "" if outcome.holds == claim.holds_by_default else f"{claim.text} {outcome.seen}"
        except (InputError, AssertionError) as error:  # unreadable now, or no longer what a study has proved
            problem = str(error)
        yield f"claim {claim.id}" + (", ours" if ours else ""), str(claim.data.get("position", "start")), problem


def _counts(game: Game) -> Iterator[tuple[str, str, str]]:
    from rulecheck.counts import read_counts
    from rulecheck.model import InputError
    from rulecheck.perft import perft

    for kept in read_counts(game) if game.counts_file else ():
        try:
            engine, position = kept.opened(game)
            due = {d: n for d, n in kept.counts.items() if d in kept.independent and n <= MOST_NODES}
            wrong = [f"D{d} is {n}, not {due[d]}" for d in due if (n := perft(engine, position, d)) != due[d]]
            if kept.position not in ("start", str(position)):
                wrong.append(f"it is written {position}")
            problem = "; ".join(wrong)
        except InputError as error:
            problem = str(error)
        yield f"perft line {kept.line}", kept.position, problem


if __name__ == "__main__":
    json.dump(_run(json.load(sys.stdin)), sys.stdout)
