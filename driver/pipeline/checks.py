"""The checks of `--verify`: each has a name, whether it passed, and what was observed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path

from ...slicer.model import Slice
from ...verifier.errors import SandboxError
from ...verifier.evidence.faithfulness import Faithfulness
from ...verifier.execution.batched_trials import Trial
from ...verifier.execution.executors.choose_executor import Choice
from ...verifier.execution.executors.interface import (
    Case,
    Determinism,
    Executor,
    Job,
    Limits,
    Outcome,
    Profile,
)
from ...verifier.mutation.case_strength import MutationScore, strength
from ...verifier.mutation.mutated_block import block_of
from ...verifier.observation.values.python_literals import answers
from ...verifier.same_code.ast_equivalence import Equivalence, equivalence
from ...verifier.scoring.leaks.file_masks import masked, masks_of
from ...verifier.scoring.leaks.original_reach import original_of, view_of
from ...verifier.scoring.oracle.oracle import (
    Oracle,
    Rejection,
    complete_run,
    decoded_observation,
    named,
)
from ...verifier.scoring.oracle.oracle_recording import record_stable
from ...verifier.scoring.rewrites.wording_checks import reworded, without_wording_cases
from ...verifier.scoring.score import Candidate, Scorer
from ...verifier.script.branch_coverage import Arc, BranchCoverage, branch_coverage
from ...verifier.script.source_map import lines_of, original_text
from ...verifier.script.target_lines import TracedLines, target_definitions, traced_lines
from ..settings.cache_folders import index_folder


@dataclass(frozen=True, slots=True)
class Check:
    """One check of a slice."""

    name: str
    passed: bool
    detail: str
    is_skipped: bool = False
    """Whether it could not be made: then it neither fails nor passes."""

    def __str__(self) -> str:
        seen = "skipped" if self.is_skipped else "ok" if self.passed else "FAILED"
        return f"{seen}: {self.name}: {self.detail}"


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Minimum values for the cases, in per cent."""

    branches: int = 80
    """Minimum share of the target's branches that the cases take."""
    killed: int = 80
    """Minimum share of its mutants that the cases kill."""
    unseen: int = 80
    """Minimum share of the mutants that no case was made for that the cases kill."""
    echoes: bool = False
    """Whether a candidate that only echoes an answer must fail; one written case cannot
    ensure it.
    """


@dataclass(frozen=True, slots=True)
class HiddenCases:
    """The numbers of hidden cases given and kept, and why others were left out."""

    given: int
    kept: int
    left_out: tuple[tuple[str, int], ...]
    """Code → number, sorted by code."""


@dataclass(frozen=True, slots=True)
class Verified:
    """All checks, with the measurements made for them."""

    checks: tuple[Check, ...]
    equal: Equivalence
    oracle: Oracle | None = None
    rejections: tuple[Rejection, ...] = ()
    coverage: tuple[BranchCoverage, ...] = ()
    strength: MutationScore | None = None
    """The mutation score of the cases."""
    hidden: HiddenCases | None = None
    """The outcome for the hidden cases, if any were given."""
    faithful: Faithfulness | None = None
    """The comparison with the repository itself."""

    @property
    def passed(self) -> bool:
        """Whether every check passed."""
        return all(check.passed for check in self.checks)

    @property
    def unlike(self) -> tuple[tuple[Case, ...], Determinism | None]:
        """Return the cases in which the repository differs, and their runs' determinism."""
        if self.oracle is None or self.faithful is None:
            return (), None
        names = {each.case for each in self.faithful.unlike}
        cases = tuple(each.case for each in self.oracle.every if each.case.name in names)
        return cases, self.oracle.determinism

    @property
    def branch_share(self) -> float | None:
        """Share of the target's branches that the cases took, or of its lines without any."""
        return _share(self.coverage) if self.coverage else None


def verify(  # noqa: PLR0913 - hidden cases and the repository are given by name
    folder: Path,
    sliced: Slice,
    cases: Sequence[Case],
    least: Thresholds,
    choice: Choice,
    profile: Profile,
    *,
    hidden: Sequence[Case] = (),
    in_place: Callable[[Oracle], Faithfulness] | None = None,
    unwatched: tuple[str, ...] = (),
) -> Verified:
    """Run all checks that are possible for a slice, with cases or without.

    Args:
        folder: the repository.
        sliced: its slice, as one script.
        cases: calls of the target.
        least: thresholds for the cases.
        choice: the executor.
        profile: the interpreter of the runs.
        hidden: further calls of the target, for verdicts alone, the most important first.
        in_place: runs the cases in the repository itself, and compares.
        unwatched: globals that are not observed.

    Raises:
        SandboxError: the sandbox fails.
    """
    executor = choice.make()
    executor.start(profile)
    run = _Running(executor, choice.make, profile, in_place, Determinism(unwatched=unwatched))
    try:
        equal = equivalence(folder, sliced)
        known = (*_equality(equal), _runs(run, sliced))
        if not cases:
            return Verified(known, equal)
        found = _with_cases(folder, sliced, cases, _with_neutral_names(hidden, cases), least, run)
    finally:
        executor.close()
    return replace(found, checks=(*known, *found.checks), equal=equal)


@dataclass(frozen=True, slots=True)
class _Running:
    """A started executor, and a way to make others like it."""

    executor: Executor
    make: Callable[[], Executor]
    profile: Profile
    in_place: Callable[[Oracle], Faithfulness] | None
    determinism: Determinism

    def __call__(self, job: Job) -> Outcome:
        """Run a job; a failure of the sandbox is an exception, and never a failed check."""
        outcome = self.executor.run(job)
        if outcome.end == "infrastructure":
            raise SandboxError.of(outcome.detail)
        return outcome


def _equality(equal: Equivalence) -> Iterator[Check]:
    different = equal.different
    shown = _first_items(different)
    yield Check("target's AST", equal.ast_equal, shown or "the repository's own")
    number = _counted(len(equal.definitions), "definition")
    detail = shown if different else f"{number}, the repository's own"
    yield Check("AST of what is kept", equal.dependencies_equal, detail)


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'s' * (number != 1)}"


def _runs(run: _Running, sliced: Slice) -> Check:
    outcome = run(Job(sliced.source, limits=Limits(cpu_seconds=60, wall_seconds=60)))
    if outcome.end == "exited" and not outcome.exit_status:
        return Check("runs alone", True, f"in {outcome.wall_seconds * 1000:.0f} ms")
    last = outcome.stderr.decode("utf-8", "replace").strip().splitlines()
    reason = outcome.detail or (last[-1] if last else f"status {outcome.exit_status}")
    return Check("runs alone", False, reason)


def _with_neutral_names(hidden: Sequence[Case], cases: Sequence[Case]) -> tuple[Case, ...]:
    """Return the hidden cases under neutral names that no other case has."""
    taken = {case.name for case in cases}
    free = (name for n in count(1) if (name := f"hidden_{n}") not in taken)
    return tuple(case.renamed(name) for case, name in zip(hidden, free, strict=False))


def _with_cases(
    folder: Path,
    sliced: Slice,
    cases: Sequence[Case],
    hidden: Sequence[Case],
    least: Thresholds,
    run: _Running,
) -> Verified:
    (target, *_) = sliced.manifest.targets
    limits = Limits()
    same = run.determinism
    bare = Oracle(sliced.source, target.path, target.qualname, (), determinism=same)
    own = _own_texts(folder, sliced)
    blocks = [block_of(each, bare.qualname) for each in traced_lines(folder, sliced)[:1]]
    with ThreadPoolExecutor(1, "words") as thread:  # in parallel with the runs in the sandbox
        others = [thread.submit(reworded, block) for block in blocks]
        oracle, rejections = record_stable(
            run, run.make, run.profile, bare, cases, limits, hidden=hidden
        )
        for block, other in zip(blocks, others, strict=True):
            texts = (other.result(), own[1:])
            oracle, worded = without_wording_cases(run, oracle, block, *texts, limits)
            rejections = (*rejections, *worded)
    shown = tuple(each for each in rejections if not each.is_hidden)
    # a search finds further cases; unstable ones are left out
    is_searched = bool(hidden and oracle.recorded)
    excused = {"unstable"} if is_searched else set[str]()
    rejected = tuple(e for e in shown if not (e.is_excused or e.code in excused))
    detail = f"{len(oracle.recorded)} of {len(cases)} observed"
    if hidden:
        slow = sum(each.is_hidden and each.code == "too_slow" for each in rejections)
        too_slow = f" ({slow} take too long)" if slow else ""
        detail += f", {len(oracle.hidden)} of {len(hidden)} hidden ones{too_slow}"
    if oracle.determinism.clock is not None:
        detail += ", while clocks and entropy stand still"
    if oracle.is_isolated:
        detail += ", one process each because they influence each other"
    detail += "".join(f"; {each.case or 'script'}: {each.detail}" for each in shown)
    checks = [Check("cases", not rejected, detail)]
    hidden_summary = _hidden_cases(hidden, oracle, rejections)
    none = Verified(tuple(checks), Equivalence((), ()), oracle, rejected, hidden=hidden_summary)
    if not oracle.recorded:
        return none
    with ThreadPoolExecutor(1, "in-place") as thread:
        # the run in the repository and the checks below are independent
        seen_there = thread.submit(run.in_place, oracle) if run.in_place else None
        oracle, passes = _hide_original(folder, own, oracle, run)
        covered = list(_coverage(folder, sliced, oracle, run))
        # if branches define the function, those for other platforms are never called
        covered = [each for each in covered if each.branches.is_called] or covered
        found = _strength(covered[:1], oracle, run, least)
        in_place = seen_there.result() if seen_there else None
    if in_place is not None:
        none = replace(none, faithful=in_place)
        is_skipped = not in_place.compared
        checks.append(Check("faithful", not in_place.unlike, str(in_place), is_skipped))
    checks.extend(passes)
    none = replace(none, oracle=oracle)
    coverage = tuple(each.branches for each in covered)
    share = _share(coverage) * 100
    missing = _first_items([each for found in coverage for each in found.missing])
    seen = f"{share:.0f} % of the target's branches" + (f"; {missing}" if missing else "")
    checks.append(Check("branch coverage", share >= least.branches, seen))
    checks.extend(_strength_check(found, least))
    return replace(none, checks=tuple(checks), coverage=coverage, strength=found)


def _hidden_cases(
    given: Sequence[Case], oracle: Oracle, rejections: Sequence[Rejection]
) -> HiddenCases | None:
    codes = Counter(each.code for each in rejections if each.is_hidden)
    left_out = tuple(sorted(codes.items()))
    return HiddenCases(len(given), len(oracle.hidden), left_out) if given else None


@dataclass(frozen=True, slots=True)
class _Covered:
    """Coverage of one text of the target by the cases."""

    traced: TracedLines
    branches: BranchCoverage
    arcs: tuple[frozenset[Arc], ...] | None
    """The arcs of each case, in the order of the cases; `None` if all ran together."""


def _strength(
    blocks: Sequence[_Covered], oracle: Oracle, run: _Running, least: Thresholds
) -> MutationScore | None:
    """Return the mutation score of the cases; `None` if the target has no mutable text."""
    for covered in blocks:
        traced = covered.traced
        trial = _trial(oracle, run, traced)
        cases = [each.case for each in oracle.every]
        block = block_of(traced, oracle.qualname)
        echoed = oracle.recorded[:_ECHOED] if least.echoes else ()
        seen = [decoded_observation(each.observation) for each in echoed]
        given = tuple(text for each in seen for text in answers(each))
        at = traced.offset  # the line number is that of the repository's file
        unrun = [line - at for line in covered.branches.missing_lines]
        found = strength(
            trial, cases, block, given,
            unrun=unrun, arcs=covered.arcs,
        )  # fmt: skip
        moved = tuple(replace(each, line=each.line + at) for each in found.survived)
        return replace(found, survived=moved)
    return None


_ECHOED = 4
"""Number of cases whose answers are tried as answers of every case."""


def _first_items(found: Sequence[object]) -> str:
    """Return the first items as text, and the number of the others."""
    more = (f"and {len(found) - _SHOWN} more",) if len(found) > _SHOWN else ()
    return "; ".join((*map(str, found[:_SHOWN]), *more))


def _survivors_text(found: Sequence[object]) -> str:
    """Return the surviving mutants as text, with a note on where all are listed."""
    where = " (all: metrics.mutants.survived in environment.json)" if len(found) > _SHOWN else ""
    return _first_items(found) + where


_SHOWN = 3
"""Number of items that a line lists before it counts the others."""


def _strength_check(found: MutationScore | None, least: Thresholds) -> Iterator[Check]:
    if found is not None and found.failure:
        yield Check("mutants killed", False, found.failure)
        return
    if found is None or found.rate is None:
        return
    seen = f"{found.killed} of {found.mutants}"
    if found.survived:
        seen += f"; alive: {_survivors_text(found.survived)}"
    yield Check("mutants killed", found.rate * 100 >= least.killed, seen)
    if found.unseen_rate is not None:
        yield _unseen_check(found, found.unseen_rate, least.unseen)
    passing = ", ".join(found.cheap)
    yield Check(
        "cheap solutions", not found.cheap, f"pass: {passing}" if passing else "none passes"
    )


def _unseen_check(found: MutationScore, rate: float, least: int) -> Check:
    """Return the check on mutants without a case made for them; of few, one would decide."""
    seen = f"{found.unseen_killed} of {found.unseen}"
    if found.unseen_survived:
        seen += f"; alive: {_survivors_text(found.unseen_survived)}"
    if not found.has_enough_unseen:
        seen += "; too few to judge by, they count among all mutants alone"
    return Check("unseen mutants killed", rate * 100 >= least or not found.has_enough_unseen, seen)


def _own_texts(folder: Path, sliced: Slice) -> tuple[str, ...]:
    """Return the target's definitions as the repository has them."""
    (target, *_) = sliced.manifest.targets
    text = original_text(folder / target.path)
    lines = lines_of(text)
    found = target_definitions(text, sliced.manifest, target)
    return tuple("\n".join([*lines[d.first_line - 1 : d.last_line], ""]) for d in found)


def _hide_original(
    folder: Path, own: Sequence[str], oracle: Oracle, run: _Running
) -> tuple[Oracle, tuple[Check, Check]]:
    """Hide the original wherever candidates could read it, unless the script's imports need it.

    Returns:
        The oracle with the hidden names, the check that the target's own text passes as a
        candidate then, and the check that the original cannot be read.
    """
    text = original_text(folder / oracle.path)
    original = original_of(oracle.path, oracle.qualname, text, own)
    copies = tuple(view_of(run.profile, index_folder()).copies(original))
    for names in masks_of(run.profile, oracle.path, copies):
        passes = _original_passes("".join(own), oracle, run, masked(run.profile, names))
        if passes.passed:
            detail = f"hidden from candidates: {_first_items(names)}"
            hidden = replace(oracle, masked=names)
            return hidden, (passes, Check("original out of reach", True, detail))
    passes = _original_passes("".join(own), oracle, run, run.profile)
    detail = "it is nowhere where candidates run"
    if copies:
        found = _first_items([str(each) for each in copies])
        detail = f"candidates can read it, and what the slice imports needs that: {found}"
    return oracle, (passes, Check("original out of reach", not copies, detail))


def _original_passes(text: str, oracle: Oracle, run: _Running, profile: Profile) -> Check:
    """Return the check that the target's own text passes as a candidate."""
    run.executor.close()  # the scorer can then use a warm one
    try:
        with Scorer(oracle, make=run.make, profile=profile, tells_hidden=True) as scorer:
            score = scorer.score(Candidate("original", text))
    except SandboxError:
        if profile == run.profile:
            raise
        return Check("original as a candidate", False, "the sandbox needs what is hidden")
    finally:
        run.executor.start(run.profile)
    if score.verdict == "infrastructure":
        raise SandboxError.of(score.reason)
    detail = score.reason or f"{score.cases_passed} of {score.cases} cases"
    if score.hidden and score.hidden_passed is not None:
        detail += f", {score.hidden_passed} of {score.hidden} hidden ones"
    return Check("original as a candidate", score.verdict == "passed", f"{score.verdict}, {detail}")


def _trial(oracle: Oracle, run: _Running, traced: TracedLines) -> Trial:
    span = (traced.first, traced.last)
    return Trial(
        run, oracle.script, oracle.qualname, span, traced.file, oracle.determinism,
        is_isolated=oracle.is_isolated,
    )  # fmt: skip


def _coverage(folder: Path, sliced: Slice, oracle: Oracle, run: _Running) -> Iterator[_Covered]:
    for traced in traced_lines(folder, sliced):
        each = _arcs_of_each(oracle, run, traced)
        every = (
            frozenset[Arc]().union(*each)
            if each is not None
            else _arcs_together(oracle, run, traced)
        )
        found = branch_coverage(traced.text, traced.first, traced.last, every, offset=traced.offset)
        yield _Covered(traced, found, each)


def _arcs_of_each(
    oracle: Oracle, run: _Running, traced: TracedLines
) -> tuple[frozenset[Arc], ...] | None:
    """Return the arcs of each case; `None` if one needs much time."""
    tried = _trial(oracle, run, traced).cases([each.case for each in oracle.every]).tried
    return tuple(each.arcs for each in tried) if all(each.observation for each in tried) else None


def _arcs_together(oracle: Oracle, run: _Running, traced: TracedLines) -> frozenset[Arc]:
    cases = [each.case for each in oracle.every]
    job = replace(
        oracle.job(oracle.script, cases, Limits(cpu_seconds=30, wall_seconds=30)),
        trace=(traced.first, traced.last),
        trace_file=traced.file,
    )
    names = [case.name for case in cases]
    return _arcs(named(run(job), names), names)


def _arcs(outcome: Outcome, names: Sequence[str]) -> frozenset[Arc]:
    found = complete_run(outcome, names, has_arcs=True)
    return frozenset() if isinstance(found, str) else found.arcs or frozenset()


def _share(coverage: Sequence[BranchCoverage]) -> float:
    branches = sum(found.branches for found in coverage)
    if branches:
        return sum(found.taken for found in coverage) / branches
    lines = sum(found.lines for found in coverage)
    missing = sum(len(found.missing_lines) for found in coverage)
    return 1 - missing / lines if lines else float(any(found.is_called for found in coverage))
