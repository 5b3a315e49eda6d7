"""A docstring for an environment's target, which a model writes: marked as such, and checked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..llm.docstrings import (
    Undocumented,
    docstring_again_request,
    docstring_request,
    faults,
)
from ..llm.errors import ModelServiceError
from ..verifier.held import lines_of, original_text
from ..verifier.targets import target_definitions
from .context import context_of

if TYPE_CHECKING:
    from pathlib import Path

    from ..slicer.model import Slice
    from .model_part import ModelPart


def written_docstring(
    folder: Path, sliced: Slice, signature: str, docstring: str | None, model: ModelPart
) -> str | None:
    """A docstring that does not give the body away; nothing where the model writes none.

    Args:
        folder: the repository.
        sliced: its slice.
        signature: of the target.
        docstring: the one that it has.
        model: who is asked.

    Raises:
        OptionError: a prompt of the user's cannot be used.
    """
    (target, *_) = sliced.manifest.targets
    function = _text(folder, sliced)
    context = context_of(sliced.source, target.path, sliced.manifest.data_files)
    purpose = f"docstring of {target.qualname}"
    settings = model.client.settings
    told = Undocumented(function, context, signature, docstring, purpose)
    question = docstring_request(told, settings)
    wrong: tuple[str, ...] = ()
    for _ in range(settings.tries if not model.failures else 0):
        try:
            answer = model.client.ask(question, model.account)
        except ModelServiceError as error:  # what was found without it is not lost
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
    model.tell(f"the model writes no docstring that can be used: {'; '.join(wrong)}"[:300])
    return None


def _text(folder: Path, sliced: Slice) -> str:
    """The target as it stands in the repository."""
    (target, *_) = sliced.manifest.targets
    text = original_text(folder / target.path)
    lines = lines_of(text)
    found = [
        "\n".join(lines[each.first_line - 1 : each.last_line])
        for each in target_definitions(text, sliced.manifest, target, overloads=False)
    ]
    return "\n".join(found) + "\n"
