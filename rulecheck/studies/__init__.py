"""What the analyses need to know of each game: one package a game, whose parts are imported when they are asked for."""

from __future__ import annotations

import importlib.util
from typing import Any

from rulecheck.registry import MissingPartError, load

# Where each part is: `module:name` in the study's package, or a full name with dots. Some command needs each of
# these (and says so of a study that lacks it) ...
USUAL = {
    "family_names": "proofs:family_names",
    "run_family": "proofs:run_family",
    "checks": "claims:CHECKS",
    "shapes": "shapes:shapes",
    "below": "shapes:below",
    "shape_bound": "shapes:bound",
    "never_separated": "coverage:never_separated",
    "coverage": "coverage:coverage",
    "stalemates": "stalemates:stalemates",
    "solved": "solved:solved",
    "impact": "solved:impact",
}
# ... and these a study may have besides: `normalised` and either `chart` (dice) or `packing` (none) for the solvers,
# `find_difference` where play is too deep to be searched, with `difference_scope` or `witness_scope` for what is known
# of smaller games or positions, `replay` if lines tell more than moves, `dead_text`, `proposals`, `estimate` for a
# greedy player, `counts` for what to count in whole games, `puzzles` (the kinds), `stated_turns` (how the constraints
# list moves, for verifying them) and `alike`, if positions that `normalised` must keep apart are the same puzzle. Where
# moves cannot be listed `offered` draws some, and without turns `actor` tells whose a move is.

COMPARED = ("legality", "results", "winners")


class Study:
    """`long_families` are proofs that only a full audit runs, and only under the default readings; `quick_families` are
    those that tell most about a reading value. `pair_families` (or else the quick ones) are proved under `paired`
    combinations of readings in a plain audit, and with the quick ones under all of them in a full one. `compares` says
    which of COMPARED the families are about: legality alone, unless the constraints state where moves lead and who
    wins, and families compare that.
    """

    def __init__(
        self,
        package: str,
        *,
        long_families: tuple[str, ...] = (),
        quick_families: tuple[str, ...] = (),
        pair_families: tuple[str, ...] = (),
        paired: int = 1,
        compares: tuple[str, ...] = COMPARED[:1],
        **parts: str,
    ) -> None:
        self.long_families, self.quick_families, self.compares = long_families, quick_families, compares
        self.pair_families, self.paired = pair_families, paired
        self._package, self._parts = package, USUAL | parts

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        if name not in self._parts:
            raise MissingPartError(f"the study {self._package} has no {name}")
        part = self._parts[name]
        where = part if "." in part else f"{self._package}.{part}"
        module, _, attribute = where.partition(":")
        if importlib.util.find_spec(module) is None or not hasattr(load(module), attribute):
            raise MissingPartError(f"the study {self._package} has no {name}: there is no {where}")
        return load(where)
