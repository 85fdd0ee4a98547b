"""A position as a form: each place and each `key=value` of its line has a field of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

HEAD, AT, KEY = "head", "at.", "key."  # names of the form's fields
MOST_FIELDS = 600


@dataclass(frozen=True)
class Form:
    """What stands in front, what stands where, and what is counted."""

    head: str
    places: dict[str, str]
    keys: dict[str, str]


def form(seen: Mapping[str, Any], typed: Form | None) -> Form:
    """Of the position as it is, or as somebody typed it; with the places that hold nothing."""
    base = typed or parsed(seen["position"])
    clicked = () if seen["canvas"] else seen["places"]  # pieces that lie anywhere have no places to be typed into
    named = [place for place in clicked if not _in_hand(place, seen["position"])]
    places = {place: base.places.get(place, "") for place in dict.fromkeys((*named, *base.places))}
    return Form(base.head, places, base.keys)


def _in_hand(place: str, position: str) -> bool:
    """Pieces beside the board can be clicked on, but nothing stands there."""
    return place[:1].isupper() and f"{place}:" not in position


def parsed(position: str) -> Form:
    head, places, keys = [], {}, {}
    for token in position.split():
        name, colon, value = token.partition(":")
        key, equals, rest = token.partition("=")
        if equals and ":" not in key:
            keys[key] = rest
        elif colon:
            places[name] = value
        else:
            head.append(token)
    return Form(" ".join(head), places, keys)


def assembled(typed: Form) -> str:
    places = [f"{name}:{value}" for name, value in typed.places.items() if value]
    keys = [f"{key}={value}" for key, value in typed.keys.items() if value]
    return " ".join(part for part in (typed.head, *places, *keys) if part)


def typed(query: Sequence[tuple[str, str]]) -> Form | None:
    """What a sent form says; None if the form was only opened."""
    given = {key: " ".join(value.split()) for key, value in query[:MOST_FIELDS]}
    if HEAD not in given:
        return None
    places = {key.removeprefix(AT): value.replace(" ", "") for key, value in given.items() if key.startswith(AT)}
    keys = {key.removeprefix(KEY): value.replace(" ", "") for key, value in given.items() if key.startswith(KEY)}
    return Form(given[HEAD], places, keys)
