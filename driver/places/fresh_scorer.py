"""Score candidates on fresh inputs: calls that no verdict has used.

    with FreshScorer(environment, seed=1) as fresh:
        found = fresh.check(text)  # found.answer is "refuted", "agrees" or "unknown"

An environment alone is enough: its record, its script and its cases. A candidate that passes all
cases and is refuted here has learned the cases, or exploits a gap between them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from types import TracebackType
from typing import Literal, Self

from ...slicer.errors import SliceFuncError
from ...verifier.execution.executors.choose_executor import choose
from ...verifier.execution.executors.executor_pool import Pool
from ...verifier.execution.executors.interface import Executor
from ...verifier.scoring.oracle.oracle import Oracle
from ...verifier.scoring.score import Candidate, Scorer
from ...verifier.scoring.substitute import template
from ...verifier.scoring.verdict import FirstDifference, Score
from ...verifier.search.fresh.fresh_oracle import COUNT, fresh_inputs
from ..record.environment_files import Environment, environment_of
from .environment_scorer import ScoreOptions, comparison_of, limits_of, scoring_profile
from .newer_scorer import python_for

Answer = Literal["refuted", "agrees", "unknown"]
"""refuted: it differs from the original on a fresh input; agrees: it differs on none; unknown: no
fresh inputs are possible, or the sandbox failed, or a run took too long."""


@dataclass(frozen=True, slots=True)
class FreshVerdict:
    """What fresh inputs say of a candidate."""

    answer: Answer
    inputs: int = 0
    """Number of fresh inputs that were asked."""
    code: str = ""
    """The first input on which it differs, as a case."""
    difference: FirstDifference | None = None
    """What differs there; `None` if its process did not come to an end."""
    reason: str = ""
    """Why it is refuted or unknown, in a few words."""


class FreshScorer:
    """Scores candidates of one environment on fresh inputs. Close it, or use it in a `with`.

    Inputs on which the original itself does not agree, put in as a candidate, are left out.
    """

    def __init__(
        self,
        environment: Environment,
        *,
        seed: int = 0,
        count: int = COUNT,
        options: ScoreOptions | None = None,
        make: Callable[[], Executor] | None = None,
        folder: Path | None = None,
    ) -> None:
        """Make the inputs; `why_not` says why there are none.

        Args:
            environment: as it was read.
            seed: decides which inputs there are.
            count: how many inputs at most.
            options: how candidates are run and compared.
            make: makes executors; by default the best that works here.
            folder: what candidates must not read: where the environment lies.
        """
        options = options or ScoreOptions()
        self._folder = folder
        self.environment = environment
        self.seed = seed
        self.why_not = ""
        """Why there are no fresh inputs; empty if there are."""
        self.oracle: Oracle | None = None
        """The environment's oracle with the fresh inputs as its cases."""
        self._scorer: Scorer | None = None
        try:
            self._prepare(options, count, make)
        except SliceFuncError as error:
            self.why_not = error.problem
        except ValueError as error:  # the original's records, or a case that does not parse
            self.why_not = f"its behaviour cannot be read: {error}"

    def check(self, text: str) -> FreshVerdict:
        """Return what fresh inputs say of a candidate's text. Thread-safe.

        A refutation is found twice, so that chance and a busy machine refute nobody.
        """
        if self._scorer is None or self.oracle is None:
            return FreshVerdict("unknown", reason=self.why_not)
        found = self._scored(self._scorer, text)
        if found.answer == "refuted":
            again = self._scored(self._scorer, text)
            if again.answer != "refuted":
                return replace(again, answer="unknown", reason="two runs differ")
        return found

    def close(self) -> None:
        """End the sandboxes."""
        if self._scorer is not None:
            self._scorer.close()

    def _prepare(
        self, options: ScoreOptions, count: int, make: Callable[[], Executor] | None
    ) -> None:
        if python_for(self.environment) is not None:
            self.why_not = f"it needs Python {self.environment.python}"
            return
        profile = scoring_profile(self.environment, self._folder)
        make = make or choose(profile, wanted=options.executor).make
        oracle, limits = self.environment.oracle, limits_of(options)
        with Pool(make, 1, profile) as pool:
            found = fresh_inputs(
                pool.run, make, profile, oracle, seed=self.seed, count=count, limits=limits
            )
        self.why_not = found.why_not
        original = template(oracle.script, oracle.path, oracle.qualname, oracle.imports).original
        inputs: Oracle | None = found.oracle
        while inputs is not None:
            scorer = Scorer(
                inputs,
                jobs=options.jobs,
                comparison=comparison_of(self.environment, options),
                limits=limits,
                make=make,
                profile=profile,
            )
            score = scorer.score(Candidate("original", original))
            if score.verdict == "passed":
                self.oracle, self._scorer = inputs, scorer
                return
            scorer.close()
            first = score.first_difference
            if first is None or len(inputs.recorded) == 1:
                self.why_not = f"the original put in as a candidate is {score.verdict}"
                return
            left = tuple(
                each
                for at, each in enumerate(inputs.recorded, start=1)
                if f"case_{at}" != first.case
            )
            inputs = replace(inputs, recorded=left)

    def _scored(self, scorer: Scorer, text: str) -> FreshVerdict:
        assert self.oracle is not None
        score = scorer.score(Candidate("candidate", text))
        inputs = len(self.oracle.recorded)
        match score.verdict:
            case "passed":
                return FreshVerdict("agrees", inputs)
            case "infrastructure" | "timeout":
                return FreshVerdict("unknown", inputs, reason=f"{score.verdict}: {score.reason}")
            case _:
                return FreshVerdict(
                    "refuted",
                    inputs,
                    self._code_of(score),
                    score.first_difference,
                    f"{score.verdict}: {score.reason}",
                )

    def _code_of(self, score: Score) -> str:
        assert self.oracle is not None
        names = {f"case_{at}": e.case.code for at, e in enumerate(self.oracle.recorded, start=1)}
        return names.get(score.first_difference.case, "") if score.first_difference else ""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()


def fresh_environment(
    environment: Environment,
    *,
    seed: int = 0,
    count: int = COUNT,
    options: ScoreOptions | None = None,
    make: Callable[[], Executor] | None = None,
) -> Environment | None:
    """Return the environment with fresh inputs in place of its cases; `None` if there are none.

    It is scored as any other, has an id of its own, and says under `fresh` what it was made from.
    The same environment and seed give the same one.

    Args:
        environment: as it was read.
        seed: decides which inputs there are.
        count: how many inputs at most.
        options: how candidates are run and compared.
        make: makes executors; by default the best that works here.
    """
    with FreshScorer(environment, seed=seed, count=count, options=options, make=make) as fresh:
        if fresh.oracle is None:
            return None
        about = {**environment.record, "fresh": {"of": environment.record["id"], "seed": seed}}
        about.pop("id")
        lock = environment.record.get("lock")
        return environment_of(
            fresh.oracle, about, environment.files[lock] if lock else None, environment.preload
        )
