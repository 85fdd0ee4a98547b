"""Verdicts in colour, where standard output is a terminal and nobody asked for none (NO_COLOR)."""

from __future__ import annotations

import os
import sys

import typer

TONES = {  # the tone of a status or a word for its reader, unless a command says otherwise
    "PROVED": "green", "REFUTED": "red", "UNKNOWN": "yellow", "sampled": "yellow",
    "true": "green", "false": "red", "depends": "yellow",
    "legal": "green", "illegal": "red", "DISAGREEMENT": "red",
}  # fmt: skip
GOOD_REFUTATION = {"REFUTED": "green", "PROVED": "red"}  # where a refutation is what was hoped for


def tinted(text: str, tones: dict[str, str] | None = None) -> str:
    """A text that begins with a verdict, in its colour."""
    known = {**TONES, **(tones or {})}
    word = text.split()[0].rstrip(":,;") if text.split() else ""
    return typer.style(text, fg=known[word]) if word in known and in_colour() else text


def in_colour() -> bool:
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR")
