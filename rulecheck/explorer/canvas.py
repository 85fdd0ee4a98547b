"""Boards without places: what is taken in hand, where it is put by clicks, and what the next click does."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rulecheck.explorer.address import Address
from rulecheck.model import InputError
from rulecheck.render import Canvas

Document = dict[str, Any]
FARTHEST = 100_000.0  # units of a picture


def taken(canvas: Canvas | None, params: Any, here: Any, at: Sequence[str]) -> tuple[str, ...]:
    """What is in hand and the spots that were clicked on; nothing if a piece of the board was."""
    if canvas is None or not at or at[0] in canvas.places(params, here, None):
        return ()
    return tuple(at)


def meant(canvas: Canvas | None, params: Any, hand: Sequence[str]) -> Any | None:
    """The move that the clicks make, if they make one already."""
    return canvas.move(params, hand[0], hand[1:]) if canvas is not None and hand else None


def panel(canvas: Canvas | None, params: Any, here: Any, address: Address, hand: Sequence[str]) -> Document | None:
    """What a page says and offers; addresses are lists of clicks."""
    if canvas is None:
        return None
    held = [
        {"player": player, "ways": [way._asdict() for way in ways]} for player, ways in canvas.held(params, here)
    ]  # fmt: skip
    about = canvas.about(params, here, address.at[0]) if address.at and not hand else ""
    if not hand:
        return {"held": held, "taken": "", "spots": [], "prompt": "", "nudges": [], "about": about}
    name, *spots = hand
    nudges = [{"words": nudge.words, "at": [name, *nudge.spots]} for nudge in canvas.nudges(name, spots)]
    prompt = canvas.prompt(name, spots)
    return {"held": held, "taken": name, "spots": spots, "prompt": prompt, "nudges": nudges, "about": ""}


def clicked(canvas: Canvas | None, params: Any, here: Any, address: Address, x: float, y: float) -> Address:
    """Where a click on a point of the picture leads."""
    hand = taken(canvas, params, here, address.at)
    if canvas is None or not hand:
        raise InputError("nothing is in hand that could be put down here")
    if not (abs(x) < FARTHEST and abs(y) < FARTHEST):
        raise InputError("this is no point of the picture")
    name, *spots = hand
    spot = canvas.spot(params, here, meant(canvas, params, hand), x, y)
    return address.but(at=(name, *canvas.clicked(name, spots, spot)))
