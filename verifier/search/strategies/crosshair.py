"""Drafts from a solver: CrossHair runs the target on symbolic values.

Plain data in a draft becomes a parameter of the case, annotated with the value's type. The rest of
the call stays as it is. Each path that CrossHair takes gives a draft.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import cast

from ...execution.batched_trials import Trial
from ...execution.executors.interface import Case, Job, Limits, Outcome
from ...inputs.argument_pools import Inputs
from ..drafts.drafts import Draft, case_of

_SECONDS = 10.0
"""Seconds of processor time for all drafts together."""
_MOST_DRAFTS = 2
_LIMITS = Limits(wall_seconds=60.0, cpu_seconds=30.0, memory_bytes=4 << 30)


@dataclass(frozen=True, slots=True)
class SymbolicDraft:
    """A draft with parameters in place of some of its arguments."""

    draft: Draft
    types: tuple[tuple[str, str], ...]
    """Pairs of the target's parameter and its type."""


def symbolic(inputs: Inputs, drafts: Sequence[Draft]) -> tuple[SymbolicDraft, ...]:
    """Return the first draft of each set of parameters that can be solved for."""
    found: dict[object, SymbolicDraft] = {}
    if not inputs.is_awaited and not inputs.is_async_generator:
        for draft in drafts:
            made = _symbolic(inputs, draft)
            if made.types:
                found.setdefault((made.draft.receiver, made.types), made)
    return tuple(found.values())[:_MOST_DRAFTS]


def _symbolic(inputs: Inputs, draft: Draft) -> SymbolicDraft:
    given = dict(draft.arguments)
    types: dict[str, str] = {}
    for pool in inputs.pools:
        if pool.call == 0 and pool.how in ("keyword", "position"):
            own = (given[pool.name],) if pool.name in given else ()
            typed = ((text, _type_of_text(text)) for text in (*own, *pool.texts))
            text, kind = next(((t, k) for t, k in typed if k), ("", ""))
            if kind == "int" and any(_type_of_text(each) == "float" for each in pool.texts):
                kind = "float"  # integers are floats, too
            if kind:
                given[pool.name] = text
                types[pool.name] = kind
    return SymbolicDraft(replace(draft, arguments=tuple(given.items())), tuple(types.items()))


def _type_of_text(text: str) -> str:
    try:
        return _type(ast.literal_eval(text))
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return ""


def _type(value: object) -> str:
    """Return the annotation of a plain value; empty where its type says too little."""
    if isinstance(value, (bool, int, float, str, bytes)):
        return type(value).__name__
    if isinstance(value, dict):
        table = cast("dict[object, object]", value)
        pair = (_only({*map(_type, table)}), _only({*map(_type, table.values())}))
        return f"dict[{pair[0]}, {pair[1]}]" if all(pair) else ""
    if isinstance(value, (list, tuple)):
        items = [_type(item) for item in cast("Sequence[object]", value)]
        if isinstance(value, tuple):
            return f"tuple[{', '.join(items)}]" if items and all(items) else ""
        return f"list[{_only({*items})}]" if _only({*items}) else ""
    return ""


def _only(found: set[str]) -> str:
    return found.pop() if len(found) == 1 else ""


def job_of(trial: Trial, inputs: Inputs, found: Sequence[SymbolicDraft]) -> Job:
    """Return the job that runs CrossHair."""
    return Job(
        trial.script,
        task="paths",
        cases=tuple(_case(inputs, each, n) for n, each in enumerate(found)),
        target=trial.target,
        seconds=_SECONDS / max(len(found), 1),
        determinism=trial.determinism,
        limits=_LIMITS,
    )


def _case(inputs: Inputs, found: SymbolicDraft, number: int) -> Case:
    """Return a case whose parameters the solver chooses."""
    names = [f"solved_{n}" for n in range(len(found.types))]
    given = [(name, own) for (name, _), own in zip(found.types, names, strict=True)]
    name = f"path_{number}"
    case = case_of(inputs, found.draft.with_arguments(given), name)
    typed = (f"{own}: {kind}" for own, (_, kind) in zip(names, found.types, strict=True))
    return Case(name, case.code.replace(f"def {name}():", f"def {name}({', '.join(typed)}):", 1))


def solved(outcome: Outcome, found: Sequence[SymbolicDraft]) -> tuple[Draft, ...]:
    """Return the drafts from a run of CrossHair."""
    drafts: dict[Draft, None] = {}
    for text in outcome.records:
        record = _parsed(text)
        number, arguments = record.get("case"), record.get("arguments")
        if isinstance(number, int) and 0 <= number < len(found) and isinstance(arguments, dict):
            base = found[number]
            given = _given(base, cast("dict[str, object]", arguments))
            drafts[base.draft.with_arguments(given)] = None
    return tuple(drafts)


def _given(base: SymbolicDraft, arguments: dict[str, object]) -> Iterator[tuple[str, str]]:
    for n, (name, _) in enumerate(base.types):
        text = arguments.get(f"solved_{n}")
        if isinstance(text, str) and _is_expression(text):
            yield name, text


def _is_expression(text: str) -> bool:
    try:
        ast.parse(text, mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def _parsed(text: str) -> dict[str, object]:
    try:
        record: object = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return cast("dict[str, object]", record) if isinstance(record, dict) else {}


def is_absent(outcome: Outcome) -> bool:
    """Whether CrossHair is not installed in the environment."""
    return '{"kind":"absent"}' in outcome.records
