"""A tiny builder of SVG elements: the same calls give the same bytes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any
from xml.sax.saxutils import escape, quoteattr


def number(value: float) -> str:
    """At most two decimals, and no negative zero."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


@dataclass(frozen=True, init=False)
class Element:
    """`Element("rect", class_="paper", stroke_width=1)`: an underscore stands for a hyphen, at the end for nothing."""

    name: str
    attributes: tuple[tuple[str, str], ...]
    children: tuple[Element | str, ...]

    def __init__(self, name: str, **attributes: Any) -> None:
        shown = (
            (k.rstrip("_").replace("_", "-"), number(v) if isinstance(v, float) else str(v))
            for k, v in attributes.items()
        )
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "attributes", tuple(shown))
        object.__setattr__(self, "children", ())

    def add(self, *children: Element | str) -> Element:
        """A copy with more children."""
        grown = Element(self.name)
        object.__setattr__(grown, "attributes", self.attributes)
        object.__setattr__(grown, "children", self.children + children)
        return grown

    def __str__(self) -> str:
        return "\n".join(self.lines()) + "\n"

    def lines(self, indent: str = "") -> Iterable[str]:
        """One element per line; an element with text stays on one line, so that it gains no space."""
        head = indent + "<" + self.name + "".join(f" {k}={quoteattr(v)}" for k, v in self.attributes)
        if not self.children:
            yield f"{head}/>"
        elif any(isinstance(child, str) for child in self.children):
            yield f"{head}>{self._inside()}</{self.name}>"
        else:
            yield f"{head}>"
            for child in self.children:
                assert isinstance(child, Element)
                yield from child.lines(indent + " ")
            yield f"{indent}</{self.name}>"

    def _inside(self) -> str:
        return "".join(escape(c) if isinstance(c, str) else "".join(c.lines()) for c in self.children)


def points(corners: Iterable[tuple[float, float]]) -> str:
    return " ".join(f"{number(x)},{number(y)}" for x, y in corners)


def path(*parts: str | float) -> str:
    """`path("M", x, y, "L", x, y)`"""
    return " ".join(p if isinstance(p, str) else number(p) for p in parts)
