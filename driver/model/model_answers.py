"""Replacement values for stand-ins, requested from a model where the inferred values are in the
way.

Missing settings modules and packages that cannot be installed are stubbed, and services are
answered in the process. The slice knows where it takes data from these stand-ins. Replacement
values make another slice, which is searched like the first and accepted only if the search reaches
more.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...llm.stages.second_questions import retry_question
from ...llm.stages.stand_in_answers import AnswerGap, answers_request, checked_answers
from ..record.reader_context import context_of
from ..record.shown_target import format_uncovered, numbered_target

if TYPE_CHECKING:
    from pathlib import Path

    from ...llm.client.questions import Answer
    from ...llm.stages.stand_in_answers import StandIns
    from ...slicer.model import Slice
    from ...verifier.search.corpus.search_result import Synthesis
    from .model_session import ModelPart


@dataclass(frozen=True, slots=True)
class SearchedSlice:
    """A slice, with the result of a search for cases on it."""

    sliced: Slice
    synthesis: Synthesis

    @property
    def is_whole(self) -> bool:
        """Whether everything is covered."""
        found = self.synthesis.coverage
        return (
            not self.synthesis.failure
            and found is not None
            and not (found.missing or found.missing_lines)
        )

    @property
    def quality(self) -> tuple[bool, float]:
        """Return a sort key for the quality: having cases, then branch coverage."""
        found = self.synthesis.coverage
        return bool(self.synthesis.cases), found.share if found else 0.0


def places_of(sliced: Slice) -> dict[str, str]:
    """Return the places that supply data, with their values; empty values are unknown."""
    return dict(pair for mock in sliced.manifest.mocks for pair in mock.answers)


def with_answers(
    folder: Path,
    first: SearchedSlice,
    model: ModelPart,
    again: Callable[[Mapping[str, str]], SearchedSlice | None],
) -> SearchedSlice:
    """Return the best of the first slice and those with the model's values.

    Args:
        folder: the repository.
        first: the slice and search without a model.
        model: the model to ask.
        again: slices and searches with other values at some places; `None` if they change nothing.

    Raises:
        OptionError: a prompt of the user's cannot be used.
    """
    places, settings = places_of(first.sliced), model.client.settings
    best = first
    if first.is_whole or not places:
        return best
    question = answers_request(_gap(folder, first, places), settings)
    for _ in range(settings.tries):
        answer = model.ask(question)
        if answer is None or answer.problem not in (None, "malformed"):
            break
        values, faults = _values(answer, places)
        found = again(values) if values else None
        if found is not None and found.quality > best.quality:
            best = found
        if best.is_whole:
            break
        came = "\n".join(_left(found)) if found is not None else "nothing else than before"
        question = retry_question(question, answer.text, (*faults, came), settings)
    return best


def _values(
    answer: Answer[StandIns], places: Mapping[str, str]
) -> tuple[dict[str, str], tuple[str, ...]]:
    if answer.value is None:
        return {}, (f"it cannot be read: {answer.detail}",)
    return checked_answers(answer.value, places)


def _gap(folder: Path, found: SearchedSlice, places: Mapping[str, str]) -> AnswerGap:
    (target, *_) = found.sliced.manifest.targets
    numbered = numbered_target(folder, found.sliced, target.qualname)
    context = context_of(found.sliced.source, target.path, found.sliced.manifest.data_files)
    missing = "\n".join(_left(found))
    purpose = f"stand-ins of {target.qualname}"
    return AnswerGap("\n".join(numbered), context, places, missing, purpose)


def _left(found: SearchedSlice) -> Iterator[str]:
    """Yield what is not covered, as lines for a model."""
    if found.synthesis.failure:
        yield found.synthesis.failure
    yield from format_uncovered(found.synthesis.coverage)
