"""Synthesise cases for a target without a model: its inputs, its mutants, and the search
over both.
"""

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
from ...verifier.search.corpus.draft_sources import NOTHING_FURTHER, DraftSources
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
    further: DraftSources = NOTHING_FURTHER,
    budget: Budget | None = None,
    found_some: Callable[[], None] = lambda: None,
) -> Synthesis:
    """Cases for the slice's target.

    Args:
        repository: where the slice comes from.
        sliced: the slice, as one script.
        choice: the executor.
        profile: the interpreter of the runs, which has imported what is slow: each run loads the
            script.
        further: drafts that cost something to get, for where the search leaves something open.
        budget: of the search.
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
        return search_cases(repository, sliced, run, budget, further, found_some)
    finally:
        executor.close()


def first_cases(repository: Repository, sliced: Slice) -> tuple[Case, ...]:
    """The call that is tried first, if any: it may import what the slice does not."""
    inputs = inputs_of(repository, sliced)
    return () if inputs is None else (case_of(inputs, first_draft(inputs), "case_likeliest"),)


def format_search(found: Synthesis) -> str:
    """What people should know of a search."""
    cut = f", {CUT}" if found.is_cut else ""
    if found.failure:
        return f"no cases: {found.failure}{cut}"
    number = len(found.cases)
    cases = f"{number} case{'s' * (number != 1)} kept of {found.tried} tried{cut}"
    return f"{cases}; {found.rivalry}" if found.rivalry else cases


def search_cases(
    repository: Repository,
    sliced: Slice,
    run: Runs,
    budget: Budget | None = None,
    further: DraftSources = NOTHING_FURTHER,
    found_some: Callable[[], None] = lambda: None,
) -> Synthesis:
    """Cases for the slice's target, and what they are worth.

    Args:
        repository: where the slice comes from.
        sliced: the slice, as one script.
        run: runs a job where everything is installed that the slice imports.
        budget: of the search.
        further: drafts that cost something to get, for where the search leaves something open.
        found_some: called once there are cases, before the rest of the search.
    """
    inputs = inputs_of(repository, sliced)
    found = Synthesis(failure="the target is no function", code="no_function")
    if inputs is None:
        return found
    blocks = joined(traced_lines(repository.path, sliced))  # several where branches define it
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
        found = synthesise(trial, inputs, block, words, budget or Budget(), further, found_some)
        if found.coverage is not None and found.coverage.is_called:
            break
    return found


def _own_modules(repository: Repository, sliced: Slice) -> Callable[[str], bool]:
    """Whether a module, as the target would import it, is the repository's."""
    path = sliced.manifest.targets[0].path
    module = repository.module(path, repository.module_name(path))

    def is_own(name: str) -> bool:
        try:
            return repository.find_module(name, module) is not None
        except SourceError:
            return True

    return is_own


def named(cases: Sequence[Case], taken: Collection[str]) -> tuple[Case, ...]:
    """Cases whose names are free."""
    used = set(taken)
    found: list[Case] = []
    for case in cases:
        names = (case.name, *(f"{case.name}_{n}" for n in range(2, len(used) + 3)))
        name = next(name for name in names if name not in used)
        used.add(name)
        found.append(case if name == case.name else case.renamed(name))
    return tuple(found)
