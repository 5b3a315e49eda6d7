"""What the page of one environment shows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from ...record.reader_context import context_of
from ..case_outcomes import outcome_lines
from .distributions import percent
from .slice_pieces import slice_pieces, users

if TYPE_CHECKING:
    from ...datasets.storage.columns import EnvironmentRow
    from ...record.environment_files import Environment

LONGEST = 100_000
"""Maximum number of characters of a text; more is left out with a note."""
_LISTED = 500
"""Maximum number of entries of a list."""


def environment_page(row: EnvironmentRow, environment: Environment) -> dict[str, Any]:
    """Return the page of an environment as JSON values."""
    record, oracle = environment.record, environment.oracle  # decoded once: it takes long
    script = context_of(oracle.script, row.path, list(record.get("data_files", ())))
    pieces = slice_pieces(script, row.path)
    metrics = record["metrics"]
    page: dict[str, Any] = {
        "facts": _facts(row),
        "code": row.code,
        "prompt": row.prompt,
        "slice": script,
        "pieces": [
            [each.name, each.kind, each.path, each.lines, said]
            for each, said in zip(pieces, users(pieces, row.qualname), strict=True)
        ],
        "externals": [
            [each["module"], each["distribution"] or "", each["treatment"], each["reason"]]
            for each in record["externals"]
        ],
        "mocks": [[each["family"], ", ".join(each["contacts"])] for each in record["mocks"]],
        "gaps": [
            [each["kind"], f"{each['path']}:{each['line']}", each["detail"], each["filled_by"]]
            for each in record["gaps"]
        ],
        "added": [
            [each["requirement"], each["because"], "yes" if each["is_installed"] else "no"]
            for each in record["added"]
        ],
        "data_files": list(record.get("data_files", ())),
        "cases": [
            [each.case.name, each.case.code, "\n".join(outcome_lines(each.observation))]
            for each in oracle.recorded
        ],
        "hidden": metrics.get("hidden"),
        "mutants": metrics.get("mutants"),
        "faithful": metrics.get("faithful"),
        "stable_runs": metrics.get("stable_runs"),
        "ast_equal": metrics.get("ast_equal"),
        "dependencies_equal": metrics.get("dependencies_equal"),
        "reasons": [
            [each["code"], f"{each['path']}:{each['line']}", each["hint"]]
            for each in record["reasons"]
        ],
    }
    return {name: _bounded(value) for name, value in page.items()}


def _facts(row: EnvironmentRow) -> list[list[str]]:
    """Return labels and values of the head of the page."""
    shares = (
        ("branches taken", row.branch_coverage),
        ("mutants killed", row.kill_rate),
        ("unseen mutants killed", row.unseen_kill_rate),
    )
    return [
        ["repository", row.repo],
        ["commit", row.commit or "not recorded"],
        ["licence", row.licence or "not recorded"],
        ["created", row.created or "not recorded"],
        ["split", row.split],
        ["id", row.id],
        ["layout", f"{row.layout}, {row.lines:,} lines"],
        ["Python", row.python],
        ["requirements", ", ".join(row.requirements) or "none"],
        ["stand-ins", ", ".join(row.mocks) or "none"],
        *([name, "not measured" if share is None else percent(share)] for name, share in shares),
        ["cases", f"{row.cases:,} shown, {row.hidden:,} hidden"],
    ]


def _bounded(value: Any) -> Any:  # noqa: ANN401 - JSON values
    """Return a value whose texts and lists are not longer than the bounds, with notes."""
    match value:
        case str() if len(value) > LONGEST:
            return f"{value[:LONGEST]}\n[{len(value) - LONGEST:,} more characters are left out]"
        case list():
            return [_bounded(each) for each in cast("list[Any]", value)[:_LISTED]]
        case dict():
            return {name: _bounded(each) for name, each in cast("dict[str, Any]", value).items()}
        case _:
            return value
