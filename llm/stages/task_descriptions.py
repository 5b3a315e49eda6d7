"""Questions for descriptions of what is to be written: of a class, and of a change.

Those of a class are RepoClassBench's (Deshpande et al., 2024, section 3): DETAILED names every
method with what it does, SKETCHY says only what the class is for.
"""

from __future__ import annotations

import re

from pydantic import BaseModel

from ..client.model_settings import Settings
from ..client.questions import Request
from ..prompts.prompts import bounded, messages


class ClassDescriptions(BaseModel):
    """What a model answers."""

    detailed: str
    sketchy: str


def descriptions_request(
    name: str, code: str, purpose: str, settings: Settings
) -> Request[ClassDescriptions]:
    """Return the question for descriptions of a class.

    Args:
        name: name of the class.
        code: its text.
        purpose: what the answer is for, for the account of costs.
        settings: of the model.

    Raises:
        OptionError: a prompt of the user's cannot be used.
    """
    prompt = messages("class_descriptions", {"name": name, "code": code}, settings.prompts)
    return Request(prompt, ClassDescriptions, purpose, most_tokens=3000)


class ChangeDescription(BaseModel):
    """What a model answers."""

    description: str


def change_request(
    message: str, diff: str, purpose: str, settings: Settings
) -> Request[ChangeDescription]:
    """Return the question for a description of a change, as an issue would have it.

    Args:
        message: message of the commit.
        diff: its diff, without tests.
        purpose: what the answer is for, for the account of costs.
        settings: of the model.

    Raises:
        OptionError: a prompt of the user's cannot be used.
    """
    parts = {"message": message, "diff": bounded(diff, _MOST_DIFF)}
    prompt = messages("change_description", parts, settings.prompts)
    return Request(prompt, ChangeDescription, purpose, most_tokens=2000)


def is_usable(text: str, code: str) -> bool:
    """Whether a description gives no line of the code but heads away, and says something."""
    lines = {" ".join(line.split()) for line in code.splitlines()}
    long = {line for line in lines if len(line) > _LONGEST_QUOTED and not _HEAD.match(line)}
    flat = " ".join(text.split())
    return len(flat) >= _SHORTEST and not any(line in flat for line in long)


_HEAD = re.compile(r"def |((public|protected|private) [^=;]*\{|(import|package) .*;)$")
"""Heads of functions and classes, imports: what a description may quote."""
_LONGEST_QUOTED = 30
_SHORTEST = 40
_MOST_DIFF = 24_000
"""Maximum number of characters of the diff; the prompt says that the rest is left out."""
