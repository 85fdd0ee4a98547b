"""A few combinations of readings that together contain every pair of values of every two readings.

Readings proved one at a time say nothing of two that are changed together. All combinations are too many; a covering
array of strength two is short, since one combination of n readings holds n (n - 1) / 2 pairs at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from types import MappingProxyType
from typing import Any

from rulecheck.analyses.claims import label
from rulecheck.analyses.families import PLAY
from rulecheck.analyses.prove import ProofTask, run_task, summary
from rulecheck.hints import MissingPartError
from rulecheck.jobs import Report, ignore
from rulecheck.kept import run_kept
from rulecheck.model import InputError, Readings, Result
from rulecheck.registry import Game

Value = tuple[str, str]  # of a reading: its name and value
Pair = tuple[Value, Value]  # in the order of the readings
PRINTED: Mapping[str, str] = MappingProxyType({})  # the parameters as printed


def value_pairs(options: Mapping[str, Sequence[str]]) -> list[Pair]:
    """Every pair of values of every two readings."""
    return [
        ((one, first), (other, second))
        for one, other in combinations(options, 2)
        for first in options[one]
        for second in options[other]
    ]


def pairs_in(chosen: Mapping[str, str]) -> list[Pair]:
    """The pairs in one combination of all readings."""
    return list(combinations(chosen.items(), 2))


def covered(rows: Iterable[Mapping[str, str]]) -> int:
    """The number of pairs that these combinations contain together."""
    return len({pair for row in rows for pair in pairs_in(row)})


def covering_array(options: Mapping[str, Sequence[str]]) -> list[dict[str, str]]:
    """Combinations that together contain every pair, those with most new ones first; deterministic.

    Greedy: each begins with a pair that is still missing, and takes for one reading after the other the value that adds
    most missing pairs; of equals the first, which is the default, so that no more is changed than is of use.
    """
    missing = dict.fromkeys(value_pairs(options))
    rows = []
    while missing:
        row = _next_row(options, missing)
        for pair in pairs_in(row):
            missing.pop(pair, None)
        rows.append(row)
    return rows


def _next_row(options: Mapping[str, Sequence[str]], missing: Mapping[Pair, None]) -> dict[str, str]:
    chosen = dict(next(iter(missing)))
    for name in [name for name in options if name not in chosen]:
        gains = {value: _gain(options, missing, chosen, (name, value)) for value in options[name]}
        chosen[name] = max(gains, key=lambda value: gains[value])
    return {name: chosen[name] for name in options}


def _gain(
    options: Mapping[str, Sequence[str]], missing: Mapping[Pair, None], chosen: Mapping[str, str], new: Value
) -> tuple[int, int]:
    """The missing pairs of this value with those chosen, then with all values, so that rare ones come early."""
    order = list(options)
    at = order.index(new[0])

    def paired(other: Value) -> Pair:
        return (other, new) if order.index(other[0]) < at else (new, other)

    now = sum(paired(value) in missing for value in chosen.items())
    later = sum(paired((n, v)) in missing for n in order if n not in chosen and n != new[0] for v in options[n])
    return now, later


# -- Proving them -----------------------------------------------------------------------------------------------------


def combined_readings(game: Game, params: Mapping[str, str] = PRINTED) -> list[Readings]:
    """Combinations of the readings that a game asks with these parameters, containing every pair of values."""
    return [game.rulebook.defaults().replace(**row) for row in covering_array(_values(game, params))]


def _values(game: Game, params: Mapping[str, str]) -> dict[str, Sequence[str]]:
    return {name: reading.values for name, reading in game.rulebook.asked(params).items()}


def prove_share(game: Game, jobs: int = 1, report: Report = ignore) -> dict[str, Any]:
    """The combinations for a plain audit: the first few, without the default readings, which it proves anyway."""
    few = [row for row in combined_readings(game) if row != game.rulebook.defaults()][: game.hints.paired]
    return prove_pairs(game, {}, game.hints.pair_families or quick_families(game), few, jobs, report)


def prove_every(game: Game, jobs: int = 1, report: Report = ignore) -> dict[str, Any]:
    return prove_pairs(game, {}, quick_families(game), combined_readings(game), jobs, report)


def quick_families(game: Game) -> tuple[str, ...]:
    """The families to prove under every combination: the game's quick ones, or else all but the long ones.

    Proofs on every arrangement leave nothing to position by position but that all legal moves are listed.
    """
    hints = game.hints
    named = tuple(dict.fromkeys((*hints.pair_families, *hints.quick_families)))
    if named:
        return named
    short = tuple(name for name in hints.family_names(game.params({})) if name not in hints.long_families)
    return tuple(name for name in short if name != PLAY) or short


def prove_pairs(
    game: Game,
    params: Mapping[str, str],
    families: Sequence[str],
    rows: Sequence[Readings],
    jobs: int = 1,
    report: Report = ignore,
) -> dict[str, Any]:
    """The results under each of these combinations, and the number of pairs of values they contain.

    A combination that the game refuses is named and counted, and its pairs are not; nor are those of a combination
    under which a family compared nothing.
    """
    defaults, given = game.rulebook.defaults(), tuple(params.items())
    named = {label(row, defaults): row for row in rows}
    todo = [ProofTask(game.slug, given, tuple(row.items()), f, name) for name, row in named.items() for f in families]
    answers = run_kept(game, "proofs", _run_or_refuse, todo, Result | str, jobs=jobs, report=report)
    done = [(task, answer) for task, answer in zip(todo, answers, strict=True) if isinstance(answer, Result)]
    refused = {task.label: answer for task, answer in zip(todo, answers, strict=True) if isinstance(answer, str)}
    wrong = {task.label for task, result in done if not result.is_fine or not result.cases}
    fine = [name for name in named if name not in refused and name not in wrong]
    proved = {task.label for task, result in done if not result.sample}
    values = _values(game, params)
    asked = {name: {reading: row[reading] for reading in values} for name, row in named.items()}
    held = covered(asked[name] for name in fine)
    figures = {
        "combinations": len(fine),
        "of": len(combined_readings(game, params)),
        "covered": held,
        "pairs": len(value_pairs(values)),
        "only_sampled": held - covered(asked[name] for name in fine if name in proved),
        "refused": refused,
    }
    return {**summary(game, done), "pairs": {**figures, "words": _words(figures)}}


def _run_or_refuse(task: ProofTask) -> Result | str:
    try:
        return run_task(task)
    except MissingPartError:
        raise
    except InputError as error:
        return str(error)


def _words(figures: Mapping[str, Any]) -> str:
    """`9 combinations cover all 198 pairs of values`."""
    count, of, held, every = (figures[key] for key in ("combinations", "of", "covered", "pairs"))
    words = f"{count if count == of else f'{count} of {of}'} combinations cover "
    words += f"{'all' if held == every else f'{held:,} of'} {every:,} pairs of values"
    words += f", {figures['only_sampled']:,} of them only sampled" if figures["only_sampled"] else ""
    return words + (f"; {len(figures['refused'])} combinations are refused" if figures["refused"] else "")
