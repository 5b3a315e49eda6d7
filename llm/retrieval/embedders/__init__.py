"""Models that turn texts into vectors of length 1. Each is one file; `embedder_named` picks one."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from ....slicer.errors import OptionError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Embedder(Protocol):
    """Turns texts into vectors."""

    @property
    def name(self) -> str:
        """Name that says all that decides the vectors."""
        ...

    def fitted(self, texts: Sequence[str]) -> Embedder:
        """Return the model with what it learns from texts; itself if it learns nothing."""
        ...

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return a row of length 1 for each text."""
        ...


def embedder_named(name: str) -> Embedder:
    """Return the embedder of a name: `hashed`, a folder of a model, or `URL#MODEL` of a service.

    Raises:
        OptionError: there is none.
    """
    if name == "hashed":
        from .hashed import HashedEmbedder

        return HashedEmbedder()
    if "://" in name:
        from .endpoint import EndpointEmbedder

        url, _, model = name.partition("#")
        return EndpointEmbedder(url, model)
    folder = Path(name)
    if list(folder.glob("*.onnx")) or list(folder.glob("onnx/*.onnx")):
        from .onnx_model import OnnxEmbedder

        return OnnxEmbedder(folder)
    if list(folder.glob("*.safetensors")):
        from .static_model import StaticEmbedder

        return StaticEmbedder(folder)
    raise OptionError(
        f"{name}: no model of embeddings",
        "write hashed, a folder with tokenizer.json and *.onnx or *.safetensors, or URL#MODEL",
    )
