"""The passes, read top to bottom: from a repository and targets to one slice, or an environment."""

from __future__ import annotations

import math
import time
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from ...slicer.errors import expect
from ...slicer.syntax.gc_pause import seldom
from ..settings.options import Options, Verification
from .cases.case_dependencies import with_constructors, with_mutators, with_recorded
from .slice_passes import compile_slice

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Mapping, Sequence

    from ...llm.client.client import Client
    from ...slicer import Repository
    from ...slicer.model import Slice
    from ...verifier.evidence.recordings.recorded_calls import Evidence
    from ...verifier.execution.executors.choose_executor import Choice
    from ...verifier.execution.executors.interface import Case, Determinism
    from ...verifier.search.corpus.draft_sources import DraftSources, UnreachedGoals
    from ...verifier.search.corpus.search_result import Synthesis
    from ...verifier.search.drafts.drafts import Draft
    from ..model.model_session import ModelPart
    from ..places.repository_origin import Origin
    from ..places.script_environment import Provision
    from ..record.environment_files import Environment
    from ..record.reason_codes import Reason
    from .checks import Verified
    from .recording.repository_runs import RepositoryRuns


@dataclass(frozen=True, slots=True)
class Compiled:
    """A slice, with the findings about it, and the record of both."""

    sliced: Slice
    verified: Verified
    provision: Provision
    """Where it ran; distributions that cannot be installed need a stand-in."""
    synthesis: Synthesis | None
    """The result of the search for cases, if it was requested."""
    reasons: tuple[Reason, ...]
    """Why it does not reach the thresholds; empty without cases or synthesis, and if it does."""
    environment: Environment | None
    """The environment, if there are cases, and the target can be cut out of its script."""
    eval_script: str | None = None
    """The script with a second version of the target, and a test that compares both."""
    model: ModelPart | None = None
    """The model's work, if a model may be used."""


def compile_environment(  # noqa: PLR0913 - a callback is no further input
    repository: Repository,
    target: str,
    options: Options | None = None,
    verification: Verification | None = None,
    *,
    sliced: Slice | None = None,
    choice: Choice | None = None,
    model: Client | None = None,
    report: Callable[[str], None] = lambda _line: None,
    stage: Callable[[str], None] = lambda _stage: None,
) -> Compiled:
    """Return the slice of a target, verified, and with cases the environment that scores
    candidates.

    Args:
        repository: the target's repository.
        target: the target as `path::qualname`.
        options: options of the slice.
        verification: options of the verification.
        sliced: the target's slice with these options, if it was made before.
        choice: the executor, if chosen; a caller with many targets keeps it warm for all.
        model: client of the model for what the search leaves open, if any.
        report: receives messages for people, line by line.
        stage: receives the name of each stage when it begins.

    Raises:
        SliceFuncError: something cannot be used, no sandbox works, or nothing can be installed.
        OSError: the file of cases cannot be read.
    """
    from .accepted_targets import require_function, require_script
    from .cases.written_cases import NotInSliceError, read_cases

    expect(target, str, "the target", "write 'path::qualname'; it is one")
    expect(verification, (Verification, type(None)), "the verification", "write Verification(...)")
    verification = verification or Verification()
    ends = time.monotonic() + (verification.seconds or math.inf)
    # a sandbox: a working one is chosen while the target is sliced
    with _executor_ahead(choice, verification, report, stage) as wait_for_choice:
        # slice
        stage("slicing")
        sliced = sliced or compile_slice(repository, (target,), options)
        require_script(sliced)
        if verification.test:
            require_function(repository.path, sliced)
        written = verification.cases
        if written:  # whatever is wrong with the file itself is reported before anything runs
            with suppress(NotInSliceError):  # a later slice may contain more
                read_cases(written, repository, sliced)
        stage("looking for a sandbox")
        part = None
        if model is not None:
            from ..model.model_session import ModelPart

            part = ModelPart.of(model, report)
        means = _Means(wait_for_choice(), part, report, ends=ends)
        with seldom():
            if verification.test:
                # record: the calls that the repository's own tests make of the target
                recorded = _recorded(
                    repository, sliced, options, verification, means.choice, report
                )
                means = replace(means, recorded=recorded)
                # slice again: with the classes of recorded values, and the constructors of
                # classes that the target tests for, since cases construct them
                sliced, options = with_recorded(repository, target, sliced, options, recorded.calls)
                sliced, options = with_constructors(repository, target, sliced, options)
                # and again: with methods that fill an instance, since cases call them
                sliced, options = with_mutators(repository, target, sliced, options)
            # cases: the hand-written calls of the target
            cases = read_cases(written, repository, sliced) if written else ()
            return _run(repository, sliced, cases, options, verification, means)


def _recorded(
    repository: Repository,
    sliced: Slice,
    options: Options | None,
    verification: Verification,
    choice: Choice,
    report: Callable[[str], None],
) -> Evidence:
    from .recording.repository_calls import recording_of

    distributions = options.distributions if options else ()
    found = recording_of(
        repository, choice, installs=verification.installs, distributions=distributions
    )
    near = tuple(dict.fromkeys(d.path for d in sliced.manifest.definitions))
    target = sliced.manifest.targets[0]
    report(found.summary(target, near))
    return found.evidence(target, near)


_SEARCHING = 0.5
"""Share of the remaining time for the search for cases; the rest is for later passes."""


@dataclass(frozen=True, slots=True)
class _Means:
    """The resources for the work on a target."""

    choice: Choice
    model: ModelPart | None
    report: Callable[[str], None]
    recorded: Evidence | None = None
    """Calls of the target that the repository's own tests make."""
    mendings: int = 3
    """How often the slice may still be repaired with what ran in its repository."""
    ends: float = math.inf
    """Deadline of the whole work, in the time of `time.monotonic`."""

    @property
    def search_ends(self) -> float:
        """Return the deadline of a search that begins now, which leaves time for later passes."""
        now = time.monotonic()
        return now + _SEARCHING * max(0.0, self.ends - now)

    def uses_model_stage(self, stage: str) -> bool:
        """Whether a model is used in this stage."""
        return self.model is not None and stage in self.model.client.settings.stages


def _run(
    repository: Repository,
    sliced: Slice,
    cases: tuple[Case, ...],
    options: Options | None,
    verification: Verification,
    means: _Means,
) -> Compiled:
    """Run the passes that execute code; they restart if the slice is repaired.

    Args:
        repository: the target's repository.
        sliced: its slice.
        cases: hand-written calls of the target.
        options: options of the slice.
        verification: options of the verification.
        means: resources for the work.
    """
    from ...verifier.output.exporter import RecordedCase
    from ...verifier.scoring.oracle.stability import seeded
    from ...verifier.script.own_caches import unwatched_labels
    from ...verifier.search.exploration import Budget
    from ..places.repository_origin import origin_of
    from .case_synthesis import format_search, named, synthesised
    from .cases.test_scripts import written_tests
    from .checks import Thresholds, verify
    from .record_fields import environment_record
    from .recording.repository_runs import RepositoryRuns
    from .rejection_reasons import has_no_discriminating_case, why_not

    # provision: an interpreter with the slice's imports, as of its commit
    origin = origin_of(repository.path)
    choice, report = means.choice, means.report
    sliced, options, place = _provided(
        repository, sliced, origin, cases, options, verification, means
    )
    for line in place.lines():
        report(line)
    first = _first_cases(repository, sliced, cases, verification)
    place = _preloaded(sliced, place, first, means)
    # repair: add definitions that ran in the repository and change the cases' outcome
    in_place = RepositoryRuns(repository, sliced, origin, place, choice, verification.installs)
    again = partial(_repaired, in_place, cases, options, verification, means)
    made = again(first, None)
    if made is not None:
        return made
    # synthesise: search for further cases
    synthesis = None
    hidden: tuple[Case, ...] = ()
    if verification.test:
        sources = _draft_sources(repository, sliced, options, place, verification, means)
        budget = Budget(ends=means.search_ends)
        # verification under other hash seeds starts during the search for hidden cases
        ahead = partial(choice.expect, seeded(place.profile))
        synthesis = synthesised(
            repository, sliced, choice, place.profile, sources, budget, found_some=ahead
        )
        report(format_search(synthesis))
        # fill: replace inferred values of stand-ins that are in the way
        if means.uses_model_stage("answers"):
            sliced, synthesis = _with_model_values(
                repository, sliced, synthesis, options, place, verification, means
            )
        cases = (*cases, *named(synthesis.cases, used_names=[case.name for case in cases]))
        hidden = synthesis.hidden
    # verify: same trees, runs alone, same observations each time and in the repository itself,
    # branches taken, mutants killed
    least = Thresholds(
        verification.min_branches,
        verification.min_killed,
        verification.min_unseen,
        echoes=verification.test,
    )
    verified = verify(
        repository.path, sliced, cases, least, choice, place.profile,
        hidden=hidden, in_place=partial(in_place, sliced=sliced),
        unwatched=unwatched_labels(repository, sliced.manifest.targets[0]),
    )  # fmt: skip
    made = again(*verified.unlike)
    if made is not None:
        return made
    # write: tests for people, with the cases that pass without this tool
    recorded = verified.oracle.recorded if verified.oracle else ()
    seen = [RecordedCase(each.case, each.observation) for each in recorded]
    tests = written_tests(sliced, seen, choice, place.profile, report)
    # record: everything that a scorer and a writer of candidates need
    reasons = why_not(sliced, synthesis, verified)
    environment = None
    if not has_no_discriminating_case(reasons):
        environment = environment_record(
            repository, origin, sliced, verified, place, tests, reasons, model=means.model,
            recorded=means.recorded, synthesis=synthesis,
        )  # fmt: skip
    if means.model:
        report(means.model.format_account())
    return Compiled(
        sliced, verified, place, synthesis, reasons, environment, tests["eval_script"], means.model
    )


def _first_cases(
    repository: Repository, sliced: Slice, cases: tuple[Case, ...], verification: Verification
) -> tuple[Case, ...]:
    """Return the calls to try before a search: the hand-written ones, and the likeliest."""
    from .case_synthesis import first_cases

    return (*cases, *first_cases(repository, sliced)) if verification.test else cases


def _preloaded(
    sliced: Slice, provision: Provision, first: tuple[Case, ...], means: _Means
) -> Provision:
    """Return the place with an interpreter that has imported the slow modules."""
    from ..places.preloaded_modules import importable_preload, imported_by_calls

    later = partial(imported_by_calls, sliced, first[:1])
    profile = importable_preload(means.choice.make, sliced.manifest, provision.profile, later)
    return replace(provision, profile=profile)


def _repaired(
    in_place: RepositoryRuns,
    cases: tuple[Case, ...],
    options: Options | None,
    verification: Verification,
    means: _Means,
    tried: Sequence[Case],
    determinism: Determinism | None,
) -> Compiled | None:
    """Run all passes again with definitions that the repository showed to be missing; `None` if
    there are none.

    Args:
        in_place: runs cases in the repository.
        cases: hand-written calls of the target.
        options: options of the slice.
        verification: options of the verification.
        means: resources for the work.
        tried: calls of the target in which both are compared.
        determinism: determinism of their runs; by default clocks and entropy stand still.
    """
    from ...verifier.scoring.oracle.oracle_recording import STILL
    from .recording.observed_repair import repair_slice

    if not (tried and means.mendings):
        return None
    found = repair_slice(in_place, tried, options or Options(), determinism or STILL)
    if found is None:
        return None
    new_options, sliced = found
    for each in sliced.manifest.observed:
        means.report(f"observed in the repository: {each.path}:{each.first_line}: {each.qualname}")
    fewer = replace(means, mendings=means.mendings - 1)
    return _run(in_place.repository, sliced, cases, new_options, verification, fewer)


def _provided(
    repository: Repository,
    sliced: Slice,
    origin: Origin,
    cases: tuple[Case, ...],
    options: Options | None,
    verification: Verification,
    means: _Means,
) -> tuple[Slice, Options | None, Provision]:
    """Return the slice and options without uninstallable distributions, and where it runs."""
    from ..places.missing_imports import Trial
    from ..places.script_environment import current_interpreter, provision_verbose

    if not verification.installs:
        return sliced, options, current_interpreter(sliced.manifest)
    targets = tuple(map(str, sliced.manifest.targets))

    def placed(sliced: Slice) -> Provision:
        tried = _first_cases(repository, sliced, cases, verification)
        trial = Trial(sliced, tried, means.choice.make)
        return provision_verbose(
            repository, sliced.manifest, origin, trial.errors, means.report, trial.failing_imports
        )

    place = placed(sliced)
    # name: other distributions, if the ones tried do not provide the imported modules
    if means.uses_model_stage("distributions"):
        from ..model.model_distributions import with_distributions

        base = options or Options()

        def again(distributions: Mapping[str, str], not_installable: Sequence[str]) -> Provision:
            named = replace(base, distributions=(*base.distributions, *distributions.items()))
            return placed(
                compile_slice(repository, targets, _also_stubbing(named, not_installable))
            )

        assert means.model is not None
        error_of = Trial(sliced, (), means.choice.make).import_error
        found = with_distributions(repository, sliced, origin, place, means.model, again, error_of)
        if found:
            options = replace(base, distributions=(*base.distributions, *found))
            sliced = compile_slice(repository, targets, options)
            place = placed(sliced)
    # stand-ins: mock again, without distributions that cannot be installed
    while place.not_installable:
        options = _also_stubbing(options, place.not_installable)
        stubbed = compile_slice(repository, targets, options)
        if stubbed.source == sliced.source:
            break
        means.report(f"stubbed, as it cannot be had: {', '.join(place.not_installable)}")
        sliced, place = stubbed, placed(stubbed)
    return sliced, options, place


def _draft_sources(
    repository: Repository,
    sliced: Slice,
    options: Options | None,
    provision: Provision,
    verification: Verification,
    means: _Means,
) -> DraftSources:
    """Return further draft sources (solver, recorded calls, model) for a stalled search."""
    from ...verifier.evidence.recordings.diverse_calls import diverse
    from ...verifier.evidence.recordings.likely_invariants import domain_of
    from ...verifier.inputs.argument_pools import inputs_of
    from ...verifier.search.corpus.draft_sources import DraftSources
    from ...verifier.search.strategies.recorded_test_calls import recorded_drafts
    from ..places.repository_origin import origin_of
    from .solver_runs import Solver

    origin = origin_of(repository.path)
    installs, choice = verification.installs, means.choice
    recorded = means.recorded.calls if means.recorded else ()
    inputs_of_target = inputs_of(repository, sliced)
    drafts = (
        recorded_drafts(diverse(recorded), repository, sliced, inputs_of_target)
        if inputs_of_target
        else ()
    )

    domain = domain_of(recorded)

    def called() -> Sequence[Draft]:
        return drafts

    solver = Solver(repository, sliced, origin, provision, choice, installs, means.report)
    solved = solver.drafts if verification.search == "crosshair" else None
    if means.model is None:
        return DraftSources(called, domain, solved)
    from ..model.model_rivals import ModelRivals
    from ..model.model_tests import ModelTests, RunTests

    def package() -> Slice:
        packaged = replace(options or Options(), emit="package")
        return compile_slice(repository, tuple(map(str, sliced.manifest.targets)), packaged)

    inputs = means.model.inputs(sliced) if means.uses_model_stage("inputs") else None
    rivals = ModelRivals(means.model, sliced) if means.uses_model_stage("rivals") else None
    if not means.uses_model_stage("tests"):
        return DraftSources(called, domain, solved, inputs, rivals=rivals)
    runs = RunTests(repository, sliced, package, provision, choice)
    written = ModelTests(runs, means.model)

    def model_drafts(left: UnreachedGoals) -> Sequence[Draft]:
        return (inputs(left) if inputs else ()) or written.drafts(left)

    survived = partial(written.drafts, None)
    return DraftSources(called, domain, solved, model_drafts, survived, rivals)


def _with_model_values(
    repository: Repository,
    sliced: Slice,
    synthesis: Synthesis,
    options: Options | None,
    provision: Provision,
    verification: Verification,
    means: _Means,
) -> tuple[Slice, Synthesis]:
    """Return the slice and search with the model's values for stand-ins, if these reach more."""
    from ...verifier.search.exploration import Budget
    from ..model.model_answers import SearchedSlice, with_answers
    from .case_synthesis import format_search, synthesised

    assert means.model is not None
    targets = tuple(map(str, sliced.manifest.targets))
    base = options or Options()

    def again(values: Mapping[str, str]) -> SearchedSlice | None:
        changed = replace(base, variants=(*base.variants, *sorted(values.items())))
        other = compile_slice(repository, targets, changed)
        if other.source == sliced.source:
            return None
        sources = _draft_sources(repository, other, changed, provision, verification, means)
        budget = Budget(ends=means.search_ends)
        found = synthesised(repository, other, means.choice, provision.profile, sources, budget)
        means.report(f"with other stand-ins: {format_search(found)}")
        return SearchedSlice(other, found)

    first = SearchedSlice(sliced, synthesis)
    best = with_answers(repository.path, first, means.model, again)
    return best.sliced, best.synthesis


def compile_eval_script(
    repository: Repository,
    target: str,
    options: Options | None = None,
    executor: str | None = None,
    *,
    report: Callable[[str], None] = lambda _line: None,
    stage: Callable[[str], None] = lambda _stage: None,
) -> tuple[Slice, str | None]:
    """Return the slice of a target, and its eval script; nothing is installed, and nothing else
    checked.

    Args:
        repository: the target's repository.
        target: the target as `path::qualname`.
        options: options of the slice.
        executor: name of the executor; by default the first sandbox that works here.
        report: receives messages for people, line by line.
        stage: receives the name of each stage when it begins.

    Raises:
        SliceFuncError: something cannot be used, or no sandbox works.
    """
    from ...verifier.output.exporter import RecordedCase
    from ..places.preloaded_modules import importable_preload, imported_by_calls
    from ..places.script_environment import current_interpreter
    from ..record.reason_codes import needed
    from .accepted_targets import require_function, require_script
    from .case_synthesis import first_cases, format_search, synthesised
    from .cases.test_scripts import written_by

    with _executor_ahead(None, Verification(executor=executor), report, stage) as wait_for_choice:
        # slice
        stage("slicing")
        sliced = compile_slice(repository, (target,), options)
        require_script(sliced)
        require_function(repository.path, sliced)
        choice = wait_for_choice()
        # synthesise: search for further cases
        later = partial(imported_by_calls, sliced, first_cases(repository, sliced))
        at_once = current_interpreter(sliced.manifest).profile
        profile = importable_preload(choice.make, sliced.manifest, at_once, later)
        synthesis = synthesised(repository, sliced, choice, profile)
        is_missing = needed("", synthesis.failure) in ("missing_module", "missing_name")
        report(
            format_search(synthesis)
            + ("; --verify or --env installs what it needs" if is_missing else "")
        )
        if not synthesis.cases:
            return sliced, None
        # write
        pairs = zip(synthesis.cases, synthesis.observations, strict=True)
        written = written_by(
            "eval_script", sliced, [RecordedCase(*pair) for pair in pairs], choice, profile
        )
    for line in written.messages:
        report(line)
    return sliced, written.text


@contextmanager
def _executor_ahead(
    choice: Choice | None,
    verification: Verification,
    report: Callable[[str], None],
    stage: Callable[[str], None],
) -> Generator[Callable[[], Choice]]:
    """Look for an executor in the background; yield a function that waits for it.

    The function returns the given choice, or the first executor that works here. The executor stays
    warm until the block ends.
    """
    if choice is not None:
        yield lambda: choice
        return
    from concurrent.futures import ThreadPoolExecutor

    from ...verifier.execution.executors.choose_executor import choose, with_warm_executors
    from ...verifier.execution.executors.interface import Profile
    from .stage_progress import watched

    tried = Profile()
    with ExitStack() as ending, ThreadPoolExecutor(1, "choice") as thread:
        coming = thread.submit(choose, tried, wanted=verification.executor, keeps=True)
        # if slicing fails, the executor is not awaited, but closed all the same
        ending.callback(lambda: coming.exception() or coming.result().make().close())

        def found() -> Choice:
            chosen = coming.result()
            ending.pop_all()
            warm = ending.enter_context(with_warm_executors(chosen, tried))
            for line in chosen.lines():
                report(line)
            return watched(warm, stage)

        yield found


def _also_stubbing(options: Options | None, distributions: Sequence[str]) -> Options:
    """Return the options that also stub these distributions."""
    options = options or Options()
    return replace(options, stubs=tuple(dict.fromkeys((*options.stubs, *distributions))))
