"""The report on training data for people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any


def report_lines(report: Mapping[str, Any]) -> Iterator[str]:
    """Yield the report in lines: functions, candidates, examples by source, samples."""
    functions, candidates = report["functions"], report["candidates"]
    yield (
        f"{functions['with_examples']:,} of {functions['dataset']:,} functions, of "
        f"{report['repositories']:,} repositories"
    )
    yield from _counts("left out", functions["left_out"])
    if functions["with_cut_context"]:
        yield f"  {functions['with_cut_context']:>9,}  have a context that is cut to fit"
    shown = sum(report["contamination"]["shown_code"].values())
    if shown:
        yield f"  {shown:>9,}  of these show code that a reference set or the evaluation split has"
    if candidates["samples"]:
        yield f"{candidates['samples']:,} samples, {candidates['passed']:,} passed"
        if "kept" in candidates:
            yield f"  {candidates['kept']:>9,}  kept"
            yield from _counts("left out", candidates["left_out"])
        if candidates["without_verdict"]:
            yield f"  {candidates['without_verdict']:>9,}  further ones have no verdict"
        if candidates["of_other_environments"]:
            yield f"  {candidates['of_other_environments']:>9,}  of environments of another dataset"
    if "fresh" in candidates:
        fresh = candidates["fresh"]
        yield (
            f"fresh inputs for {fresh['with_inputs']:,} of {fresh['functions']:,} functions: "
            f"{fresh['answers']:,} answers asked, {fresh['refuted']:,} refuted"
        )
        if fresh["mutants"]:
            yield f"  {fresh['mutants']:>9,}  mutants run, {fresh['hard_mutants']:,} of them hard"
    yield from _table(report["examples"])
    for each in report.get("samples", ()):
        splits = ", ".join(f"{number:,} {name}" for name, number in each["splits"].items())
        yield (
            f"{each['sample']}: {each['functions']:,} functions of "
            f"{each['repositories']:,} repositories; examples: {splits}"
        )


def _counts(words: str, counts: Mapping[str, int]) -> Iterator[str]:
    for name, number in counts.items():
        if number:
            yield f"  {number:>9,}  {words}: {name}"


def _table(examples: Mapping[str, Any]) -> Iterator[str]:
    splits = ", ".join(f"{number:,} {name}" for name, number in examples["splits"].items())
    yield f"{examples['rows']:,} examples: {splits or 'none'}"
    sources: Sequence[Mapping[str, Any]] = examples["sources"]
    for each in sources:
        yield f"  {each['rows']:>9,}  {each['what']}, for {each['functions']:,} functions"
