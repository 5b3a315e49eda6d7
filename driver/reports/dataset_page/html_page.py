"""The HTML file: data, style and code in one text that needs nothing else.

All texts come from repositories that nobody has checked. The page holds them as data alone, the
code sets them as text, and the content security policy allows no other code, style or address.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
import zlib
from collections.abc import Callable, Iterable
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from ....slicer.errors import SliceFuncError
from .environment_page import environment_page
from .overview import overview

if TYPE_CHECKING:
    from ...datasets.storage.dataset import Dataset

PAGES = 2000
"""Default number of environments that get a page of their own."""
_LEVEL = 9
_SCRIPTS = ("elements.js", "tables.js", "plots.js", "environment.js", "page.js")


def report_page(
    dataset: Dataset, title: str, pages: int = PAGES, on_page: Callable[[], None] | None = None
) -> str:
    """Return the report of a dataset as HTML; the same dataset gives the same text.

    Args:
        dataset: what to report on.
        title: its name.
        pages: how many environments get a page of their own.
        on_page: called after each page.

    Raises:
        SliceFuncError: an environment of it cannot be read.
    """
    rows = list(dataset.rows())
    data = {"title": title, **overview(dataset, rows)}
    details: list[str] = []
    for row in rows[:pages]:
        try:
            page = environment_page(row, dataset.environment(row.id))
        except (KeyError, TypeError, ValueError) as error:
            problem = f"{dataset.location}: environment {row.id}: {error!r}"
            raise SliceFuncError(problem, "look with slice-func dataset verify") from error
        details.append(compressed(page))
        if on_page is not None:
            on_page()
    data["pages"] = len(details)
    return _filled(title, data, details)


def embedded(data: object) -> str:
    """Return JSON that can stand in a script element: it cannot end it, nor begin a comment."""
    text = json.dumps(data, separators=(",", ":"))  # ASCII alone
    return re.sub("[<>&]", lambda found: f"\\u{ord(found[0]):04x}", text)


def compressed(data: object) -> str:
    """Return JSON as Base64 of its zlib stream."""
    return base64.b64encode(zlib.compress(json.dumps(data).encode(), _LEVEL)).decode()


def policy(style: str, script: str) -> str:
    """Return a content security policy that allows these two texts and nothing else."""
    return "; ".join(
        (
            "default-src 'none'",
            f"style-src {_source(style)}",
            f"script-src {_source(script)}",
            "base-uri 'none'",
            "form-action 'none'",
        )
    )


def _source(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _filled(title: str, data: dict[str, Any], details: Iterable[str]) -> str:
    style = f"\n{_part('page.css')}"
    script = '\n"use strict";\n' + "\n".join(_part(name) for name in _SCRIPTS)
    texts = {
        "POLICY": policy(style, script),
        "TITLE": html.escape(title),
        "STYLE": style,
        "SCRIPT": script,
        "DATA": embedded(data),
        "DETAILS": "\n".join(
            f'<script type="text/plain" id="page-{index}">{text}</script>'
            for index, text in enumerate(details)
        ),
    }
    # one pass, so that data which look like a mark stay data
    return re.sub(r"@@([A-Z]+)@@", lambda found: texts[found[1]], _part("page.html"))


def _part(name: str) -> str:
    return (files(__package__ or __name__) / "assets" / name).read_text("utf-8")
