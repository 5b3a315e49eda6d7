"""Vectors from a service with OpenAI's `/embeddings`."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Self

from ...errors import ModelServiceError
from .unit_rows import unit_rows

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

    def fitted(self, texts: Sequence[str]) -> Self:
        """Return itself: the model is finished."""
        return self

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return a row of length 1 for each text.

        Raises:
            ModelServiceError: the service does not answer, or with something else.
        """
        import numpy as np
        import openai

        if not texts:
            return np.zeros((0, 1), dtype=np.float32)
        key = os.environ.get("OPENAI_API_KEY") or "none"
        rows: list[list[float]] = []
        with openai.OpenAI(api_key=key, base_url=self._url) as client:
            for start in range(0, len(texts), _BATCH):
                part = [text[:_LONGEST] or " " for text in texts[start : start + _BATCH]]
                try:
                    answer = client.embeddings.create(
                        model=self._model, input=part, encoding_format="float"
                    )
                    rows += [[float(n) for n in each.embedding] for each in answer.data]
                except openai.APIError as error:
                    raise ModelServiceError(f"{self._url}: {type(error).__name__}") from None
                except (AttributeError, TypeError, ValueError):  # any page may come as an answer
                    raise ModelServiceError(f"{self._url} answers with no embeddings") from None
        if len(rows) != len(texts) or len({len(row) for row in rows}) != 1 or not rows[0]:
            raise ModelServiceError(f"{self._url} answers with other embeddings than were asked")
        found = np.array(rows, dtype=np.float32)
        return unit_rows(found)
