"""Ask a second time after an answer was refused."""

from __future__ import annotations

from collections.abc import Sequence

from ..client.model_settings import Settings
from ..client.questions import AnswerT, Request
from ..prompts.prompts import question


def retry_question(
    request: Request[AnswerT], answer: str, faults: Sequence[str], settings: Settings
) -> Request[AnswerT]:
    """Return the same question, with the reasons why the answer was refused.

    Raises:
        OptionError: a prompt of the user's cannot be used.
    """
    known = "".join(message.text for message in request.messages) + answer
    parts = {"faults": "\n".join(faults)}
    return request.after(answer, question("refused", parts, settings.prompts, context=known))
