"""The report of a run's rewards as one HTML file: tables alone, without code or addresses.

Candidates and reasons are texts that nobody has checked; all are escaped.
"""

from __future__ import annotations

import html
from collections.abc import Sequence
from typing import Any

from ...console.streams import printable
from ...evaluation.tables.table import Table
from ..dataset_page.html_page import policy
from .report_tables import tables_of

_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 70rem; }
table { border-collapse: collapse; margin: 0 0 2rem; }
th, td { border-bottom: 1px solid #8885; padding: .25rem .75rem; text-align: right; }
td { vertical-align: top; }
th:first-child, td:first-child { text-align: left; white-space: pre-wrap; }
td { font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
h2 { font-size: 1.1rem; }
"""


def reward_page(report: dict[str, Any], title: str) -> str:
    """Return the report as a page that opens from disk; the same report gives the same text."""
    name = _escaped(title)
    lines = [
        "<!doctype html>",
        '<html lang="en">',
        "<head>",
        '<meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{policy(_STYLE, "")}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{name}</title>",
        f"<style>{_STYLE}</style>",
        "</head>",
        "<body>",
        f"<h1>{name}</h1>",
        f"<p>{report['candidates']:,} candidates for {report['environments']:,} environments</p>",
        *(f"<p>{_escaped(note)}</p>" for note in report["notes"]),
        *(line for table in tables_of(report) for line in _table(table)),
        "</body>",
        "</html>",
    ]
    return "\n".join(lines) + "\n"


def _table(table: Table) -> Sequence[str]:
    heads = "".join(f"<th>{_escaped(head)}</th>" for head in table.heads)
    rows = ("".join(f"<td>{_escaped(cell)}</td>" for cell in row) for row in table.rows)
    return [
        f"<h2>{_escaped(table.title)}</h2>",
        "<table>",
        f"<tr>{heads}</tr>",
        *(f"<tr>{row}</tr>" for row in rows),
        "</table>",
    ]


def _escaped(text: str) -> str:
    return html.escape(printable(text))
