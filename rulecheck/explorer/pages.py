"""Pages from documents: what each template needs, and no more."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from rulecheck import registry
from rulecheck.explorer import editing, lab, worths
from rulecheck.explorer.address import Address, Pairs, unescaped
from rulecheck.explorer.desk import OutOfTimeError
from rulecheck.explorer.explorer import Explorer, Maybe
from rulecheck.model import InputError
from rulecheck.pages import environment
from rulecheck.registry import Game

Document = dict[str, Any]
TABS = (("g", "Position"), ("readings", "Readings"), ("rules", "Rules"), ("puzzles", "Puzzles"), ("lab", "Lab"))
AGAIN = 600  # milliseconds after which a page with pending parts reloads


class Pages:
    def __init__(self, explorer: Explorer) -> None:
        self.explorer = explorer
        self.templates = environment("rulecheck.explorer")

    def html(self, name: str, status: int = 200, **values: Any) -> Response:
        common = {"again": AGAIN, "address": None, "seen": None, "tab": "", "tabs": TABS, "title": ""}
        if values.get("address") is not None:
            common["title"] = registry.find(values["address"].game).title
        return HTMLResponse(self.templates.get_template(name).render({**common, **values}), status)

    def error(self, request: Request, status: int, sentence: str) -> Response:
        """One sentence and, within a game, the text that was typed, for correction."""
        game, typed = request.path_params.get("game", ""), unescaped(request.path_params.get("position", ""))
        known = game if game in registry.names() else ""
        return self.html("error.html", status, sentence=sentence, unknown=status == 503, game=known, typed=typed)

    def games(self, request: Request) -> Response:
        loaded, broken = described()
        pictures = {game["slug"]: _url_of(self.explorer.sample(game["slug"]), "picture") for game in loaded}
        return self.html("games.html", found=loaded, broken=broken, pictures=pictures)

    def api(self, request: Request) -> Response:
        from rulecheck.explorer.api import ENDPOINTS, QUERY, ROOT

        rows = [(f"{ROOT}{path}", words, [(n, QUERY[n][0]) for n in query]) for path, _, words, query in ENDPOINTS]
        return self.html("api.html", endpoints=rows)

    # -- A position --------------------------------------------------------------------------------------------

    def position(self, request: Request, address: Address) -> Response:
        weighed = self.explorer.weigh_meanwhile(address) if address.puzzle is None else Maybe
        seen = self.explorer.look("look", address)
        address = _settled(address, seen)
        puzzle = None if address.puzzle is None else self._puzzle(address, seen)
        closed = _is_closed(puzzle, address)
        if puzzle is not None and closed:
            seen = _closed(seen, self._drawn(address, seen, puzzle))
        worth = weighed()
        shown = worths.verdict(seen, worth.found)
        if worth.unknown:
            shown = worths.Shown("Not solved", "open", (f"Solving was stopped: {worth.unknown}.",))
        asked = self._asked(address, seen)
        return self.html(
            "position.html",
            address=address,
            seen=seen,
            tab="g",
            puzzle=puzzle,
            closed=closed,
            verdict=shown,
            worth=worth.found,
            groups=worths.groups(seen, worth.found),
            rolls=worths.rolls(worth.found),
            places=_places(address, seen),
            to=functools.partial(_to, address, seen),
            pending=worth.pending or asked["pending"],
            why=asked,
            url_of=_url_of,
            die=all(chance["label"].isdecimal() for chance in seen["chances"]),
            matching=[m for m in seen["moves"] if m["places"][: len(address.at)] == list(address.at)],
        )

    # -- Puzzles -----------------------------------------------------------------------------------------------

    def _puzzle(self, address: Address, seen: Document) -> Document:
        panel = self.explorer.puzzles("puzzle", address.but(hint=address.hint, answer=address.answer))
        for defence in panel["defences"]:
            line = (*address.line, *defence["moves"])
            defence["url"] = address.but(position=defence["result"], line=line).url()
        return panel

    def _drawn(self, address: Address, seen: Document, puzzle: Document) -> str:
        """The board of an open question, with the move that it is about."""
        if seen["riddle"] or puzzle["mode"] != "legal":
            return str(seen["riddle"] or seen["svg"])
        return str(self.explorer.look("picture", address.but(move=puzzle["asked"], puzzle=None))["svg"])

    def puzzles(self, request: Request, game: str) -> Response:
        """The puzzles that pass the filters."""
        listing = self.explorer.puzzles("puzzles", Address(game or "-"))
        chosen = {key: request.query_params.get(key, "") for key in ("game", "kind", "level")}
        chosen["game"] = game or chosen["game"]
        rows = [row for row in listing["puzzles"] if all(not v or str(row[k]) == v for k, v in chosen.items())]
        every = {key: sorted({str(row[key]) for row in listing["puzzles"]}) for key in chosen}
        address = Address(game) if game else None
        return self.html(
            "puzzles.html", address=address, tab="puzzles", rows=rows, every=every, chosen=chosen, url_of=_url_of,
            problems=listing["problems"],
        )  # fmt: skip

    def _asked(self, address: Address, seen: Document) -> Document:
        """What the constraints say about the move asked about."""
        if seen["asked"] is None:
            return {"pending": False, "found": None, "unknown": "", "cases": {}}
        try:
            maybe = self.explorer.why(address.but(move=seen["asked"]["move"], line=(), begin=None))
        except InputError as error:
            return {"pending": False, "found": None, "unknown": str(error), "cases": {}}
        cases = {id: self.explorer.deciding(address, id) for id in _named(seen, maybe.found)}
        pending = maybe.pending or any(case.pending for case in cases.values())
        return {"pending": pending, "found": maybe.found, "unknown": maybe.unknown, "cases": cases}

    # -- Readings and rules ------------------------------------------------------------------------------------

    def readings(self, request: Request, address: Address) -> Response:
        address = replace(address, line=(), begin=None, at=())
        seen = self.explorer.look("look", replace(address, against=()))
        if seen["asked_problem"]:
            raise InputError(seen["asked_problem"])
        readings = self.explorer.reported("readings", address)
        sides = address.but(against=())
        return self.html(
            "readings.html",
            address=address,
            seen=seen,
            tab="readings",
            found=readings,
            left=_worded(address.readings),
            right=_worded(address.against),
            left_address=sides,
            right_address=sides.but(readings=address.against),
            said=worths.said,
        )

    def rules(self, request: Request, address: Address) -> Response:
        rulebook = self.explorer.reported("rules", Address(address.game))
        return self.html("rules.html", address=address, tab="rules", found=rulebook, url_of=_url_of)

    # -- The lab -----------------------------------------------------------------------------------------------

    def lab(self, request: Request, address: Address, query: Sequence[tuple[str, str]]) -> Response:
        params, readings = lab.typed(query)
        if params or readings:
            address = Address(address.game, None, tuple(params.items()), tuple(readings.items()))
        game = registry.find(address.game)
        settled, problem, fitting = None, "", None
        try:
            settled = self.explorer.look("settled", address.settings())
            address = Address.of_json(settled["address"])
        except InputError as error:
            problem, fitting = str(error), self._fitting(game, address)
        jobs = self._jobs(address.game)
        compared, pending = self._compared(address) if settled and (address.params or address.readings) else ([], False)
        running = pending or any(job["status"] == "running" for job in jobs)
        return self.html(
            "lab.html", 400 if problem else 200, address=address, tab="lab", form=lab.form(game, address),
            settled=settled, problem=problem, fitting=fitting, jobs=jobs, chosen=[*address.params, *address.readings],
            pending=running, compared=compared,
        )  # fmt: skip

    def _fitting(self, game: Game, address: Address) -> Address | None:
        """The parameters that were changed, with those left as printed made to fit them; None if there is no such game.

        The form sends them all, and what follows from a change is left to the game only if it is left out.
        """
        printed = {(p.name, p.default) for p in game.rulebook.parameters}
        changed = tuple(pair for pair in address.params if pair not in printed)
        if changed == address.params:
            return None
        try:
            settled = self.explorer.look("settled", Address(address.game, params=changed, readings=address.readings))
        except InputError:
            return None
        return Address.of_json(settled["address"])

    def _compared(self, address: Address) -> tuple[list[tuple[str, str, str]], bool]:
        """Compare the printed game and this one, from their starts."""
        both = (Address(address.game), address)
        seen = [self.explorer.look("look", one) for one in both]
        worth = [self.explorer.weigh(one) for one in both]
        values = [worths.verdict(s, w.found).text for s, w in zip(seen, worth, strict=True)]
        rows = [
            ("worth", values),
            ("ways on from the start", [str(len(s["moves"]) or len(s["chances"])) for s in seen]),
        ]
        return [(title, left, right) for title, (left, right) in rows], any(w.pending for w in worth)

    def _jobs(self, game: str = "") -> list[Document]:
        """The jobs of a game, or all."""
        every = [job for job in self.explorer.jobs.all() if not game or game in job.title.split()]
        return [{**job.as_json(), "shown": self.explorer.shown(job)} for job in every]

    def tables(self, request: Request) -> Response:
        jobs = self._jobs()
        running = any(job["status"] == "running" for job in jobs)
        return self.html(
            "tables.html", found=self.explorer.tables(), jobs=jobs, pending=running, url_of=_url_of, tab="tables"
        )

    # -- Editing -----------------------------------------------------------------------------------------------

    def edit(self, request: Request, address: Address, query: Sequence[tuple[str, str]]) -> Response:
        """The form, or a redirection to its position once that can be read."""
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
        domains = self.explorer.look("domains", Address(address.game, params=address.params))
        places = [
            {"name": name, "box": box, "kind": "other", "href": f"#at-{name}"}
            for name, box in seen["places"].items()
            if name in form.places
        ]
        return self.html(
            "edit.html", 400 if problem else 200, address=address, seen=seen, form=form, problem=problem, tab="edit",
            domains=domains, places=places,
        )  # fmt: skip


def _is_closed(puzzle: Document | None, address: Address) -> bool:
    """Would the page give away the answer that the puzzle asks for?"""
    if puzzle is None or puzzle["mode"] not in ("legal", "text"):
        return False
    return puzzle["status"] != "solved" and address.hint < 4


def _closed(seen: Document, svg: str) -> Document:
    """What to show of a position while a question about it is open: only what stands where."""
    hidden: Document = {"moves": [], "chances": [], "tried": [], "places": {}, "canvas": None, "asked": None}
    return {**seen, **hidden, "svg": svg, "text": seen["position"]}


def _named(seen: Document, why: Document | None) -> list[str]:
    """The clauses that either encoding names against the move asked about."""
    engine = [entry["clause"] for entry in seen["asked"]["broken"]]
    return list(dict.fromkeys((*engine, *((why["spec"] or ()) if why else ()))))[:6]


def _worded(readings: Pairs) -> str:
    return ", ".join(f"{name}={value}" for name, value in readings)


def _url_of(address: Document, view: str = "g") -> str:
    return Address.of_json(address).url(view)


def _settled(address: Address, seen: Document) -> Address:
    """Drop a line that does not lead here."""
    return address if seen["line"] else replace(address, line=(), begin=None)


def _to(address: Address, seen: Document, label: str, result: str) -> str:
    from rulecheck.explorer.app import after

    return after(address, seen, label, result).url()


def _places(address: Address, seen: Document) -> list[Document]:
    """Where a click on each place leads: to a move, to a further click, or to the reason why there is none."""
    at = () if seen["tried"] else address.at
    places = []
    for name, box in seen["places"].items():
        kind, href = _click(address, seen, at, name)
        places.append({"name": name, "box": box, "kind": kind, "href": href})
    return places


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
def described() -> tuple[list[Document], list[str]]:
    """Every game that loads, and the reasons why others do not."""
    loaded, broken = [], []
    for name in registry.names():
        try:
            book = registry.find(name).rulebook
            options = len(book.options)
            counts = f"{len(book.clauses)} clauses, {options} open question" + ("s" if options != 1 else "")
            loaded.append({"slug": name, "title": book.title, "summary": book.summary, "counts": counts})
        except InputError as error:
            broken.append(str(error))
    return loaded, broken
