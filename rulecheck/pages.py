"""Pages from templates: what reports and the explorer share. Their colours are in `rulecheck.theme`."""

from __future__ import annotations

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from rulecheck import wording


def environment(package: str) -> Environment:
    """The templates of a package, and the skeleton of every page; what a template does not know is an error."""
    made = Environment(
        loader=ChoiceLoader([PackageLoader(package), PackageLoader("rulecheck")]), autoescape=True,
        undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True,
    )  # fmt: skip
    made.filters.update(prose=prose, sentence=wording.sentence, number=wording.number, listed=wording.listed)
    return made


def prose(words: object) -> Markup:
    """Text in which `backticks` set off notation, and an empty line a paragraph."""
    parts = str(words).split("`")
    if len(parts) % 2 == 0:  # a backtick without its partner is just a character
        return escape(words)
    return Markup("").join(Markup("<code>{}</code>").format(p) if n % 2 else escape(p) for n, p in enumerate(parts))
