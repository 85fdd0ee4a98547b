"""The JSON API: the same documents as `--json` prints, under `/api/v1/`, and their description as OpenAPI."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from rulecheck import __name__ as PACKAGE
from rulecheck.commands.common import SCHEMA
from rulecheck.explorer.address import Address
from rulecheck.explorer.explorer import ASK, WEIGH, Explorer, Maybe
from rulecheck.explorer.pages import described
from rulecheck.model import InputError

Document = dict[str, Any]
ROOT = "/api/v1"


def _explorer(request: Request) -> Explorer:
    explorer: Explorer = request.app.state.explorer
    return explorer


def _address(request: Request) -> Address:
    """The position is in the query, because in a path it would be ambiguous."""
    query = request.query_params.multi_items()
    return Address.read(request.path_params["game"], "", query)


def _document(document: Document) -> Response:
    """The document as the commands print it, with the schema version."""
    return JSONResponse({**document, "schema": SCHEMA})


def games(request: Request) -> Response:
    loaded, broken = described()
    return _document({"games": loaded, "broken": broken})


def position(request: Request) -> Response:
    """Who is to act, every way on, the picture and its places."""
    return _document(_explorer(request).look("look", _address(request)))


def moves(request: Request) -> Response:
    """As `rulecheck moves --json`: the legal moves, each with its result."""
    seen = _explorer(request).look("look", _address(request))
    kept = ("position", "params", "readings", "complete")
    listed = [{"move": move["move"], "result": move["result"]} for move in seen["moves"]]
    return _document({"moves": listed, "chances": seen["chances"], **{key: seen[key] for key in kept}})


def why(request: Request) -> Response:
    """As `rulecheck why --json`: the verdicts of both encodings."""
    return _answered(_explorer(request).why(_address(request), ASK + 1))


def probe(request: Request) -> Response:
    """As `rulecheck probe --json`, from a table or solved now; `solved: false` with what is known otherwise."""
    return _answered(_explorer(request).weigh(_address(request).but(), WEIGH + 1))


def readings(request: Request) -> Response:
    return _document(_explorer(request).reported("readings", _address(request)))


def rules(request: Request) -> Response:
    return _document(_explorer(request).reported("rules", Address(request.path_params["game"])))


def puzzles(request: Request) -> Response:
    return _document(_explorer(request).puzzles("puzzles", Address("-")))


def _answered(maybe: Maybe) -> Response:
    """A question that timed out is UNKNOWN, with status 503: neither yes nor no."""
    if maybe.found is not None:
        return _document(maybe.found)
    sentence = maybe.unknown or "the explorer is busy with other questions; ask again in a moment"
    return JSONResponse({"error": sentence, "unknown": True}, 503)


# -- OpenAPI ---------------------------------------------------------------------------------------------------

GAME = {"name": "game", "in": "path", "required": True, "schema": {"type": "string"}, "description": "its short name"}
QUERY = {
    "pos": ("a position in the game's notation; the start if left out", "string"),
    "p": ("a parameter, NAME:VALUE; may be repeated", "array"),
    "r": ("a reading, NAME:VALUE; may be repeated", "array"),
    "m": ("a move", "string"),
    "v": ("readings to compare with, NAME:VALUE; may be repeated", "array"),
}
ENDPOINTS: tuple[tuple[str, Any, str, tuple[str, ...]], ...] = (
    ("/games", games, "Every game, with the size of its rulebook", ()),
    ("/position/{game}", position, "A position: who is to act, every way on, its picture", ("pos", "p", "r", "m")),
    ("/moves/{game}", moves, "The legal moves of a position", ("pos", "p", "r")),
    ("/why/{game}", why, "Whether a move is legal, by both encodings of the rules", ("pos", "p", "r", "m")),
    ("/probe/{game}", probe, "What a position and its moves are worth", ("pos", "p", "r")),
    ("/readings/{game}", readings, "What every reading changes in a position", ("pos", "p", "r", "v")),
    ("/rules/{game}", rules, "The clauses, with deciding cases and findings of the report", ()),
    ("/puzzles", puzzles, "All puzzles of the collections", ()),
)


def openapi(request: Request) -> Response:
    return JSONResponse(description())


def description() -> Document:
    paths = {f"{ROOT}{path}": {"get": _operation(path, words, query)} for path, _, words, query in ENDPOINTS}
    info = {"title": f"{PACKAGE} explorer", "version": "1", "description": "Documents as `--json` prints them."}
    return {"openapi": "3.1.0", "info": info, "paths": paths, "components": {"schemas": {"Problem": PROBLEM}}}


PROBLEM: Document = {
    "type": "object",
    "required": ["error"],
    "properties": {
        "error": {"type": "string", "description": "one sentence"},
        "unknown": {"type": "boolean", "description": "the time ran out: neither yes nor no"},
    },
}


def _operation(path: str, words: str, query: tuple[str, ...]) -> Document:
    parameters = ([GAME] if "{game}" in path else []) + [_parameter(name) for name in query]
    refused = {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Problem"}}}}
    answers = {"200": "The document", "400": "Bad input", "422": "The game's code fails", "503": "Out of time or busy"}
    responses = {
        status: {"description": text, **({"content": {"application/json": {}}} if status == "200" else refused)}
        for status, text in answers.items()
    }
    named = path.strip("/").partition("/")[0]
    return {"operationId": named, "summary": words, "parameters": parameters, "responses": responses}


def _parameter(name: str) -> Document:
    words, kind = QUERY[name]
    text: Document = {"type": "string"}
    schema = text if kind == "string" else {"type": "array", "items": text}
    return {"name": name, "in": "query", "required": False, "schema": schema, "description": words}


def unknown_endpoint(request: Request) -> Response:
    raise InputError(f"the API has no {request.url.path}; {ROOT}/openapi.json lists what it has")


ROUTES = [
    *(Route(f"{ROOT}{path}", endpoint) for path, endpoint, _, _ in ENDPOINTS),
    Route(f"{ROOT}/openapi.json", openapi),
    Route("/api/{rest:path}", unknown_endpoint),
]
