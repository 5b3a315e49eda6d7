"""`score`: whether a new implementation does what the original does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from pydantic import Field

from ....llm.tools import Parameters, Tool, ToolInputError
from .workspace import Workspace

if TYPE_CHECKING:
    from ....verifier.scoring.verdict import Score


class ScoreParameters(Parameters):
    """A candidate, and the environment that scores it."""

    environment: str = Field(
        min_length=1,
        description="The name that make_environment returned, for example "
        "`shop/pricing.py::quote`.",
    )
    candidate: str = Field(
        min_length=1,
        max_length=1_000_000,
        description="The new implementation: the whole function definition with the same name, "
        "helpers and imports before it if needed; or its body alone; or an answer in Markdown with "
        "one code block.",
    )
    compare: Literal["default", "outcome", "strict"] = Field(
        default="default",
        description="What must agree. `outcome`: results, exceptions' classes, changed state and "
        "effects; `strict`: messages, logs and printed text too.",
    )


def answer(workspace: Workspace, given: ScoreParameters) -> str:
    """Return the verdict, the counts, and the first difference in a shown case."""
    from ....verifier.scoring.candidates.candidate_text import MAX_CHARACTERS
    from ....verifier.scoring.score import Candidate
    from ...places.environment_scorer import ScoreOptions, scorer_of

    if len(given.candidate) > MAX_CHARACTERS:
        raise ToolInputError(
            f"the candidate has {len(given.candidate)} characters", f"send at most {MAX_CHARACTERS}"
        )
    folder, environment = workspace.environment(given.environment)
    options = ScoreOptions(
        None if given.compare == "default" else given.compare, executor=workspace.options.executor
    )
    with scorer_of(folder, environment, options, workspace.options.report) as scorer:
        (score,) = scorer.score_all([Candidate("candidate", given.candidate)])
    return "\n".join(_lines(score))


def _lines(score: Score) -> list[str]:
    reward = "none: nothing is known about the candidate" if score.reward is None else score.reward
    lines = [f"verdict: {score.verdict}", f"reward: {reward}"]
    lines.append(f"shown cases that agree: {score.cases_passed} of {score.cases}")
    if score.verdict == "failed" and score.cases_passed == score.cases:
        lines.append("a hidden case differs")
    if score.reason:
        lines.append(f"reason: {score.reason}")
    if score.first_difference is not None:
        difference = score.first_difference
        lines += [
            f"first difference: {difference.case}, in {difference.where}",
            f"expected: {difference.expected}",
            f"observed: {difference.observed}",
        ]
    return lines


SCORE: Tool[Workspace] = Tool(
    "score",
    "Score an implementation",
    "Run a new implementation of a function against an environment, in a sandbox, and learn "
    "whether it does what the original does: a verdict (passed, failed, error, timeout, unsafe, "
    "infrastructure), how many shown cases agree, and the first difference. Hidden cases count too "
    "and are not told. Make the environment with make_environment first.",
    ScoreParameters,
    answer,
)
