"""Parameters as the rulebook declares them, for games that need no more."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rulecheck.model import InputError
from rulecheck.rulebook import Parameter, Rulebook, check_known


@dataclass(frozen=True)
class Params:
    """`params["size"]` is a whole number if the rulebook gives limits for it, otherwise a text."""

    values: tuple[tuple[str, str | int], ...]

    def __getitem__(self, name: str) -> str | int:
        return dict(self.values)[name]

    def number(self, name: str) -> int:
        return int(self[name])

    def as_dict(self) -> dict[str, str]:
        return {name: str(value) for name, value in self.values}


def read_params(book: Rulebook, given: Mapping[str, str]) -> Params:
    """The defaults with the user's choices, each checked."""
    if given and not book.parameters:
        raise InputError(f"{book.slug} has no parameters")
    for name in given:
        check_known("parameter", name, [parameter.name for parameter in book.parameters])
    return Params(tuple((p.name, _read(p, given.get(p.name, p.default))) for p in book.parameters))


def _read(parameter: Parameter, text: str) -> str | int:
    if parameter.one_of:
        check_known(f"value of parameter {parameter.name}", text, parameter.one_of)
    if parameter.least is None and parameter.most is None:
        return text
    try:
        number = int(text)
    except ValueError:
        raise InputError(f"parameter {parameter.name} is a whole number, found {text[:40]!r}") from None
    low, high = parameter.least, parameter.most
    if (low is not None and number < low) or (high is not None and number > high):
        limits = (
            f"{low} to {high}" if None not in (low, high) else f"at least {low}" if high is None else f"at most {high}"
        )
        raise InputError(f"parameter {parameter.name} is {limits}, found {number}")
    return number
