"""Small English: numbers in words, and lists with `and`."""

from __future__ import annotations

from collections.abc import Sequence

NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


def number(value: int) -> str:
    return NUMBERS[value] if 0 <= value < len(NUMBERS) else f"{value:,}"


def count(value: int, one: str, many: str = "") -> str:
    """`two squares`, `one square`, `no squares`."""
    return f"{number(value)} {one if value == 1 else many or one + 's'}"


def listed(parts: Sequence[str], last: str = "and") -> str:
    """`a, b and c`"""
    return f" {last} ".join(filter(None, [", ".join(parts[:-1]), *parts[-1:]]))


def sentence(words: str) -> str:
    """With a capital letter and a full stop."""
    text = words.strip()
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "!", "?", "”", ":", ".)")) else ".")


def duration(seconds: float) -> str:
    """`40 s`, `12 min` or `1 h 2 min`."""
    if seconds < 59.5:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes // 60:,} h {minutes % 60} min" if minutes >= 60 else f"{minutes} min"
