"""A tiny HTML builder: every text is escaped unless it is already markup."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

VOID = frozenset({"input", "meta", "link", "br", "hr", "img", "col"})


class Markup(str):
    """Text that is already HTML."""

    __slots__ = ()


def text(value: object) -> Markup:
    return value if isinstance(value, Markup) else Markup(escape(str(value)))


def tag(name: str, /, *children: object, **attributes: object) -> Markup:
    """`tag("p", "a < b", class_="x")`; an underscore in an attribute's name is a hyphen, None leaves it out."""
    head = name + "".join(_attribute(key, value) for key, value in attributes.items() if value is not None)
    if name in VOID:
        return Markup(f"<{head}>")
    return Markup(f"<{head}>{join(children)}</{name}>")


def _attribute(name: str, value: object) -> str:
    return f' {name.rstrip("_").replace("_", "-")}="{escape(str(value))}"'


def join(parts: Iterable[object], between: object = "") -> Markup:
    return Markup(text(between).join(text(part) for part in parts if part is not None))


def block(*parts: object) -> Markup:
    """Parts on separate lines, for readable page source."""
    return join((p for p in parts if p), Markup("\n"))


def prose(words: str) -> Markup:
    """Text in which `backticks` set off notation."""
    parts = words.split("`")
    if len(parts) % 2 == 0:  # an unmatched backtick is an ordinary character
        return text(words)
    return join(tag("code", part) if n % 2 else part for n, part in enumerate(parts))


def listing(items: Iterable[object], name: str = "ul", **attributes: object) -> Markup:
    return tag(name, *(tag("li", item) for item in items), **attributes)


def table(caption: object, head: Iterable[object], rows: Iterable[Iterable[object]], **attributes: object) -> Markup:
    """A table whose first column names its rows."""
    lines = [tag("tr", *(tag("th", cell, scope="col") for cell in head))]
    body = []
    for first, *rest in rows:
        body.append(tag("tr", tag("th", first, scope="row"), *(tag("td", cell) for cell in rest)))
    shown = tag("table", tag("caption", caption), tag("thead", *lines), tag("tbody", *body), **attributes)
    return scrolling(shown, str(caption))


def scrolling(wide: Markup, label: str) -> Markup:
    """A scrolling box, by finger or keyboard, for what is too wide for a phone."""
    return tag("div", wide, class_="wide", role="region", tabindex="0", aria_label=label)


def link(target: str, words: object) -> Markup:
    return tag("a", words, href=f"#{target}")
