"""A static copy of the explorer: pages are asked for as a browser would, and their links made relative.

From the rules, findings and puzzles of each game it follows moves as far as the number of pages allows, nearest first.
What is beyond, and what needs a server, is no link in the copy.
"""

from __future__ import annotations

import asyncio
import hashlib
import html
import re
import time
from collections import deque
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from starlette.applications import Starlette

from rulecheck import theme
from rulecheck.explorer.app import STATIC
from rulecheck.files import write_bytes, write_file
from rulecheck.jobs import Report, ignore

LINK = re.compile(r'(<a\b[^>]*?\s|<img\b[^>]*?\s)(href|src)="([^"]*)"')
FORMS = re.compile(r"<form\b.*?</form>", re.S)
PENDING = re.compile(r'<main id="page" data-refresh')
FOLLOWED = ("g", "rules", "readings", "puzzles", "puzzle", "picture")
PATIENCE = 120.0  # seconds for one page to settle
NOTE = '<p class="small">A static copy: forms, jobs and what is not underlined need <code>rulecheck serve</code>.</p>'


@dataclass
class Copied:
    pages: int = 0
    left_out: int = 0  # addresses linked to but not copied
    unknown: list[str] = field(default_factory=list)  # pages that could not be copied, with the reason


def export(app: Starlette, folder: Path, games: Collection[str], most: int, report: Report = ignore) -> Copied:
    """Write the site. Files are named by their addresses, so another copy has the same file names."""
    copied = Copied()
    names: dict[str, str] = {}
    queue: deque[str] = deque()

    def name_of(url: str) -> str | None:
        if url not in names:
            full = copied.pages >= most and _is_page(url)  # the pictures of a page are a part of it
            if full or not _is_followed(url, games):
                return None
            names[url] = _file(url)
            copied.pages += _is_page(url)
            queue.append(url)
        return names[url]

    for seed in ("/", *(f"/{view}/{game}" for view in ("g", "rules", "readings", "puzzles") for game in games)):
        name_of(seed)
    left_out: set[str] = set()
    while queue:
        url = queue.popleft()
        status, kind, body = _settled(app, url)
        if status != 200:
            copied.unknown.append(f"{url}: status {status}")
        elif kind.startswith("text/html"):
            body = _rewritten(body.decode(), names[url], name_of, left_out).encode()
        write_bytes(_place(folder, names[url]), body)
        report(url, 1 - len(queue) / len(names))
    _static(folder)
    copied.left_out = len(left_out)
    return copied


def _place(folder: Path, name: str) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


def _static(folder: Path) -> None:
    write_file(_place(folder, "static/colours.css"), theme.css())
    for file in ("explorer.css", "icon.svg"):
        write_bytes(_place(folder, f"static/{file}"), (STATIC / file).read_bytes())


def _file(url: str) -> str:
    """`index.html` for the root; else the view, the game and a hash of the address."""
    if url == "/":
        return "index.html"
    parts = urlsplit(url)
    view, *rest = parts.path.strip("/").split("/")
    ending = "svg" if view == "picture" else "html"
    if len(rest) <= 1 and not parts.query:
        return f"{view}/{re.sub(r'[^a-z0-9-]', '-', (rest or ['index'])[0])}.{ending}"
    return f"{view}/{hashlib.sha256(url.encode()).hexdigest()[:16]}.{ending}"


# -- One page --------------------------------------------------------------------------------------------------


def _rewritten(page: str, name: str, name_of: Callable[[str], str | None], left_out: set[str]) -> str:
    up = "../" * name.count("/")

    def replaced(link: re.Match[str]) -> str:
        head, attribute, value = link.groups()
        url = html.unescape(value)
        if url.startswith("#") or "://" in url:
            return link[0]
        address, _, anchor = url.partition("#")
        target = name_of(address)
        if target is None:
            left_out.add(address)
            return f"{head}data-left-out"
        return f'{head}{attribute}="{up}{target}{"#" + anchor if anchor else ""}"'

    page = FORMS.sub("", page).replace('<script src="/static/explorer.js" defer></script>', "")
    page = LINK.sub(replaced, page)
    page = re.sub(r' data-(picture|key|replace)(="[^"]*")?', "", page)
    page = page.replace('"/static/', f'"{up}static/')
    return page.replace("</main>", f"{NOTE}</main>")


def _is_page(address: str) -> bool:
    return not address.startswith("/picture/")


def _is_followed(address: str, games: Collection[str]) -> bool:
    """Is this a page of one of these games that needs no work by a server?"""
    view, _, rest = urlsplit(address).path.strip("/").partition("/")
    return view == "" or (view in FOLLOWED and re.split("[/:]|%3A", rest)[0] in games)


def _settled(app: Starlette, url: str) -> tuple[int, str, bytes]:
    """A page once nothing on it is pending."""
    end = time.monotonic() + PATIENCE
    while True:
        status, kind, body = asyncio.run(_asked(app, url))
        if status in (302, 303):
            url = body.decode()
        elif not PENDING.search(body.decode("utf-8", "replace")[:4000]) or time.monotonic() > end:
            return status, kind, body
        else:
            time.sleep(0.1)


async def _asked(app: Starlette, url: str) -> tuple[int, str, bytes]:
    """The response of the application, without a network; for a redirection, its target in place of a body."""
    parts = urlsplit(url)
    from urllib.parse import unquote

    scope: dict[str, Any] = {
        "type": "http", "method": "GET", "scheme": "http", "http_version": "1.1", "server": ("127.0.0.1", 80),
        "path": unquote(parts.path), "raw_path": parts.path.encode(), "query_string": parts.query.encode(),
        "headers": [(b"host", b"127.0.0.1")], "root_path": "",
    }  # fmt: skip
    sent: list[Any] = []

    async def receive() -> Any:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Any) -> None:
        sent.append(message)

    await app(scope, receive, send)
    headers = {key.decode().lower(): value.decode() for key, value in sent[0]["headers"]}
    body = b"".join(message.get("body", b"") for message in sent[1:])
    status: int = sent[0]["status"]
    return status, headers.get("content-type", ""), headers["location"].encode() if status in (302, 303) else body
