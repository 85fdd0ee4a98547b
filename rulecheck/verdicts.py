"""What PROVED, REFUTED and UNKNOWN mean to a reader, analysis by analysis.

The same status is good news in one analysis and bad in another, so people get the word of the analysis; the status and
its scope stay for the formal line and for JSON.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

WORDS: Mapping[str, tuple[str, str]] = {  # analysis: (if PROVED, if REFUTED)
    "proof": ("agrees", "differs"),
    "clause": ("adds nothing", "decides"),
    "reading": ("never matters", "matters"),
    "stalemate": ("cannot happen", "can happen"),
    "dead_text": ("has no effect", "still has an effect"),
    "proposal": ("holds", "fails"),
    "mutant": ("missed", "noticed"),
}
SEARCHED = {"reading": "no difference found", "stalemate": "not found", "clause": "nothing found"}


def word(analysis: str, row: Mapping[str, Any]) -> str:
    """The plain verdict of a row with a `result`; a bounded search is not said to prove anything."""
    if row["result"] == "UNKNOWN":
        return "sampled" if row.get("sample") else "not known"
    if row["result"] == "PROVED" and row.get("bounded"):
        return f"{SEARCHED.get(analysis, WORDS[analysis][0])} in the games searched"
    return WORDS[analysis][row["result"] == "REFUTED"]


def claim_word(row: Mapping[str, Any]) -> str:
    """Of a claim compared with every reading: holds, fails, or depends on how the sheet is read."""
    if row["verdict"] == "depends":
        return f"{'holds' if row['default'] else 'fails'} as we read the sheet; other readings differ"
    return "holds" if row["verdict"] == "true" else "fails, however the sheet is read"
