"""Pages of documents: one for each game, and an index; each file is self-contained."""

from __future__ import annotations

import contextlib
import functools
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from jinja2 import Environment, TemplateError
from markupsafe import Markup

from rulecheck import registry, render, theme, verdicts
from rulecheck.files import write_file
from rulecheck.model import InputError
from rulecheck.pages import environment
from rulecheck.puzzles.verify import read_collection
from rulecheck.registry import Game
from rulecheck.render import drawer
from rulecheck.report import appendix, findings, questions, tables
from rulecheck.report.collect import FORMAT, kept_opinions
from rulecheck.report.figures import NAMESPACE, legible
from rulecheck.report.paper import Document, Paper, headline, is_ours

BOOK = "puzzles/puzzles.html"


class Sample(NamedTuple):
    """A puzzle of the book."""

    question: str
    drawing: Markup


def write_report(documents: Sequence[Document], folder: Path | str) -> list[Path]:
    """Write `<slug>.html` and `<slug>.json` for each document, and `index.html`; return the files written.

    The index also has the games whose documents are in the folder already. It has printed games only; a document about
    other parameters is called after them.
    """
    files = _files(documents, Path(folder))
    Path(folder).mkdir(parents=True, exist_ok=True)
    paths = [Path(folder, name) for name in sorted(files)]
    for path in paths:
        write_file(path, files[path.name])
    return paths


def _files(documents: Sequence[Document], folder: Path) -> dict[str, str]:
    papers = [Paper(document, registry.find(document["game"])) for document in documents]
    printed = [paper for paper in papers if not paper.changed]
    files = {}
    if printed or not papers:
        files["index.html"] = index_page(_with_others(printed, folder), (folder / BOOK).is_file(), _sample(folder))
    for paper in papers:
        files[f"{paper.name}.html"] = game_page(paper)
        files[f"{paper.name}.json"] = as_text(paper.document)
    return files


def _sample(folder: Path) -> Sample | None:
    """The first puzzle of the collections beside the book."""
    for file in sorted((folder / BOOK).parent.glob("*.jsonl")):
        puzzle = read_collection(file)[0]
        game = registry.find(puzzle["game"])
        params = game.params(puzzle["params"])
        picture = render.riddle(game, params, game.read_position(params, puzzle["position"]))
        return Sample(puzzle["question"], Markup(legible(picture.replace(NAMESPACE, ""))))
    return None


def stale_files(document: Document, folder: Path) -> list[str]:
    """The files that are missing or would differ if the report were made from this document."""
    files = {name: text.encode() for name, text in sorted(_files([document], folder).items())}
    return [name for name, text in files.items() if _bytes(folder / name) != text]


def _bytes(path: Path) -> bytes | None:
    return path.read_bytes() if path.is_file() else None


def _with_others(papers: Sequence[Paper], folder: Path) -> list[Paper]:
    by_slug = {paper.game.slug: paper for paper in papers}
    for slug in registry.names():
        if slug not in by_slug and (kept := kept_document(folder, slug)):
            with contextlib.suppress(InputError):  # a game that no longer loads has no page either
                by_slug[slug] = Paper(kept, registry.find(slug))
    return [by_slug[slug] for slug in sorted(by_slug)]


def kept_document(folder: Path, slug: str) -> dict[str, Any] | None:
    """The document of an earlier report, if there is one."""
    try:
        document = json.loads((folder / f"{slug}.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    sound = isinstance(document, dict) and (document.get("format"), document.get("game")) == (FORMAT, slug)
    return document if sound else None


def require_reports(folder: Path) -> None:
    """Check before the work, not after it, that every document in the folder can become a page."""
    for slug in registry.names():
        if (kept := kept_document(folder, slug)) is not None:
            try:
                game = registry.find(slug)
            except InputError:  # a game that no longer loads has no page either
                continue
            _require_shape(kept, game, folder / f"{slug}.json")


def _require_shape(kept: dict[str, Any], game: Game, file: Path) -> None:
    try:
        paper = Paper(kept, game)
        game_page(paper)
        index_page([paper])
        kept_opinions(kept, kept)
    except (LookupError, TypeError, AttributeError, ValueError, InputError, TemplateError) as error:
        what = f"{type(error).__name__}: {error}"
        raise InputError(f"{str(file)!r} is no report of this program ({what}); remove it, or choose --out") from None


def as_text(document: Document) -> str:
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


# -- Templates ------------------------------------------------------------------------------------------------


@functools.cache
def templates() -> Environment:
    made = environment("rulecheck.report")
    made.globals.update(
        theme_css=Markup(theme.css()), verdict=verdicts.word, claim_word=verdicts.claim_word, headline=headline,
        is_ours=is_ours, tables=tables, appendix=appendix, happens=findings.happens,
    )  # fmt: skip
    return made


def page_css() -> str:
    """The styles of every page: light and dark, on a phone and on paper."""
    return f"{theme.css()}\n{templates().get_template('page.css').render()}"


def game_page(paper: Paper) -> str:
    weighed = questions.by_weight(paper)
    return templates().get_template("game.html.j2").render(
        paper=paper, book=paper.book, document=paper.document, findings=findings.findings(paper),
        cards=questions.cards(paper), asked=weighed, sure=findings.how_sure(paper),
        legend=drawer(paper.game).legend,
    )  # fmt: skip


def index_page(papers: Sequence[Paper], book: bool = False, sample: Sample | None = None) -> str:
    shown = [(paper, next(iter(findings.findings(paper)), None)) for paper in papers]
    return templates().get_template("index.html.j2").render(shown=shown, book=BOOK if book else None, sample=sample)
