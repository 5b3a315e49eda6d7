"""The columns of a run's table: one row a sample, with all that tables and trainers read."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Round:
    """One try of a sample, as the shown and the hidden cases judge it."""

    verdict: str
    passed: int
    """Number of shown cases that pass."""
    hidden_passed: int
    is_final: bool
    """Whether this is the answer that counts."""


@dataclass(frozen=True, slots=True)
class SampleRow:
    """One sample: what one agent has made of one environment, once."""

    environment: str
    """Id of the environment."""
    sample: int
    """Number of the sample, from 0 on."""
    repo: str
    path: str
    qualname: str
    families: tuple[str, ...]
    """Mock families of the environment."""
    lines: int
    """Lines of the original definition."""
    dependencies: int
    """Functions and classes of the repository that the slice holds beside the target."""
    files: int
    """Files of the repository that the slice has code of."""
    messages: str
    """JSON: the conversations, each a list of messages in the chat format, with tool calls; an
    assistant's message that was tried out has a `verdict`."""
    completion: str
    """The answer that was scored."""
    code: str
    """The code in it."""
    verdict: str
    reward: float
    cases_passed: int
    cases: int
    hidden_passed: int
    hidden: int
    reason: str
    rounds: tuple[Round, ...]
    """Every try, in order."""
    exact_match: bool
    edit_similarity: float
    codebleu: float
    context_tokens: int
    """Estimated tokens of the context in the first question."""
    context_cut: int
    """Estimated tokens that the budget cut from it."""
    requests: int
    """Requests to the model, stored ones included."""
    input_tokens: int
    output_tokens: int
    cost: float
    """USD; what stored answers took when they were paid for counts."""
    seconds: float
    """Time of the model's answers."""

    @property
    def is_passed(self) -> bool:
        """Whether the candidate behaves as the original in all cases."""
        return self.verdict == "passed"

    @property
    def test_rate(self) -> float:
        """Return the share of all cases that pass."""
        return (self.cases_passed + self.hidden_passed) / max(1, self.cases + self.hidden)
