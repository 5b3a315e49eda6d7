"""Cases and carried modules, compiled once by a process of the sandbox in which nothing else runs.

The code comes back as text that nobody here looks into, and goes with each run.
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
    """The cases under the name that they have where candidates run, with their code.

    Where no code is to be had they are without, and compiled by each run.
    """
    return with_code(run, [case.renamed(NEUTRAL) for case in cases], target, limits)


def with_code(run: Runs, cases: Sequence[Case], target: str, limits: Limits) -> tuple[Case, ...]:
    """The cases with their compiled code, which later runs reuse.

    Code holds the name that its case had, which candidates must not see.
    """
    neutral = tuple(case.renamed(NEUTRAL) for case in cases)
    outcome = run(Job("", task="codes", cases=neutral, target=target, limits=limits))
    codes = _codes(outcome.records)
    if len(codes) != len(cases):
        return tuple(cases)
    return tuple(replace(case, compiled=code) for case, code in zip(cases, codes, strict=True))


def compiled_modules(run: Runs, modules: Sequence[Module], limits: Limits) -> tuple[Module, ...]:
    """Those of the modules that could be compiled, with their code."""
    outcome = run(Job("", task="codes", modules=tuple(modules), limits=limits))
    pairs = zip(modules, _codes(outcome.records), strict=False)
    return tuple(replace(module, compiled=code) for module, code in pairs if code)


def _codes(records: Sequence[str]) -> list[str]:
    """The texts in the one record; empty where it is none."""
    try:
        (record,) = [parse(each).content for each in records]
    except (MalformedError, ValueError):
        return []
    codes = record.get("codes") if isinstance(record, dict) else None
    return [each for each in codes if isinstance(each, str)] if isinstance(codes, list) else []
