"""What a game's designer reads: a letter with what matters most, and everything else behind it.

`collect` runs every analysis and gathers the answers in one document; `write_report` makes pages of documents.
A page depends on its document, the game's letter and its engine alone, so equal ones give equal bytes.
"""

from __future__ import annotations

from rulecheck.report.collect import Document, collect, kept_opinions, second_opinions
from rulecheck.report.page import kept_document, require_reports, stale_files, write_report

__all__ = [
    "Document",
    "collect",
    "kept_document",
    "kept_opinions",
    "require_reports",
    "second_opinions",
    "stale_files",
    "write_report",
]
