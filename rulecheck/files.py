"""Writing files whole: a reader finds the old file or the new one, never half of one; and reading JSON back."""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path
from typing import Any

from rulecheck.model import InputError


def write_file(path: Path | str, text: str) -> None:
    """Write to a temporary name in the same folder and rename; a failure is one sentence."""
    write_bytes(path, text.encode("utf-8"))


def write_bytes(path: Path | str, data: bytes) -> None:
    """The same for what is no text."""
    target = Path(path)
    try:
        _replace(target, data)
    except OSError as error:
        raise InputError(f"cannot write {str(target)!r}: {error.strerror or error}") from None
    except ValueError as error:  # a NUL byte or a lone surrogate in the name
        raise InputError(f"cannot write {str(target)!r}: {error}") from None


def _replace(target: Path, data: bytes) -> None:
    if target.is_dir():
        raise IsADirectoryError(21, "it is a folder")
    handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.", suffix=".part")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.chmod(temporary, _usual_mode(target))
        os.replace(temporary, target)
    except BaseException:
        os.unlink(temporary)
        raise


def _usual_mode(target: Path) -> int:
    """The rights of the file replaced, or those a new file would get (mkstemp gives the owner's only)."""
    try:
        return target.stat().st_mode & 0o777
    except FileNotFoundError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask


def read_json(path: Path | str) -> Any:
    """What is in a JSON file; one that cannot be read is one sentence."""
    try:
        return json.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"cannot read {str(path)!r}: {error.strerror or error}") from None
    except (ValueError, RecursionError):
        raise InputError(f"{str(path)!r} is no JSON document") from None
