"""Counts the events of Icehouse that move pieces between pads and hands, without any code of the package.

Good for positions in which nobody can be iced (limit=0) and nothing can be captured: pieces are lifted and put back,
every call is wrong and costs a piece, a crash costs one if something lies on the table, and the time may be up.
A state is the sorted pads, the hands, and whether the time is up.
"""

from __future__ import annotations

from collections.abc import Iterator

State = tuple[tuple[tuple[str, ...], ...], tuple[str, ...], bool]


def results(state: State, table: bool) -> set[State]:
    """Every state that one event leads to."""
    pads, hands, stopped = state
    if stopped or not (any(pads) or any(hands)):
        return set()
    found = {(_back(pads, hands), ("",) * len(hands), True)}
    for player in range(len(pads)):
        found |= set(_lifts(state, player))
        found |= set(_calls(state, player))
        found |= set(_crashes(state, player)) if table else set()
    return found


def count(state: State, table: bool, depth: int) -> int:
    return 1 if depth == 0 else sum(count(after, table, depth - 1) for after in results(state, table))


def _lifts(state: State, player: int) -> Iterator[State]:
    pads, hands, _ = state
    if hands[player]:
        yield _moved(pads, None, hands[player], player), _changed(hands, player, ""), False
        return
    for piece in set(pads[player]):
        yield _moved(pads, player, piece, None), _changed(hands, player, piece), False


def _calls(state: State, player: int) -> Iterator[State]:
    pads, empty = _back(*state[:2]), ("",) * len(state[1])
    if not pads[player]:
        yield pads, empty, False
    for piece in set(pads[player]):
        for other in set(range(len(pads))) - {player}:
            yield _moved(pads, player, piece, other), empty, False


def _crashes(state: State, player: int) -> Iterator[State]:
    pads, hands, _ = state
    for other in set(range(len(pads))) - {player}:
        if hands[player]:
            yield _moved(pads, None, hands[player], other), _changed(hands, player, ""), False
        else:
            for piece in set(pads[player]):
                yield _moved(pads, player, piece, other), hands, False


def _back(pads: tuple[tuple[str, ...], ...], hands: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(sorted([*pad, hand] if hand else pad)) for pad, hand in zip(pads, hands, strict=True))


def _changed(hands: tuple[str, ...], player: int, piece: str) -> tuple[str, ...]:
    return (*hands[:player], piece, *hands[player + 1 :])


def _moved(
    pads: tuple[tuple[str, ...], ...], source: int | None, piece: str, target: int | None
) -> tuple[tuple[str, ...], ...]:
    changed = [list(pad) for pad in pads]
    if source is not None:
        changed[source].remove(piece)
    if target is not None:
        changed[target].append(piece)
    return tuple(tuple(sorted(pad)) for pad in changed)
