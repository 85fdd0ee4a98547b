"""How long the pages of the explorer take, from the request to the last byte, on the printed games.

A server with all its workers answers over a socket, as it does for a browser. Positions are those of games played at
random, and none is asked for twice, so no answer is a kept one; the first of each game only warm the server up. The
clock is that of the wall, because other processes do the work.
"""

from __future__ import annotations

import http.client
import random
import statistics
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from benchmarks.rows import Row
from rulecheck import registry
from rulecheck.explorer.address import Address
from rulecheck.playouts import offer_of
from rulecheck.registry import Choice

PRINTED = ("crosswalk", "hextris", "icehouse", "icepalace", "nestrace")
WARMING, MEASURED, SEED = 5, 30, 1
SHARE = 95  # per cent of the pages are as quick as is asked for
PAGE, WHY, READINGS = 100.0, 200.0, 300.0  # milliseconds
LONGEST = 40  # moves after which a game begins again


def rows(small: bool) -> Iterator[Row]:
    measured = 3 if small else MEASURED
    with served() as port:
        for slug in PRINTED[1:2] if small else PRINTED:
            yield from _rows(port, slug, measured)


def _rows(port: int, slug: str, measured: int) -> Iterator[Row]:
    title = registry.find(slug).title
    asked = list(positions(slug, WARMING + measured))
    kinds = {
        "a position": (PAGE, [Address(slug, here).url() for here, _ in asked]),
        "why (not), by both encodings": (WHY, [_why(slug, here, move) for here, move in asked]),
        "two readings side by side": (READINGS, [_beside(slug, here) for here, _ in asked]),
    }
    for words, (most, urls) in kinds.items():
        times = [fetched(port, url) for url in urls]
        yield row(f"{title}, {words}", times[WARMING:], most)


def row(work: str, times: Sequence[float], most: float) -> Row:
    """What is asked for is asked of all pages but the slowest few; the note has the rest of the distribution."""
    share = statistics.quantiles(times, n=100, method="inclusive")[SHARE - 1]
    low, middle, high = statistics.quantiles(times, n=4, method="inclusive")
    spread = f"least {min(times):.0f}, quarters {low:.0f}, {middle:.0f}, {high:.0f}, most {max(times):.0f} ms"
    note = f"{len(times)} pages, none asked for before: {spread}"
    return Row(work, f"ms, {SHARE} % of pages are as quick", share, at_most=most, note=note)


# -- What is asked ---------------------------------------------------------------------------------------------


def positions(slug: str, count: int) -> Iterator[tuple[str, str]]:
    """Different positions in which somebody may move, each with a move that is legal there or was one move before."""
    game, rng = registry.find(slug), random.Random(SEED)
    choice = Choice(game, game.params({}), game.rulebook.defaults())
    engine, offer = choice.engine(), offer_of(choice)
    seen: set[str] = set()
    here, before, played = engine.start(), "", 0
    while len(seen) < count:
        if engine.end(here) is not None or played > LONGEST:
            here, before, played = engine.start(), "", 0
        if chances := engine.chances(here):
            here = rng.choices(chances, weights=[chance.weight for chance in chances])[0].result
            continue
        moves = offer(engine, here, rng)
        if not moves:
            played = LONGEST + 1
            continue
        move = rng.choice(list(moves))
        if str(here) not in seen:
            seen.add(str(here))
            yield str(here), before if before and len(seen) % 2 else str(move)
        here, before, played = moves[move], str(move), played + 1


def _why(slug: str, here: str, move: str) -> str:
    """The document, which waits for both encodings; the page shows what it has."""
    query = Address(slug, move=move).url("api/v1/why").partition("?")[2]
    return f"/api/v1/why/{slug}?{query}&{_encoded('pos', here)}"


def _encoded(key: str, value: str) -> str:
    from urllib.parse import urlencode

    return urlencode({key: value})


def _beside(slug: str, here: str) -> str:
    reading = next(iter(registry.find(slug).rulebook.options.values()))
    return Address(slug, here, against=((reading.name, reading.values[1]),)).url("readings")


# -- How it is asked -------------------------------------------------------------------------------------------


@contextmanager
def served() -> Iterator[int]:
    """The port of a running explorer, its workers warm."""
    import uvicorn

    from rulecheck.explorer.app import make_app
    from rulecheck.explorer.explorer import Folders

    folder = Path(__file__).parents[1]
    app = make_app(Folders(folder / "tables", folder / "reports", folder / "puzzles"))
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="warning"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.05)
    (socket,) = server.servers[0].sockets
    try:
        yield socket.getsockname()[1]
    finally:
        server.should_exit = True
        thread.join(20)


def fetched(port: int, url: str) -> float:
    """Milliseconds until the last byte. What the page has started is let finish, unmeasured, as a reader would."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
    begin = time.perf_counter()
    connection.request("GET", url)
    answer = connection.getresponse()
    body = answer.read()
    took = 1000 * (time.perf_counter() - begin)
    assert answer.status == 200, f"{url}: {answer.status} {body[:300]!r}"
    _settle(connection, url, body)
    connection.close()
    return took


def _settle(connection: Any, url: str, body: bytes) -> None:
    while b"data-refresh" in body[:4000]:
        time.sleep(0.1)
        connection.request("GET", url)
        body = connection.getresponse().read()
