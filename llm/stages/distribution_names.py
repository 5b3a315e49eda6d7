"""The question about unknown imports: which distribution provides a module that could not be found.

No answer is trusted. A plain requirement is installed, and accepted only if it provides the module
and the import succeeds.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from pydantic import BaseModel

from ...slicer.syntax.requirement import normal, plain_requirement
from ..client.model_settings import Settings
from ..client.questions import Request
from ..prompts.prompts import bounded, messages

_MOST_SHOWN = 8_000
"""Maximum number of characters that describe the modules."""
_LONGEST = 200
"""Maximum number of characters of one requirement, and of a quotation from an answer."""


class Provider(BaseModel):
    """What provides one module."""

    module: str
    requirement: str


class Providers(BaseModel):
    """What a model answers."""

    distributions: list[Provider]


@dataclass(frozen=True, slots=True)
class DistributionGap:
    """The prompt's data on modules that could not be found."""

    modules: str
    """Each module with its import statements, the distribution tried, and the error."""
    date: str
    """Date of the commit; empty if unknown."""
    purpose: str


def distributions_request(gap: DistributionGap, settings: Settings) -> Request[Providers]:
    """Return the question for the distributions of modules.

    Raises:
        OptionError: a prompt of the user's cannot be used.
    """
    parts = {"modules": bounded(gap.modules, _MOST_SHOWN), "date": gap.date or "not known"}
    return Request(messages("distributions", parts, settings.prompts), Providers, gap.purpose)


def checked_distributions(
    answer: Providers, tried: Mapping[str, str], own: Collection[str]
) -> tuple[dict[str, str], tuple[str, ...]]:
    """Return module → normalised requirement for the usable entries, and the faults of the others.

    Args:
        answer: the answer of the model.
        tried: each module in question, with the distribution that was tried.
        own: normal names of the target's own distribution.
    """
    found: dict[str, str] = {}
    faults: list[str] = []
    for each in answer.distributions:
        requirement, fault = None, "it has too many characters"
        if len(each.requirement) <= _LONGEST:
            requirement, fault = plain_requirement(each.requirement)
        if each.module not in tried:
            fault = "nobody has asked for that module"
        elif each.module in found:
            fault = "there is another answer for it"
        elif requirement is not None and normal(requirement.name) == normal(tried[each.module]):
            fault = f"{requirement.name} is what was tried"
        elif requirement is not None and normal(requirement.name) in own:
            fault = f"{requirement.name} is the repository's own distribution"
        if requirement is None or fault:
            faults.append(f"{each.module[:_LONGEST]}: {fault}")
        else:
            found[each.module] = str(requirement)
    return found, tuple(faults)
