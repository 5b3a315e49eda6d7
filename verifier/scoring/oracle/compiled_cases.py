"""Compile cases and carried modules once, in a sandboxed process in which nothing else runs.

The code comes back as opaque text and is sent along with each run.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ...execution.executors.interface import Case, Job, Limits, Module
from ...observation.untrusted_json import MalformedError, parse
from .oracle import NEUTRAL, Runs


def compiled_cases(
    run: Runs, cases: Sequence[Case], target: str, limits: Limits
) -> tuple[Case, ...]:
    """Return the cases under their neutral name, with compiled code.

    If compiling fails they have no code, and each run compiles them.
    """
    return with_code(run, [case.renamed(NEUTRAL) for case in cases], target, limits)


def with_code(run: Runs, cases: Sequence[Case], target: str, limits: Limits) -> tuple[Case, ...]:
    """Return the cases with their compiled code, which later runs reuse.

    Code holds the name that its case had, which candidates must not see.
    """
    neutral = tuple(case.renamed(NEUTRAL) for case in cases)
    outcome = run(Job("", task="codes", cases=neutral, target=target, limits=limits))
    codes = _codes(outcome.records)
    if len(codes) != len(cases):
        return tuple(cases)
    return tuple(replace(case, compiled=code) for case, code in zip(cases, codes, strict=True))


def compiled_modules(run: Runs, modules: Sequence[Module], limits: Limits) -> tuple[Module, ...]:
    """Return the modules that could be compiled, with their code."""
    outcome = run(Job("", task="codes", modules=tuple(modules), limits=limits))
    pairs = zip(modules, _codes(outcome.records), strict=False)
    return tuple(replace(module, compiled=code) for module, code in pairs if code)


def _codes(records: Sequence[str]) -> list[str]:
    """Return the texts in the only record; empty if it is not one."""
    try:
        (record,) = [parse(each).content for each in records]
    except (MalformedError, ValueError):
        return []
    codes = record.get("codes") if isinstance(record, dict) else None
    return [each for each in codes if isinstance(each, str)] if isinstance(codes, list) else []
