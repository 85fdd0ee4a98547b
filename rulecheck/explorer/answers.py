"""The questions that workers answer, by name. Everything that runs a game's code is asked here, never in the server."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

from rulecheck.explorer.address import Address

Document = dict[str, Any]


def answer(name: str, about: Document) -> Document:
    if name == "warm":
        return {"imported": [importlib.import_module(module).__name__ for module in about["modules"]]}
    if name == "tables":
        from rulecheck.explorer.lab import tables

        return tables(Path(about["folder"]))
    if name == "shown":
        from rulecheck.explorer.results import shown

        return shown(about["kind"], about["document"])
    address = Address.of_json(about["address"])
    if name == "settled":
        from rulecheck.explorer.lab import settled

        return settled(address)
    if name == "look":
        from rulecheck.explorer.look import look

        return look(address)
    if name == "picture":
        from rulecheck.explorer.look import picture

        return picture(address)
    if name == "domains":
        from rulecheck.explorer.look import domains

        return domains(address)
    if name == "spotted":
        from rulecheck.explorer.look import spotted

        return spotted(address, about["x"], about["y"])
    if name == "weigh":
        from rulecheck.explorer.weigh import weigh

        return weigh(address, Path(about["tables"]), Path(about["reports"]))
    if name == "why":
        from rulecheck.explorer.why import why

        return why(address)
    if name == "rules":
        from rulecheck.explorer.book import rules

        return rules(address.game, Path(about["reports"]))
    if name == "sample":
        from rulecheck.explorer.book import sample

        return sample(address.game, Path(about["reports"]))
    if name == "deciding":
        from rulecheck.explorer.book import deciding

        return deciding(address, about["clause"], Path(about["reports"]))
    if name == "readings":
        from rulecheck.explorer.compare import readings

        return readings(address, Path(about["reports"]))
    if name in ("puzzles", "puzzle", "opened"):
        from rulecheck.explorer.puzzling import listing, opened, panel

        folders = [Path(folder) for folder in about["folders"]]
        if name == "puzzles":
            return listing(folders)
        return panel(address, folders) if name == "puzzle" else opened(address.puzzle or "", folders)
    raise ValueError(f"no question is called {name!r}")
