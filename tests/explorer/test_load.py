"""Protects: many requests at once for a minute cause no error, and memory stays."""

from __future__ import annotations

import os
import threading
import time
from pathlib import Path

import pytest

URLS = (
    "/g/oxo",
    "/g/hextris",
    "/g/crosswalk?m=2-1",
    "/readings/oxo",
    "/rules/hextris",
    "/puzzles",
    "/api/v1/moves/nim",
)
AT_ONCE, SECONDS = 200, 60.0
GROWTH = 60_000_000  # bytes that memory may grow by after the first third, in which clients and pages settle


def _memory() -> int:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="memory is read from /proc, which is not here")
def test_two_hundred_at_once_for_a_minute(site: str) -> None:
    import httpx2

    for url in URLS:
        httpx2.get(site + url, timeout=120)
    wrong: list[str] = []
    served = [0] * AT_ONCE
    end = time.monotonic() + SECONDS

    def visit(number: int) -> None:
        with httpx2.Client(base_url=site, timeout=120) as client:
            while time.monotonic() < end:
                url = URLS[(number + served[number]) % len(URLS)]
                answer = client.get(url)
                served[number] += 1
                if answer.status_code >= 400:
                    wrong.append(f"{url}: {answer.status_code}")

    threads = [threading.Thread(target=visit, args=(n,)) for n in range(AT_ONCE)]
    for thread in threads:
        thread.start()
    time.sleep(SECONDS / 3)
    before = _memory()
    time.sleep(SECONDS / 2)
    after = _memory()
    for thread in threads:
        thread.join()
    assert not wrong, wrong[:3]
    assert min(served) > 0
    assert after - before < GROWTH
