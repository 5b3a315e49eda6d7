"""Exceptions of the language model's part."""

from __future__ import annotations

from ..slicer.errors import SliceFuncError


class ModelServiceError(SliceFuncError):
    """The service rejects all requests: because of the key, the model's name or the address."""

    exit_status = 4
    advice = "look at the key, the model's name and the address; --llm-replay asks nobody"


class NoAnswerError(SliceFuncError):
    """A question without an answer: the service fails, the budget is used up, or nothing is stored.

    It says nothing of the model, so what was asked for counts as not done.
    """

    exit_status = 4
    advice = "go on with --resume"
