"""Exceptions of the language model's part."""

from __future__ import annotations

from ..slicer.errors import SliceFuncError


class ModelServiceError(SliceFuncError):
    """The service rejects all requests: because of the key, the model's name or the address."""

    exit_status = 4
    advice = "look at the key, the model's name and the address; --llm-replay asks nobody"
