"""The report on one target, line by line, for people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from shlex import quote
from typing import TYPE_CHECKING

from ..record.reason_codes import ADVICE, Reason

if TYPE_CHECKING:
    from ..pipeline.checks import Check
    from ..pipeline.passes import Compiled
    from ..record.environment_files import Environment


def report_lines(found: Compiled) -> Iterator[str]:
    """Yield each check, then the reasons why there is no environment."""
    shown = found.synthesis.failure if found.synthesis else ""
    return checked_lines(found.verified.checks, found.reasons, shown)


def environment_lines(
    folder: str, environment: Environment | None, *, searched: bool
) -> Iterator[str]:
    """Yield what was written to the folder, and what to do with it.

    Args:
        folder: the folder of `--env`.
        environment: what was written there, if anything.
        searched: whether cases were searched for, and so hidden ones too.
    """
    if environment is None:
        yield f"{folder} is not written: no case is left, or the target cannot be cut out"
        return
    if not environment.is_accepted:
        yield f"warning: {folder} is written, but not accepted: {environment.why_not}"
        return
    shown, hidden = len(environment.oracle.recorded), len(environment.oracle.hidden)
    if searched and not hidden:
        yield f"warning: {folder} has no hidden cases: who knows its cases passes them"
    cases = f"{shown} case{'s' * (shown != 1)}" + (f", {hidden} hidden ones" if hidden else "")
    command = f"slice-func score {quote(folder)} FILE"
    yield f"{folder}: {cases}, accepted; score a candidate with: {command}"


def checked_lines(checks: Sequence[Check], reasons: Sequence[Reason], shown: str) -> Iterator[str]:
    """Yield the checks and the reasons; a reason repeats no observation.

    Args:
        checks: all checks.
        reasons: why there is no environment.
        shown: message that was already shown.
    """
    for check in checks:
        yield str(check)
    seen = [shown, *(check.detail for check in checks if not check.passed)]
    for each in reasons:
        advice = ADVICE.get(each.code, "")
        detail = each.hint.removesuffix(f" ({advice})")
        is_known = detail != each.hint and any(detail in text for text in seen)
        yield f"reason: {replace(each, hint=advice) if is_known else each}"
