"""`puzzles`: make a collection, make one puzzle again, prove a collection from its text, print a book."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rulecheck import registry
from rulecheck.commands.common import AsJson, Jobs, Params, Seed, complete_game, emit, finish, json_text, pairs
from rulecheck.commands.completion import complete_kind
from rulecheck.model import InputError
from rulecheck.progress import show_progress

if TYPE_CHECKING:
    from rulecheck.puzzles.mining import Collection
    from rulecheck.puzzles.model import Puzzle

What = Annotated[
    str | None,
    typer.Argument(metavar="[GAME]", help="a game, or the id of a puzzle to regenerate", autocompletion=complete_game),
]
Count = Annotated[int, typer.Option("--count", min=1, max=10_000, metavar="N", help="number of puzzles")]
KindName = Annotated[
    list[str] | None,
    typer.Option("--kind", metavar="KIND", help="only this kind (may be repeated)", autocompletion=complete_kind),
]
Out = Annotated[Path, typer.Option("--out", metavar="DIR", help="the folder of the collection or of the book")]
Budget = Annotated[int | None, typer.Option("--budget", min=1, metavar="N", help="tries for each kind")]
Book = Annotated[
    list[Path] | None,
    typer.Option("--book", metavar="DIR", help="print the collections in this folder (may be repeated)"),
]
APage = Annotated[int, typer.Option("--a-page", metavar="N", help="diagrams per page of the book: 2, 4 or 6")]
Level = Annotated[int | None, typer.Option("--level", min=1, metavar="N", help="a book of this level only")]
Theme = Annotated[
    str | None, typer.Option("--theme", metavar="NAME", help="a book of one kind of puzzle or of key, such as threat")
]
Each = Annotated[
    int | None,
    typer.Option("--each", min=1, metavar="N", help="a book of N puzzles of each game, as varied as possible"),
]
Verified = Annotated[Path | None, typer.Option("--verify", metavar="FILE", help="prove the puzzles in this file")]


def puzzles(
    what: What = None,
    count: Count = 10,
    seed: Seed = 1,
    kind: KindName = None,
    param: Params = None,
    out: Out = Path("puzzles"),
    budget: Budget = None,
    verify: Verified = None,
    book: Book = None,
    a_page: APage = 4,
    level: Level = None,
    theme: Theme = None,
    each: Each = None,
    jobs: Jobs = 1,
    as_json: AsJson = False,
) -> None:
    """Make puzzles of a game, prove a file of puzzles, or print collections as a book."""
    given = pairs(param, "-p")
    if given and (book or verify or not what or ":" in what):
        raise InputError("-p goes with the making of puzzles; those that are made know their parameters")
    if book:
        _print_book(book, out, a_page, level, theme, each, as_json)
    elif verify is not None:
        _verify(verify, jobs, as_json)
    elif what is None:
        raise InputError("name a game, or use --verify FILE or --book DIR")
    elif ":" in what:
        _again(what, as_json)
    else:
        _make(what, kind or [], given, count, seed, out, budget, jobs, as_json)


def register(app: typer.Typer) -> None:
    app.command()(puzzles)


# -- Making ---------------------------------------------------------------------------------------------------


def _make(
    slug: str,
    kinds: list[str],
    given: dict[str, str],
    count: int,
    seed: int,
    out: Path,
    budget: int | None,
    jobs: int,
    as_json: bool,
) -> None:
    from rulecheck.files import write_file
    from rulecheck.puzzles.keeping import Unfinished
    from rulecheck.puzzles.kinds import kind_within
    from rulecheck.puzzles.mining import collect
    from rulecheck.solve.solver import need_folder

    game = registry.find(slug)
    for name in kinds:
        kind_within(game, name, given)
    if seed < 0:
        raise InputError(f"a seed is a whole number, 0 or more; found {seed}")
    need_folder(out)
    path = out / f"{slug}.jsonl"
    asked = {"game": slug, "kinds": kinds, "params": given, "count": count, "seed": seed, "budget": budget}
    unfinished = Unfinished(path, {**asked, "rulebook": game.rulebook.digest})

    def note(kind: str, units: int, puzzle: Puzzle | None) -> None:
        unfinished.note(kind, units, puzzle)
        if puzzle is not None:  # immediately, even without a progress bar; JSON has standard output to itself
            typer.echo(
                _found_line(puzzle.id, puzzle.description.difficulty.level, puzzle.description.question), err=as_json
            )

    with show_progress(f"looking for puzzles of {slug}") as report:
        collection = collect(game, kinds, count, seed, budget, jobs, report, note, unfinished.kinds, given)
    write_file(path, "".join(puzzle.line() + "\n" for puzzle in collection.puzzles))
    unfinished.done()
    document = {
        "game": slug,
        "params": game.params(given).as_dict(),
        "seed": seed,
        "file": str(path),
        **_figures(collection),
    }
    emit(document, as_json, lambda: _print_made(document, twice=game.spec_name is not None))
    _explain(game, kinds, given)
    for sentence in collection.lacking.values():
        typer.echo(f"rulecheck: {sentence}", err=True)
    if collection.missing:
        missing = ", ".join(f"{number} of {name}" for name, number in collection.missing.items())
        typer.echo(f"rulecheck: the budget ran out: {missing} missing", err=True)
    finish(bool(collection.missing))


def _explain(game: registry.Game, kinds: list[str], given: dict[str, str]) -> None:
    """Say why this game or version lacks some kinds of puzzle."""
    from rulecheck.puzzles.generic import is_generic, left_out
    from rulecheck.puzzles.kinds import kinds_within

    if kinds:
        return
    for sentence in kinds_within(game, given)[1].values():
        typer.echo(f"rulecheck: {sentence}", err=True)
    if is_generic(game):
        reasons: dict[str, list[str]] = {}
        for name, reason in left_out(game).items():
            reasons.setdefault(reason, []).append(name)
        for reason, names in reasons.items():
            typer.echo(f"rulecheck: no {', '.join(names)}: {reason}", err=True)


def _found_line(name: str, level: int, question: str) -> str:
    return f"{name:<32} level {level}  {question}"


def _figures(collection: Collection) -> dict[str, Any]:
    puzzles = [
        {"id": p.id, "question": p.description.question, "level": p.description.difficulty.level}
        for p in collection.puzzles
    ]
    return {
        "wanted": dict(collection.wanted),
        "tries": dict(collection.units),
        "missing": collection.missing,
        "puzzles": puzzles,
    }


def _print_made(document: dict[str, Any], *, twice: bool) -> None:
    made, tries = len(document["puzzles"]), sum(document["tries"].values())
    counted = f"{made} puzzle{'s' * (made != 1)} in {tries} {'try' if tries == 1 else 'tries'}"
    who = "confirmed by both encodings" if twice else "by the engine alone"
    print(f"{counted}, {who}: {document['file']}")


def _again(name: str, as_json: bool) -> None:
    from rulecheck.puzzles.mining import puzzle_of
    from rulecheck.puzzles.model import read_id

    puzzle = puzzle_of(read_id(name))
    if puzzle is None:
        raise InputError(f"this seed and unit make no puzzle of that kind: {name}")
    print(json_text(puzzle.as_json())) if as_json else _print_puzzle(puzzle.as_json())


def _print_puzzle(puzzle: dict[str, Any]) -> None:
    from rulecheck import render
    from rulecheck.puzzles.words import solution_lines

    game = registry.find(puzzle["game"])
    params = game.params(puzzle["params"])
    print(render.text(game, params, game.read_position(params, puzzle["position"])))
    print(f"\n{puzzle['position']}\n{puzzle['question']}\n")
    for line in solution_lines(puzzle):
        print(line)


# -- Proving --------------------------------------------------------------------------------------------------


def _verify(file: Path, jobs: int, as_json: bool) -> None:
    from rulecheck.puzzles.verify import read_collection, verify, voice_of

    lines = read_collection(file)
    with show_progress(f"proving {file.name}") as report:
        checked = verify(lines, jobs, report)
    wrong = [puzzle for puzzle in checked if puzzle.problem]
    document = {
        "file": str(file),
        "result": "REFUTED" if wrong else "PROVED",
        "puzzles": len(checked),
        "problems": [{"id": puzzle.id, "problem": puzzle.problem} for puzzle in wrong],
    }
    emit(document, as_json, lambda: _print_verified(document, voice_of({line["game"] for line in lines})))
    finish(bool(wrong))


def _print_verified(document: dict[str, Any], voice: str) -> None:
    for problem in document["problems"]:
        print(f"REFUTED  {problem['id']}: {problem['problem']}")
    good = document["puzzles"] - len(document["problems"])
    print(f"{document['result']}: {good} of {document['puzzles']} puzzles, everything they say, by the {voice}")


# -- A book ---------------------------------------------------------------------------------------------------


def _print_book(
    folders: list[Path],
    out: Path,
    a_page: int,
    level: int | None,
    theme: str | None,
    each: int | None,
    as_json: bool,
) -> None:
    from rulecheck.files import write_bytes, write_file
    from rulecheck.puzzles.book import FORMS, chapters, html, pdf
    from rulecheck.solve.solver import need_folder

    if a_page not in FORMS:
        raise InputError(f"a page of the book has {', '.join(map(str, FORMS))} diagrams, not {a_page}")
    volume = chapters(folders, level, theme, each)
    need_folder(out)
    write_bytes(out / "puzzles.pdf", pdf(volume, a_page))
    write_file(out / "puzzles.html", html(volume))
    count = {chapter.title: len(chapter.entries) for chapter in volume}
    document = {"puzzles": count, "files": [str(out / "puzzles.pdf"), str(out / "puzzles.html")]}
    emit(document, as_json, lambda: print(f"{sum(count.values())} puzzles: {' and '.join(document['files'])}"))
