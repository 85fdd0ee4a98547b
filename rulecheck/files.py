"""Writing files whole: a reader finds the old file or the new one, never half of one; and reading JSON back.

What is no regular file (a pipe, a terminal, /dev/stdout) is written to as it is: it cannot be replaced.
"""

from __future__ import annotations

import json
import os
import stat
import sys
from pathlib import Path
from typing import Any, BinaryIO

from rulecheck.model import InputError
from solvers.whole_files import replacing


def write_file(path: Path | str, text: str) -> None:
    """Write a text file whole; a failure is one sentence."""
    write_bytes(path, text.encode("utf-8", "backslashreplace"))


def write_bytes(path: Path | str, data: bytes) -> None:
    """Write a binary file whole; a failure is one sentence."""
    target = Path(path)
    try:
        if (stream := _standard_stream(target)) is not None:
            stream.write(data)
            stream.flush()
        elif _is_special(target):
            with open(target, "wb", buffering=0) as file:
                _write_through(file, data)
        else:
            with replacing(target) as file:
                file.write(data)
    except OSError as error:
        raise InputError(f"cannot write {str(target)!r}: {error.strerror or error}") from None
    except ValueError as error:  # a NUL byte or a lone surrogate in the name
        raise InputError(f"cannot write {str(target)!r}: {error}") from None


def _standard_stream(target: Path) -> BinaryIO | None:
    """Our own output under another name, such as /dev/stdout, which what we print goes to as well."""
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None and os.path.samestat(target.stat(), os.fstat(stream.fileno())):
                stream.flush()
                return stream.buffer
        except (OSError, ValueError):  # there is no such file, or the stream is none of the system's
            continue
    return None


def _is_special(target: Path) -> bool:
    """Is there something else than a regular file or a folder, at the end of all links?"""
    try:
        mode = target.stat().st_mode
    except FileNotFoundError:
        return False
    return not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)


def _write_through(file: BinaryIO, data: bytes) -> None:
    """A pipe takes as much as fits at a time."""
    left = memoryview(data)
    while left:
        left = left[file.write(left) :]


def read_json(path: Path | str) -> Any:
    """Read a JSON file; a failure is one sentence."""
    try:
        return json.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"cannot read {str(path)!r}: {error.strerror or error}") from None
    except (ValueError, RecursionError):
        raise InputError(f"{str(path)!r} is no JSON document") from None
