"""Ice Palace: can a player force placing last even if all others cooperate? Hands are open.

Two things make the question short. A forcer who is to move after somebody else placed last (or nobody has yet) must
place: after a pass all others pass as well, and with the forcer's own these are passes of everybody in a row, so the
round is over. A forcer who is to move after placing last has won: all others have passed, and one more pass ends it.
So a pass of the forcer is needed only to end a round that is won, and who can force does not depend on round_end.

The others, the league, have no such rule: a member passes to leave the answer to the next one.
"""

from __future__ import annotations

from rulecheck.games.icepalace import Position
from rulecheck.games.icepalace.engine import Engine
from rulecheck.games.icepalace.research.forcing_states import WIDE, Hand, Key, Rules, Stacks, State
from rulecheck.model import InputError

MOST_STATES = 200_000  # about 200 MB, and a minute


class TooManyStatesError(Exception):
    """The search was given up; nothing is known."""


class Forcing:
    """Who wins, cached for every state."""

    def __init__(self, engine: Engine, forcer: str, most: int = MOST_STATES) -> None:
        self.engine, self.forcer, self.most = engine, forcer, most
        self.rules = Rules(engine.params, engine.readings)
        self.players = engine.params.players
        self.known: dict[Key, bool] = {}

    # -- Positions --------------------------------------------------------------------------------------------

    def can_force(self, position: Position) -> bool:
        """Does the forcer win this round, whatever the others do?"""
        return not self.has_given_up(position) and self.wins(self.state(position))

    def has_given_up(self, position: Position) -> bool:
        """Somebody else placed last (or nobody has) and the forcer has passed since: the others pass, too."""
        letters = self.engine.params.letters
        since = (letters.index(position.mover) - letters.index(self.forcer)) % self.players  # the forcer's turn
        return not self._is_ahead(position) and 0 < since <= position.passes

    def _is_ahead(self, position: Position) -> bool:
        return bool(position.worksite) and self.engine.placed_last(position) == self.forcer

    def state(self, position: Position) -> State:
        """The relevant part of a position in which the forcer has not given up."""
        letters, me = self.engine.params.letters, self.engine.params.letters.index(self.forcer)
        order = letters[me:] + letters[:me]
        by_letter = dict(zip(letters, position.hands, strict=True))
        hands = tuple(tuple(sorted(map(self.rules.pyramid, by_letter[letter]))) for letter in order)
        stacks = {x * WIDE + y: self.rules.code(stack) for (x, y), stack in position.worksite}
        return self._made(stacks, hands, order.index(position.mover), self._is_ahead(position))

    def known_of(self, position: Position) -> bool | None:
        """The cached answer for a position, or None."""
        if self.has_given_up(position):
            return False
        state = self.state(position)
        return True if state.mover == 0 and state.ahead else self.known.get(self.rules.key(state))

    # -- The search -------------------------------------------------------------------------------------------

    def wins(self, state: State, key: Key | None = None) -> bool:
        if state.mover == 0 and state.ahead:
            return True
        key = key or self.rules.key(state)
        if key not in self.known:
            if len(self.known) >= self.most:
                raise TooManyStatesError
            self.known[key] = self._forcer_wins(state) if state.mover == 0 else self._league_loses(state)
        return self.known[key]

    def _forcer_wins(self, state: State) -> bool:
        """The forcer must place."""
        return self._some(state, True, slice(1, None))

    def _league_loses(self, state: State) -> bool:
        """A member passes or places; behind the forcer passing comes last, as it leaves less to the next member."""
        passed = state._replace(mover=(state.mover + 1) % self.players)
        may_pass = bool(state.stacks) or not self.rules.must_open
        if not may_pass and not state.hands[state.mover]:
            raise InputError("the player who has to open the worksite holds no pyramid")
        if not state.ahead and may_pass and not self.wins(passed):
            return False
        if self._some(state, False, slice(0, 1)):
            return False
        return not (state.ahead and may_pass) or self.wins(passed)

    def _some(self, state: State, wanted: bool, against: slice) -> bool:
        """Does some placement lead to a state that the forcer wins (or does not, as wanted)?

        Cached results come first, then those that leave the fewest placements to the seats `against`.
        """
        results: dict[Key, State] = {}
        for piece, cell in self.rules.placements(state.stacks, state.hands[state.mover]):
            after = self._after(state, piece, cell)
            key = self.rules.key(after)
            if self.known.get(key) is wanted:
                return True
            results.setdefault(key, after)
        open_ones = [(key, after) for key, after in results.items() if key not in self.known]
        open_ones.sort(key=lambda one: self._answers(one[1], against))
        return any(self.wins(after, key) is wanted for key, after in open_ones)

    def _answers(self, state: State, seats: slice) -> int:
        return sum(1 for hand in state.hands[seats] for _ in self.rules.placements(state.stacks, hand))

    def _after(self, state: State, piece: int, cell: int) -> State:
        at = state.hands[state.mover].index(piece)
        hand = state.hands[state.mover][:at] + state.hands[state.mover][at + 1 :]
        hands = state.hands[: state.mover] + (hand,) + state.hands[state.mover + 1 :]
        stacks = self.rules.put(state.stacks, piece, cell)
        return self._made(stacks, hands, (state.mover + 1) % self.players, state.mover == 0)

    def _made(self, stacks: Stacks, hands: tuple[Hand, ...], mover: int, ahead: bool) -> State:
        return State(*self.rules.trimmed(stacks, hands), mover, ahead)
