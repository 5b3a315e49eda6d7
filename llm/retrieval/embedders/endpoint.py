"""Vectors from a service with OpenAI's `/embeddings`."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ...errors import ModelServiceError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_BATCH = 64
_LONGEST = 16_000
"""Characters of a text that are sent."""


class EndpointEmbedder:
    """Asks a service for the vectors of texts."""

    def __init__(self, url: str, model: str) -> None:
        """Take the address, which ends with `/v1`, and the name of the model."""
        self.name = f"{url}#{model}"
        self._url = url
        self._model = model

    def fit(self, texts: Sequence[str]) -> None:
        """Learn nothing: the model is finished."""

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return a row of length 1 for each text.

        Raises:
            ModelServiceError: the service does not answer, or with something else.
        """
        import numpy as np
        import openai

        key = os.environ.get("OPENAI_API_KEY") or "none"
        rows: list[list[float]] = []
        with openai.OpenAI(api_key=key, base_url=self._url) as client:
            for start in range(0, len(texts), _BATCH):
                part = [text[:_LONGEST] or " " for text in texts[start : start + _BATCH]]
                try:
                    answer = client.embeddings.create(
                        model=self._model, input=part, encoding_format="float"
                    )
                except openai.APIError as error:
                    raise ModelServiceError(f"{self._url}: {type(error).__name__}") from None
                rows += [list(each.embedding) for each in answer.data]
        found = np.array(rows, dtype=np.float32).reshape(len(texts), -1)
        norms = np.linalg.norm(found, axis=1, keepdims=True)
        return found / np.where(norms == 0, 1, norms)
