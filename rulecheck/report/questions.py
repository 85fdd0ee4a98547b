"""One card per question: the answers in words, what supports the one we take, and whether it matters."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from rulecheck.model import InputError, Readings
from rulecheck.report.figures import Figure
from rulecheck.report.letter import Question
from rulecheck.report.paper import Document, Paper
from rulecheck.verdicts import word
from rulecheck.wording import number, sentence

SIDES = ("mover", "opponent", "neither")


@dataclass(frozen=True)
class Answer:
    value: str
    words: str
    taken: bool
    keeps: tuple[str, ...] = ()  # claims of the sheet that support it
    breaks: tuple[str, ...] = ()
    verdict: str = ""  # does it matter, compared with the answer taken?
    formal: Document | None = None
    figure: Figure | None = None


@dataclass(frozen=True)
class Card:
    reading: Document
    ask: str
    answers: tuple[Answer, ...]
    result: str  # its effect on solved games
    weight: tuple[int, ...]  # does the sheet leave it open, and how much does it change?

    @property
    def taken(self) -> Answer:
        return next(answer for answer in self.answers if answer.taken)

    @property
    def others(self) -> list[Answer]:
        return [answer for answer in self.answers if not answer.taken]

    @property
    def matters(self) -> bool | None:
        """None if unknown."""
        results = {answer.formal["result"] for answer in self.others if answer.formal}
        return True if "REFUTED" in results else False if results == {"PROVED"} else None

    @property
    def verdict(self) -> str:
        telling = sorted(self.others, key=lambda answer: answer.verdict != "matters")
        return telling[0].verdict if telling else "not known"


@functools.lru_cache(maxsize=8)  # a page asks several times, and each card draws pictures
def cards(paper: Paper) -> tuple[Card, ...]:
    return tuple(_card(paper, row) for row in paper.book["readings"] if row["open"])


def by_weight(paper: Paper) -> list[Card]:
    """The questions that matter in play, the most consequential first."""
    return sorted((card for card in cards(paper) if card.matters), key=lambda card: card.weight, reverse=True)


def _card(paper: Paper, reading: Document) -> Card:
    name = reading["name"]
    rows = _against_default(paper, name)
    asked = paper.letter.questions.get(name) or Question("")
    answers = tuple(_answers(paper, reading, asked, rows))
    changed, _, _ = _compared(rows.values())
    silent = not any(answer.keeps for answer in answers if answer.taken)  # the sheet does not support our answer
    weight = (silent, changed, len(answers))
    return Card(reading, asked.ask or _plain_ask(paper, reading), answers, _result(rows), weight)


def _plain_ask(paper: Paper, reading: Document) -> str:
    texts = [paper.clauses[clause]["text"] for clause in reading["clauses"][:1]]
    return f"How is this meant: “{texts[0]}”" if texts else f"{reading['name']}?"


def _against_default(paper: Paper, name: str) -> dict[str, Document]:
    """The row that compares each other answer with the one we take."""
    rows = [row for row in paper.document["ambiguities"] if row["reading"] == name and row["usual"] in row["values"]]
    return {next(v for v in row["values"] if v != row["usual"]): row for row in rows}


def _answers(paper: Paper, reading: Document, asked: Question, rows: Mapping[str, Document]) -> Iterator[Answer]:
    usual = paper.usual[reading["name"]]
    shown = dict(asked.answers)
    for value in reading["values"]:
        words, row = shown.pop(value["value"], value["meaning"]), rows.get(value["value"])
        if value["value"] == usual:
            kept = {claim for r in rows.values() for claim in r["claims"][usual]["keeps"]}
            lost = {claim for r in rows.values() for claim in r["claims"][usual]["breaks"]}
            yield Answer(usual, sentence(words), True, tuple(sorted(kept)), tuple(sorted(lost)))
        elif row:
            said = row["claims"][value["value"]]
            figure = _figure(paper, row, asked, first=row is next(iter(rows.values())))
            more = (tuple(said["keeps"]), tuple(said["breaks"]), word("reading", row), row, figure)
            yield Answer(value["value"], sentence(words), False, *more)
        else:
            yield Answer(value["value"], sentence(words), False, verdict="not known")
    option = paper.game.rulebook.options.get(reading["name"])  # may have answers newer than the report
    if unknown := [value for value in shown if option is None or value not in option.values]:
        raise InputError(f"the letter of {paper.game.slug} words unknown answers to {reading['name']}: {unknown}")


def _figure(paper: Paper, row: Document, asked: Question, first: bool) -> Figure | None:
    """The picture on the printed board if that shows it too, or the letter's, or else the smallest."""
    if row["witness"] is None:
        return None
    base = Readings({**paper.usual, **(row["witness"].get("readings") or {})})
    other = next(value for value in row["values"] if value != row["usual"])
    answers = {f"{row['reading']}={value}": base.replace(**{row["reading"]: value}) for value in (row["usual"], other)}
    chosen = dict(asked.picture) if first and asked.picture and not paper.changed else None
    words = chosen.pop("words", "") if chosen else ""
    witness = chosen or _printed(paper, row, answers) or row["witness"]
    figure = paper.artist.figure(witness, words, answers)
    if len({ask.verdict for ask in figure.asks}) < 2 and chosen:
        raise InputError(f"the picture for {row['reading']} in the letter of {paper.game.slug} shows no difference")
    return figure


def _printed(paper: Paper, row: Document, answers: Mapping[str, Readings]) -> Document | None:
    """The same line of play and move in the printed game, if they show the same difference there."""
    witness, game = row["witness"], paper.game
    if not witness.get("move") or witness.get("line") is None or paper.changed:
        return None
    params = game.params({})
    try:
        first, second = (game.engine(params, readings) for readings in answers.values())
        position = game.hints.replay(first, witness["line"])
        move = game.read_move(params, witness["move"])
        said = [str(engine.judge(position, move)) for engine in (first, second)]
    except InputError:
        return None
    if str(position) != witness["position"] or said != [row["verdicts"][value] for value in _order(row)]:
        return None
    return {**witness, "params": params.as_dict()}


def _order(row: Document) -> list[str]:
    return [row["usual"], next(value for value in row["values"] if value != row["usual"])]


# -- What it does to solved games -----------------------------------------------------------------------------


def _compared(rows: Iterable[Document]) -> tuple[int, int, int]:
    """The number of comparisons of solved games that change the result, those that change only the length, and all."""
    changed = longer = whole = 0
    for row in rows:
        for solved in row["impact"]:
            first, second = solved["values"].values()
            whole += 1
            changed += (differs := _differs(first, second))
            longer += not differs and first.get("distance") != second.get("distance")
    return changed, longer, whole


def _differs(first: Document, second: Document) -> bool:
    """Is the result different, or do the bounds of the chances not overlap?"""
    if "value" in first:
        return bool(first["value"] != second["value"])
    return any(first[s][1] < second[s][0] or second[s][1] < first[s][0] for s in SIDES)


def _result(rows: Mapping[str, Document]) -> str:
    changed, longer, whole = _compared(rows.values())
    if not whole:
        return "No solved game was played both ways, so whether it changes who wins is not known."
    chances = any("value" not in side for row in rows.values() for s in row["impact"] for side in s["values"].values())
    what = "the chances" if chances else "the result"
    if not changed:
        text = f"It changes {what} of none of {whole} solved games"
        return text + (f", only how long a win takes in {number(longer)}." if longer else ".")
    text = f"It changes {what} of {changed} of {whole} solved games"
    return text + (f", and only how long a win takes in {number(longer)} more." if longer else ".")
