"""RepoST's pipeline, for comparison: a model performs nearly every step, on this project's executor
and checks.

As published (arXiv 2503.07358, sections 2.2 to 2.4), the model puts the function and its
dependencies into one script. It writes a test that compares two versions, and repairs what fails
when a copy of the function is the second version. It adds calls for missed lines, and says whether
function and test are sound. A draft that fails a sanity check is requested again. In the paper the
model also runs commands that install packages; here the environment builder does this, and installs
only what an import of the script needs.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from ...llm.client.questions import Answer, AnswerT, Request
from ...llm.stages import repost_questions as ask
from ...llm.stages.second_questions import retry_question
from ...slicer.errors import NotSupportedError, SliceFuncError
from ...slicer.repo.target_paths import walk_definitions
from ...verifier.execution.batched_trials import Trial
from ...verifier.execution.executors.interface import Case
from ...verifier.mutation.case_strength import MutationScore, strength
from ...verifier.mutation.mutated_block import block_of
from ...verifier.same_code.aggregated_scripts import AggregatedVerdicts, Kind, compared
from ...verifier.same_code.sanity_checks import CANDIDATE_SUFFIX
from ...verifier.script.branch_coverage import Arc, BranchCoverage, branch_coverage
from ...verifier.script.module_statements import first_line_of
from ...verifier.script.source_map import lines_of
from ...verifier.script.target_lines import TracedLines
from ..model.model_session import ModelPart
from ..record.reader_context import context_of
from ..record.shown_target import format_uncovered, target_text
from .repost_result import RepostResult, Stage
from .repost_rules import Rules

if TYPE_CHECKING:
    from pathlib import Path

    from ...llm.client.client import Client
    from ...slicer import Repository
    from ...slicer.model import Slice
    from .repost_place import RepostPlace

ROUNDS = 3
"""Maximum number of times that a script is repaired, and that calls are added to its test."""
_TEST_SECONDS = 30.0
_LONGEST_ERROR = 4_000
"""Maximum number of characters of an error's end that are shown."""
_EXCLUDED = re.compile(r"#\s*pragma\s*:\s*no\s*(?:cover|branch)", re.IGNORECASE)
"""Comments that would exclude lines from the coverage."""
_SAME: frozenset[Kind] = frozenset({"same", "docstring", "annotations"})
"""Results of the comparison of syntax trees that mean the same function."""


_ODD = (SyntaxError, ValueError, TypeError, RecursionError, MemoryError)
"""Exceptions that the analysis of an odd script may raise."""


class _EndedError(Exception):
    """The pipeline cannot go on; the failing stage is the last one."""


def compile_repost(
    repository: Repository,
    sliced: Slice,
    *,
    client: Client,
    place: RepostPlace,
    rounds: int = ROUNDS,
    report: Callable[[str], None] = lambda _line: None,
    stage: Callable[[str], None] = lambda _stage: None,
) -> RepostResult:
    """Run the pipeline on the target of a slice.

    Args:
        repository: the target's repository.
        sliced: its slice as one script, without mocks, which the model sees.
        client: client of the model.
        place: where scripts run.
        rounds: maximum number of repairs of a script, and of additions to its test.
        report: receives messages for people.
        stage: receives the name of each stage when it begins.

    Raises:
        NotSupportedError: the target is no function.
    """
    (target, *_) = sliced.manifest.targets
    original = target_text(repository.path, sliced)
    if not original:
        raise NotSupportedError(
            f"{target} is no function: --pipeline repost takes one", "name a function or a method"
        )
    context = context_of(sliced.source, target.path)
    rules = Rules(target.path, target.qualname, original, context)
    model = ModelPart.of(client, report)
    run = _Run(repository.path, sliced, rules, model, place, rounds, stage)
    error: SliceFuncError | None = None
    try:
        run.all_stages()
    except _EndedError:
        pass
    except SliceFuncError as failed:  # an error of the service, the installer or the sandbox
        error = failed
        run.end("what it needs to run", 1, str(failed))
    except _ODD as failed:
        run.end("a script that cannot be worked on", 1, f"{type(failed).__name__}: {failed}")
    return RepostResult(
        sliced, run.script or None, tuple(run.stages), run.aggregated, run.coverage, run.strength,
        model, error,
    )  # fmt: skip


@dataclass(slots=True)
class _Run:
    folder: Path
    sliced: Slice
    rules: Rules
    model: ModelPart
    place: RepostPlace
    rounds: int
    at: Callable[[str], None]
    stages: list[Stage] = field(default_factory=list[Stage])
    plain: str = ""
    """The script without a test."""
    script: str = ""
    aggregated: AggregatedVerdicts | None = None
    coverage: BranchCoverage | None = None
    strength: MutationScore | None = None

    def all_stages(self) -> None:
        """Run all stages, from aggregation to the last checks, until one fails finally."""
        self._aggregate()
        self._write_tests()
        self._execute()
        self._cover()
        self._compare()
        self._judge_tests()
        self._count_mutants()

    def end(self, name: str, rounds: int, detail: str) -> None:
        """Record the stage that cannot be passed."""
        self.stages.append(Stage(name, False, rounds, detail))

    @property
    def _qualname(self) -> str:
        return self.sliced.manifest.targets[0].qualname

    def _tested_faults(self, tested: str) -> list[str]:
        return self.rules.faults_of_tested(self.plain, tested)

    def _purpose(self, what: str) -> str:
        return f"{what} of {self._qualname}"

    # -------------------------------------------------------------------- stages

    def _aggregate(self) -> None:
        self.at("aggregating")
        settings = self.model.client.settings
        question = ask.aggregation(
            self._qualname, self.rules.original, self.rules.context, settings,
            self._purpose("aggregation"),
        )  # fmt: skip
        draft, rounds = self._draft("aggregate", question, self.rules.faults)
        self.plain = self.script = draft.script
        self.stages.append(Stage("aggregate", True, rounds, f"{_lines(self.plain)} lines"))

    def _write_tests(self) -> None:
        self.at("writing tests")
        question = ask.tests(
            self._qualname, self.plain, self.model.client.settings, self._purpose("tests")
        )
        draft, rounds = self._draft("tests", question, self._tested_faults)
        self.script = draft.script
        self.stages.append(Stage("tests", True, rounds, f"{_lines(self.script)} lines"))

    def _execute(self) -> None:
        for number in range(1, self.rounds + 2):
            self.at("running the script")
            error = self.place.error(self.rules.filled(self.script))
            if not error:
                detail = "passes with a copy of the function as the second version"
                self.stages.append(Stage("execute", True, number, detail))
                return
            if number > self.rounds:
                self.end("execute", number, error.strip().splitlines()[-1])
                raise _EndedError
            question = ask.debugging(
                self._qualname, self.script, error[-_LONGEST_ERROR:], self.model.client.settings,
                self._purpose("debugging"),
            )  # fmt: skip
            draft, _ = self._draft("execute", question, self._tested_faults)
            self.script = draft.script

    def _cover(self) -> None:
        """Measure coverage, and add calls for what is missing; working versions are kept."""
        self.coverage = self._covered(self.script)
        done = 1
        question = self._missing_question(self.coverage)
        while (self.coverage.missing or self.coverage.missing_lines) and done <= self.rounds:
            self.at("adding calls for what is missing")
            done += 1
            answer, _ = self._answer(question, self._tested_faults)
            if answer.value is None:
                break
            text = answer.value.script
            self.place.add_imports(text, answer.value.packages)
            error = self.place.error(self.rules.filled(text))
            found = self.coverage if error else self._covered(text)
            if found.share > self.coverage.share:
                self.script, self.coverage = text, found
                question = self._missing_question(found)
            else:
                why = f"it fails:\n{error[-_LONGEST_ERROR:]}" if error else "it reaches no more"
                settings = self.model.client.settings
                question = retry_question(question, answer.text, [why], settings)
        detail = f"{self.coverage.share * 100:.0f} % of the target's branches"
        self.stages.append(Stage("coverage", self.coverage.is_called, done, detail))

    def _missing_question(self, coverage: BranchCoverage) -> Request[ask.Draft]:
        missing = "\n".join(format_uncovered(coverage))
        settings, purpose = self.model.client.settings, self._purpose("coverage")
        return ask.covering(self._qualname, self.script, missing, settings, purpose)

    def _compare(self) -> None:
        """Compare the function by syntax tree, and if these differ by the model's judgement."""
        self.aggregated = compared(self.folder, self.sliced, self.script)
        if self.aggregated.target in _SAME:
            self.stages.append(Stage("function", True, 1, "the repository's own"))
            return
        self.at("comparing the function")
        settings, purpose = self.model.client.settings, self._purpose("functionality")
        version = _text_of(self.script, self._qualname)
        question = ask.sameness(self._qualname, self.rules.original, version, settings, purpose)
        answer, rounds = self._answer(question)
        found = answer.value
        detail = f"differs: {found.verdict}: {found.why}" if found else _problem(answer)
        is_same = found is not None and found.verdict != "no"
        self.stages.append(Stage("function", is_same, rounds, detail))

    def _judge_tests(self) -> None:
        self.at("judging the tests")
        settings, purpose = self.model.client.settings, self._purpose("tests judged")
        answer, rounds = self._answer(ask.soundness(self._qualname, self.script, settings, purpose))
        found = answer.value
        doubts = found.doubts() if found else (_problem(answer),)
        detail = f"not so: {'; '.join(doubts)}" if doubts else "sound"
        self.stages.append(Stage("judgement of the tests", not doubts, rounds, detail))

    def _count_mutants(self) -> None:
        self.at("trying mutants")
        text, span = self._with_second_version(self.script)
        traced = TracedLines("", text, *span, 0, f"{self._qualname}{CANDIDATE_SUFFIX}")
        self.strength = strength(
            self._trial(text, span), [self._case], block_of(traced, traced.qualname)
        )

    # -------------------------------------------------------------------- drafts

    def _draft(
        self,
        name: str,
        question: Request[ask.Draft],
        faults: Callable[[str], Sequence[str]],
    ) -> tuple[ask.Draft, int]:
        answer, rounds = self._answer(question, faults)
        if answer.value is None:
            self.end(name, rounds, _problem(answer))
            raise _EndedError
        self.place.add_imports(answer.value.script, answer.value.packages)
        return answer.value, rounds

    def _answer(
        self,
        question: Request[AnswerT],
        faults: Callable[[str], Sequence[str]] = lambda _text: (),
    ) -> tuple[Answer[AnswerT], int]:
        """Return an answer without faults, after as many tries as the settings allow."""
        client, tries = self.model.client, self.model.client.settings.tries
        answer: Answer[AnswerT] = Answer(None, "unavailable", "nothing was asked")
        for number in range(1, tries + 1):
            answer = client.ask(question, self.model.account)
            if answer.problem not in (None, "malformed"):
                return answer, number
            wrong = [f"it cannot be read: {answer.detail}"] if answer.value is None else []
            if isinstance(answer.value, ask.Draft):
                wrong += faults(answer.value.script)
            if not wrong:
                return answer, number
            answer = replace(answer, value=None, problem="malformed", detail="; ".join(wrong))
            question = retry_question(question, answer.text, wrong, client.settings)
        return answer, tries

    # -------------------------------------------------------------------- running

    @property
    def _case(self) -> Case:
        return Case("case_all", f"def case_all():\n    {self.rules.test}()\n")

    def _with_second_version(self, script: str) -> tuple[str, tuple[int, int]]:
        """Return the script with the second version, and the lines of that version."""
        text = _EXCLUDED.sub("#", self.rules.filled(script))
        wanted = self._qualname + CANDIDATE_SUFFIX
        spans = [
            (first_line_of(node), node.end_lineno or node.lineno)
            for name, node in walk_definitions(ast.parse(text).body)
            if name == wanted
        ]
        return text, spans[-1] if spans else (1, 1)

    def _trial(self, text: str, span: tuple[int, int]) -> Trial:
        return Trial(self.place.run, text, self.rules.test, span, seconds=_TEST_SECONDS)

    def _covered(self, script: str) -> BranchCoverage:
        text, span = self._with_second_version(script)
        tried = self._trial(text, span).cases([self._case]).tried
        arcs = tried[0].arcs if tried else frozenset[Arc]()
        return branch_coverage(text, *span, arcs)


def _text_of(script: str, qualname: str) -> str:
    found = [node for name, node in walk_definitions(ast.parse(script).body) if name == qualname]
    lines = lines_of(script)
    return "\n".join(lines[first_line_of(found[-1]) - 1 : found[-1].end_lineno]) if found else ""


def _problem(answer: Answer[Any]) -> str:
    return f"{answer.problem}: {answer.detail}" if answer.problem else "no answer"


def _lines(text: str) -> int:
    return text.count("\n") + 1
