"""The files of an audit: a sheet as CSV and as a page, and the key apart from both."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import asdict
from importlib.resources import files
from pathlib import Path

from ....slicer.model import EmittedFile
from ...record.output_files import write_tree
from .questions import QUESTIONS
from .sheets import Audit

SHEET, PAGE, KEY = "sheet/sheet.csv", "sheet/sheet.html", "key/key.json"
ANSWERS = (
    *("item", "sheet", "function", "annotator"),
    *(each.name for each in QUESTIONS),
    *("solution", "notes"),
)
"""Columns that people fill in, and those that say for what."""
SHOWN = ("context", "original", "slice", "tests")
_LONGEST_CELL = 32_000
"""Spreadsheets take 32,767 characters in a cell."""


def write_audit(folder: str | Path, audit: Audit) -> None:
    """Write the sheet and its key into a folder, which must be new or empty.

    Raises:
        OutputError: it is not, or cannot be written.
    """
    key = json.dumps(audit.key_json(), indent=2) + "\n"
    contents = {SHEET: sheet_csv(audit), PAGE: sheet_page(audit), KEY: key}
    write_tree(
        folder,
        [EmittedFile(name, text.encode("utf-8", "replace")) for name, text in contents.items()],
    )


def sheet_csv(audit: Audit) -> str:
    """Return the sheet as CSV: empty answers first, then what they are about."""
    text = io.StringIO()
    writer = csv.DictWriter(text, [*ANSWERS, *SHOWN], restval="")
    writer.writeheader()
    for item in audit.items:
        row = {"item": item.item, "sheet": audit.sheet, "function": _cell(item.function)}
        writer.writerow(row | {name: _cell(getattr(item, name)) for name in SHOWN})
    return text.getvalue()


def sheet_page(audit: Audit) -> str:
    """Return the sheet as one HTML page, which needs nothing else."""
    data = {
        "sheet": audit.sheet,
        "columns": ANSWERS,
        "questions": [asdict(each) for each in QUESTIONS],
        "items": [asdict(each) for each in audit.items],
    }
    # `</script>` and `<!--` would end the block that it stands in
    text = json.dumps(data).replace("<", "\\u003c")
    page = _part("page.html")
    for name, part in (("STYLE", _part("page.css")), ("SCRIPT", _part("page.js")), ("DATA", text)):
        page = page.replace(f"@@{name}@@", part)
    return page


def _part(name: str) -> str:
    return (files(__package__ or __name__) / name).read_text("utf-8")


def _cell(text: str) -> str:
    """Return a text that a cell can hold and no spreadsheet takes for a formula."""
    if len(text) > _LONGEST_CELL:
        text = text[:_LONGEST_CELL] + "\n[cut: the page has the rest]"
    return f"'{text}" if text.startswith(("=", "+", "-", "@", "\t", "\r")) else text
