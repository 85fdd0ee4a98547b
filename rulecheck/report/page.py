"""Pages of documents: one for each game and an index, each a file that needs no other."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rulecheck import registry
from rulecheck.files import write_file
from rulecheck.model import InputError
from rulecheck.render import drawer
from rulecheck.report.cards import (
    ambiguities_section,
    clauses_section,
    findings_section,
    readings_section,
    stalemates_section,
)
from rulecheck.report.collect import FORMAT
from rulecheck.report.findings import differing, ending
from rulecheck.report.html import Markup, block, join, link, listing, tag
from rulecheck.report.paper import Document, Paper, headline
from rulecheck.report.style import CSS
from rulecheck.report.tables import claims_section, proofs_section, solved_section

ABOUT = (
    "PROVED holds for the scope told with it; REFUTED comes with a position that shows it; "
    "UNKNOWN names what was looked at."
)


def write_report(documents: Sequence[Document], folder: Path | str) -> list[Path]:
    """Write `<slug>.html` and `<slug>.json` for each document, and `index.html`; the files written.

    The index also has the games whose documents are in the folder already.
    """
    files = _files(documents, Path(folder))
    Path(folder).mkdir(parents=True, exist_ok=True)
    paths = [Path(folder, name) for name in sorted(files)]
    for path in paths:
        write_file(path, files[path.name])
    return paths


def _files(documents: Sequence[Document], folder: Path) -> dict[str, str]:
    papers = [Paper(document, registry.find(document["game"])) for document in documents]
    files = {"index.html": index_page(_with_others(papers, folder))}
    for paper in papers:
        files[f"{paper.game.slug}.html"] = game_page(paper)
        files[f"{paper.game.slug}.json"] = as_text(paper.document)
    return files


def stale_files(document: Document, folder: Path) -> list[str]:
    """The files that would be other bytes, or are missing, if the report were made from this document."""
    files = {name: text.encode() for name, text in sorted(_files([document], folder).items())}
    return [name for name, text in files.items() if _bytes(folder / name) != text]


def _bytes(path: Path) -> bytes | None:
    return path.read_bytes() if path.is_file() else None


def _with_others(papers: Sequence[Paper], folder: Path) -> list[Paper]:
    found = {paper.game.slug: paper for paper in papers}
    for slug in registry.names():
        if slug not in found and (kept := kept_document(folder, slug)):
            with contextlib.suppress(InputError):  # a game that cannot be loaded any more has no page either
                found[slug] = Paper(kept, registry.find(slug))
    return [found[slug] for slug in sorted(found)]


def kept_document(folder: Path, slug: str) -> dict[str, Any] | None:
    """The document of an earlier report, if there is one."""
    try:
        found = json.loads((folder / f"{slug}.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    sound = isinstance(found, dict) and (found.get("format"), found.get("game")) == (FORMAT, slug)
    return found if sound else None


def as_text(document: Document) -> str:
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def _whole(title: str, *body: object) -> str:
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("title", title),
        tag("style", Markup(f"\n{CSS}\n")),
    )
    return f"<!DOCTYPE html>\n{tag('html', head, chr(10), tag('body', block(*body)), lang='en')}\n"


# -- The page of a game ---------------------------------------------------------------------------------------


def game_page(paper: Paper) -> str:
    parts = _parts(paper)
    title = f"{paper.book['title']}: what its rules say"
    footer = tag("footer", tag("p", ABOUT), tag("p", f"Rulebook {paper.book['digest'][:12]}. ", _back()))
    return _whole(title, _top(paper, parts), tag("main", *(_section(*part) for part in parts)), footer)


def _back() -> Markup:
    return tag("a", "All games", href="index.html")


Part = tuple[str, str, str, Markup]  # id, title, what it is about, inside


def _parts(paper: Paper) -> list[Part]:
    ended = ending(paper)
    return [
        ("findings", "What we found", "", block(findings_section(paper), _legend(paper))),
        ("claims", "What the sheet claims, and what follows", "Its examples, hints and notes, and the consequences "
         "that we derived, under every reading.",
         claims_section(paper)),
        ("ambiguities", "What the sheet leaves open", "For each two answers to a question, with every other "
         "reading at its default, the smallest position in play where they differ.", ambiguities_section(paper)),
        ("rulebook", "The rulebook, clause by clause", "In our words, each with the smallest position in which it "
         "alone decides.", clauses_section(paper)),
        ("readings", "Every reading", "", readings_section(paper)),
        ("stalemates", "Dead ends", "What one would take for granted, and where it fails.", stalemates_section(paper)),
        ("solved", "Solved values", "", block(solved_section(paper), tag("h3", ended.headline), ended.body)),
        ("sure", "How sure is this?", "", block(proofs_section(paper), _lacking(paper))),
    ]  # fmt: skip


def _section(name: str, title: str, about: str, inside: Markup) -> Markup:
    return tag("section", "\n", block(tag("h2", title), tag("p", about) if about else None, inside), id=name)


def _lacking(paper: Paper) -> Markup | None:
    """What could not be asked, for each section that is empty for that reason."""
    why = paper.document.get("lacking")
    return listing(f"{part}: {sentence}" for part, sentence in why.items()) if why else None


def _top(paper: Paper, parts: Sequence[Part]) -> Markup:
    book = paper.book
    contents = listing(link(name, title) for name, title, _, _ in parts)
    meta = f"For {book['players']} players. Designer: {book['designer']}. Sheet: {book['sheet']}."
    return tag(
        "header",
        tag("h1", book["title"]),
        tag("p", meta, class_="meta"),
        tag("p", book["summary"]),
        tag("nav", contents, aria_label="Contents"),
        tag("div", figures(paper), paper.picture(start(paper), "The start."), class_="split"),
        class_="top",
    )


def figures(paper: Paper) -> Markup:
    """The headline numbers."""
    document = paper.document
    rows = [
        (len(paper.clauses), "clauses"),
        (len(differing(paper)), "open questions that matter"),
        (_always(paper.said), "claims of the sheet hold under every reading"),
        (_always(paper.derived), "consequences that we derived do"),
        (sum(row["result"] == "PROVED" for row in document["coverage"]), "of the clauses redundant"),
        (headline(document["proofs"]), "that its two encodings agree"),
        (f"{document['proofs']['cases']:,}", "cases in which both encodings were compared"),
        (document["proofs"]["disagreements"], "disagreements between them"),
    ]
    if document["mutants"]:
        rows.append((f"{document['mutants']['refuted']} of {document['mutants']['mutants']}", "planted errors noticed"))
    return tag("ul", *(tag("li", tag("b", number), words) for number, words in rows), class_="figures")


def _always(verdicts: Mapping[str, Document]) -> str:
    return f"{sum(row['verdict'] == 'true' for row in verdicts.values())} of {len(verdicts)}"


def _legend(paper: Paper) -> Markup:
    kept = [r for r in paper.book["readings"] if r["kind"] == "document"]
    conventions = [join([tag("code", r["name"]), ": ", r["values"][0]["meaning"]]) for r in kept]
    words = (
        "A pyramid bears the letter of its colour and its pips: 1 small, 2 medium, 3 large. Under each picture stands "
        f"the same position as one line of text. {drawer(paper.game).legend}"
    )
    too = tag("p", "Conventions of this page: ", join(conventions, " ")) if conventions else None
    return tag("section", block(tag("h3", "How to read the pictures"), tag("p", words), too), class_="small")


def start(paper: Paper) -> Document:
    return {"position": paper.document["start"], "params": paper.document["params"]}


# -- The index ------------------------------------------------------------------------------------------------


def index_page(papers: Sequence[Paper]) -> str:
    intro = tag("p", "Rules read the way a compiler reads a program: held twice, proved equal, searched for gaps.")
    top = tag("header", tag("h1", "What the rules say"), intro, class_="top")
    cards = tag("div", *(_index_card(paper) for paper in papers), class_="grid")
    return _whole("What the rules say", top, tag("main", cards), tag("footer", tag("p", ABOUT)))


def _index_card(paper: Paper) -> Markup:
    title = tag("a", paper.book["title"], href=f"{paper.game.slug}.html")
    picture = paper.picture(start(paper), "The start.")
    parts = (tag("h2", title), tag("p", paper.book["summary"]), figures(paper), picture)
    return tag("section", join(parts, "\n"), class_="card")
