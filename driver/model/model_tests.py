"""Running tests that a model writes, as a source of drafts for a target.

Only the calls that a test makes of the target are used. The test runs in the sandbox, beside the
slice as a package, with the original under both names. The calls are recorded as those of a
repository's own tests are, and become drafts like all others.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, cast

from ...llm.checks.recorded_values import values_only
from ...llm.errors import ModelServiceError
from ...llm.stages.written_tests import (
    ENTRY,
    NEW,
    UntestedFunction,
    UnusableTestError,
    again_request,
    written_file,
    written_request,
)
from ...slicer.errors import SliceFuncError
from ...verifier.errors import SandboxError
from ...verifier.execution.executors.interface import Job, Suite
from ...verifier.inputs.argument_pools import inputs_of
from ...verifier.scoring.oracle.oracle_recording import STILL
from ...verifier.search.drafts.drafts import case_of, first_draft
from ...verifier.search.strategies.recorded_test_calls import LIMITS, called
from ..record.reader_context import context_of
from ..record.shown_target import MOST_MISSING, format_uncovered, numbered_target

if TYPE_CHECKING:
    from ...llm.client.questions import Request
    from ...llm.stages.written_tests import WrittenTest
    from ...slicer import Repository
    from ...slicer.model import Slice
    from ...verifier.execution.executors.choose_executor import Choice
    from ...verifier.execution.executors.interface import Outcome
    from ...verifier.inputs.argument_pools import Inputs
    from ...verifier.mutation.mutants import MutantRecord
    from ...verifier.search.corpus.draft_sources import UnreachedGoals
    from ...verifier.search.drafts.drafts import Draft
    from ..places.script_environment import Provision
    from .model_session import ModelPart

_FILE = "test_slice_func_written.py"
_SCRIPT = "slice_func_calls.py"
"""Name of the empty script; no file of a repository has it."""
_MOCKS = "slice_func_mocks"
"""The module of a package that is imported before all others, if there is one."""
_MOST_CALLS = 40
_SECONDS = 5.0
"""Time limit of the test."""
_DEFINED = re.compile(r"\b(?:def|class)\s+(\w+)")
_LONGEST = 600
"""Maximum number of characters of a reported exception."""


@dataclass(frozen=True, slots=True)
class ModelTestResult:
    """The result of running a test."""

    drafts: tuple[Draft, ...] = ()
    noted: int = 0
    """Number of distinct calls of the target, whether or not they can be written in full."""
    problem: str = ""
    """Why it did not finish, on one line; empty if it did."""


@dataclass(frozen=True, slots=True)
class RunTests:
    """Runs tests of a slice's target that a model has written."""

    repository: Repository
    sliced: Slice
    """The slice as a script, which the drafts are for."""
    package: Callable[[], Slice]
    """Makes the same slice as a package."""
    place: Provision
    choice: Choice

    def ran(self, test: WrittenTest) -> ModelTestResult:
        """Run a test, and record the calls that it makes."""
        inputs = inputs_of(self.repository, self.sliced)
        if inputs is None:
            return ModelTestResult(problem="the target is no function")
        try:
            job = self._job(test)
        except (UnusableTestError, SliceFuncError) as error:
            return ModelTestResult(problem=str(error))
        executor = self.choice.make()
        try:
            executor.start(self.place.profile)
            outcome = executor.run(job)
        except SandboxError as error:
            return ModelTestResult(problem=str(error))
        finally:
            executor.close()
        calls = tuple(self._values(outcome.records))
        noted = replace(outcome, records=calls)
        drafts = called(noted, self.repository, self.sliced, inputs)
        return ModelTestResult(drafts, len(calls), _problem(outcome))

    def _job(self, test: WrittenTest) -> Job:
        """Return the job for a test, beside the package.

        Raises:
            UnusableTestError: the text is no usable test.
        """
        files = tuple((file.path, file.content) for file in self.package().files)
        target = self.sliced.manifest.targets[0]
        code = tuple(path for path, _ in files if path.endswith(".py"))
        module = self.repository.module_name(target.path)
        others = [self.repository.module_name(path) for path in code if self._has(path)]
        mocks = [_MOCKS] if f"{_MOCKS}.py" in code else []
        text = written_file(test, module, target.qualname, others, mocks)
        suite = Suite(
            self._roots(),
            (f"{_FILE}::{ENTRY}",),
            target.path,
            target.qualname,
            code,
            most=_MOST_CALLS,
            most_alike=_MOST_CALLS,
            seconds=_SECONDS,
        )
        return Job(
            "",
            task="calls",
            name=_SCRIPT,
            files=(*files, (_FILE, text.encode())),
            suite=suite,
            determinism=STILL,
            limits=LIMITS,
        )

    def _has(self, path: str) -> bool:
        return self.repository.is_file(path)

    def _roots(self) -> tuple[str, ...]:
        """Return the folder in which the target's module is found, and its further import roots."""
        path = self.sliced.manifest.targets[0].path
        depth = len(self.repository.module_name(path).split("."))
        parts = path.removesuffix(".py").removesuffix("/__init__").split("/")
        own = "/".join(parts[: len(parts) - depth])
        return tuple(dict.fromkeys((own, *self.repository.import_roots(path), "")))

    def _values(self, records: Sequence[str]) -> Iterator[str]:
        """Yield the records of calls, reduced to plain values."""
        defined = frozenset(_DEFINED.findall(self.sliced.source))
        for text in records:
            record = _record(text)
            call = values_only(record.get("call"), defined) if "call" in record else None
            if call is not None:
                yield json.dumps({"kind": "call", "call": call})


@dataclass(frozen=True, slots=True)
class _Turn:
    """A question, the answer, and its outcome."""

    request: Request[WrittenTest]
    answer: str
    came: str
    is_last: bool = False
    """Whether another question is useless."""


@dataclass(frozen=True, slots=True)
class ModelTests:
    """Tests of a slice's target that a model writes, as often as the settings allow."""

    tests: RunTests
    model: ModelPart
    turns: list[_Turn] = field(default_factory=list[_Turn])

    def drafts(
        self, left: UnreachedGoals | None = None, survivors: Sequence[MutantRecord] = ()
    ) -> tuple[Draft, ...]:
        """Return the calls of its next test; empty if it has no more.

        Args:
            left: what no call has covered, if known.
            survivors: mutants of the target that no call kills.
        """
        inputs = inputs_of(self.tests.repository, self.tests.sliced)
        while inputs is not None and self._may_continue():
            found = self._next_drafts(inputs, "\n".join(_missing(left, survivors)))
            if found:
                return found
        return ()

    def _may_continue(self) -> bool:
        is_over = bool(self.turns) and self.turns[-1].is_last
        is_tired = len(self.turns) >= self.model.client.settings.tries
        return not (is_over or is_tired or self.model.failures)

    def _next_drafts(self, inputs: Inputs, missing: str) -> tuple[Draft, ...]:
        """Return the drafts of one more answer."""
        request = self._request(inputs, missing)
        try:
            answer = self.model.client.ask(request, self.model.account)
        except ModelServiceError as error:  # earlier results are kept
            self.model.failures.append(str(error))
            return ()
        if answer.value is None:
            self.model.report(f"the model writes no test: {answer.problem}: {answer.detail}")
            came = f"The answer cannot be used: {answer.detail}"
            self.turns.append(_Turn(request, answer.text, came, answer.problem != "malformed"))
            return ()
        ran = self.tests.ran(answer.value)
        self.turns.append(_Turn(request, answer.text, _outcome_text(ran)))
        return ran.drafts

    def _request(self, inputs: Inputs, missing: str) -> Request[WrittenTest]:
        """Return the question, or the same one again with the outcome of the last answer."""
        settings = self.model.client.settings
        if self.turns:
            last = self.turns[-1]
            return again_request(last.request, last.answer, last.came, missing, settings)
        return written_request(self._untested(inputs, missing), settings)

    def _untested(self, inputs: Inputs, missing: str) -> UntestedFunction:
        sliced = self.tests.sliced
        target = sliced.manifest.targets[0]
        return UntestedFunction(
            "\n".join(numbered_target(self.tests.repository.path, sliced, inputs.qualname)),
            context_of(sliced.source, target.path, sliced.manifest.data_files),
            "\n".join(_call_lines(inputs)),
            missing,
            f"tests of {target.qualname}",
        )


def _record(text: str) -> dict[str, object]:
    """Return a record from the sandbox; empty if the text is none."""
    try:
        found: object = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return cast("dict[str, object]", found) if isinstance(found, dict) else {}


def _problem(outcome: Outcome) -> str:
    """Return why a test did not finish."""
    records = [_record(text) for text in outcome.records]
    for record in records:
        match record:
            case {"kind": "error", "text": str() as text}:
                return " ".join(text.split())[:_LONGEST]
            case _:
                pass
    if outcome.end == "infrastructure":
        return f"the sandbox failed: {outcome.detail}"
    if {"kind": "end"} not in records:
        return f"the process ended before the test: {outcome.detail or 'it was made to'}"
    return ""


def _outcome_text(ran: ModelTestResult) -> str:
    """Return the report on its test for a model."""
    calls = f"{ran.noted} different call{'s' * (ran.noted != 1)}"
    called = f"It called the function with {calls}." if ran.noted else "It made no call."
    return f"{called}\nIt did not come to its end: {ran.problem}" if ran.problem else called


def _call_lines(inputs: Inputs) -> Iterator[str]:
    """Yield the names of the versions and the test, and an example of a call."""
    name = inputs.qualname.rpartition(".")[2]
    yield f"The function is {inputs.qualname}."
    if name.endswith("__"):
        yield "There is no other version that could be called: make calls of the function alone."
    elif inputs.kind == "function" and "." not in inputs.qualname:
        yield f"The other version is the function {name}{NEW}, with the same parameters."
    else:
        yield f"The other version is {inputs.qualname}{NEW}, in the same class, used alike."
    yield f"The test is the function test_{name}, without parameters."
    yield f"An example:\n\n{case_of(inputs, first_draft(inputs), 'example').code.rstrip()}"


def _missing(left: UnreachedGoals | None, survivors: Sequence[MutantRecord]) -> Iterator[str]:
    """Yield what is not covered, as far as it is known."""
    if left is not None:
        yield from format_uncovered(left.coverage)
    for made in survivors[:MOST_MISSING]:
        yield f"calls that would show this change: {made}"
