"""The report on one target, line by line, for people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ..reason_codes import ADVICE, Reason

if TYPE_CHECKING:
    from ..pipeline.checks import Check
    from ..pipeline.passes import Compiled


def report_lines(found: Compiled) -> Iterator[str]:
    """Yield each check, then the reasons why there is no environment."""
    shown = found.synthesis.failure if found.synthesis else ""
    return checked_lines(found.verified.checks, found.reasons, shown)


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
