"""The findings of a letter: those the game has words for, in its order; otherwise the most important by our ranking."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from rulecheck.report.figures import Figure
from rulecheck.report.letter import Told
from rulecheck.report.paper import Document, Paper
from rulecheck.report.questions import by_weight, cards
from rulecheck.verdicts import claim_word, word
from rulecheck.wording import listed, sentence

MOST = 7  # findings in a letter without words of its own
HAPPENS = {  # the dead ends that every game is checked for, in words
    "no-move": "A player can be left without a legal move",
    "only-pass": "A player can be left with nothing but a pass",
    "no-winner": "Play can come to a point from which nobody can win any more",
    "tie": "A game can end without a winner",
    "endless": "A game can go on for ever",
}


@dataclass(frozen=True)
class Formal:
    """The statement tested, its result, and the scope."""

    result: str
    statement: str
    scope: str


@dataclass(frozen=True)
class Finding:
    label: str
    title: str
    text: str
    verdict: str
    anchor: str
    formal: Formal | None = None
    figure: Figure | None = None


def findings(paper: Paper) -> list[Finding]:
    told = paper.letter.findings or tuple(_ranked(paper))[:MOST]
    return [_finding(paper, finding) for finding in told]


def happens(paper: Paper, row: Document) -> str:
    """What can (or cannot) happen when a statement that one takes for granted fails."""
    plain = paper.letter.happens.get(row["name"]) or HAPPENS.get(row["name"])
    return plain or f"This can fail: {row['statement']}"


# -- The order of a game that brings no words -------------------------------------------------------------------


def _ranked(paper: Paper) -> Iterator[Told]:
    """In this order: what contradicts the sheet, what stops play, what changes results, what is superfluous."""
    for name, row in paper.said.items():
        if row["contradiction"]:
            text = f"{row['note']} No reading of the rules that we tried makes it true."
            verdict = "Not in this game." if paper.changed else "It is not so."
            yield Told(f"claim {name}", f"“{row['text']}” {verdict}", text)
    for name, row in paper.said.items():
        if row["verdict"] == "depends" and not row["default"]:
            yield Told(f"claim {name}", f"“{row['text']}” As we read the sheet, this fails.", row["note"])
    for row in sorted(paper.document["stalemates"], key=lambda row: not _printed(paper, row)):
        if row["result"] == "REFUTED":
            yield Told(f"stalemate {row['name']}", happens(paper, row) + ".", "")
    for card in [card for card in by_weight(paper) if card.weight[1]][:2]:
        text = f"{card.taken.words} Or: {listed([a.words for a in card.others], 'or')} {card.result}"
        yield Told(f"reading {card.reading['name']}", card.ask, text)
    for name, row in paper.coverage.items():
        if row["result"] == "PROVED":
            others = listed(list(row["implied_by"]))
            text = f"“{paper.clauses[name]['text']}” It follows from {others}."
            yield Told(f"clause {name}", "One rule says nothing new.", text)


def _printed(paper: Paper, row: Document) -> bool:
    """Does it happen in the printed game?"""
    return bool(row["witness"]) and row["witness"].get("params") == paper.document["params"]


# -- From words to findings -------------------------------------------------------------------------------------


def _finding(paper: Paper, told: Told) -> Finding:
    return MAKERS[told.kind](paper, told)


def _figure(paper: Paper, told: Told, witness: Document | None, words: str = "") -> Figure | None:
    """The picture that the letter requests, or the row's own."""
    asked = dict(told.picture or {})
    words = asked.pop("words", words)
    chosen = asked if "position" in asked else witness
    return paper.artist.figure(chosen, words) if chosen else None


def _claim(paper: Paper, told: Told) -> Finding:
    row = paper.row(paper.verdicts, "claim", told.name)
    label = "The sheet contradicts itself" if row["contradiction"] and not paper.changed else "What the sheet says"
    label = label if told.name in paper.said else "What follows from the rules"
    formal = Formal("", row["text"], f"seen: {row['witness']}")
    figure = _figure(paper, told, paper.claim_witness(told.name))
    return Finding(label, told.title, told.text, claim_word(row), told.name, formal, figure)


def _clause(paper: Paper, told: Told) -> Finding:
    row = paper.row(paper.coverage, "clause", told.name)
    decides = [paper.coverage[other]["witness"] for other in row["implied_by"] if other in paper.coverage]
    witness = row["witness"] or next(filter(None, decides), None)
    formal = Formal(row["result"], "this clause adds nothing", row["scope"])
    verdict = word("clause", row)
    return Finding("Words to spare", told.title, told.text, verdict, told.name, formal, _figure(paper, told, witness))


def _reading(paper: Paper, told: Told) -> Finding:
    card = next((card for card in cards(paper) if card.reading["name"] == told.name), None)
    paper.row({told.name: {}} if card else {}, "reading", told.name)
    assert card is not None
    telling = next((a for a in card.others if a.verdict == card.verdict), None)
    row = telling.formal if telling else None
    formal = Formal(row["result"], "no position separates the two answers", row["scope"]) if row else None
    figure = _figure(paper, told, None) or (telling.figure if telling else None)
    return Finding("A question of reading", told.title, told.text, card.verdict, card.reading["id"], formal, figure)


def _stalemate(paper: Paper, told: Told) -> Finding:
    row = paper.row(paper.stalemates, "stalemate", told.name)
    formal = Formal(row["result"], row["statement"], row["scope"])
    figure = _figure(paper, told, row["witness"])
    return Finding("Dead end", told.title, told.text, word("stalemate", row), told.name, formal, figure)


def _proposal(paper: Paper, told: Told) -> Finding:
    """The proposed wording is the text, unless the letter has another."""
    rows = {str(n): row for n, row in enumerate(paper.document["proposals"], start=1)}
    row = paper.row(rows, "proposal", told.name)
    text = told.text or row["text"].partition("\n\n")[0]
    return Finding("A proposal", told.title, text, "", f"proposal-{told.name}", None, _figure(paper, told, None))


def _ending(paper: Paper, told: Told) -> Finding:
    return Finding("The end of the game", told.title, told.text, "", "solved", None, _figure(paper, told, None))


MAKERS: Mapping[str, Callable[[Paper, Told], Finding]] = {
    "claim": _claim,
    "clause": _clause,
    "reading": _reading,
    "stalemate": _stalemate,
    "proposal": _proposal,
    "ending": _ending,
}


# -- How sure ---------------------------------------------------------------------------------------------------


def how_sure(paper: Paper) -> list[str]:
    """Three sentences: what agrees, what keeps the checks honest, and what is not proved."""
    document = paper.document
    return [_agreement(document["proofs"]), _honest(document), _limits(document)]


def _agreement(proofs: Document) -> str:
    if not proofs["families"]:
        return "The rules are written once, as a program, so nothing else vouches for our reading of them."
    agreed = {
        "PROVED": "a theorem prover found that the two agree on every position of the scopes given below",
        "REFUTED": "and the two do not agree, as shown below",
        "UNKNOWN": "and whether the two agree is not fully known",
    }[proofs["result"]]
    return f"We wrote every rule twice, as a program and as logic, and {agreed}."


def _honest(document: Document) -> str:
    score = document["mutants"]
    if not score:
        return "Every position shown was replayed on the program that plays the game."
    noticed = "every one" if score["refuted"] == score["mutants"] else f"{score['refuted']:,}"
    return f"To test the checks themselves we planted {score['mutants']:,} mistakes, and they noticed {noticed}."


def _limits(document: Document) -> str:
    sampled = document["proofs"].get("sampled", 0)
    unknown = sum(row["result"] == "UNKNOWN" for part in ("ambiguities", "stalemates") for row in document[part])
    open_ends = [
        *(["some comparisons are samples, and are called so"] if sampled else []),
        *([f"{unknown} of the searches ended without an answer"] if unknown else []),
        "what “smallest” means is said with each picture",
    ]
    return sentence(f"What we do not know is marked: {listed(open_ends)}")
