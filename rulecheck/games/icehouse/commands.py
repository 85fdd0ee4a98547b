"""What Icehouse adds to the command line: `attack`, `fortress`, `best`, and certificates of the first two."""

from __future__ import annotations

from rulecheck.commands.own import OwnCommands
from rulecheck.games.icehouse.commands_attack import attack, certify_answers, fortress
from rulecheck.games.icehouse.commands_best import best

OWN = OwnCommands((attack, fortress, best), {"rulecheck icehouse fortress 1": certify_answers})
