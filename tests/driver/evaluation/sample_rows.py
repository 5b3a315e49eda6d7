"""Samples that tests make up."""

from __future__ import annotations

from dataclasses import replace

from slicefunc.driver.evaluation.runs import Run
from slicefunc.driver.evaluation.sample_rows import Round, SampleRow

_PLAIN = SampleRow(
    environment="e0",
    sample=0,
    repo="shop/one",
    path="one.py",
    qualname="f",
    families=(),
    lines=5,
    dependencies=0,
    files=1,
    messages="[]",
    completion="",
    code="",
    verdict="passed",
    reward=1.0,
    cases_passed=5,
    cases=5,
    hidden_passed=5,
    hidden=5,
    reason="",
    rounds=(),
    exact_match=False,
    edit_similarity=0.5,
    codebleu=0.5,
    context_tokens=10,
    context_cut=0,
    requests=1,
    input_tokens=10,
    output_tokens=5,
    cost=0.01,
    seconds=1.0,
)


def sample(environment: str = "e0", verdict: str = "passed", **fields: object) -> SampleRow:
    """A sample that passes, or does not."""
    passed = 5 if verdict == "passed" else 0
    counts: dict[str, object] = {"cases_passed": passed, "hidden_passed": passed}
    counts["rounds"] = (tried(verdict, passed, passed, is_final=True),)
    return replace(
        _PLAIN, environment=environment, verdict=verdict, **{**counts, **fields}  # type: ignore[arg-type]
    )  # fmt: skip


def tried(verdict: str, passed: int = 0, hidden: int = 0, *, is_final: bool = False) -> Round:
    """A try of a sample."""
    return Round(verdict, passed, hidden, is_final)


def run_of(verdicts: dict[str, str], **settings: object) -> Run:
    """A run with a sample for each environment, each of a repository of its own by its letter."""
    samples = tuple(
        sample(environment, verdict, repo=f"shop/{environment[0]}")
        for environment, verdict in verdicts.items()
    )
    return Run(str(settings.pop("location", "here")), {"model": "m", **settings}, samples)
