"""Questions of RepoST's pipeline, in which a model performs nearly every step (arXiv 2503.07358).

Sections 2.2 to 2.4 of the paper and its appendix A define the questions; the wording is this
project's, in files that people can edit. The caller tests what an answer is worth.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from pydantic import BaseModel

from ..client.model_settings import Settings
from ..client.questions import AnswerT, Request
from ..prompts.prompts import bounded, messages

MOST_TOKENS = 12_000
"""Maximum number of tokens of an answer with a script."""
_MOST_CONTEXT = 60_000
"""Maximum number of characters of the context; the prompt says that the rest is left out."""


class Draft(BaseModel):
    """A whole script, and what has to be installed for it."""

    script: str
    packages: list[str]


class Sameness(BaseModel):
    """Whether a version of a function does the same as the original.

    `same`: nothing was changed that matters; `yes`: changed, but it serves the same purpose with
    the outside world replaced; `no`: it does something else.
    """

    verdict: Literal["same", "yes", "no"]
    why: str


class Soundness(BaseModel):
    """Whether a test is one that tells right implementations from wrong ones."""

    target_returns_or_changes_something: bool
    only_values_and_states_are_checked: bool
    passes_if_and_only_if_it_behaves_the_same: bool
    assertions_fit_the_function: bool
    tests_are_not_trivial: bool
    why: str

    def doubts(self) -> tuple[str, ...]:
        """The questions that were answered with no."""
        answers: Mapping[str, object] = dict(self)
        return tuple(name.replace("_", " ") for name, answer in answers.items() if answer is False)


def aggregation(
    qualname: str, function: str, context: str, settings: Settings, purpose: str
) -> Request[Draft]:
    """Return the question for one script with the function and its dependencies.

    Args:
        qualname: qualified name of the function.
        function: its text in the repository.
        context: its dependencies there.
        settings: settings of the model.
        purpose: the purpose that the call is counted under.

    Raises:
        OptionError: a prompt of the user's cannot be used.
    """
    parts = {"name": qualname, "function": function, "context": context}
    return _request("repost_aggregate", parts, settings, purpose, Draft)


def tests(qualname: str, script: str, settings: Settings, purpose: str) -> Request[Draft]:
    """Return the question for the script with a test that compares two versions of the function.

    Raises:
        OptionError: a prompt of the user's cannot be used.
    """
    parts = {**_names(qualname), "script": script}
    return _request("repost_tests", parts, settings, purpose, Draft)


def debugging(
    qualname: str, script: str, error: str, settings: Settings, purpose: str
) -> Request[Draft]:
    """Return the question for a repaired script, with the error of its last run.

    Raises:
        OptionError: a prompt of the user's cannot be used.
    """
    parts = {**_names(qualname), "script": script, "error": error}
    return _request("repost_debug", parts, settings, purpose, Draft)


def covering(
    qualname: str, script: str, missing: str, settings: Settings, purpose: str
) -> Request[Draft]:
    """Return the question for tests that cover more of the function.

    Raises:
        OptionError: a prompt of the user's cannot be used.
    """
    parts = {**_names(qualname), "script": script, "missing": missing}
    return _request("repost_cover", parts, settings, purpose, Draft)


def sameness(
    qualname: str, original: str, version: str, settings: Settings, purpose: str
) -> Request[Sameness]:
    """Return the question whether a version with a different syntax tree does the same.

    Raises:
        OptionError: a prompt of the user's cannot be used.
    """
    parts = {"name": qualname, "original": original, "version": version}
    return _request("repost_same", parts, settings, purpose, Sameness)


def soundness(qualname: str, script: str, settings: Settings, purpose: str) -> Request[Soundness]:
    """Return the questions about a finished test.

    Raises:
        OptionError: a prompt of the user's cannot be used.
    """
    parts = {**_names(qualname), "script": script}
    return _request("repost_sound", parts, settings, purpose, Soundness)


def _request(
    name: str, parts: Mapping[str, str], settings: Settings, purpose: str, form: type[AnswerT]
) -> Request[AnswerT]:
    shown = {key: bounded(text, _MOST_CONTEXT) for key, text in parts.items()}
    return Request(
        messages(name, shown, settings.prompts, rules="repost_rules"), form, purpose, MOST_TOKENS
    )


def _names(qualname: str) -> dict[str, str]:
    """Return the names of the function, its second version and its test."""
    short = qualname.rpartition(".")[2]
    return {"name": qualname, "short": short}
