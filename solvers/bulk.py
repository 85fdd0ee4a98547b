"""Constraints evaluated for many cases at once, without a search: each Boolean is a row of bits, one for each case.

Where everything follows from what is given (a position and a move fix the rest), nothing needs
z3. A Python integer holds the bits of all cases, so one operation serves thousands of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import z3

from solvers.smt import Asker, Bool

Bits = int
Node = tuple[int, tuple[int, ...]]  # a kind of operation and the numbers of its operands


class Bulk:
    """The definitions of an asker that the wanted terms need, in an order of evaluation."""

    def __init__(self, asker: Asker, given: Iterable[Bool], wanted: Iterable[Bool]) -> None:
        self._terms = list(wanted)
        self._given = {term.get_id(): term for term in given}
        self._means = {literal.get_id(): formula for literal, formula in asker.named}
        self._context = z3.main_ctx().ref()
        self._program: list[tuple[int, int, tuple[int, ...]]] = []  # target, kind of operation, operands
        self._numbers = {id(term): term.get_id() for term in (*self._given.values(), *self._terms)}
        done = set(self._given)
        for term in self._terms:
            self._plan(term, done)

    def _plan(self, term: Bool, done: set[int]) -> None:
        """Depth first, with an explicit stack: definitions may nest deeper than Python's recursion limit."""
        waiting: list[tuple[int, Any, Node | None]] = [(term.get_id(), term.as_ast(), None)]
        while waiting:
            number, ast, node = waiting.pop()
            if number in done:
                continue
            if node is not None:  # all of its parts have been planned
                self._program.append((number, *node))
                done.add(number)
                continue
            kind, parts = self._parts(number, ast)
            numbers = tuple(z3.Z3_get_ast_id(self._context, part) for part in parts)
            waiting.append((number, ast, (kind, numbers)))
            waiting += [(n, part, None) for n, part in zip(numbers, parts, strict=True) if n not in done]

    def _parts(self, number: int, ast: Any) -> tuple[int, list[Any]]:
        """The operation and its operands as raw z3 values: wrapping each would take ten times as long."""
        context = self._context
        application = z3.Z3_to_app(context, ast)
        kind = z3.Z3_get_decl_kind(context, z3.Z3_get_app_decl(context, application))
        if kind != z3.Z3_OP_UNINTERPRETED:
            count = z3.Z3_get_app_num_args(context, application)
            return kind, [z3.Z3_get_app_arg(context, application, at) for at in range(count)]
        if number not in self._means:
            raise ValueError(f"nothing says what {z3.Z3_ast_to_string(context, ast)} is")
        return z3.Z3_OP_AND, [self._means[number].as_ast()]

    def run(self, given: Mapping[int, Bits], cases: int) -> dict[int, Bits]:
        """The value of each given and each wanted term in each case; terms without a given value are false.

        Terms are identified by `id`, here and in the answer: each of z3's own numbers costs a call into the library.
        """
        every = (1 << cases) - 1
        value = {number: given.get(id(term), 0) for number, term in self._given.items()}
        for target, kind, parts in self._program:
            value[target] = _computed(kind, [value[part] for part in parts], every)
        return {key: value[number] for key, number in self._numbers.items()}


def ones(bits: Bits) -> Iterator[int]:
    """The cases in which the bit is set."""
    while bits:
        low = bits & -bits
        yield low.bit_length() - 1
        bits ^= low


def _computed(kind: int, parts: list[Bits], every: Bits) -> Bits:
    if kind == z3.Z3_OP_AND:
        common = every
        for part in parts:
            common &= part
            if not common:
                break
        return common
    if kind == z3.Z3_OP_OR:
        union = 0
        for part in parts:
            union |= part
        return union
    if kind == z3.Z3_OP_NOT:
        return every ^ parts[0]
    return _computed_rarely(kind, parts, every)


def _computed_rarely(kind: int, parts: list[Bits], every: Bits) -> Bits:
    if kind in (z3.Z3_OP_TRUE, z3.Z3_OP_FALSE):
        return every if kind == z3.Z3_OP_TRUE else 0
    if kind in (z3.Z3_OP_EQ, z3.Z3_OP_IFF):
        return every ^ parts[0] ^ parts[1]
    if kind == z3.Z3_OP_IMPLIES:
        return (every ^ parts[0]) | parts[1]
    if kind == z3.Z3_OP_ITE:
        return (parts[0] & parts[1]) | ((every ^ parts[0]) & parts[2])
    raise ValueError(f"no rule to compute a term of kind {kind}")
