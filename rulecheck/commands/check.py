"""Commands that check the rules: prove, mutants, claims, ambiguities, clauses, stalemates."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

import typer

from rulecheck.api.game import OpenGame
from rulecheck.api.proof import Proof
from rulecheck.commands.colour import GOOD_REFUTATION, tinted
from rulecheck.commands.common import (
    AsJson,
    Chosen,
    Fresh,
    GameName,
    Jobs,
    Params,
    Seed,
    counted,
    emit,
    finish,
    kept_results,
    of_game,
    open_game,
    settings,
)
from rulecheck.commands.completion import complete_family, complete_mutant, complete_reading_name
from rulecheck.jobs import Report, stage
from rulecheck.model import OURS, InputError
from rulecheck.progress import show_progress
from rulecheck.registry import Choice


def _witness_lines(witness: dict[str, Any] | None) -> None:
    for key, value in (witness or {}).items():
        text = " ".join(f"{k}={v}" for k, v in value.items()) if isinstance(value, dict) else value
        text = ", ".join(value) or "the start" if isinstance(value, list) else text
        print(f"    {key}: {text}")


def prove(
    game: GameName,
    param: Params = None,
    reading: Chosen = None,
    family: Annotated[
        list[str] | None,
        typer.Option("--family", help="only this family (may be repeated)", autocompletion=complete_family),
    ] = None,
    every_reading: Annotated[
        bool, typer.Option("--every-reading", help="also prove every other value of each reading")
    ] = False,
    pairs: Annotated[bool, typer.Option("--pairs", help="prove every pair of values of every two readings")] = False,
    second: Annotated[
        bool, typer.Option("--second", help="have other solvers confirm each answer of z3 that a proof rests on")
    ] = False,
    jobs: Jobs = 1,
    fresh: Fresh = False,
    as_json: AsJson = False,
) -> None:
    """Prove that the engine and the constraints agree."""
    choice = open_game(game, param, reading)
    families = OpenGame(choice).chosen_families(family or ())
    if pairs:
        if reading or every_reading:
            raise InputError("--pairs goes through all readings itself; omit -r and --every-reading")
        if second:
            raise InputError("--pairs and --second cannot be combined; omit one of them")
        _prove_pairs(choice, family, jobs, fresh, as_json)
        return
    heard = None
    with kept_results(fresh), show_progress(f"proving {game}") as report:
        if second:
            proof, heard = _prove_twice(choice, families, every_reading, jobs, report)
        else:
            proof = OpenGame(choice).prove(*families, every_reading=every_reading, jobs=jobs, report=report)
    document = {"game": game, **settings(choice), **proof.as_json()}
    if heard is not None:
        document["second"] = heard
    emit(document, as_json, lambda: _print_proof(document))
    finish(not proof.is_fine or bool(heard and heard["contradicted"]))


def _prove_twice(
    choice: Choice, families: Sequence[str], every_reading: bool, jobs: int, report: Report
) -> tuple[Proof, dict[str, Any]]:
    from rulecheck.analyses.prove import prove_twice, tasks

    todo = tasks(choice.game, choice.params.as_dict(), choice.readings, families, every_reading)
    results, heard = prove_twice(todo, jobs, report)
    return Proof(choice.game, tuple(zip(todo, results, strict=True))), heard


def _prove_pairs(choice: Choice, family: list[str] | None, jobs: int, fresh: bool, as_json: bool) -> None:
    from rulecheck.analyses.pairwise import combined_readings, prove_pairs, quick_families
    from rulecheck.analyses.prove import has_failed

    game = choice.game
    if len(game.rulebook.asked(choice.params.as_dict())) < 2:
        raise InputError(f"{game.slug} has fewer than two readings, so there are no pairs of their values")
    with kept_results(fresh), show_progress(f"proving {game.slug}") as report:
        families = family or quick_families(game)
        params = choice.params.as_dict()
        proof = prove_pairs(game, params, families, combined_readings(game, params), jobs, report)
    document = {"game": game.slug, **settings(choice), **proof}
    emit(document, as_json, lambda: _print_proof(document))
    finish(any(map(has_failed, document["families"])))


def _print_proof(proof: dict[str, Any]) -> None:
    for row in proof["families"]:
        under = "" if row["readings"] == "as given" else f" with {row['readings']}"
        print(f"{tinted(row['headline'].ljust(8))} {row['family']}{under}: {row['scope']} ({row['cases']:,} cases)")
        if "note" in row:
            print(f"    note: {row['note']}")
        _witness_lines(row["witness"])
    if "pairs" in proof:
        for readings, why in proof["pairs"]["refused"].items():
            print(f"refused  {readings}: {why}")
        print(proof["pairs"]["words"])
    print(f"{tinted(proof['headline'])}: {proof['cases']:,} cases, {proof['disagreements']} disagreements")
    if "second" in proof:
        _print_second(proof["second"])


def _print_second(opinions: dict[str, Any]) -> None:
    by = ", ".join(f"{name} {count:,}" for name, count in opinions["by"].items())
    print(
        f"second opinion: {opinions['agreed']:,} of {opinions['asked']:,} answers NO confirmed ({by or 'nobody'}), "
        f"{opinions['contradicted']:,} contradicted, {opinions['unanswered']:,} not answered"
    )


def mutants(
    game: GameName,
    only: Annotated[
        list[str] | None,
        typer.Option("--only", help="only this mutant (may be repeated)", autocompletion=complete_mutant),
    ] = None,
    made: Annotated[int | None, typer.Option("--made", min=1, metavar="N", help="make N from the source")] = None,
    every: Annotated[bool, typer.Option("--all", help="every mutant that can be made from the source")] = False,
    seed: Seed = 1,
    jobs: Jobs = 1,
    fresh: Fresh = False,
    as_json: AsJson = False,
) -> None:
    """Change one rule at a time; a proof, the engine's moves, a claim or a move count must refute each change.

    A game brings mutants of its own, or they are made from the source of both encodings.
    """
    from rulecheck.analyses.mutants import read_mutants, score
    from rulecheck.rulebook import check_known

    choice = open_game(game)
    if choice.game.mutants_file is None or made is not None or every:
        _made(choice, only, made, every, seed, jobs, as_json)
        return
    known = {mutant.id: mutant for mutant in read_mutants(choice.game)}
    for name in only or ():
        check_known("mutant", name, known)
    with kept_results(fresh), show_progress(f"mutants of {game}") as report:
        rows = score(choice.game, [known[name] for name in only or known], jobs, report)
    refuted = sum(row["result"] == "REFUTED" for row in rows)
    document = {"mutants": len(rows), "refuted": refuted, "rows": rows, **settings(choice)}
    emit(document, as_json, lambda: _print_mutants(document))
    finish(refuted < len(rows))


def _made(
    choice: Choice, only: list[str] | None, count: int | None, every: bool, seed: int, jobs: int, as_json: bool
) -> None:
    from rulecheck.analyses.made_mutants import USUAL, drawn, made_mutants, score_made
    from rulecheck.rulebook import check_known

    if every and count is not None:
        raise InputError("--all and --made contradict each other; leave one of them out")
    possible = made_mutants(choice.game)
    for name in only or ():
        check_known("mutant", name, [one.mutant.id for one in possible])
    chosen = possible if every else drawn(possible, count or USUAL, seed)
    if only:
        chosen = [one for one in possible if one.mutant.id in only]
    with show_progress(f"mutants of {choice.game.slug}") as report:
        rows = score_made(choice.game, chosen, jobs, report)
    figures = {"possible": len(possible), "mutants": len(rows), "noticed": sum(row["noticed"] for row in rows)}
    document = {"game": choice.game.slug, "seed": seed, **figures, "rows": rows}
    emit(document, as_json, lambda: _print_made(document))
    finish(figures["noticed"] < len(rows))


def _print_made(document: dict[str, Any]) -> None:
    for row in document["rows"]:
        result = "REFUTED" if row["result"] == "REFUTED" else "fails" if row["noticed"] else "SURVIVES"
        print(f"{result:8} {row['mutant']:14} {row['clause']:6} {row['text']}")
        if len(document["rows"]) == 1:
            _witness_lines(row["witness"])
        if not row["noticed"]:
            print(f"    {row['scope']}")
            print("\n".join(f"    {line}" for line in row["diff"].splitlines()))
    failing = sum(row["noticed"] and row["result"] != "REFUTED" for row in document["rows"])
    errors = f", {failing} of them by an error" if failing else ""
    print(f"{document['noticed']} of {document['mutants']} mutants noticed{errors}; {document['possible']} can be made")


def _print_mutants(document: dict[str, Any]) -> None:
    for row in document["rows"]:
        by = f" (by {row['by']})" if row["by"] else ""
        result = tinted(f"{row['result']:8}", GOOD_REFUTATION)
        print(f"{result} {row['mutant']} {row['side']:8} {row['clause']:6} {row['text']}{by}")
        if len(document["rows"]) == 1:
            _witness_lines({k: v for k, v in (row["witness"] or {}).items() if k != "params"})
    print(f"{document['refuted']} of {document['mutants']} mutants refuted")


def claims(game: GameName, param: Params = None, as_json: AsJson = False) -> None:
    """Evaluate the sheet's claims, and consequences derived from it, under every reading."""
    choice = open_game(game, param)
    with show_progress(f"claims of {game}") as report:
        verdicts = OpenGame(choice).claims(report=report)
    document = {"game": game, **verdicts.as_json(), **settings(choice)}
    emit(document, as_json, lambda: _print_claims(document))
    finish(bool(verdicts.disagreements))


def _print_claims(document: dict[str, Any]) -> None:
    said = [row for row in document["claims"] if row["source"] != OURS]
    derived = [row for row in document["claims"] if row["source"] == OURS]
    for title, rows in (("What the sheet says:", said), ("Consequences that we derived:", derived)):
        if rows:
            print(title)
        for row in rows:
            _print_claim(row)
    for value, broken in document["suspects"].items():
        print(f"suspect  {value}, because it breaks {', '.join(broken)}")
    for name, why in document.get("unasked", {}).items():
        print(f"not asked {name}, which does not fit these parameters: {why}")
    disagreements = counted(len(document["disagreements"]), "disagreement")
    print(f"{counted(len(document['claims']), 'claim')}, {disagreements} with the rulebook")


def _print_claim(row: dict[str, Any]) -> None:
    print(f"{tinted(row['verdict'].ljust(8))} {row['claim']}: {row['text']}")
    if row["source"] != OURS:
        print(f"    sheet: {row['source']}")
    if row["finding"]:
        print(f"    finding: {row['finding']}")
        print(f"    seen: {row['witness']}")
    elif row["note"]:
        print(f"    note: {row['note']}")


def ambiguities(
    game: GameName,
    param: Params = None,
    reading: Chosen = None,
    only: Annotated[
        list[str] | None,
        typer.Option("--only", help="only this reading (may be repeated)", autocompletion=complete_reading_name),
    ] = None,
    jobs: Jobs = 1,
    fresh: Fresh = False,
    as_json: AsJson = False,
) -> None:
    """Find the smallest position in play where two values of a reading differ, for each pair of values."""
    from rulecheck.analyses.ambiguities import weigh, weighed

    choice = open_game(game, param, reading)
    names = only or OpenGame(choice).asked
    with kept_results(fresh), show_progress(f"ambiguities of {game}") as report:
        rows = OpenGame(choice).ambiguities(*names, jobs=jobs, report=stage(report, 0.0, 0.9))
        # The sheet's claims and solved games that bear on a reading are known for the printed game only.
        if OpenGame(choice).is_printed:
            document = weighed(choice.game, names, rows, jobs, stage(report, 0.9, 1.0, "solved games"))
        else:
            document = weigh([row.as_json() for row in rows], [], [])
    emit(of_game(choice, document), as_json, lambda: _print_ambiguities(document))


def _print_ambiguities(rows: list[dict[str, Any]]) -> None:
    for row in rows:
        first, second = row["values"]
        if row["result"] == "PROVED":
            differ = "do not differ in the games searched" if row.get("bounded") else "never differ"
            print(f"{row['reading']}: {first} and {second} {differ}")
            print(f"    PROVED: {row['scope']}")
        elif row["result"] == "UNKNOWN":
            print(f"{row['reading']}: {first} or {second}? UNKNOWN: {row['scope']}")
        else:
            print(f"{row['reading']}: {first} or {second}? ({row['scope']})")
            _witness_lines({k: v for k, v in row["witness"].items() if k != "readings"})
        for value, verdict in row["verdicts"].items():
            print(f"    {value}: {tinted(verdict)}")
        _print_weight(row)


def _print_weight(row: dict[str, Any]) -> None:
    for value, claims in row["claims"].items():
        if claims["breaks"]:
            print(f"    {value} breaks {', '.join(claims['breaks'])}")
    for solved in row["impact"]:
        worth = "; ".join(f"{value} {_worth(values)}" for value, values in solved["values"].items())
        print(f"    {solved['game']}: {worth}")


def _worth(values: dict[str, Any]) -> str:
    if "value" in values:
        return f"{values['value']}" + ("" if values["distance"] is None else f" in {values['distance']}")
    mover, opponent, neither = (100 * values[key][0] for key in ("mover", "opponent", "neither"))
    return f"{mover:.2f} % mover, {opponent:.2f} % opponent, {neither:.2f} % neither"


def clauses(game: GameName, param: Params = None, reading: Chosen = None, as_json: AsJson = False) -> None:
    """Find the smallest case that each clause alone decides, or prove that it adds nothing."""
    choice = open_game(game, param, reading)
    document = [row.as_json() for row in OpenGame(choice).clauses()]
    emit(of_game(choice, document), as_json, lambda: _print_clauses(document))


def _print_clauses(rows: list[dict[str, Any]]) -> None:
    for row in rows:
        if row["result"] is None:
            print(f"{row['clause']:7} {row['how']}")
        elif row["result"] == "PROVED":
            implied_by = ", ".join(row["implied_by"])
            why = f"it follows from {implied_by}" if implied_by else "no move breaks it"
            print(f"{row['clause']:7} adds nothing: {why} (PROVED: {row['scope']})")
        elif row["result"] == "UNKNOWN":
            print(f"{row['clause']:7} UNKNOWN: {row['scope']}")
        else:
            shown = [row["witness"][key] for key in ("position", "move") if key in row["witness"]]
            note = f": {row['witness']['note']}" if "note" in row["witness"] else ""
            print(f"{row['clause']:7} {row['how']}: {', '.join(shown)}{note}")


def stalemates(game: GameName, param: Params = None, reading: Chosen = None, as_json: AsJson = False) -> None:
    """Find positions in which the rules leave a player with nothing to do."""
    choice = open_game(game, param, reading)
    rows = [row.as_json() for row in OpenGame(choice).stalemates()]
    emit(of_game(choice, rows), as_json, lambda: _print_stalemates(rows))


def _print_stalemates(rows: list[dict[str, Any]]) -> None:
    for row in rows:
        print(f"{tinted(row['result'].ljust(8))} {row['name']}: {row['statement']} ({row['scope']})")
        _witness_lines({k: v for k, v in (row["witness"] or {}).items() if k != "readings"})
        for value, said in row["under"].items():
            print(f"    with {value}: {said}{'; this repairs it' if value in row['repairs'] else ''}")


def register(app: typer.Typer) -> None:
    for command in (prove, mutants, claims, ambiguities, clauses, stalemates):
        app.command()(command)
