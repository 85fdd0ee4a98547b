"""A book of puzzles for people: diagrams in front, solutions at the back, as PDF (by typst) and as HTML.

Both say the same, in the same order, from the same lines of the collections.
"""

from __future__ import annotations

import json
import math
import re
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from rulecheck import registry, render
from rulecheck.model import InputError
from rulecheck.puzzles.model import Json
from rulecheck.puzzles.verify import read_collection
from rulecheck.puzzles.words import book_lines
from rulecheck.registry import Game
from rulecheck.report.figures import legible
from rulecheck.report.html import Markup, block, prose, tag, text
from rulecheck.report.page import kept_document, page_css

TITLE = "Pyramid puzzles"
FORMS = (2, 4, 6)  # diagrams a page
MOST_CASES = 12  # pictures behind the rules
# Word limit, font size in points, columns, number of pictures and their height in mm.
RULES = ((450, 10.0, 2, 12, 36), (900, 8.4, 2, 12, 30), (math.inf, 6.9, 3, 8, 21))
FLAT = 0.5  # height/width; a page holds twice as many diagrams flatter than this
PREFACE = (
    "Every puzzle was found by a program that plays by the rules, and then confirmed, word for word, from the rules "
    "written as constraints; where the two differed in anything, the puzzle is not here. The name under a diagram "
    "makes the puzzle again. A level is the number of the first method, from 1 on, that finds the answer; it is no "
    "claim about people. Each game begins with its rules and goes from easy to hard. Where another reading of a rule "
    "would change the answer, the solution says so."
)
WORDS = (
    "A pyramid bears the letter of its colour and its pips: 1 small, 2 medium, 3 large. Under each diagram stands the "
    "same position as one line of text. Key: the first move of the solution. Try: a first move that fails to one "
    "reply, its refutation. Set play: what would happen in the diagram if the opponent had to move. Dual: a later "
    "choice between moves that solve equally fast. Short: a reply after which it takes fewer moves than asked for."
)


@dataclass(frozen=True)
class Entry:
    """A puzzle with its number in the book and its picture."""

    number: int
    puzzle: Mapping[str, Json]
    picture: str
    key: str | None = None  # the picture with the first move of the solution

    @property
    def heading(self) -> str:
        return f"{self.number}. {self.puzzle['question']}"

    @property
    def below(self) -> str:
        """The small print under a diagram."""
        parts = [f"level {self.puzzle['difficulty']['level']}", _changed(self.puzzle), self.puzzle["id"]]
        return " · ".join(part for part in parts if part)

    @property
    def shape(self) -> float:
        """The height of the picture for each unit of its width."""
        match = re.search(r'viewBox="\S+ \S+ (\S+) (\S+)"', self.picture)
        return float(match[2]) / float(match[1]) if match else 1.0

    @property
    def solution(self) -> list[str]:
        return list(book_lines(self.puzzle))


@dataclass(frozen=True)
class Chapter:
    """The puzzles of a game, from easy to hard, behind its rules; `cases` are clauses with their smallest positions."""

    title: str
    legend: str
    entries: tuple[Entry, ...]
    summary: str = ""
    rules: tuple[tuple[str, str], ...] = ()
    cases: tuple[tuple[str, str], ...] = ()


def chapters(
    folders: Sequence[Path], level: int | None = None, theme: str | None = None, each: int | None = None
) -> list[Chapter]:
    """One per game, from every collection in the folders, numbered throughout; at most `each` puzzles a game."""
    files = sorted(file for folder in folders for file in folder.glob("*.jsonl"))
    if not files:
        raise InputError(f"no collection of puzzles in {', '.join(map(str, folders))}; expected files *.jsonl")
    by_game: dict[str, list[Mapping[str, Json]]] = {}
    for file in files:
        for puzzle in read_collection(file):
            if level in (None, puzzle["difficulty"]["level"]) and (theme is None or theme in themes(puzzle)):
                by_game.setdefault(puzzle["game"], []).append(puzzle)
    if not by_game:
        raise InputError(f"no puzzle has level {level} and theme {theme}" if theme else f"no puzzle has level {level}")
    book, number = [], 0
    for slug, puzzles in by_game.items():
        game = registry.find(slug)
        chosen = puzzles if each is None else varied(puzzles, each)
        ordered = enumerate(sorted(chosen, key=_hardness), start=number + 1)
        entries = tuple(Entry(at, puzzle, _picture(puzzle), _key(puzzle)) for at, puzzle in ordered)
        number += len(entries)
        clauses = tuple((clause.id, clause.text) for clause in game.rulebook.clauses.values())
        more = (game.rulebook.summary, clauses, _cases(game, folders, puzzles))
        book.append(Chapter(game.title, render.drawer(game).legend, entries, *more))
    return book


def themes(puzzle: Mapping[str, Json]) -> set[str]:
    """The kind of a puzzle, and what is special about its first move."""
    return {puzzle["kind"], str(puzzle["difficulty"]["vector"].get("key", puzzle["kind"]))}


def varied(puzzles: Sequence[Mapping[str, Json]], most: int) -> list[Mapping[str, Json]]:
    """At most `most` puzzles; each time, choose one whose kind, level and key have been chosen least so far."""
    left, met = list(puzzles), Counter[str]()
    chosen: list[Mapping[str, Json]] = []
    while left and len(chosen) < most:
        fresh = min(left, key=lambda puzzle: sum(met[trait] for trait in _traits(puzzle)))
        left.remove(fresh)
        chosen.append(fresh)
        met.update(_traits(fresh))
    return chosen


def _traits(puzzle: Mapping[str, Json]) -> set[str]:
    return {*themes(puzzle), f"level {puzzle['difficulty']['level']}"}


def _hardness(puzzle: Mapping[str, Json]) -> tuple[int, int, int]:
    """Sort key: level, then length, then the number of moves to choose from."""
    vector = puzzle["difficulty"]["vector"]
    return puzzle["difficulty"]["level"], vector.get("length", 1), max(vector.get("choices", [0]), default=0)


def _key(puzzle: Mapping[str, Json]) -> str | None:
    """The first move of the solution in the diagram, if the answer is a move."""
    game = registry.find(puzzle["game"])
    params = game.params(puzzle["params"])
    move = (puzzle["solution"]["play"] if isinstance(puzzle["solution"], dict) else puzzle["answer"])[0]
    try:
        shown = game.read_move(params, move)
        if (
            not game.engine(params, game.rulebook.choose(puzzle["readings"]))
            .judge(position := game.read_position(params, puzzle["position"]), shown)
            .legal
        ):
            return None
    except InputError:
        return None
    return render.svg(game, params, position, shown)


def _cases(game: Game, folders: Sequence[Path], puzzles: Sequence[Mapping[str, Json]]) -> tuple[tuple[str, str], ...]:
    """Clauses with the smallest position that each decides, from the report beside a collection; asked ones first."""
    kept = next(filter(None, (kept_document(folder.parent, game.slug) for folder in folders)), None)
    if kept is None:
        return ()
    asked = " ".join(" ".join(puzzle["answer"]) for puzzle in puzzles)
    rows = [row for row in kept["coverage"] if row["witness"] and row["witness"].get("move")]
    rows.sort(key=lambda row: (row["clause"] not in asked, row["kind"] != "forbids"))
    pictures = []
    for row in rows[:MOST_CASES]:
        params = game.params(row["witness"]["params"])
        position = game.read_position(params, row["witness"]["position"])
        move = game.read_move(params, row["witness"]["move"])
        verdict = "allowed" if row["witness"]["note"].startswith("legal") else "forbidden"
        pictures.append((f"{row['clause']}: {verdict}", render.svg(game, params, position, move)))
    return tuple(pictures)


def _picture(puzzle: Mapping[str, Json]) -> str:
    """The position, and in it the move that the question is about."""
    game = registry.find(puzzle["game"])
    params = game.params(puzzle["params"])
    position = game.read_position(params, puzzle["position"])
    try:
        return render.svg(game, params, position, game.read_move(params, puzzle["asked"]))
    except InputError:  # nothing, or something else, is asked about
        return render.riddle(game, params, position)


def _changed(puzzle: Mapping[str, Json]) -> str:
    """The version in words, unless it is the printed game, and the non-default readings."""
    game = registry.find(puzzle["game"])
    params, usual = game.params(puzzle["params"]), game.rulebook.defaults()
    which = "" if params == game.params({}) else game.hints.in_words(params)
    readings = " ".join(f"{name}={value}" for name, value in puzzle["readings"].items() if usual.get(name) != value)
    return "; ".join(filter(None, (which, readings)))


def _extent(book: Sequence[Chapter]) -> str:
    count = sum(len(chapter.entries) for chapter in book)
    games = "one game" if len(book) == 1 else f"{len(book)} games"
    return f"{count} puzzles from {games}, with solutions"


# -- PDF -------------------------------------------------------------------------------------------------------

HEAD = """
#set document(title: {title}, date: none)
#set page(paper: "a4", margin: (x: 18mm, y: 17mm), numbering: "1")
#set text(font: ("Libertinus Serif", "New Computer Modern"), size: 10pt, lang: "en")
#set par(justify: false, leading: 0.55em)
#show heading.where(level: 1): set text(size: 20pt)
#show raw: set text(font: "DejaVu Sans Mono", size: 6.5pt)
#let small(body) = text(size: 8pt, fill: luma(35%), body)
"""


def pdf(book: Sequence[Chapter], form: int) -> bytes:
    import typst

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for name, picture in _pictures(book):
            (folder / name).write_text(picture, encoding="utf-8")
        (folder / "book.typ").write_text(typst_source(book, form), encoding="utf-8")
        made: bytes = typst.compile(str(folder / "book.typ"), root=str(folder))
    return made


def _pictures(book: Sequence[Chapter]) -> Iterator[tuple[str, str]]:
    for at, chapter in enumerate(book):
        yield from ((f"r{at}-{n}.svg", picture) for n, (_, picture) in enumerate(chapter.cases))
        for entry in chapter.entries:
            yield f"{entry.number}.svg", entry.picture
            if entry.key:
                yield f"k{entry.number}.svg", entry.key


def typst_source(book: Sequence[Chapter], form: int) -> str:
    return "\n".join(_typst_lines(book, form))


def quoted(words: str) -> str:
    """A Typst string; every JSON escape is valid there."""
    return json.dumps(words, ensure_ascii=False)


def _typst_lines(book: Sequence[Chapter], form: int) -> Iterator[str]:
    yield HEAD.format(title=quoted(TITLE))
    yield f"#align(center)[#v(24mm) #text(size: 34pt, {quoted(TITLE)}) #v(6mm)"
    yield f"#text(size: 14pt, {quoted(_extent(book))}) #v(12mm)"
    yield f"#grid(columns: {len(book)} * (1fr,), column-gutter: 5mm, align: horizon,"
    for chapter in book:
        fullest = max(chapter.entries, key=lambda entry: len(entry.picture))
        yield f'  image("{fullest.number}.svg", fit: "contain", height: 30mm),'
    yield ")]"
    yield f"#v(12mm) #text({quoted(PREFACE)}) #parbreak() #text({quoted(WORDS)})"
    yield "#v(8mm) #outline(title: none, depth: 1)"
    for at, chapter in enumerate(book):
        yield f"#pagebreak()\n= #text({quoted(chapter.title)})"
        yield from _typst_rules(at, chapter)
        yield f"#pagebreak()\n#small({quoted(chapter.legend)})"
        yield from _typst_pages(chapter.entries, form)
    yield "#set page(columns: 2)\n#set columns(gutter: 7mm)\n= Solutions"
    for chapter in book:
        yield f"== #text({quoted(chapter.title)})"
        for entry in chapter.entries:
            yield from _typst_solution(entry)


def _typst_rules(at: int, chapter: Chapter) -> Iterator[str]:
    """The rules on one page, in our words, followed by the smallest cases for some of them."""
    words = sum(len(rule.split()) + 1 for _, rule in chapter.rules)
    size, columns, cases, high = next((s, c, n, h) for most, s, c, n, h in RULES if words < most)
    yield f"#text({quoted(chapter.summary)})\n#v(1mm)"
    yield f"#[#set text(size: {size}pt)\n#set par(leading: 0.45em, spacing: 0.55em)"
    yield f"#grid(columns: {columns} * (1fr,), column-gutter: 5mm,"
    for column in _balanced(chapter.rules, columns):
        parts = (f"#par[#strong({quoted(clause)}) #text({quoted(rule.replace('`', ''))})]" for clause, rule in column)
        yield f"  [{' '.join(parts)}],"
    yield ")]"
    if chapter.cases:
        yield "#v(1mm)\n#grid(columns: 4 * (1fr,), column-gutter: 4mm, row-gutter: 2mm,"
        for n, (caption, _) in enumerate(chapter.cases[:cases]):
            image = f'#box(image("r{at}-{n}.svg", fit: "contain", height: {high}mm))'
            yield f"  align(center)[{image} \\ #small({quoted(caption)})],"
        yield ")"


def _balanced(rules: Sequence[tuple[str, str]], columns: int) -> list[list[tuple[str, str]]]:
    """The rules in columns of about equal length."""
    filled: list[list[tuple[str, str]]] = [[] for _ in range(columns)]
    lengths = [len(rule) + 25 for _, rule in rules]
    before = 0
    for length, rule in zip(lengths, rules, strict=True):
        filled[min(columns - 1, before * columns // max(1, sum(lengths)))].append(rule)
        before += length
    return filled


def _typst_pages(entries: Sequence[Entry], form: int) -> Iterator[str]:
    """In two columns, or in one if a page has two diagrams; rows divide the page evenly."""
    columns, wide, high = {2: (1, 150, 92.0), 4: (2, 83, 82.0), 6: (2, 83, 52.0)}[form]
    together = form
    if 2 * sum(entry.shape < FLAT for entry in entries) > len(entries):
        together, high = 2 * form, high / 2 - 4
    for first in range(0, len(entries), together):
        if first:
            yield "#pagebreak()"
        yield f"#grid(columns: {columns} * (1fr,), rows: {together // columns} * (1fr,), column-gutter: 8mm,"
        for entry in entries[first : first + together]:
            width = min(wide, high / entry.shape)
            yield f"  block(breakable: false, width: 100%)[#strong({quoted(entry.heading)})"
            yield f'    #v(-1mm) #align(center, image("{entry.number}.svg", width: {width:.1f}mm))'
            yield f"    #v(-1mm) #raw({quoted(entry.puzzle['position'])}) \\ #small({quoted(entry.below)})],"
        yield ")"


def _typst_solution(entry: Entry) -> Iterator[str]:
    answer = quoted(" ".join(entry.puzzle["answer"]))
    yield f"#block(above: 4mm, below: 1mm, sticky: true)[*{entry.number}.* #strong({answer})]"
    if entry.key:
        yield f'#block(sticky: true)[#image("k{entry.number}.svg", fit: "contain", height: 34mm)]'
    for line in entry.solution:
        left = (len(line) - len(line.lstrip())) / 4 + 0.8
        words = f"#text(size: 8pt, {quoted(line.strip().replace('`', ''))})"
        yield f"#block(above: 1mm, below: 0mm, inset: (left: {left:.1f}em))[{words}]"


# -- HTML ------------------------------------------------------------------------------------------------------

MORE_CSS = """
.book { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 26rem), 1fr)); gap: 1rem; }
.book .card { margin: 0; } .book figure svg { max-height: 22rem; width: 100%; }
.solution { break-inside: avoid; margin: 0 0 1.6rem; }
.solution figure svg { max-height: 15rem; }
.solution p { margin: .1rem 0; font-size: .9rem; }
@media print { .book { grid-template-columns: 1fr 1fr; } .book figure svg { max-height: 7cm; } }
"""


def html(book: Sequence[Chapter]) -> str:
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("title", TITLE),
        tag("style", Markup(page_css() + MORE_CSS)),
    )
    top = tag(
        "header",
        tag("h1", TITLE),
        tag("p", _extent(book), class_="meta"),
        tag("p", PREFACE),
        tag("p", WORDS),
        class_="top",
    )
    front = [part for chapter in book for part in _html_chapter(chapter)]
    back = [part for chapter in book for part in _html_solutions(chapter)]
    main = tag("main", block(*front, tag("h2", "Solutions", id="solutions"), *back))
    return f"<!doctype html>\n{tag('html', block(head, tag('body', top, main)), lang='en')}\n"


def _html_chapter(chapter: Chapter) -> Iterator[Markup]:
    yield tag("h2", chapter.title)
    yield tag("p", chapter.summary)
    rules = [tag("p", tag("b", clause), " ", prose(words), class_="small") for clause, words in chapter.rules]
    cases = [tag("figure", Markup(picture), tag("figcaption", caption)) for caption, picture in chapter.cases]
    yield tag("details", tag("summary", "The rules, in our words"), *rules, tag("div", *cases, class_="book"))
    yield tag("p", chapter.legend, class_="small")
    yield tag("div", block(*map(_html_diagram, chapter.entries)), class_="book")


def _html_diagram(entry: Entry) -> Markup:
    below = tag("figcaption", tag("code", entry.puzzle["position"]), tag("br"), entry.below)
    solved = tag("a", "solution", href=f"#s{entry.number}")
    figure = tag("figure", Markup(legible(entry.picture)), below)
    return tag("section", tag("h3", entry.heading), figure, solved, class_="card", id=f"p{entry.number}")


def _html_solutions(chapter: Chapter) -> Iterator[Markup]:
    yield tag("h3", chapter.title)
    yield from map(_html_solution, chapter.entries)


def _html_solution(entry: Entry) -> Markup:
    lines = []
    for line in entry.solution:
        indent = (len(line) - len(line.lstrip())) // 2
        lines.append(tag("p", prose(line.strip()), style=f"margin-left: {indent}em"))
    back = tag("a", f"{entry.number}.", href=f"#p{entry.number}")
    answer = tag("strong", text(" ".join(entry.puzzle["answer"])))
    key = tag("figure", Markup(entry.key)) if entry.key else None
    return tag("div", tag("p", back, " ", answer), key, *lines, class_="solution", id=f"s{entry.number}")
