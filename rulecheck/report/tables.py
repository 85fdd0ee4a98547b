"""The sections that are tables: claims by readings, solved values, and how sure all this is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal

from rulecheck.render.svg import Element
from rulecheck.report.html import Markup, block, join, listing, prose, scrolling, table, tag
from rulecheck.report.paper import Document, Paper, badge, headline, is_ours

MOST_DIGITS = 9
MOST_SEEN = 3
SHARES = "dark: the mover, light: the opponent, empty: neither"
SIDES = ("mover", "opponent", "neither")
SIDE_HEADS = ("the mover can force a win", "the opponent can", "neither", "shares")
OUTCOME_HEADS = ("at the start", "won", "lost", "tied", "drawn", "longest win")
MOST_WINS = 4  # pictures of longest wins

# -- Claims by readings ---------------------------------------------------------------------------------------


def claims_section(paper: Paper) -> Markup:
    found = paper.document["claims"]
    legend = tag(
        "p", tag("b", "✓"), " holds, ", tag("b", "✗"), " fails; a frame marks what the reading turns round, and ",
        tag("sup", "+"), " what was seen differently (told below). The first column has every reading at its default; "
        "each other column changes one reading.",
    )  # fmt: skip
    said = _matrix("What the sheet says", "claim", paper.said)
    derived = _matrix("Consequences that we derived", "consequence", paper.derived)
    return block(legend, said, _suspects(paper, found["suspects"]), derived, _seen(paper))


def _matrix(title: str, kind: str, verdicts: Mapping[str, Document]) -> Markup | None:
    if not verdicts:
        return None
    columns = list(next(iter(verdicts.values()))["readings"])
    heads = [tag("th", kind, scope="col")]
    heads += [tag("th", tag("span", name), scope="col") for name in ("as read by default", *columns)]
    rows = [_claim_row(row, columns) for row in verdicts.values()]
    caption = f"{title}: what holds under which readings"
    parts = (tag("caption", caption), tag("thead", tag("tr", *heads)), tag("tbody", *rows))
    return block(tag("h3", title), scrolling(tag("table", *parts, class_="matrix"), caption))


def _claim_row(row: Document, columns: Sequence[str]) -> Markup:
    source = None if is_ours(row) else tag("span", f" Sheet: {row['source']}", class_="meta")
    name = tag("th", tag("b", row["claim"]), f" {row['text']}", source, scope="row", id=row["claim"])
    return tag("tr", name, _cell(row, ""), *(_cell(row, column) for column in columns))


def _cell(row: Document, column: str) -> Markup:
    holds = row["readings"].get(column, row["default"])
    kinds = ["holds" if holds else "fails"] + (["turned"] if holds != row["default"] else [])
    seen = tag("sup", "+") if column in _told(row) else None
    words = f"{row['claim']} {kinds[0]} with {column or 'the default readings'}"
    return tag("td", "✓" if holds else "✗", seen, class_=" ".join(kinds), title=words, aria_label=words)


def _suspects(paper: Paper, suspects: Document) -> Markup | None:
    if not suspects:
        return None
    items = [join([tag("code", value), " breaks ", paper.claim_links(broken)]) for value, broken in suspects.items()]
    return block(tag("h3", "Readings that a claim of the sheet speaks against"), listing(items))


def _seen(paper: Paper) -> Markup:
    parts: list[Markup] = []
    for name, row in paper.verdicts.items():
        parts += [tag("dt", name), tag("dd", *_seen_words(row))]
    return block(tag("h3", "What was seen"), tag("dl", *parts, class_="seen small"))


def _seen_words(row: Document) -> Iterator[object]:
    yield row["witness"] + "."
    told = _told(row)
    for seen, values in _grouped(told).items():
        yield join([" With ", join([tag("code", v) for v in values], ", "), f": {seen}."])
    if len(told) < len(row["witnesses"]):
        yield f" Likewise, with other figures, under {len(row['witnesses']) - len(told)} other values."
    tried, untried = row["combinations"]["tried"], row["combinations"]["untried"]
    if tried:
        yield f" Also tried under {tried} combinations of readings"
        yield "." if not row["combinations"]["surprises"] else f"; {len(row['combinations']['surprises'])} surprises."
    if untried:
        yield f" UNKNOWN under {untried} combinations, which were not tried."
    if row["note"]:
        yield tag("em", " ", prose(row["note"]))


def _told(row: Document) -> Document:
    """What other readings saw; where nearly every one saw something else, only what turned the outcome round."""
    seen = row["witnesses"]
    if len(_grouped(seen)) <= MOST_SEEN:
        return dict(seen)
    return {value: words for value, words in seen.items() if row["readings"][value] != row["default"]}


def _grouped(witnesses: Document) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for value, seen in witnesses.items():
        found.setdefault(seen, []).append(value)
    return found


# -- Solved values --------------------------------------------------------------------------------------------


def solved_section(paper: Paper) -> Markup:
    solved = paper.document.get("solved")
    if not solved or not solved["games"]:
        return tag("p", badge("UNKNOWN"), " No game of this kind has been solved for this report.")
    titles = list(dict.fromkeys(game["title"] for game in solved["games"]))
    games = sorted(solved["games"], key=lambda game: titles.index(game["title"]))
    if "candidates" in games[0]:
        return block(tag("p", prose(solved["intro"])), _orders(paper, games))
    with_dice = "value" not in games[0]
    head = ("game", "readings", "positions", *(SIDE_HEADS if with_dice else OUTCOME_HEADS))
    caption = f"Chances under best play, from the start; each lies between the two figures ({SHARES})"
    caption = caption if with_dice else "With best play on both sides, seen by the player to move"
    rows = [_solved_row(paper, game) for game in games]
    intro = tag("p", prose(solved["intro"])) if solved.get("intro") else None
    return block(intro, table(caption, head, rows), _longest_wins(paper, games))


def _solved_row(paper: Paper, game: Document) -> list[object]:
    changed = _changes(paper, game)
    named = tag("code", changed) if changed else "default"
    known = _outcome_cells(game) if "value" in game else worth_cells(game)
    return [game["title"], named, f"{game['positions']:,}", *known]


def worth_cells(worth: Document) -> list[object]:
    """What the start of a game is worth: one cell without dice, else the three chances and a bar."""
    if "value" in worth:
        return [worth["value"] + ("" if worth["distance"] is None else f" in {worth['distance']}")]
    return [*(bounds(*worth[side]) for side in SIDES), bar(worth)]


def worth_heads(worth: Document) -> tuple[str, ...]:
    return OUTCOME_HEADS[:1] if "value" in worth else SIDE_HEADS


def _outcome_cells(game: Document) -> list[object]:
    longest = game["longest_win"]["distance"] if game["longest_win"] else "none"
    counts = [f"{game[outcome]:,}" for outcome in ("win", "loss", "tie", "draw")]
    return [*worth_cells(game), *counts, longest]


def _longest_wins(paper: Paper, games: Sequence[Document]) -> Markup | None:
    """The longest forced win of each game as read by default, where it takes more than one move."""
    shown = [g for g in games if not _changes(paper, g) and (g.get("longest_win") or {}).get("distance", 0) > 1]
    if not shown:
        return None
    best = sorted(shown, key=lambda game: -game["longest_win"]["distance"])[:MOST_WINS]
    cards = (tag("section", _longest_win(paper, game), class_="card") for game in best)
    return block(tag("h3", "The longest wins"), tag("div", *cards, class_="grid"))


def _longest_win(paper: Paper, game: Document) -> Markup:
    longest = game["longest_win"]
    words = f"{game['title']}: {longest['position'].partition(' ')[0]} to move wins in {longest['distance']}."
    line = join([tag("code", move) for move in longest["line"]], " ")
    witness = {"position": longest["position"], "params": game["params"], "move": longest["line"][0]}
    return block(paper.picture(witness, words), tag("p", "With best play: ", line, ".", class_="small"))


def _orders(paper: Paper, games: Sequence[Document]) -> Markup:
    """Positions in which the best order of placements is known, and the readings that change it."""
    printed = [game for game in games if not _changes(paper, game)]
    usual = {game["title"]: worth_cells(game) for game in printed}
    other = [game for game in games if worth_cells(game) != usual[game["title"]]]
    cards = (tag("section", _order(paper, game), class_="card") for game in printed)
    head = ("position", "readings", "best", "by")
    rows = [(g["title"], tag("code", _changes(paper, g)), g["value"], _line(g)) for g in other]
    changed = table("Readings under which something else is best", head, rows) if rows else None
    return block(tag("div", *cards, class_="grid"), changed)


def _order(paper: Paper, game: Document) -> Markup:
    witness = {"position": game["position"], "params": game["params"], "move": next(iter(game["line"]), None)}
    words = f"{game['title']}: best for {game['player']}, {game['value']}."
    listed = join([tag("code", text) for text in game["candidates"]], " ")
    more = block(tag("p", "To choose from: ", listed, ".", class_="small"), tag("p", "Best: ", _line(game), "."))
    return block(paper.picture(witness, words), more)


def _line(game: Document) -> Markup:
    return join([tag("code", event) for event in game["line"]], ", then ")


def bar(game: Document) -> Markup:
    """The three chances side by side: dark the mover's, light the opponent's, empty neither's."""
    shares = [sum(game[side]) / 2 for side in SIDES]
    words = ", ".join(f"{side} {100 * share:.1f} %" for side, share in zip(SIDES, shares, strict=True))
    frame = Element("rect", x=0.5, y=0.5, width=120, height=11, fill="#ffffff", stroke="#1c1c1c")
    drawn = Element("svg", viewBox="0 0 121 12", width=121, height=12, role="img").add(
        Element("title").add(words), frame
    )
    left = 0.5
    for share, fill in zip(shares, ("#23395d", "#f2b84b"), strict=False):
        drawn = drawn.add(Element("rect", x=left, y=0.5, width=120 * share, height=11, fill=fill, stroke="#1c1c1c"))
        left += 120 * share
    return Markup(drawn)


def _changes(paper: Paper, game: Document) -> str:
    """A solved game's readings, named by what they change."""
    usual = paper.document["readings"]
    return " ".join(f"{name}={value}" for name, value in game["readings"].items() if usual.get(name) != value)


def bounds(low: float, high: float) -> str:
    """Both ends, rounded outwards to as many digits as their distance supports."""
    if low == high:
        return f"{low:.{MOST_DIGITS}f}".rstrip("0").rstrip(".")
    least, most = Decimal(repr(low)), Decimal(repr(high))  # as a document writes them, which is decimal
    unit = Decimal(1).scaleb(-min(MOST_DIGITS, max(1, -(most - least).adjusted())))
    return f"{least.quantize(unit, ROUND_FLOOR):f} to {most.quantize(unit, ROUND_CEILING):f}"


# -- How sure ---------------------------------------------------------------------------------------------------


def proofs_section(paper: Paper) -> Markup:
    proofs = paper.document["proofs"]
    head = ("proof", "result", "scope", "cases")
    rows = [_family_row(row) for row in proofs["families"]]
    intro = (
        "Every rule is written twice, once as steps a player takes and once as constraints. That the two agree is "
        "shown by going through every way the first can look at a position and asking a solver whether the "
        "second could say otherwise."
    )
    whole = tag("p", badge(proofs["result"], headline(proofs)), f" {proofs['cases']:,} cases in all.")
    parts = (whole, _pairs(paper), _second(paper), _mutants(paper))
    return block(tag("p", intro), table("Do the two encodings agree?", head, rows), *parts)


def _second(paper: Paper) -> Markup | None:
    """What other solvers say, where they were asked."""
    heard = paper.document.get("second")
    if heard is None:
        return None
    by = " and ".join(f"{name} ({count:,})" for name, count in heard["by"].items())
    words = (
        f"These proofs rest on {heard['asked']:,} questions to which the solver z3 found no solution. Each was asked "
        f"again of a solver that shares no code with it: {by or 'none'} confirmed {heard['agreed']:,} of them, "
        f"{heard['contradicted']:,} were contradicted, and {heard['unanswered']:,} got no answer in the time allowed."
    )
    return block(tag("h3", f"A second opinion: {heard['agreed']:,} of {heard['asked']:,} confirmed"), tag("p", words))


def _family_row(row: Document) -> tuple[object, ...]:
    """A sample is said to be one, and so is what was sampled beside a proof."""
    scope = f"{row['scope']}; {row['note']}" if row.get("note") else row["scope"]
    return row["family"], badge(row["result"], headline(row)), scope, f"{row['cases']:,}"


def _noticed_by(rows: Sequence[Document]) -> str:
    """What notices changes, and how many: proofs, comparisons of moves, claims, move counts."""
    kinds = {"family": "by proofs", "comparing": "by comparing moves", "claim": "by claims", "perft": "by move counts"}
    counts = Counter(kinds[row["by"].split()[0]] for row in rows if row.get("by"))
    return ", ".join(f"{counts[kind]} {kind}" for kind in kinds.values() if counts[kind])


def _pairs(paper: Paper) -> Markup | None:
    proof = paper.document.get("pairs")
    if not proof or not proof["pairs"]["pairs"]:
        return None
    words = f" Readings changed together: {proof['pairs']['words']} of every two readings; {proof['cases']:,} cases."
    return tag("p", badge(proof["result"], headline(proof)), words)


def _mutants(paper: Paper) -> Markup | None:
    score = paper.document["mutants"]
    if score is None:
        return None
    missed = [f"{r['mutant']} ({r['clause']}): {r['text']}" for r in score["rows"] if r["result"] != "REFUTED"]
    words = (
        f"A check that cannot fail shows nothing. {score['mutants']} changes were made on purpose, one at a time, in "
        f"either encoding, in compiled rules and in the vocabulary that they share; {score['refuted']} were noticed: "
        f"{_noticed_by(score['rows'])}."
    )
    changed: dict[str, list[str]] = {}
    for row in score["rows"]:
        changed.setdefault(row["clause"], []).append(row["text"])
    rows = [
        (paper.clause_links([clause]), len(texts), "; ".join(dict.fromkeys(texts)))
        for clause, texts in sorted(changed.items())
    ]
    return block(
        tag("h3", f"Mutation score: {score['refuted']} of {score['mutants']}"),
        tag("p", words),
        listing(missed) if missed else None,
        table("Changes made on purpose", ("clause", "changes", "what was changed"), rows),
    )
