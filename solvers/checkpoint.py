"""The state of an interrupted solve, in the table format: written whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from solvers.tablebase import Header, TableError, open_table, write_table
from solvers.whole_files import remove


class CheckpointStore:
    """One file that holds the latest named arrays of one solve, identified by its header."""

    def __init__(self, path: str | os.PathLike[str], header: Header) -> None:
        self.path, self.header = Path(path), header

    def save(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Save with fast compression: the file is written often and read at most once."""
        write_table(self.path, self.header, arrays, level=1)

    def load(self) -> dict[str, NDArray[Any]] | None:
        """The arrays saved last, or None if there is no file. A file of another solve is rejected."""
        if not self.path.exists():
            return None
        h = self.header
        wanted = {"game": h.game, "parameters": h.parameters, "readings": h.readings, "rulebook": h.rulebook}
        with open_table(self.path, **wanted) as table:  # type: ignore[arg-type]  # the values' types differ
            return {name: table.column(name) for name in table.columns}

    def clear(self) -> None:
        try:
            remove(self.path)
        except OSError as error:
            raise TableError(f"cannot remove {self.path}: {error.strerror}") from error
