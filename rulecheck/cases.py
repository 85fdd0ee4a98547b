"""Complete case analysis: run something once for every way in which its observations can turn out."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

Question = tuple[Hashable, ...]


class Observer:
    """Answers questions by following a script, then with the first answer of each new question."""

    def __init__(self, script: Sequence[int]) -> None:
        self.script = script
        self.log: list[tuple[Question, Any]] = []
        self.choices: list[tuple[int, int]] = []  # (answer taken, number of answers)
        self.known: dict[Question, Any] = {}

    def ask(self, question: Question, answers: Sequence[Any]) -> Any:
        if question not in self.known:
            at = len(self.choices)
            taken = self.script[at] if at < len(self.script) else 0
            self.choices.append((taken, len(answers)))
            self.known[question] = answers[taken]
            self.log.append((question, answers[taken]))
        return self.known[question]


@dataclass(frozen=True)
class Case:
    """What was asked and answered in one run, and what came of it."""

    seen: tuple[tuple[Question, Any], ...]
    outcome: Any


def cases(run: Callable[[Observer], Any]) -> Iterator[Case]:
    """Run once for every way the observations can turn out."""
    script: list[int] = []
    while True:
        observer = Observer(script)
        outcome = run(observer)
        yield Case(tuple(observer.log), outcome)
        choices = observer.choices
        while choices and choices[-1][0] + 1 == choices[-1][1]:
            choices.pop()
        if not choices:
            return
        script = [taken for taken, _ in choices]
        script[-1] += 1
