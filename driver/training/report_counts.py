"""The numbers of the report: what became of samples, and where examples are from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from .candidates import Candidates
from .example_maker import ExampleMaker
from .examples import Demonstration, Example, Preference, Prompt
from .functions import TrainingFunction
from .options import Recipe
from .sandbox_checks import Checked

_LISTED = 20
"""Refuted answers that the report shows."""


def candidate_counts(candidates: Candidates, made: ExampleMaker, recipe: Recipe) -> dict[str, Any]:
    """Return what became of the samples of the runs."""
    passed = sum(candidates.passing.values())
    found = {
        "samples": sum(candidates.samples.values()),
        "passed": passed,
        "without_verdict": candidates.unknown,
        "of_other_environments": candidates.foreign,
        "by_source": candidates.counts(),
    }
    if recipe in ("sft", "grpo"):
        return found
    # each sample that passes is counted once
    rest = passed - made.kept - sum(made.dropped.values())
    dropped = {**made.dropped, "of functions left out": rest}
    left_out = {name: number for name, number in sorted(dropped.items()) if number}
    found |= {"kept": made.kept, "left_out": left_out}
    return {**found, "fresh": _fresh_counts(made.checked)} if made.checked else found


def _fresh_counts(checked: Mapping[str, Checked]) -> dict[str, Any]:
    """Return what fresh inputs said, with the first refutations."""
    refutations = [
        {"environment": identity, **asdict(each)}
        for identity, found in sorted(checked.items())
        for each in found.refutations
    ]
    why = Counter(each.why_not for each in checked.values() if each.why_not)
    return {
        "functions": len(checked),
        "with_inputs": sum(not each.why_not for each in checked.values()),
        "why_not": dict(sorted(why.items())),
        "answers": sum(each.answers for each in checked.values()),
        "unanswered": sum(len(each.unanswered) for each in checked.values()),
        "mutants": sum(each.mutants for each in checked.values()),
        "hard_mutants": sum(len(each.wrong) for each in checked.values()),
        "refuted": len(refutations),
        "first": refutations[:_LISTED],
    }


def example_counts(examples: Mapping[TrainingFunction, Sequence[Example]]) -> dict[str, Any]:
    """Return the numbers of examples by split and by source, as table 9 of RepoST has them."""
    every = [each for some in examples.values() for each in some]
    rows: Counter[tuple[str, str, str]] = Counter()
    functions: dict[tuple[str, str, str], set[str]] = {}
    for each in every:
        key = _source(each)
        rows[key] += 1
        functions.setdefault(key, set()).add(each.function.id)
    return {
        "rows": len(every),
        "splits": dict(sorted(Counter(each.function.split for each in every).items())),
        "sources": [
            {
                "source": source,
                "of": of,
                "what": what,
                "rows": rows[source, of, what],
                "functions": len(some),
            }
            for (source, of, what), some in sorted(functions.items())
        ],
    }


def _source(example: Example) -> tuple[str, str, str]:
    """Return where an answer is from and its model, or both answers of a pair; and for people."""
    match example:
        case Demonstration(source=source, model=model):
            return source, model, " ".join(filter(None, (source, model)))
        case Preference(source=source, rejected_source=rejected):
            return source, rejected, f"chosen {source}, rejected {rejected}"
        case Prompt():
            return "prompt", "", "questions"
