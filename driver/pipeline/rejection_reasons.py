"""Reasons why a slice is rejected as an environment, derived from the findings about it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ...verifier.observation.compare_observations import has_effect_beyond_output
from ...verifier.scoring.oracle.oracle import Oracle, decoded_observation
from ...verifier.search.corpus.search_result import format_gap
from ..record.reason_codes import Reason, needed, reason

if TYPE_CHECKING:
    from ...slicer.model import Gap, Slice
    from ...verifier.search.corpus.search_result import Synthesis
    from .checks import Verified

_CODES = {
    "target's AST": "other_code",
    "AST of what is kept": "other_code",
    "faithful": "unfaithful",
    "original as a candidate": "original_fails",
    "original out of reach": "original_in_reach",
    "branch coverage": "few_branches",
    "mutants killed": "few_mutants",
    "unseen mutants killed": "few_unseen",
    "cheap solutions": "cheap_solution",
}
"""Name of a check → reason code if it fails."""


def why_not(sliced: Slice, synthesis: Synthesis | None, verified: Verified) -> tuple[Reason, ...]:
    """Return why a slice is no environment; empty if it is one.

    Args:
        sliced: the slice.
        synthesis: the synthesis of its cases, if requested.
        verified: the result of the checks.
    """
    (target, *_) = sliced.manifest.targets
    first = next(
        (
            each.first_line
            for each in sliced.manifest.definitions
            if (each.path, each.qualname) == (target.path, target.qualname)
        ),
        None,
    )
    found = [*_found(target.path, first, synthesis, verified)]
    if found and synthesis is not None and synthesis.is_cut:
        found.append(reason("search_cut", target.path, first, ""))
    return tuple({each.code: each for each in found}.values())


def has_no_discriminating_case(reasons: Sequence[Reason]) -> bool:
    """Whether there are cases, but none distinguishes between candidates."""
    return any(each.code in {"only_logs", "shows_nothing"} for each in reasons)


def _found(
    path: str, first: int | None, synthesis: Synthesis | None, verified: Verified
) -> Iterator[Reason]:
    failed = {check.name: check.detail for check in verified.checks if not check.passed}
    runs = failed.get("runs alone")
    if runs is not None:
        yield reason(needed("does_not_run", runs), path, first, runs)
        return
    if verified.oracle is None:
        if synthesis is not None:
            yield _without_cases(path, first, synthesis)
        return
    if not verified.oracle.recorded:
        for each in verified.rejections:
            # no other oracle is rejected for its observations: each call has an effect
            code = "opaque" if each.code == "shows_nothing" else each.code
            yield reason(code, path, first, each.detail)
        return
    for each in verified.rejections:
        yield reason(each.code, path, first, f"{each.case}: {each.detail}")
    blind = _blind(verified.oracle)
    if blind:
        yield reason(blind, path, first, "")
        return
    for name, code in _CODES.items():
        if name in failed:
            yield reason(code, path, _line(code, verified) or first, failed[name])
            if code == "few_branches" and synthesis is not None and synthesis.gap is not None:
                yield _of_gap(synthesis.gap)


def _without_cases(path: str, first: int | None, synthesis: Synthesis) -> Reason:
    if synthesis.gap is not None and synthesis.code == "gap":
        return _of_gap(synthesis.gap)
    code = synthesis.code or "not_called"
    detail = synthesis.failure
    if code in {"does_not_run", "not_called"}:
        code = needed(code, detail)
    return reason(code, path, first, detail)


def _of_gap(gap: Gap) -> Reason:
    """Return the reason for calls that end at a gap of the slice, and so are no cases."""
    return reason("gap", gap.path, gap.line, format_gap(gap))


def _line(code: str, verified: Verified) -> int | None:
    """Return the line of the first item that a check misses."""
    if code == "few_branches":
        for found in verified.coverage:
            lines = [*(each.line for each in found.missing), *found.missing_lines]
            if lines:
                return min(lines)
    found = verified.strength
    if found is not None and code in {"few_mutants", "few_unseen"}:
        alive = found.survived if code == "few_mutants" else found.unseen_survived
        return alive[0].line if alive else None
    return None


def _blind(oracle: Oracle) -> str:
    """Return the code of an oracle that only observes returning calls; else empty."""
    found = [decoded_observation(each.observation) for each in oracle.recorded]
    if any(has_effect_beyond_output(each) or each.stdout or each.effects for each in found):
        return ""
    return "only_logs" if any(each.stderr for each in found) else "shows_nothing"
