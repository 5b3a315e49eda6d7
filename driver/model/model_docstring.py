"""A docstring that a model writes for a target; it is checked, and marked as generated."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...llm.errors import ModelServiceError
from ...llm.stages.target_docstrings import (
    UndocumentedFunction,
    docstring_again_request,
    docstring_request,
    faults,
)
from ..record.reader_context import context_of
from ..record.shown_target import target_text

if TYPE_CHECKING:
    from pathlib import Path

    from ...slicer.model import Slice
    from .model_session import ModelPart


def written_docstring(
    folder: Path, sliced: Slice, signature: str, docstring: str | None, model: ModelPart
) -> str | None:
    """Return a docstring that does not leak the body; `None` if the model writes none.

    Args:
        folder: the repository.
        sliced: its slice.
        signature: the target's signature.
        docstring: its present docstring.
        model: the model to ask.

    Raises:
        OptionError: a prompt of the user's cannot be used.
    """
    (target, *_) = sliced.manifest.targets
    function = target_text(folder, sliced)
    context = context_of(sliced.source, target.path, sliced.manifest.data_files)
    purpose = f"docstring of {target.qualname}"
    settings = model.client.settings
    description = UndocumentedFunction(function, context, signature, docstring, purpose)
    question = docstring_request(description, settings)
    wrong: tuple[str, ...] = ()
    for _ in range(settings.tries if not model.failures else 0):
        try:
            answer = model.client.ask(question, model.account)
        except ModelServiceError as error:  # earlier results are kept
            model.failures.append(str(error))
            return None
        if answer.problem not in (None, "malformed"):
            wrong = (f"{answer.problem}: {answer.detail}",)
            break
        written = answer.value.docstring.strip() if answer.value else ""
        wrong = faults(written, function) if answer.value else (answer.detail,)
        if not wrong:
            return written
        question = docstring_again_request(question, answer.text, wrong, settings)
    if wrong:
        model.report(f"the model writes no docstring that can be used: {'; '.join(wrong)}"[:300])
    return None
