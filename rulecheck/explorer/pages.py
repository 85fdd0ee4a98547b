"""Pages from documents: what a template needs to know, and no more."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import jinja2
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from rulecheck import registry
from rulecheck.explorer import editing, worths
from rulecheck.explorer.address import Address, unescaped
from rulecheck.explorer.desk import OutOfTimeError
from rulecheck.explorer.explorer import Explorer
from rulecheck.model import InputError

Document = dict[str, Any]
TEMPLATES = Path(__file__).parent / "templates"
TABS = (("g", "position", "Position"),)
AGAIN = 600  # milliseconds after which a page with something pending is asked for again


class Pages:
    def __init__(self, explorer: Explorer) -> None:
        self.explorer = explorer
        loader = jinja2.FileSystemLoader(TEMPLATES)
        self.templates = jinja2.Environment(
            loader=loader, autoescape=True, trim_blocks=True, lstrip_blocks=True, undefined=jinja2.StrictUndefined
        )

    def html(self, name: str, status: int = 200, **values: Any) -> Response:
        common = {"again": AGAIN, "address": None, "seen": None, "tab": "", "tabs": TABS, "title": ""}
        if values.get("address") is not None:
            common["title"] = registry.find(values["address"].game).title
        return HTMLResponse(self.templates.get_template(name).render({**common, **values}), status)

    def error(self, request: Request, status: int, sentence: str) -> Response:
        """One sentence and, within a game, what was typed, to be mended."""
        game, typed = request.path_params.get("game", ""), unescaped(request.path_params.get("position", ""))
        known = game if game in registry.names() else ""
        return self.html("error.html", status, sentence=sentence, unknown=status == 503, game=known, typed=typed)

    def games(self, request: Request) -> Response:
        found, broken = _described()
        return self.html("games.html", found=found, broken=broken)

    # -- A position --------------------------------------------------------------------------------------------

    def position(self, request: Request, address: Address) -> Response:
        seen = self.explorer.look("look", address)
        address = _settled(address, seen)
        worth = self.explorer.weigh(address)
        shown = worths.verdict(seen, worth.found)
        if worth.unknown:
            shown = worths.Shown("Not solved", "open", (f"Solving was stopped: {worth.unknown}.",))
        asked = self._asked(address, seen)
        return self.html(
            "position.html",
            address=address,
            seen=seen,
            tab="position",
            verdict=shown,
            worth=worth.found,
            groups=worths.groups(seen, worth.found),
            rolls=worths.rolls(worth.found),
            places=_places(address, seen),
            to=functools.partial(_to, address, seen),
            pending=worth.pending or asked["pending"],
            why=asked,
            die=all(chance["label"].isdecimal() for chance in seen["chances"]),
            matching=[m for m in seen["moves"] if m["places"][: len(address.at)] == list(address.at)],
        )

    def _asked(self, address: Address, seen: Document) -> Document:
        """What the constraints say of the move that is asked about."""
        if seen["asked"] is None:
            return {"pending": False, "found": None, "unknown": ""}
        try:
            maybe = self.explorer.why(address.but(move=seen["asked"]["move"], line=(), begin=None))
        except InputError as error:
            return {"pending": False, "found": None, "unknown": str(error)}
        return {"pending": maybe.pending, "found": maybe.found, "unknown": maybe.unknown}

    # -- Editing -----------------------------------------------------------------------------------------------

    def edit(self, request: Request, address: Address, query: Sequence[tuple[str, str]]) -> Response:
        """The form, or where it leads once its position can be read."""
        problem, typed = "", editing.typed(query)
        if typed is not None:
            text = editing.assembled(typed)
            try:
                plain = address.but(position=text or None, line=(), begin=None)
                return RedirectResponse(_settled(plain, self.explorer.look("look", plain)).url(), 303)
            except (InputError, OutOfTimeError) as error:
                problem = str(error)
        seen = self.explorer.look("look", address.but(line=(), begin=None))
        form = editing.form(seen, typed)
        return self.html(
            "edit.html", 400 if problem else 200, address=address, seen=seen, form=form, problem=problem, tab="edit"
        )


def _settled(address: Address, seen: Document) -> Address:
    """Without a line that does not lead here."""
    return address if seen["line"] else address.but(line=(), begin=None, move=address.move, at=address.at)


def _to(address: Address, seen: Document, label: str, result: str) -> str:
    from rulecheck.explorer.app import after

    return after(address, seen, label, result).url()


def _places(address: Address, seen: Document) -> list[Document]:
    """Where clicking on each place leads: to a move, to a further click, or to why there is no such move."""
    at = () if seen["tried"] else address.at
    found = []
    for name, box in seen["places"].items():
        kind, href = _click(address, seen, at, name)
        found.append({"name": name, "box": box, "kind": kind, "href": href})
    return found


def _click(address: Address, seen: Document, at: tuple[str, ...], name: str) -> tuple[str, str]:
    wanted = [*at, name]
    matches = [move for move in seen["moves"] if move["places"][: len(wanted)] == wanted]
    if len(matches) == 1 and matches[0]["places"] == wanted:
        return "go", _to(address, seen, matches[0]["move"], matches[0]["result"])
    if not matches and at and name == at[-1]:
        return "picked", address.but().url()
    picked = " picked" if name in at else ""
    return ("next" if matches else "other") + picked, address.but(at=tuple(wanted)).url()


@functools.lru_cache(maxsize=1)
def _described() -> tuple[list[Document], list[str]]:
    """Every game that can be loaded, and why others cannot."""
    found, broken = [], []
    for name in registry.names():
        try:
            book = registry.find(name).rulebook
            options = len(book.options)
            counts = f"{len(book.clauses)} clauses, {options} open question" + ("s" if options != 1 else "")
            found.append({"slug": name, "title": book.title, "summary": book.summary, "counts": counts})
        except InputError as error:
            broken.append(str(error))
    return found, broken
