"""Addresses: the position is in the path, and every other choice in the query.

`/g/hextris/A_a1:A2_a2:B3?p=group:3&r=swap:symmetric&l=A2@a1&l=B3@a2&m=a1xa2` is Hextris with groups of three and one
reading changed, after two moves (`l`), with a question about a third (`m`). What is missing is as printed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any
from urllib.parse import quote, urlencode

from rulecheck.model import InputError
from rulecheck.notation import LONGEST_LINE

Pairs = tuple[tuple[str, str], ...]
LONGEST_PLAY = 500  # steps of a line
LONGEST_MOVE = 2_000  # characters
MOST_PAIRS = 200
SAFE = "/:,=@!$'()*;-._~"  # characters that need no percent-encoding in a path or a query


@dataclass(frozen=True)
class Address:
    """A place in the explorer. `position` is None for the start; `begin` is where the line begins, if elsewhere."""

    game: str
    position: str | None = None
    params: Pairs = ()
    readings: Pairs = ()
    line: tuple[str, ...] = ()
    begin: str | None = None
    move: str | None = None
    at: tuple[str, ...] = ()  # places clicked on so far
    against: Pairs = ()  # readings to compare with
    puzzle: str | None = None  # the id of the puzzle being solved
    hint: int = 0  # number of hints asked for
    answer: str | None = None

    def __post_init__(self) -> None:
        texts = [("position", self.position), ("position", self.begin)]
        for what, text in texts:
            if text is not None and len(text) > LONGEST_LINE:
                raise InputError(f"a {what} has at most {LONGEST_LINE:,} characters, found {len(text):,}")
        if len(self.line) > LONGEST_PLAY:
            raise InputError(f"a line has at most {LONGEST_PLAY} steps, found {len(self.line)}")
        if any(len(text) > LONGEST_MOVE for text in (*self.line, self.move or "", self.answer or "", *self.at)):
            raise InputError(f"a move has at most {LONGEST_MOVE:,} characters")
        if len(self.params) + len(self.readings) + len(self.against) > MOST_PAIRS:
            raise InputError(f"an address chooses at most {MOST_PAIRS} parameters and readings")

    # -- Reading -----------------------------------------------------------------------------------------------

    @classmethod
    def read(cls, game: str, path: str, query: Iterable[tuple[str, str]]) -> Address:
        """Read the path after the game's name, or `pos` in the query where a form sends that instead, and the query."""
        many: dict[str, list[str]] = {}
        for key, value in query:
            many.setdefault(key, []).append(value)
        one = {key: values[-1] for key, values in many.items()}
        text = " ".join(one["pos"].split()) if "pos" in one else unescaped(path)
        return cls(
            game,
            text or None,
            _pairs(many.get("p", ()), "p"),
            _pairs(many.get("r", ()), "r"),
            tuple(many.get("l", ())),
            one.get("from") or None,
            (one.get("m") or "").strip() or None,
            tuple(many.get("at", ())),
            _pairs(many.get("v", ()), "v"),
            one.get("z") or None,
            int(one["hint"]) if one.get("hint", "") in ("1", "2", "3", "4") else 0,
            one.get("ans"),
        )

    @classmethod
    def of_json(cls, data: Mapping[str, Any]) -> Address:
        chosen = {name: tuple((str(k), str(v)) for k, v in data[name]) for name in ("params", "readings", "against")}
        return cls(**{**data, **chosen, "line": tuple(data["line"]), "at": tuple(data["at"])})

    def as_json(self) -> dict[str, Any]:
        return asdict(self)

    # -- Writing -----------------------------------------------------------------------------------------------

    def but(self, **changes: Any) -> Address:
        """A copy with changes; clicks, the move asked about, hints and the answer are dropped unless given."""
        return replace(self, **{"move": None, "at": (), "hint": 0, "answer": None, **changes})

    def settings(self) -> Address:
        """The parameters and readings alone."""
        return Address(self.game, params=self.params, readings=self.readings)

    def url(self, view: str = "g") -> str:
        path = f"/{view}/{quote(self.game, safe='')}"
        if self.position is not None:
            path += f"/{quote(escaped(self.position), safe=SAFE)}"
        query = urlencode(self.query(), safe=SAFE, quote_via=quote)
        return f"{path}?{query}" if query else path

    def query(self) -> list[tuple[str, str]]:
        hint = str(self.hint) if self.hint else None
        one = [("from", self.begin), ("m", self.move), ("z", self.puzzle), ("hint", hint), ("ans", self.answer)]
        chosen = [
            *(("p", f"{key}:{value}") for key, value in self.params),
            *(("r", f"{key}:{value}") for key, value in self.readings),
            *(("v", f"{key}:{value}") for key, value in self.against),
        ]
        moves = [("l", label) for label in self.line]
        return [*chosen, *moves, *((k, v) for k, v in one if v is not None), *(("at", place) for place in self.at)]

    def hidden(self, *left_out: str) -> list[tuple[str, str]]:
        """The query for a form that provides the other fields itself."""
        return [(key, value) for key, value in self.query() if key not in left_out]


def escaped(position: str) -> str:
    """Spaces become underscores, to keep addresses readable."""
    return position.replace("~", "~0").replace("_", "~1").replace(" ", "_")


def unescaped(path: str) -> str:
    return path.replace("_", " ").replace("~1", "_").replace("~0", "~")


def _pairs(texts: Iterable[str], name: str) -> Pairs:
    values: dict[str, str] = {}
    for text in texts:
        key, colon, value = text.partition(":")
        if not colon or not key:
            raise InputError(f"in an address {name} wants NAME:VALUE, found {text[:80]!r}")
        if key in values:
            raise InputError(f"in an address {name} sets {key[:80]!r} twice")
        values[key] = value
    return tuple(values.items())
