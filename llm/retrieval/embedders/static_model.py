# pyright: reportMissingTypeStubs=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false
"""A static model: a vector for each token, and their mean for a text.

The folder holds `tokenizer.json` and one `*.safetensors` file with one matrix, a row a token, as
model2vec and sentence-transformers' static embeddings write them. The libraries have no types.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Self

from ....slicer.errors import OptionError
from .unit_rows import unit_rows

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_KINDS = {"F32": "float32", "F16": "float16"}


class StaticEmbedder:
    """Turns texts into means of the vectors of their tokens."""

    def __init__(self, folder: Path) -> None:
        """Read the model.

        Raises:
            OptionError: it is none, or its library is missing.
        """
        try:
            from tokenizers import Tokenizer
        except ModuleNotFoundError:
            raise OptionError(
                "tokenizers is not installed", "pip install 'slice-func[embeddings]'"
            ) from None
        files = sorted(folder.glob("*.safetensors"))
        self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._tokenizer.no_padding()
        self._tokenizer.no_truncation()
        content = files[0].read_bytes()
        self._matrix = _matrix(content, files[0])
        self.name = "static-" + hashlib.sha256(content).hexdigest()[:16]

    def fitted(self, texts: Sequence[str]) -> Self:
        """Return itself: the model is finished."""
        return self

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return a row of length 1 for each text; of zeros for one without tokens."""
        import numpy as np

        found = np.zeros((len(texts), self._matrix.shape[1]), dtype=np.float32)
        encoded = self._tokenizer.encode_batch(list(texts), add_special_tokens=False)
        for row, each in enumerate(encoded):
            ids = [n for n in each.ids if n < len(self._matrix)]
            if ids:
                found[row] = self._matrix[ids].mean(axis=0)
        return unit_rows(found)


def _matrix(content: bytes, file: Path) -> NDArray[np.float32]:
    """Return the matrix of a safetensors file: a length, a JSON header, and the numbers.

    Raises:
        OptionError: it holds another number of matrices than one, or of another kind.
    """
    import numpy as np

    size = int.from_bytes(content[:8], "little")
    header = json.loads(content[8 : 8 + size])
    tensors = [each for name, each in header.items() if name != "__metadata__"]
    wide = [each for each in tensors if len(each["shape"]) == 2]
    if len(wide) != 1 or wide[0]["dtype"] not in _KINDS:
        raise OptionError(f"{file}: no static model: it has {len(wide)} matrices", "name another")
    first, last = wide[0]["data_offsets"]
    numbers = np.frombuffer(content[8 + size + first : 8 + size + last], _KINDS[wide[0]["dtype"]])
    return numbers.reshape(wide[0]["shape"]).astype(np.float32)
