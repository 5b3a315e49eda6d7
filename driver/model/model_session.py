"""Model questions for calls that reach what the search has missed, and the resulting drafts.

The answers are drafts like all others: they are run on the original, kept only if they reach
something new, minimised, recorded, and checked like any other case.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ...llm.checks.allowed_code import Call, Signature, checked
from ...llm.client.answer_cache import Cache
from ...llm.client.client import Client
from ...llm.client.cost_account import Account, format_calls
from ...llm.errors import ModelServiceError
from ...llm.stages.uncovered_lines import MOST_CALLS, Calls, InputGap, again_request, inputs_request
from ...slicer.errors import OptionError
from ...verifier.inputs.statements import Statement
from ...verifier.observation.decode_records import decode_text
from ...verifier.observation.observation import Malformed
from ...verifier.observation.short_text import render
from ...verifier.search.drafts.drafts import Draft, case_of
from ..record.reader_context import context_of
from ..record.shown_target import format_uncovered
from ..settings.cache_folders import cache_folder

if TYPE_CHECKING:
    from ...llm.client.model_settings import Settings
    from ...llm.client.questions import Answer, AnswerT, Request, Usage
    from ...slicer.model import Slice
    from ...verifier.inputs.argument_pools import Inputs
    from ...verifier.search.corpus.draft_sources import UnreachedGoals
    from ...verifier.search.corpus.trial_result import TrialResult


def opened(settings: Settings, run: str | None = None) -> Client:
    """Return a client with the user's cache; `run` names the run, for processes that share a
    budget.

    Raises:
        OptionError: the cache cannot be used.
    """
    file = settings.cache or cache_folder() / "answers.sqlite"
    try:
        return Client(settings, Cache(file), run)
    except (OSError, sqlite3.Error) as error:
        raise OptionError(
            f"--llm-cache: {file}: {error}", "name another file with --llm-cache"
        ) from error


_DEFINED = re.compile(r"\b(?:def|class)\s+(\w+)")
_SHOWN = 4
"""Maximum number of calls whose outcome is reported to the model."""


@dataclass(frozen=True, slots=True)
class ModelPart:
    """The model's work for one target, with its cost."""

    client: Client
    account: Account
    report: Callable[[str], None]
    failures: list[str] = field(default_factory=list[str])
    """Why the service rejects all requests."""

    @classmethod
    def of(cls, client: Client, report: Callable[[str], None]) -> ModelPart:
        """Return the model part with an account of its own."""
        return cls(client, Account(client.settings.per_function), report)

    def ask(self, question: Request[AnswerT]) -> Answer[AnswerT] | None:
        """Return the answer; `None` if the service rejects all requests."""
        if self.failures:
            return None
        try:
            return self.client.ask(question, self.account)
        except ModelServiceError as error:  # earlier results are kept
            self.failures.append(str(error))
            return None

    def inputs(self, sliced: Slice) -> Callable[[UnreachedGoals], Sequence[Draft]]:
        """Return a function that asks for calls of a slice's target."""
        asking = _Inputs(self.client, self.account, sliced, self.report)

        def drafts(left: UnreachedGoals) -> Sequence[Draft]:
            try:
                return () if self.failures else asking.drafts(left)
            except ModelServiceError as error:  # earlier results are kept
                self.failures.append(str(error))
                return ()

        return drafts

    @property
    def calls(self) -> tuple[tuple[str, Usage], ...]:
        """Return the usage by purpose."""
        return tuple(sorted(self.account.by_purpose.items()))

    def to_json(self) -> dict[str, Any]:
        """Return the usage in total and by gap, and the failure if there is one."""
        gaps = {purpose: usage.to_json() for purpose, usage in self.calls}
        failure = {"failure": self.failures[0]} if self.failures else {}
        return {**self.account.total.to_json(), "gaps": gaps, **failure}

    def format_account(self) -> str:
        """Return the usage for people, on one line."""
        return format_calls(self.account)


@dataclass(slots=True)
class _Inputs:
    """Asks for calls of one slice's target, as often as the settings allow."""

    client: Client
    account: Account
    sliced: Slice
    report: Callable[[str], None]
    _attempts: int = 0
    _request: Request[Calls] | None = None
    _last_answer: str = ""
    """The last answer."""
    _refused: list[str] = field(default_factory=list[str])
    """Faults of its calls."""

    def drafts(self, left: UnreachedGoals) -> Sequence[Draft]:
        """Return calls that may reach what is not covered; empty if the model has no more."""
        while self._attempts < self.client.settings.tries:
            self._attempts += 1
            self._request = self._next(left)
            answer = self.client.ask(self._request, self.account)
            found = self._drafts(answer, left.inputs)
            if found:
                return found
            if answer.value is None:
                self.report(f"the model fills no gap: {answer.problem}: {answer.detail}")
            if answer.problem not in (None, "malformed"):
                break
        return ()

    def _next(self, left: UnreachedGoals) -> Request[Calls]:
        """Return the question, or the same one again with the outcome of the last answer."""
        if self._request is None:
            return inputs_request(self._gap(left), self.client.settings)
        came = "\n".join((*_endings(left.inputs, left.last), *self._refused))
        missing = "\n".join(format_uncovered(left.coverage))
        return again_request(self._request, self._last_answer, came, missing, self.client.settings)

    def _gap(self, left: UnreachedGoals) -> InputGap:
        (target, *_) = self.sliced.manifest.targets
        lines = [line.decode("utf-8", "replace") for line in left.block.lines]
        numbered = [f"{n:>5}  {line}" for n, line in enumerate(lines, left.block.first)]
        own = (d for d in self.sliced.manifest.definitions if d.qualname == target.qualname)
        offset = next((d.first_line - left.block.first for d in own if d.path == target.path), 0)
        missing = (str(each.line + offset) for each in left.coverage.missing)
        places = ", ".join(dict.fromkeys(missing))  # people know the repository's line numbers
        what = f"lines {places}" if left.coverage.is_called and places else "a first call"
        return InputGap(
            "\n".join(numbered),
            context_of(self.sliced.source, target.path, self.sliced.manifest.data_files),
            "\n".join(parameter_lines(left.inputs)),
            "\n".join(format_uncovered(left.coverage)),
            "\n".join(_endings(left.inputs, left.near)),
            f"inputs of {target.qualname}: {what}",
        )

    def _drafts(self, answer: Answer[Calls], inputs: Inputs) -> list[Draft]:
        self._last_answer = answer.text
        self._refused = []
        if answer.value is None:
            self._refused.append(f"The answer cannot be used: {answer.detail}")
            return []
        known = signature_of(self.sliced, inputs)
        found: list[Draft] = []
        for number, call in enumerate(answer.value.calls[:MOST_CALLS], 1):
            made, wrong = checked(call, known)
            if wrong:
                self._refused.append(f"Call {number} was not tried: {'; '.join(wrong)}.")
            else:
                found.append(draft_of(made, inputs))
        return found


def signature_of(sliced: Slice, inputs: Inputs) -> Signature:
    """Return the arguments that calls of the target take, and names they must not touch."""
    return Signature(
        tuple(pool.name for pool in inputs.pools),
        inputs.kind in ("method", "property"),
        frozenset(_DEFINED.findall(sliced.source)),
    )


def draft_of(call: Call, inputs: Inputs) -> Draft:
    """Return the draft for a call."""
    given = {argument.name: argument.value for argument in call.arguments}
    arguments = tuple((pool.name, given[pool.name]) for pool in inputs.pools if pool.name in given)
    receiver = call.receiver
    if inputs.kind == "constructor":
        receiver = inputs.receivers.texts[0]
    return Draft(receiver, arguments, tuple(map(Statement, call.before)))


def parameter_lines(inputs: Inputs) -> Iterator[str]:
    """Yield lines on the parameters, with likely values."""
    if inputs.kind in ("method", "property"):
        example = next(iter(inputs.receivers.texts), "")
        yield f"receiver: {example}" if example else "receiver: nothing is known to make one"
    for pool in inputs.pools:
        needed = "may be left out" if pool.is_optional else "must be given"
        example = f", for example {pool.texts[0]}" if pool.texts else ""
        kind = " (all further arguments, as a list)" if pool.how == "rest" else ""
        kind = " (a dictionary of further keywords)" if pool.how == "rest of keywords" else kind
        yield f"{pool.name}{kind}: {needed}{example}"
    if not inputs.pools:
        yield "no arguments"


def _endings(inputs: Inputs, trials: Sequence[TrialResult]) -> Iterator[str]:
    """Yield lines on calls, and how they ended."""
    for each in trials[:_SHOWN]:
        yield case_of(inputs, each.draft, "call").code.rstrip()
        yield f"# {_ending(each.trial.observation)}"


def _ending(observation: str) -> str:
    if not observation:
        return "did not end in time"
    found = decode_text(observation)
    if isinstance(found, Malformed):
        return "could not be observed"
    value = found.value if found.outcome == "returned" else found.exception
    return f"{found.outcome.replace('_', ' ')}: {render(value, found)}"
