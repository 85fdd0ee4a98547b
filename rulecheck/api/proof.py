"""The result of proving that the two encodings agree."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rulecheck.model import Result, Status, worst

if TYPE_CHECKING:
    from rulecheck.analyses.prove import ProofTask
    from rulecheck.registry import Game


@dataclass(frozen=True)
class Proof:
    """The families that were run, each with its result; the whole is only as good as its worst part."""

    game: Game
    parts: tuple[tuple[ProofTask, Result], ...]

    @property
    def status(self) -> Status:
        return worst(result for _, result in self.parts)

    @property
    def is_fine(self) -> bool:
        """Is every family proved or, if it is declared a sample, free of differences?"""
        return all(result.is_fine for _, result in self.parts)

    @property
    def families(self) -> dict[str, Result]:
        """Each family's result; the name includes the reading value if it differs from the one given."""
        return {str(task): result for task, result in self.parts}

    def as_json(self) -> dict[str, Any]:
        """Headline, scope, cases and every family, as `rulecheck prove --json` prints it."""
        from rulecheck.analyses.prove import summary

        return summary(self.game, self.parts)

    def __str__(self) -> str:
        document = self.as_json()
        return f"{document['headline']}: {document['cases']:,} cases, {document['disagreements']} disagreements"
