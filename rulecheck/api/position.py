"""Positions of an open game: what may be played, why, and how it looks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from rulecheck.contract import Chance, End
from rulecheck.jobs import Report, ignore
from rulecheck.model import Clause, InputError, Verdict, agreement

if TYPE_CHECKING:
    from rulecheck.analyses.lookahead import Foreseen
    from rulecheck.api.game import OpenGame


@dataclass(frozen=True)
class Move:
    """A legal move and the position it leads to."""

    text: str
    result: Position = field(repr=False)

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Why:
    """What both encodings say of a move. `spec` is None if the game comes without constraints, or if these gave no
    answer within their budget; `unknown` then says so."""

    position: str
    move: str
    engine: Verdict
    spec: Verdict | None
    clauses: tuple[Clause, ...]  # the clauses that either encoding names, with their texts
    unknown: str = ""
    leads_to: str | None = None  # the result of a legal move, and how the game ended if it did

    @property
    def legal(self) -> bool:
        """The engine's verdict."""
        return self.engine.legal

    @property
    def agree(self) -> bool | None:
        """Do the encodings agree? None if only one of them spoke."""
        return None if self.spec is None else agreement(self.engine, self.spec)

    def __str__(self) -> str:
        lines = ["DISAGREEMENT between the two encodings of the rules"] if self.agree is False else []
        lines.append(f"engine: {self.engine}")
        if self.spec is not None:
            lines.append(f"spec:   {'legal' if self.spec.legal else 'illegal: ' + ', '.join(self.spec.clauses)}")
        elif self.unknown:
            lines.append(f"spec:   UNKNOWN, {self.unknown}")
        if self.leads_to is not None:
            lines.append(f"then:   {self.leads_to}")
        return "\n".join([*lines, *(f"{clause.id}: {clause.text}" for clause in self.clauses)])

    def as_json(self) -> dict[str, Any]:
        return {
            "position": self.position,
            "move": self.move,
            "legal": self.legal,
            "leads_to": self.leads_to,
            "engine": list(self.engine.clauses),
            "spec": None if self.spec is None else list(self.spec.clauses),
            "agree": self.agree,
            "clauses": {clause.id: clause.text for clause in self.clauses},
        }


@dataclass(frozen=True)
class Position:
    """A position of an open game. `str(position)` is its notation, which `game.position` reads; `value` is the game's
    own object."""

    game: OpenGame
    value: Any

    def __str__(self) -> str:
        return str(self.value)

    def __repr__(self) -> str:
        return f"<{self.game.slug} {self.value}>"

    # -- Who is to act -----------------------------------------------------------------------------------------

    @property
    def end(self) -> End | None:
        """How the rules say the game has ended: winners and points. None while it goes on."""
        return self.game.engine.end(self.value)

    @property
    def winners(self) -> tuple[str, ...]:
        """The winners; empty while the game goes on and after a tie."""
        return self.end.winners if self.end is not None else ()

    @property
    def is_over(self) -> bool:
        """Has the game ended, or can it not go on because the player to act has no move?"""
        if self.end is not None:
            return True
        engine = self.game.engine
        return self.game.lists_all_moves and not engine.chances(self.value) and not engine.moves(self.value)

    @property
    def to_act(self) -> str | None:
        """Whose turn it is, also while chance acts for them; None when the game is over. Where players do not wait for
        turns it is "everybody"."""
        return None if self.is_over else self.game.engine.actor(self.value)

    @property
    def chances(self) -> tuple[Chance[Position], ...]:
        """The outcomes of chance, with weights; empty if a player is to act."""
        if self.end is not None:
            return ()
        chances = self.game.engine.chances(self.value)
        return tuple(Chance(chance.label, chance.weight, self._at(chance.result)) for chance in chances)

    # -- Moves -------------------------------------------------------------------------------------------------

    def moves(self) -> tuple[Move, ...]:
        """The legal moves, in the engine's order; none if chance is to act or the game has ended."""
        if self.end is not None or self.game.engine.chances(self.value):
            return ()
        return tuple(Move(str(move), self._at(result)) for move, result in self.game.engine.moves(self.value).items())

    def why(self, move: str | Move) -> Why:
        """Ask both encodings whether a move is legal, and by which clauses it is not."""
        choice = self.game.choice
        asked = choice.game.read_move(choice.params, str(move))
        engine, spec, unknown = self.game.engine.judge(self.value, asked), None, ""
        if choice.game.spec_name is not None:
            try:
                spec = self.game.spec.judge(self.value, asked)
            except TimeoutError as error:  # never guessed: neither legal nor illegal
                unknown = str(error)
        named = dict.fromkeys((*engine.clauses, *(spec.clauses if spec else ())))
        texts = tuple(self.game.rulebook.clauses[clause] for clause in named)
        leads_to = self._led(asked) if engine.legal else None
        return Why(str(self), str(asked), engine, spec, texts, unknown, leads_to)

    def _led(self, move: Any) -> str:
        after = self.game.engine.play(self.value, move)
        end = self.game.engine.end(after)
        return str(after) if end is None else f"{after}; {end}"

    def play(self, *line: str | Move) -> Position:
        """The position after these moves. What chance brings is named before a move, `"4: a1-a2"`, or alone, `"4"`."""
        from rulecheck.analyses.checks import after

        choice = self.game.choice
        reached = after(choice.game, self.game.engine, {"params": self.game.params}, self.value, [str(m) for m in line])
        if isinstance(reached, str):
            raise InputError(reached)
        return self._at(reached)

    def perft(self, depth: int) -> int:
        """The number of sequences of `depth` moves, over all outcomes of chance."""
        from rulecheck.perft import perft

        return perft(self.game.engine, self.value, _depth(depth))

    def divide(self, depth: int) -> Mapping[str, int]:
        """The same for each first move."""
        from rulecheck.perft import divide

        return divide(self.game.engine, self.value, _depth(depth))

    def look_ahead(
        self, depth: int, *, player: str | None = None, limit: int | None = None, report: Report = ignore
    ) -> Foreseen:
        """What the player to act (or the one named) can force within a number of moves, without a table.

        `limit` is how many positions may be looked at. A line that is not decided by then counts for nobody.
        """
        from rulecheck.analyses.lookahead import LOOKED, look_ahead

        if not self.game.lists_all_moves:
            raise InputError(f"moves are a continuum in {self.game.slug}, so nobody can look at all of them")
        if player is not None and player not in self.game.players:
            raise InputError(f"{player!r} is no player of this game; known: {', '.join(self.game.players)}")
        return look_ahead(
            self.game.engine, self.value, _depth(depth), player=player, limit=limit or LOOKED, report=report
        )

    # -- Pictures ----------------------------------------------------------------------------------------------

    @property
    def text(self) -> str:
        """The position for a terminal; its notation if the game brings no drawing."""
        from rulecheck import render

        return render.text(self.game.choice.game, self.game.choice.params, self.value)

    def svg(self, move: str | Move | None = None) -> str:
        """The position as an SVG document, with a move drawn as arrows; its notation if the game brings no drawing."""
        from rulecheck import render

        game, params = self.game.choice.game, self.game.choice.params
        drawn = None if move is None else game.read_move(params, str(move))
        return render.svg(game, params, self.value, drawn)

    def _repr_svg_(self) -> str | None:
        """The picture in a notebook, which shows `repr` where there is none."""
        return None if self.game.choice.game.render_name is None else self.svg()

    def _at(self, value: Any) -> Position:
        return Position(self.game, value)


def _depth(depth: int) -> int:
    if depth < 0:
        raise InputError(f"a number of moves is 0 or more, found {depth}")
    return depth
