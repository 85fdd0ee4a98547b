"""Small changes of a program text, made from its syntax tree: what a typo would do to a rule.

| kind       | what is changed |
|------------|---|
| comparison | `==` and `!=`, `<` and `<=`, `in` and `not in` become each other |
| constant   | a number is one more or one less; a text is another text of the program; True is False |
| dropped    | a condition, a part of a condition, or an entry of a list or a table is left out |
| negation   | a condition is turned round, or the two ways of a choice are swapped |
| name       | a name stands for a similar one; `every` and `some`, `min` and `max`, `+` and `-` become each other |

Prose, imports, annotations and errors for bad input are left alone.
"""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator
from dataclasses import dataclass

COMPARISONS: dict[type[ast.cmpop], str] = {
    ast.Eq: "!=",
    ast.NotEq: "==",
    ast.Lt: "<=",
    ast.LtE: "<",
    ast.Gt: ">=",
    ast.GtE: ">",
    ast.In: "not in",
    ast.NotIn: "in",
    ast.Is: "is not",
    ast.IsNot: "is",
}
PAIRS = (("every", "some"), ("all", "any"), ("min", "max"))
OTHER = {name: other for pair in PAIRS for name, other in (pair, pair[::-1])}
NEGATIONS = ("no",)  # functions that negate a formula
LEFT_ALONE = (ast.Import, ast.ImportFrom, ast.JoinedStr, ast.Raise, ast.Assert)


@dataclass(frozen=True)
class Edit:
    """Replaces the text from `start` to `stop`, counted in bytes, by `new`."""

    kind: str
    line: int
    start: int
    stop: int
    new: str
    function: int  # the line at which the function begins that is changed; 0 outside of any


def edits(source: str) -> list[Edit]:
    """Every edit, in the order of the text; each changes it."""
    maker = _Maker(source)
    maker.visit(ast.parse(source))
    distinct = {(edit.start, edit.stop, edit.new): edit for edit in maker.edits}
    return sorted(distinct.values(), key=lambda edit: (edit.start, edit.stop, edit.new))


def edited(source: str, edit: Edit) -> str:
    text = source.encode()
    return (text[: edit.start] + edit.new.encode() + text[edit.stop :]).decode()


class _Maker(ast.NodeVisitor):
    def __init__(self, source: str) -> None:
        self.text = source.encode()
        self.lines = [0]
        for line in self.text.splitlines(keepends=True):
            self.lines.append(self.lines[-1] + len(line))
        self.edits: list[Edit] = []
        self.words: dict[str, list[str]] = {}
        texts = (n.value for n in ast.walk(ast.parse(source)) if isinstance(n, ast.Constant) and _is_word(n))
        for word in sorted({str(text) for text in texts}):
            self.words.setdefault(_shape(word), []).append(word)
        imported = (name for n in ast.walk(ast.parse(source)) if isinstance(n, ast.ImportFrom) for name in n.names)
        self.known = {*dir(builtins), *(name.asname or name.name for name in imported)}
        self.function, self.names = 0, dict[str, str]()

    # -- Making edits ------------------------------------------------------------------------------------------

    def _span(self, node: ast.expr | ast.stmt) -> tuple[int, int]:
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return self.lines[node.lineno - 1] + node.col_offset, self.lines[node.end_lineno - 1] + node.end_col_offset

    def _source(self, node: ast.expr | ast.stmt) -> str:
        start, stop = self._span(node)
        return self.text[start:stop].decode()

    def _is_open(self, before: ast.expr, after: ast.expr) -> bool:
        """Do only an operator, and no brackets, stand between the two nodes?"""
        return not set(self.text[self._span(before)[1] : self._span(after)[0]]) & set(b"()")

    def _add(self, kind: str, node: ast.expr | ast.stmt, new: str, upto: ast.expr | None = None) -> None:
        """Replace the text of a node, or the text between it and `upto`, by `new`."""
        start, stop = self._span(node) if upto is None else (self._span(node)[1], self._span(upto)[0])
        if self.text[start:stop].decode() != new:
            self.edits.append(Edit(kind, node.lineno, start, stop, new, self.function))

    # -- Visiting nodes ----------------------------------------------------------------------------------------

    def visit(self, node: ast.AST) -> None:
        if not isinstance(node, LEFT_ALONE):
            super().visit(node)

    def generic_visit(self, node: ast.AST) -> None:
        for name, value in ast.iter_fields(node):
            if name in ("annotation", "returns", "decorator_list", "bases", "op", "ops", "ctx"):
                continue
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST) and not _is_prose(child):
                    self.visit(child)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        before = self.function, self.names
        self.function, self.names = node.lineno, _similar_names(node)
        self.generic_visit(node)
        self.function, self.names = before

    def visit_Compare(self, node: ast.Compare) -> None:
        operands = [node.left, *node.comparators]
        for operator, before, after in zip(node.ops, operands, operands[1:], strict=False):
            if self._is_open(before, after):
                self._add("comparison", before, f" {COMPARISONS[type(operator)]} ", upto=after)
        self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, bool):
            self._add("constant", node, str(not node.value))
        elif isinstance(node.value, int):
            for other in (node.value + 1, node.value - 1):
                self._add("constant", node, str(other) if other >= 0 else f"({other})")
        elif _is_word(node):
            words = self.words[_shape(str(node.value))]
            self._add("constant", node, f'"{words[words.index(str(node.value)) - 1]}"')

    def visit_Name(self, node: ast.Name) -> None:
        if not isinstance(node.ctx, ast.Load):
            return
        other = self.names.get(node.id) or OTHER.get(node.id)
        if other is not None and (other in self.names or other in self.known):
            self._add("name", node, other)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        signs = {ast.Add: " - ", ast.Sub: " + "}
        if type(node.op) in signs and self._is_open(node.left, node.right):
            self._add("name", node.left, signs[type(node.op)], upto=node.right)
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        word = " and " if isinstance(node.op, ast.And) else " or "
        parts = [f"({self._source(value)})" for value in node.values]
        for kept in _each_left_out(parts):
            self._add("dropped", node, f"({word.join(kept)})")
        self._add("negation", node, f"({(' or ' if word == ' and ' else ' and ').join(parts)})")
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        if isinstance(node.op, ast.Not):
            self._add("negation", node, f"({self._source(node.operand)})")
        self.generic_visit(node)

    def visit_If(self, node: ast.If) -> None:
        self._turned(node.test)
        self._add("dropped", node.test, "False")
        self.generic_visit(node)

    def visit_IfExp(self, node: ast.IfExp) -> None:
        yes, test, no = map(self._source, (node.body, node.test, node.orelse))
        self._add("negation", node, f"({no} if {test} else {yes})")
        for way in (yes, no):
            self._add("dropped", node, f"({way})")
        self.generic_visit(node)

    def visit_comprehension(self, node: ast.comprehension) -> None:
        for test in node.ifs:
            self._turned(test)
            self._add("dropped", test, "True")
        self.generic_visit(node)

    def _turned(self, test: ast.expr) -> None:
        """Negate a test, but leave comparisons and `not` to their own edits."""
        if not isinstance(test, ast.Compare) and not (isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not)):
            self._add("negation", test, f"(not ({self._source(test)}))")

    def visit_Call(self, node: ast.Call) -> None:
        if isinstance(node.func, ast.Name) and node.func.id in NEGATIONS and len(node.args) == 1:
            self._add("negation", node, f"({self._source(node.args[0])})")
        odd = any(isinstance(argument, ast.Starred) or _is_prose(argument) for argument in node.args)
        if len(node.args) == 2 and not node.keywords and not odd:
            first, second = map(self._source, node.args)
            self._add("name", node, f"{self._source(node.func)}({second}, {first})")
        self.generic_visit(node)

    def visit_keyword(self, node: ast.keyword) -> None:
        if not (isinstance(node.value, ast.Constant) and isinstance(node.value.value, bool)):  # `strict=True`
            self.generic_visit(node)

    def visit_List(self, node: ast.List) -> None:
        self._entries(node, [self._source(entry) for entry in node.elts], "[]")

    def visit_Tuple(self, node: ast.Tuple) -> None:
        if isinstance(node.ctx, ast.Load) and self._source(node).startswith("("):
            self._entries(node, [f"{self._source(entry)}," for entry in node.elts], "()")
        else:
            self.generic_visit(node)

    def visit_Set(self, node: ast.Set) -> None:
        self._entries(node, [self._source(entry) for entry in node.elts], "{}")

    def visit_Dict(self, node: ast.Dict) -> None:
        rows = zip(node.keys, node.values, strict=True)
        self._entries(
            node, [f"{'**' if k is None else f'{self._source(k)}: '}{self._source(v)}" for k, v in rows], "{}"
        )

    def _entries(self, node: ast.expr, entries: list[str], brackets: str) -> None:
        if len(entries) > 1:
            for kept in _each_left_out(entries):
                text = " ".join(kept) if brackets == "()" else ", ".join(kept)
                self._add("dropped", node, f"{brackets[0]}{text}{brackets[1]}")
        self.generic_visit(node)


def _each_left_out(parts: list[str]) -> Iterator[list[str]]:
    for at in range(len(parts)):
        yield parts[:at] + parts[at + 1 :]


def _is_word(node: ast.AST) -> bool:
    """A text with a meaning to the program: exactly one word."""
    return isinstance(node, ast.Constant) and isinstance(node.value, str) and len(node.value.split()) == 1


def _is_prose(node: ast.AST) -> bool:
    """A docstring, or a text of several words for people to read."""
    value = node.value if isinstance(node, ast.Expr) else node
    return isinstance(value, ast.Constant) and isinstance(value.value, str) and not _is_word(value)


def _shape(word: str) -> str:
    """Texts of one shape can stand for each other: `CW-12` for `CW-13`, `left` for `right`, `A` for `B`."""
    for pattern, letter in ((r"[a-z]+", "a"), (r"[A-Z]+", "A"), (r"[0-9]+", "0")):
        word = re.sub(pattern, letter, word)
    return word


def _similar_names(node: ast.FunctionDef) -> dict[str, str]:
    """Interchangeable names, each with the one before it: parameters of one type, and variables unpacked together."""
    typed: dict[str, list[str]] = {}
    for argument in node.args.args:
        if argument.annotation is not None:
            typed.setdefault(ast.unparse(argument.annotation), []).append(argument.arg)
    unpacked = [n.elts for n in ast.walk(node) if isinstance(n, ast.Tuple) and isinstance(n.ctx, ast.Store)]
    groups = [*typed.values(), *([n.id for n in part if isinstance(n, ast.Name) and n.id != "_"] for part in unpacked)]
    return {name: group[at - 1] for group in groups if len(group) > 1 for at, name in enumerate(group)}
