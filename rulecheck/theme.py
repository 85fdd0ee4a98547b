"""Every colour of pages and pictures, in light and dark, in one place.

Pictures carry the light colours, so that they can stand alone. A page in dark mode repaints what a picture marks with
one of the classes of `REPAINTED`; pieces keep their colours, because a red piece is red in the dark, too.
"""

from __future__ import annotations

from collections.abc import Mapping

LIGHT: Mapping[str, str] = {
    "page": "#faf9f6", "card": "#ffffff", "ink": "#1d1f23", "soft": "#565b65", "line": "#d9d6cf", "link": "#1b4f91",
    "good": "#1f6b3a", "bad": "#a3231b", "open": "#7a5200", "tint": "#f1eee6", "accent": "#b3261e", "pick": "#f5d76e",
    "paper": "#ffffff", "grid": "#b4b4b4", "names": "#5c5c5c", "pale": "#fff3c4",
    "warm": "#f7e4e1", "cool": "#e0f3f7",
}  # fmt: skip
DARK: Mapping[str, str] = {
    "page": "#16181c", "card": "#1f2228", "ink": "#e8e6e1", "soft": "#a9adb6", "line": "#3a3e47", "link": "#9cc3ff",
    "good": "#7fd19b", "bad": "#ff9b92", "open": "#f0c674", "tint": "#292d35", "accent": "#ff8a80", "pick": "#8a6d00",
    "paper": "#23262d", "grid": "#6a6f7a", "names": "#b9bdc6", "pale": "#5d5320",
    "warm": "#4a302e", "cool": "#24424b",
}  # fmt: skip
PRINT: Mapping[str, str] = {
    **LIGHT, "page": "#ffffff", "ink": "#000000", "soft": "#333333", "line": "#aaaaaa", "link": "#000000",
    "good": "#000000", "bad": "#000000", "open": "#000000", "tint": "#eeeeee",
}  # fmt: skip

# What a picture marks with these classes follows the page: paper and marks behind the pieces, lines, and words.
REPAINTED: Mapping[str, str] = {
    "paper": "fill", "pale": "fill", "warm": "fill", "cool": "fill", "ink": "fill", "names": "fill", "mark": "fill",
    "grid": "stroke", "pen": "stroke", "halo": "stroke", "accent": "stroke",
}  # fmt: skip

# A piece is filled with the first colour and lettered in the second. The palette keeps apart what the colour-blind
# confuses; letters, stripes and dots say the same without colour.
Paint = tuple[str, str]
DARK_INK, LIGHT_INK = "#1c1c1c", "#ffffff"
PALETTE: tuple[Paint, ...] = (
    ("#0b5394", LIGHT_INK),
    ("#f2b84b", DARK_INK),
    ("#ffffff", DARK_INK),
    ("#b5507f", LIGHT_INK),
    ("#3f9c82", DARK_INK),
    ("#a9d3ec", DARK_INK),
)
NAMED: Mapping[str, Paint] = {  # where a sheet names its colours; the first four and white differ in brightness, too
    "red": ("#d0453a", LIGHT_INK),
    "blue": ("#17408b", LIGHT_INK),
    "green": ("#7cc47f", DARK_INK),
    "yellow": ("#f5df66", DARK_INK),
    "cyan": ("#8fd8e8", DARK_INK),
    "black": ("#1c1c1c", LIGHT_INK),
    "white": ("#ffffff", DARK_INK),
    "grey": ("#dcdcdc", DARK_INK),
}


def css() -> str:
    """The colours as variables of a page, and the pictures on it repainted where it is dark."""
    dark = "\n  ".join([_root(DARK), *_repainted()])
    return (
        f":root {{ color-scheme: light dark; }}\n{_root(LIGHT)}\n"
        f"@media screen and (prefers-color-scheme: dark) {{\n{dark}\n}}\n@media print {{\n  {_root(PRINT)}\n}}"
    )


def picture_css() -> str:
    """The same for a picture that is a file of its own."""
    dark = " ".join(f".{name} {{ {how}: {DARK[_colour(name)]}; }}" for name, how in REPAINTED.items())
    return f"@media screen and (prefers-color-scheme: dark) {{ {dark} }}"


def _root(colours: Mapping[str, str]) -> str:
    return ":root { " + " ".join(f"--{name}: {colour};" for name, colour in colours.items()) + " }"


def _repainted() -> list[str]:
    return [f"svg .{name} {{ {how}: var(--{_colour(name)}); }}" for name, how in REPAINTED.items()]


def _colour(name: str) -> str:
    """The colour that a class of `REPAINTED` takes."""
    return {"pen": "ink", "halo": "paper", "mark": "accent"}.get(name, name)
