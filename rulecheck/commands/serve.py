"""`serve`: the explorer, a local web page for every game."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rulecheck.model import InputError

if TYPE_CHECKING:
    import socket

HOST = "127.0.0.1"
Port = Annotated[int, typer.Option("--port", min=0, max=65535, metavar="N", help="the port; 0 takes any free one")]
NoOpen = Annotated[bool, typer.Option("--no-open", help="do not open a browser")]
Tables = Annotated[Path, typer.Option("--tables", metavar="DIR", help="the folder of solved tables")]
Reports = Annotated[Path, typer.Option("--reports", metavar="DIR", help="the folder of reports")]
Puzzles = Annotated[Path, typer.Option("--puzzles", metavar="DIR", help="a folder of your own collections")]


def register(app: typer.Typer) -> None:
    app.command()(serve)


def serve(
    port: Port = 8765,
    no_open: NoOpen = False,
    tables: Tables = Path("tables"),
    reports: Reports = Path("reports"),
    puzzles: Puzzles = Path("puzzles"),
) -> None:
    """Open the explorer: click through positions, ask why, compare readings, solve puzzles. Ctrl-C ends it."""
    with needed():
        import uvicorn

        from rulecheck.explorer.app import make_app
        from rulecheck.explorer.explorer import Folders
    listening = _bound(port)
    address = f"http://{HOST}:{listening.getsockname()[1]}/"
    typer.echo(f"The explorer is at {address} (Ctrl-C ends it)")
    if not no_open:
        import webbrowser

        webbrowser.open(address)
    app = make_app(Folders(tables, reports, puzzles))
    config = uvicorn.Config(app, log_level="warning", timeout_keep_alive=20, timeout_graceful_shutdown=2)
    uvicorn.Server(config).run(sockets=[listening])


@contextmanager
def needed() -> Iterator[None]:
    """A part that is not installed is named, with what installs it."""
    try:
        yield
    except ModuleNotFoundError as error:
        raise InputError(f"the explorer needs {error.name}; install it with: pip install 'rulecheck[web]'") from None


def _bound(port: int) -> socket.socket:
    import socket

    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((HOST, port))
    except OSError as error:
        listening.close()
        raise InputError(f"port {port} cannot be used: {error.strerror}; choose another with --port N") from None
    return listening
