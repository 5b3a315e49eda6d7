"""Synthesise cases without a model: a target's inputs, its mutants, and the search over both."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ...slicer.errors import SourceError
from ...verifier.errors import SandboxError
from ...verifier.execution.batched_trials import Runs, Trial
from ...verifier.execution.executors.interface import Case, Job, Outcome, Profile
from ...verifier.inputs.argument_pools import inputs_of
from ...verifier.mutation.mutated_block import block_of
from ...verifier.scoring.oracle.oracle_recording import STILL
from ...verifier.script.own_caches import unwatched_labels
from ...verifier.script.target_lines import joined, traced_lines
from ...verifier.search.corpus.draft_sources import NO_SOURCES, DraftSources
from ...verifier.search.corpus.gap_endings import missing_names_of
from ...verifier.search.corpus.search_result import Synthesis
from ...verifier.search.drafts.code_literals import words_of_slice
from ...verifier.search.drafts.drafts import case_of, first_draft
from ...verifier.search.exploration import Budget
from ...verifier.search.synthesise import synthesise

if TYPE_CHECKING:
    from ...slicer import Repository
    from ...slicer.model import Slice
    from ...verifier.execution.executors.choose_executor import Choice


CUT = "as far as the time went"
"""The message where the time limit ends a search."""


def synthesised(
    repository: Repository,
    sliced: Slice,
    choice: Choice,
    profile: Profile,
    sources: DraftSources = NO_SOURCES,
    budget: Budget | None = None,
    found_some: Callable[[], None] = lambda: None,
) -> Synthesis:
    """Return cases for the slice's target, run on an executor.

    Args:
        repository: the slice's repository.
        sliced: the slice, as one script.
        choice: the executor.
        profile: the interpreter of the runs, with slow modules imported: each run loads the script.
        sources: expensive sources of drafts, used when the search stalls.
        budget: limits of the search.
        found_some: called once there are cases, before the rest of the search.

    Raises:
        SandboxError: the sandbox fails.
    """
    executor = choice.make()
    executor.start(profile)

    def run(job: Job) -> Outcome:
        outcome = executor.run(job)
        if outcome.end == "infrastructure":
            raise SandboxError.of(outcome.detail)
        return outcome

    try:
        return search_cases(repository, sliced, run, budget, sources, found_some)
    finally:
        executor.close()


def first_cases(repository: Repository, sliced: Slice) -> tuple[Case, ...]:
    """Return the first call to try, if any: it may import modules that the slice does not."""
    inputs = inputs_of(repository, sliced)
    return () if inputs is None else (case_of(inputs, first_draft(inputs), "case_likeliest"),)


def format_search(found: Synthesis) -> str:
    """Return a report on a search for people."""
    cut = f", {CUT}" if found.is_cut else ""
    if found.failure:
        return f"no cases: {found.failure}{cut}"
    number = len(found.cases)
    cases = f"{number} case{'s' * (number != 1)} kept of {found.tried} tried{cut}"
    if found.hidden_too_slow:
        cases += f", {found.hidden_too_slow} hidden ones left out that take too long"
    return f"{cases}; {found.rivalry}" if found.rivalry else cases


def search_cases(
    repository: Repository,
    sliced: Slice,
    run: Runs,
    budget: Budget | None = None,
    sources: DraftSources = NO_SOURCES,
    found_some: Callable[[], None] = lambda: None,
) -> Synthesis:
    """Return cases for the slice's target, with their quality.

    Args:
        repository: the slice's repository.
        sliced: the slice, as one script.
        run: runs a job where the slice's imports are installed.
        budget: limits of the search.
        sources: expensive sources of drafts, used when the search stalls.
        found_some: called once there are cases, before the rest of the search.
    """
    inputs = inputs_of(repository, sliced)
    found = Synthesis(failure="the target is no function", code="no_function")
    if inputs is None:
        return found
    blocks = joined(traced_lines(repository.path, sliced))  # several if branches define it
    if not blocks:
        why = "it stands in no one place of the script: its file is loaded under two names"
        return Synthesis(failure=why, code="not_called")
    words = words_of_slice(repository, sliced)
    lacks = missing_names_of(sliced.manifest, _own_modules(repository, sliced))
    still = replace(STILL, unwatched=unwatched_labels(repository, sliced.manifest.targets[0]))
    for traced in blocks:
        span = (traced.first, traced.last)
        trial = Trial(run, sliced.source, inputs.qualname, span, traced.file, still, lacks=lacks)
        block = block_of(traced, inputs.qualname)
        found = synthesise(trial, inputs, block, words, budget or Budget(), sources, found_some)
        if found.coverage is not None and found.coverage.is_called:
            break
    return found


def _own_modules(repository: Repository, sliced: Slice) -> Callable[[str], bool]:
    """Return a test whether a module, as the target would import it, is the repository's."""
    path = sliced.manifest.targets[0].path
    module = repository.module(path, repository.module_name(path))

    def is_own(name: str) -> bool:
        try:
            return repository.find_module(name, module) is not None
        except SourceError:
            return True

    return is_own


def named(cases: Sequence[Case], used_names: Collection[str]) -> tuple[Case, ...]:
    """Return the cases, renamed where names are taken."""
    used = set(used_names)
    found: list[Case] = []
    for case in cases:
        names = (case.name, *(f"{case.name}_{n}" for n in range(2, len(used) + 3)))
        name = next(name for name in names if name not in used)
        used.add(name)
        found.append(case if name == case.name else case.renamed(name))
    return tuple(found)
