# pyright: reportMissingTypeStubs=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false
# pyright: reportMissingImports=false
"""A transformer in ONNX, such as UniXcoder: the mean of its last layer over the tokens of a text.

The folder holds `tokenizer.json` and `*.onnx`. The libraries have no types.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Self

from ....slicer.errors import OptionError
from .unit_rows import unit_rows

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_MOST_TOKENS = 512
_BATCH = 16


class OnnxEmbedder:
    """Turns texts into means of a transformer's last layer."""

    def __init__(self, folder: Path) -> None:
        """Read the model.

        Raises:
            OptionError: a library is missing.
        """
        try:
            import onnxruntime
            from tokenizers import Tokenizer
        except ModuleNotFoundError as error:
            raise OptionError(
                f"{error.name} is not installed", "pip install 'slice-func[embeddings]'"
            ) from None
        files = sorted([*folder.glob("*.onnx"), *folder.glob("onnx/*.onnx")])
        self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._tokenizer.enable_truncation(_MOST_TOKENS)
        self._tokenizer.enable_padding()
        providers = ["CPUExecutionProvider"]
        self._session = onnxruntime.InferenceSession(str(files[0]), providers=providers)
        self._inputs = {each.name for each in self._session.get_inputs()}
        self.name = "onnx-" + hashlib.sha256(files[0].read_bytes()).hexdigest()[:16]

    def fitted(self, texts: Sequence[str]) -> Self:
        """Return itself: the model is finished."""
        return self

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return a row of length 1 for each text."""
        import numpy as np

        parts = [self._batch(texts[i : i + _BATCH]) for i in range(0, len(texts), _BATCH)]
        found = np.concatenate(parts) if parts else np.zeros((0, 1), dtype=np.float32)
        return unit_rows(found)

    def _batch(self, texts: Sequence[str]) -> NDArray[np.float32]:
        import numpy as np

        encoded = self._tokenizer.encode_batch(list(texts))
        ids = np.array([each.ids for each in encoded], dtype=np.int64)
        mask = np.array([each.attention_mask for each in encoded], dtype=np.int64)
        given = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        feeds = {name: value for name, value in given.items() if name in self._inputs}
        last = np.asarray(self._session.run(None, feeds)[0], dtype=np.float32)
        if last.ndim == 2:
            return last
        weights = mask[:, :, None]
        return (last * weights).sum(axis=1) / np.maximum(weights.sum(axis=1), 1)
