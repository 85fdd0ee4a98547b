"""One explorer for all tests, over the five games, the example games and one whose code fails."""

from __future__ import annotations

import shutil
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from rulecheck.explorer.app import make_app
from rulecheck.explorer.explorer import Folders

ROOT = Path(__file__).parents[2]
EXAMPLES = ("gobblet", "nim", "oxo", "pig", "twentyone")
BROKEN = """
from rulecheck.registry import Game


def read(params, text):
    raise ZeroDivisionError("a mistake in a reader")


GAME = Game("faulty", "Faulty", "oxo:rulebook.toml", "oxo.engine:Engine", read_position=read)
"""


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The example games as an installer leaves them, also for the processes that the explorer starts."""
    folder = tmp_path_factory.mktemp("installed")
    (folder / "faulty.py").write_text(BROKEN)
    for name in (*EXAMPLES, "faulty"):
        metadata = folder / f"{name}-1.0.dist-info"
        metadata.mkdir()
        (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        (metadata / "entry_points.txt").write_text(f"[rulecheck.games]\n{name} = {name}:GAME\n")
    added = [str(folder), str(ROOT / "docs" / "examples")]
    sys.path[:0] = added
    yield
    for path in added:
        sys.path.remove(path)


@pytest.fixture(scope="session")
def folders(tmp_path_factory: pytest.TempPathFactory) -> Folders:
    own = tmp_path_factory.mktemp("own")
    return Folders(own / "tables", ROOT / "reports", own / "puzzles")


@pytest.fixture(scope="session")
def client(installed: None, folders: Folders) -> Iterator[TestClient]:
    with TestClient(make_app(folders, warm=False), base_url="http://127.0.0.1", follow_redirects=False) as made:
        yield made


@pytest.fixture(scope="session")
def site(installed: None, folders: Folders) -> Iterator[str]:
    """The address of a running server."""
    import uvicorn

    server = uvicorn.Server(uvicorn.Config(make_app(folders, warm=False), port=0, log_level="warning"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.05)
    (socket,) = server.servers[0].sockets
    yield f"http://127.0.0.1:{socket.getsockname()[1]}"
    server.should_exit = True
    thread.join(10)


def chromium() -> str | None:
    return shutil.which("chromium") or shutil.which("chromium-browser")


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    path = chromium()
    if path is None:
        pytest.skip("there is no chromium here; install it (apt-get install chromium) to run the browser tests")
    from playwright.sync_api import sync_playwright

    quiet = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update",
             "--disable-sync"]  # fmt: skip
    with sync_playwright() as started:
        opened = started.chromium.launch(executable_path=path, args=quiet)
        yield opened
        opened.close()
