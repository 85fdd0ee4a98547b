"""Icehouse: the facts about a table: which pieces stand, whose they are, what lines point at, what is in range.

They are read from a position (`spec_scene`), or unknown, as terms of z3.

Glossary: a a lying piece, d a standing one, i any, by their number on the table; k a player; `gone` the number of a
piece that is left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from specs.icehouse.spec_terms import Number, Truth


class Scene(Protocol):
    @property
    def numbers(self) -> Sequence[int]: ...

    def stands(self, i: int) -> Truth: ...

    def size(self, i: int) -> Number: ...

    def coloured(self, i: int, k: str) -> Truth: ...

    def placed_by(self, i: int, k: str) -> Truth: ...

    def marked(self, i: int) -> Truth: ...

    def points(self, a: int, i: int, gone: int | None) -> Truth:
        """The line of a points at i."""
        ...

    def first_aim(self, a: int, i: int, gone: int | None) -> Truth:
        """It does so if only pieces placed before a are there."""
        ...

    def pinched(self, a: int) -> Truth:
        """IH-64: the line of a is touched on both sides before it points at anything."""
        ...

    def near(self, a: int, d: int) -> Truth:
        """IH-27: d is in range of a."""
        ...

    def on_pad(self, k: str) -> Number: ...

    def holds_one(self, k: str) -> Truth:
        """There is a piece in k's hand."""
        ...

    def iced(self, k: str) -> Truth: ...

    def lost(self, k: str) -> Truth: ...
