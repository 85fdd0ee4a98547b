"""Ice Palace: how the readings change who can force a round, over random deals.

The search answers for every deal, reading and player. Where a reading changes the answer, the strategies for both
answers are written and checked (`forcing_check`), unless they are too large. A sample shows that a reading matters;
that one does not is shown for these deals only, except for round_end, which `forcing` proves. The other readings
concern the palace and the bag, which do not affect a round.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from rulecheck.games.icepalace import GAME, Position
from rulecheck.games.icepalace.engine import Engine
from rulecheck.games.icepalace.research.forcing import Forcing, TooManyStatesError
from rulecheck.games.icepalace.research.forcing_deals import deal
from rulecheck.games.icepalace.research.forcing_strategy import force
from rulecheck.jobs import Report, ignore, run_all
from rulecheck.pyramids import stack_text

OF_ROUNDS = ("stacking", "onto_black", "match", "adjacent", "white_white", "grid", "opening", "round_end")
USUAL = ""  # the value that stands for the default readings
MOST = 60_000  # states for one answer
CHECKED = 4_000  # states, or nodes of a strategy; larger ones are not checked
DEALS = {2: 60, 3: 20, 4: 3}  # for the report: by pyramids each, the number of deals
MORE_DEALS = {2: 100, 3: 60, 4: 20}  # for docs/research/rounds.md
COMPOSED = ("W1/W1/W1",)  # hands, opened by A, on which values differ that random deals seldom separate
NOBODY = "nobody"
Task = tuple[int, int]  # pyramids each, seed
Forced = str | None  # who forces: a letter or nobody; None if unknown


@dataclass(frozen=True)
class Dealt:
    """A deal, who can force the round under each value, and the differing values that were checked."""

    keep: int
    hands: str
    opener: str
    forced: Mapping[str, Forced]
    checked: frozenset[str]

    def differs(self, value: str) -> bool:
        here, usual = self.forced[value], self.forced[USUAL]
        return None not in (here, usual) and here != usual


@dataclass(frozen=True)
class Row:
    """The effect of one value: the number of deals of each size whose answer changes, and the smallest such deal.

    `checked` counts the changes for which the strategies on both sides were accepted.
    """

    value: str
    changed: Mapping[int, int]
    asked: Mapping[int, int]
    unknown: int
    checked: int
    example: Dealt | None

    def sentence(self) -> str:
        counts = ", ".join(
            f"{n} of {self.asked[keep]} with {keep} pyramids each" for keep, n in self.changed.items() if n
        )
        if self.example is None:
            return f"{self.value}: no change was found"
        return f"{self.value}: {counts or 'none of the random deals'}; for example {self.shown}"

    @property
    def shown(self) -> str:
        """The example in words, if there is one."""
        if (e := self.example) is None:
            return ""
        return f"{e.hands}, opened by {e.opener}: {e.forced[self.value]} instead of {e.forced[USUAL]}"


def values() -> Iterator[str]:
    """The values in question, as `reading=value`, without the defaults."""
    for name in OF_ROUNDS:
        yield from (f"{name}={value}" for value in GAME.rulebook.options[name].values[1:])


def engine_of(value: str) -> Engine:
    name, _, chosen = value.partition("=")
    return Engine(GAME.params({}), GAME.rulebook.choose({name: chosen} if name else {}))


def who_forces(value: str, start: Position) -> Forced:
    """The player who can force the round; there is at most one."""
    engine = engine_of(value)
    try:
        for player in engine.params.letters:
            if Forcing(engine, player, MOST).can_force(start):
                return player
    except TooManyStatesError:
        return None
    return NOBODY


def dealt(task: Task) -> Dealt:
    """A random deal."""
    keep, seed = task
    return asked(keep, deal(engine_of(USUAL), seed, keep))


def composed(hands: str) -> Dealt:
    """A composed deal; it counts as one of size 0."""
    line = f"A hands={hands} bag=000/000/000/000/000 marker=A"
    return asked(0, GAME.read_position(GAME.params({}), line))


def asked(keep: int, start: Position) -> Dealt:
    forced = {value: who_forces(value, start) for value in (USUAL, *values())}
    hands = "/".join(stack_text(hand) for hand in start.hands)
    plain = Dealt(keep, hands, start.mover, forced, frozenset())
    checked = frozenset(value for value in values() if plain.differs(value) and _is_checked(plain, value, start))
    return replace(plain, checked=checked)


def _is_checked(plain: Dealt, value: str, start: Position) -> bool:
    """Does the checker accept strategies that show the difference: a player forces under one value only?"""
    player = next(who for who in (plain.forced[value], plain.forced[USUAL]) if who not in (None, NOBODY))
    assert player is not None
    for side in (USUAL, value):
        answer = force(engine_of(side), start, player, CHECKED)
        if answer.forces is None:
            return False
        if answer.forces is not (plain.forced[side] == player):
            raise AssertionError(f"search and strategy differ for {player} under {side} in {start}")
    return True


def sample(deals: Mapping[int, int], jobs: int = 1, report: Report = ignore) -> list[Dealt]:
    """Random deals, the smallest first."""
    tasks = [(keep, seed) for keep, count in deals.items() for seed in range(count)]
    return run_all(dealt, tasks, jobs=jobs, report=report)


def rows(deals: Sequence[Dealt], more: Sequence[Dealt] = ()) -> list[Row]:
    """A row for each value; where no random deal shows a difference, one of `more` may."""
    return [_row(value, deals, more) for value in values()]


def _row(value: str, deals: Sequence[Dealt], more: Sequence[Dealt]) -> Row:
    changed = [d for d in deals if d.differs(value)]
    sizes = Counter(d.keep for d in deals)
    counts = {keep: sum(d.keep == keep for d in changed) for keep in sizes}
    unknown = sum(d.forced[value] is None for d in deals)
    example = next((d for d in (*changed, *more) if d.differs(value)), None)
    return Row(value, counts, sizes, unknown, sum(value in d.checked for d in changed), example)


def paragraphs(jobs: int, report: Report) -> list[str]:
    """The sample in words, for the report."""
    deals = sample(DEALS, jobs, report)
    forced = [d for d in deals if d.forced[USUAL] not in (None, NOBODY)]
    known = rows(deals, [composed(hands) for hands in COMPOSED])
    changed, checked = sum(sum(row.changed.values()) for row in known), sum(row.checked for row in known)
    unknown = sum(row.unknown for row in known) + sum(d.forced[USUAL] is None for d in deals)
    intro = (
        "Can a player be sure of placing last with open hands, even if all the others cooperate? In "
        f"{len(forced)} of {len(deals)} random deals somebody can; in "
        f"{sum(d.opener == d.forced[USUAL] for d in forced)} of these it is the player who opens. Another reading "
        f"changes who can {changed} times; for {checked} of these a separate checker accepted the strategies on both "
        f"sides. {unknown} questions were too large to answer."
    )
    sentences = ". ".join(row.sentence() for row in known if not row.value.startswith("round_end"))
    ends = "round_end=others_pass changes nothing in any deal, which is proved: who placed last wins by passing."
    return [intro, f"How often each value changes it: {sentences}. {ends}"]


def table() -> str:
    """The larger sample, as it stands in docs/research/rounds.md."""
    known = rows(sample(MORE_DEALS), [composed(hands) for hands in COMPOSED])
    head = ["value", *(f"of {count} with {keep} each" for keep, count in MORE_DEALS.items()), "for example"]
    lines = [head, ["---"] * len(head)]
    for row in known:
        shown = row.shown or "none found"
        lines.append([f"`{row.value}`", *(str(n) for n in row.changed.values()), shown])
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
