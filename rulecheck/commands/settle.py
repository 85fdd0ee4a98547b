"""`solve`, `probe` and `certify` for games without dice: a win, loss, tie or draw, and in how many moves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rulecheck.commands.common import emit, settings

if TYPE_CHECKING:
    from rulecheck.solve.outcomes import Answer
    from rulecheck.solve.solver import Settled

SHOWN_MOVES = 40  # of the longest win; the table knows the rest
MEANING = {
    "win": "{} wins",
    "loss": "{} loses",
    "tie": "nobody wins, and play stops",
    "draw": "nobody can force a win, and play need not end",
}


def tell_settled(solved: Settled, as_json: bool) -> None:
    from rulecheck.solve.solver import settled_json

    choice = solved.choice
    document = {"game": choice.game.slug, **settled_json(solved), "alike": None, **settings(choice)}
    emit(document, as_json, lambda: print_settled(document, "the player to move"))


def print_settled(found: dict[str, Any], who: str) -> None:
    """`who` is the one whose view the value at the start is."""
    print(f"{found['positions']:,} positions, each accepted by the checker{sampled_symmetry(found)}")
    shares = [(name, found[name]) for name in MEANING if found[name]]
    print("for the player to move: " + ", ".join(f"{count:,} {name}" for name, count in shares))
    print(f"at the start: {worth_text(found, who)}")
    if found["best"]:
        print(f"best: {', '.join(found['best'])}")
    if found["longest_win"]:
        longest = found["longest_win"]
        print(f"the longest win takes {longest['distance']} moves: {longest['position']}")
        more = " ..." if len(longest["line"]) > SHOWN_MOVES else ""
        print(f"    {', '.join(longest['line'][:SHOWN_MOVES])}{more}")
    print(f"table: {found['table']}")


def sampled_symmetry(found: dict[str, Any]) -> str:
    """For the headline, if the game is too large to compare all positions that it calls alike."""
    alike = found["alike"]
    if alike is None or alike["everywhere"]:
        return ""
    return f", given the symmetry of the game, which holds at {alike['compared']:,} positions compared"


def worth_text(found: dict[str, Any], who: str = "the player to move") -> str:
    distance = "" if found["distance"] is None else f" in {found['distance']} moves"
    return f"{found['value']}{distance} ({MEANING[found['value']].format(who)})"


def print_answer(answer: Answer) -> None:
    print(answer.position)
    print(worth_text(answer.worth.as_json()))
    if not answer.moves:
        print("the game is over")
    width = max((len(move.move) for move in answer.moves), default=0)
    for move in answer.moves:
        print(f"    {move.move:<{width}}  {move.worth}")
