"""Arrays spilled to a file while others need their memory."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solvers.tablebase import TableError, reason_of


class Spill:
    """Copies of some arrays: in a file of this folder that vanishes with the process, or else in memory."""

    def __init__(self, folder: str | os.PathLike[str] | None, arrays: Sequence[NDArray[Any]]) -> None:
        self._file, self._arrays = None, [] if folder is not None else [array.copy() for array in arrays]
        if folder is None:
            return
        try:
            self._file = tempfile.TemporaryFile(dir=folder)  # noqa: SIM115 - closed with the last reference to it
            for array in arrays:
                np.save(self._file, array)
            self._file.flush()
        except OSError as error:
            raise TableError(f"cannot put bounds aside in {folder}: {reason_of(error)}") from error

    def arrays(self) -> Iterator[NDArray[Any]]:
        """The arrays in the same order, as copies that the caller owns."""
        if self._file is None:
            yield from (array.copy() for array in self._arrays)
            return
        self._file.seek(0)
        end = os.fstat(self._file.fileno()).st_size
        while self._file.tell() < end:
            yield np.load(self._file, allow_pickle=False)
