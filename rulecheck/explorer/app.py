"""The web application: routes, and the checks that every request must pass."""

from __future__ import annotations

import math
import random
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Receive, Scope, Send

from rulecheck import theme
from rulecheck.explorer import api
from rulecheck.explorer.address import Address
from rulecheck.explorer.desk import BrokenGameError, BusyError, OutOfTimeError
from rulecheck.explorer.explorer import Explorer, Folders
from rulecheck.explorer.pages import Pages
from rulecheck.model import InputError

STATIC = Path(__file__).parent / "static"
LONGEST_URL = 48_000  # bytes of path and query
LARGEST_BODY = 64_000  # bytes
HOSTS = frozenset(("127.0.0.1", "localhost", "[::1]"))
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}


class Guard:
    """Refuses requests that our pages never send: foreign hosts, cross-site posts, oversized requests."""

    def __init__(self, app: ASGIApp, hosts: frozenset[str]) -> None:
        self.app, self.hosts = app, hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        refusal = self._refusal(Request(scope))
        if refusal is not None:
            await refusal(scope, receive, _with_headers(send))
        else:
            await self.app(scope, _limited(receive), _with_headers(send))

    def _refusal(self, request: Request) -> Response | None:
        host = request.headers.get("host", "")
        if _name_of(host) not in self.hosts:
            return PlainTextResponse("This explorer answers to its own address only.\n", 400)
        if len(request.scope.get("raw_path") or b"") + len(request.scope["query_string"]) > LONGEST_URL:
            return PlainTextResponse("This address is too long.\n", 414)
        if request.method not in ("GET", "HEAD") and not _is_ours(request, host):
            return PlainTextResponse("Posts from other pages are refused.\n", 403)
        length = request.headers.get("content-length", "0")
        if not length.isdecimal() or int(length) > LARGEST_BODY:
            return PlainTextResponse("This request is too large.\n", 413)
        return None


def _name_of(host: str) -> str:
    return host.rsplit(":", 1)[0] if host.rsplit(":", 1)[-1].isdecimal() else host


def _is_ours(request: Request, host: str) -> bool:
    """Browsers state the origin of a post; a request without one does not come from a web page."""
    site, origin = request.headers.get("sec-fetch-site"), request.headers.get("origin")
    if site is not None and site not in ("same-origin", "none"):
        return False
    return origin is None or origin.partition("://")[2] == host


def _limited(receive: Receive) -> Receive:
    """Stop reading a body that is longer than declared."""
    seen = 0

    async def inner() -> Any:
        nonlocal seen
        message = await receive()
        seen += len(message.get("body", b""))
        return {"type": "http.disconnect"} if seen > LARGEST_BODY else message

    return inner


def _with_headers(send: Send) -> Send:
    async def inner(message: Any) -> None:
        if message["type"] == "http.response.start":
            extra = [(name.encode(), value.encode()) for name, value in HEADERS.items()]
            message = {**message, "headers": [*message["headers"], *extra]}
        await send(message)

    return inner


# -- Errors ----------------------------------------------------------------------------------------------------

STATUS: dict[type[Exception], int] = {InputError: 400, OutOfTimeError: 503, BusyError: 503, BrokenGameError: 422}
Handler = Callable[[Request, Exception], Awaitable[Response]]


def _handler(pages: Pages, status: int) -> Handler:
    async def handle(request: Request, error: Exception) -> Response:
        if request.url.path.startswith("/api/"):
            return JSONResponse({"error": str(error), "unknown": isinstance(error, OutOfTimeError)}, status)
        return pages.error(request, status, str(error))

    return handle


async def _not_found(request: Request, error: Exception) -> Response:
    pages: Pages = request.app.state.pages
    return pages.error(request, 404, "there is no such page")


# -- Routes ----------------------------------------------------------------------------------------------------


def _address(request: Request) -> Address:
    params = request.path_params
    return Address.read(params["game"], params.get("position", ""), request.query_params.multi_items())


def games(request: Request) -> Response:
    pages: Pages = request.app.state.pages
    return pages.games(request)


def position(request: Request) -> Response:
    pages: Pages = request.app.state.pages
    address = _address(request)
    if "pos" in request.query_params:  # as a form sends it
        return RedirectResponse(address.url(), 303)
    if SPOT in request.query_params:
        return RedirectResponse(_spotted(request, address).url(), 303)
    return pages.position(request, address)


SPOT = "spot.x"  # as browsers name it, where a picture is sent as a form


def _spotted(request: Request, address: Address) -> Address:
    """The address after a click on a point of the picture."""
    explorer: Explorer = request.app.state.explorer
    try:
        x, y = (float(request.query_params.get(f"spot.{side}", "")) for side in "xy")
    except ValueError:
        raise InputError("a point of a picture wants two numbers, spot.x and spot.y") from None
    if not (math.isfinite(x) and math.isfinite(y)):
        raise InputError("a point of a picture wants two numbers, spot.x and spot.y")
    return Address.of_json(explorer.look("spotted", address, x=x, y=y))


def edit(request: Request) -> Response:
    pages: Pages = request.app.state.pages
    return pages.edit(request, _address(request), request.query_params.multi_items())


def readings(request: Request) -> Response:
    pages: Pages = request.app.state.pages
    return pages.readings(request, _address(request))


def rules(request: Request) -> Response:
    pages: Pages = request.app.state.pages
    return pages.rules(request, _address(request))


def puzzles(request: Request) -> Response:
    pages: Pages = request.app.state.pages
    return pages.puzzles(request, request.path_params.get("game", ""))


def puzzle(request: Request) -> Response:
    """Redirect to the page on which the puzzle is solved."""
    explorer: Explorer = request.app.state.explorer
    opened = explorer.puzzles("opened", Address("-", puzzle=request.path_params["id"]))
    return RedirectResponse(Address.of_json(opened).url(), 303)


def lab_page(request: Request) -> Response:
    pages: Pages = request.app.state.pages
    return pages.lab(request, _address(request), request.query_params.multi_items())


def tables(request: Request) -> Response:
    pages: Pages = request.app.state.pages
    return pages.tables(request)


async def start_job(request: Request) -> Response:
    """Start the kind of job that the form names, on its game."""
    explorer: Explorer = request.app.state.explorer
    fields = parse_qsl((await request.body()).decode("utf-8", "replace"), keep_blank_values=True, max_num_fields=500)
    about = dict(fields)
    address = Address.read(about.get("game", ""), "", [(k, v) for k, v in fields if k in ("p", "r")])
    await run_in_threadpool(explorer.start, about.get("kind", ""), address, about)
    back = "/tables" if about.get("kind") == "certify" else address.url("lab")
    return RedirectResponse(f"{back}", 303)


def cancel_job(request: Request) -> Response:
    explorer: Explorer = request.app.state.explorer
    explorer.jobs.cancel(request.path_params["id"])
    return RedirectResponse("/tables", 303)


def api_page(request: Request) -> Response:
    pages: Pages = request.app.state.pages
    return pages.api(request)


def picture(request: Request) -> Response:
    explorer: Explorer = request.app.state.explorer
    drawn: str = explorer.look("picture", _address(request))["svg"]
    svg = drawn.replace(">", f"><style>{theme.picture_css()}</style>", 1)
    return Response(svg, media_type="image/svg+xml", headers={"cache-control": "private, max-age=300"})


def roll(request: Request) -> Response:
    """Let chance act."""
    explorer: Explorer = request.app.state.explorer
    address = _address(request)
    seen = explorer.look("look", address)
    if not seen["chances"]:
        raise InputError("chance is not to act here")
    brought = random.choices(seen["chances"], weights=[c["weight"] for c in seen["chances"]])[0]
    return RedirectResponse(after(address, seen, brought["label"], brought["result"]).url(), 303)


def after(address: Address, seen: dict[str, Any], label: str, result: str) -> Address:
    """The address of a step's result, with the step added to the line."""
    if seen["line"]:
        return address.but(position=result, line=(*address.line, label))
    return address.but(position=result, line=(label,), begin=None if seen["is_start"] else seen["position"])


def colours(request: Request) -> Response:
    return Response(theme.css(), media_type="text/css", headers={"cache-control": "max-age=3600"})


ROUTES = [
    Route("/", games),
    Route("/g/{game}", position),
    Route("/g/{game}/{position:path}", position),
    Route("/edit/{game}", edit),
    Route("/edit/{game}/{position:path}", edit),
    Route("/readings/{game}", readings),
    Route("/readings/{game}/{position:path}", readings),
    Route("/rules/{game}", rules),
    Route("/puzzles", puzzles),
    Route("/puzzles/{game}", puzzles),
    Route("/puzzle/{id:path}", puzzle),
    Route("/picture/{game}", picture),
    Route("/picture/{game}/{position:path}", picture),
    Route("/roll/{game}", roll, methods=["POST"]),
    Route("/roll/{game}/{position:path}", roll, methods=["POST"]),
    Route("/lab/{game}", lab_page),
    Route("/tables", tables),
    Route("/jobs", start_job, methods=["POST"]),
    Route("/jobs/{id}/cancel", cancel_job, methods=["POST"]),
    Route("/api", api_page),
    *api.ROUTES,
    Route("/static/colours.css", colours),
    Mount("/static", StaticFiles(directory=STATIC)),
]


def make_app(folders: Folders, *, warm: bool = True) -> Starlette:
    """Make the application; with `warm`, start the workers before anybody waits for them."""
    explorer = Explorer(folders)
    pages = Pages(explorer)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        if warm:
            explorer.warm()
        yield
        explorer.close()

    handlers: dict[Any, Any] = {kind: _handler(pages, status) for kind, status in STATUS.items()}
    handlers[404] = _not_found
    middleware = [Middleware(Guard, hosts=HOSTS)]
    app = Starlette(routes=ROUTES, middleware=middleware, exception_handlers=handlers, lifespan=lifespan)
    app.state.explorer, app.state.pages = explorer, pages
    return app
