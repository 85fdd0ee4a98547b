"""Values as JSON has them, and back: dataclasses become objects, and are made again from their annotations."""

from __future__ import annotations

import dataclasses
import functools
import types
import typing
from collections.abc import Mapping
from enum import Enum
from typing import Any


def plain(value: Any) -> Any:
    """What JSON can write; a value that it has no form for is a TypeError."""
    if isinstance(value, Enum):
        return value.value
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if isinstance(value, Mapping):
        if not all(isinstance(key, str) for key in value):
            raise TypeError(f"JSON has no form for keys that are no texts: {value!r}")
        return {key: plain(part) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(part) for part in value]
    raise TypeError(f"JSON has no form for {type(value).__name__}")


def rebuilt(kind: Any, value: Any) -> Any:
    """A value of this type from what `plain` has made of it; `Any` takes it as it is."""
    origin, inner = typing.get_origin(kind), typing.get_args(kind)
    if origin in (typing.Union, types.UnionType):
        return None if value is None else rebuilt(_chosen(inner, value), value)
    if dataclasses.is_dataclass(kind) and isinstance(kind, type):
        return kind(**{name: rebuilt(of, value[name]) for name, of in _fields(kind).items()})
    if isinstance(kind, type) and issubclass(kind, Enum):
        return kind(value)
    if origin is tuple:
        of = [inner[0]] * len(value) if inner[-1] is Ellipsis else inner
        return tuple(rebuilt(kind, part) for kind, part in zip(of, value, strict=True))
    if origin is list:
        return [rebuilt(inner[0], part) for part in value]
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return {key: rebuilt(inner[1], part) for key, part in value.items()}
    return value


def _chosen(kinds: tuple[Any, ...], value: Any) -> Any:
    """Of the types of a union, the one that this value was; a type that JSON knows is recognised by its value."""
    simple = next((kind for kind in kinds if isinstance(kind, type) and type(value) is kind), None)
    return simple or next(kind for kind in kinds if kind is not type(None) and kind not in (str, int, float, bool))


@functools.cache
def _fields(kind: type) -> dict[str, Any]:
    hints = typing.get_type_hints(kind)
    return {field.name: hints[field.name] for field in dataclasses.fields(kind) if field.init}
