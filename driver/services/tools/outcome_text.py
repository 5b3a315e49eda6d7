"""The outcome of making an environment, as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ...batch.entries import Entry


def figures(entry: Entry) -> str:
    """Return what was measured, on one line."""
    parts = [f"{entry.cases or 0} cases"]
    for share, what in (
        (entry.branches, "branches taken"),
        (entry.killed, "mutants killed"),
        (entry.unseen_killed, "unseen mutants killed"),
    ):
        if share is not None:
            parts.append(f"{100 * share:.0f} % of {what}")
    faithful = entry.faithful
    if faithful:
        parts.append(f"{faithful['same']} of {faithful['compared']} as in the repository")
    return ", ".join(parts)


def reasons(entry: Entry) -> list[str]:
    """Return why there is no environment, a line each."""
    return [f"- {each}" for each in entry.reasons] or ["- a check failed"]
