"""The question for two descriptions of a class: one that says all, one that says little.

They are those of RepoClassBench (Deshpande et al., 2024, section 3): DETAILED names every method
with what it does, SKETCHY says only what the class is for.
"""

from __future__ import annotations

from pydantic import BaseModel

from ..client.model_settings import Settings
from ..client.questions import Request
from ..prompts.prompts import messages


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


def is_usable(text: str, code: str) -> bool:
    """Whether a description gives no line of the code away, and says something."""
    lines = {" ".join(line.split()) for line in code.splitlines()}
    long = {line for line in lines if len(line) > _LONGEST_QUOTED and not line.startswith("def ")}
    flat = " ".join(text.split())
    return len(flat) >= _SHORTEST and not any(line in flat for line in long)


_LONGEST_QUOTED = 30
_SHORTEST = 40
