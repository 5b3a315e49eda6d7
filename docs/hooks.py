"""What mkdocs runs: mkdocstrings finds the folders under the name that they are installed by."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

FOLDERS = ("slicer", "mocker", "verifier", "llm", "driver")
_TOP = Path(__file__).parent.parent
_LINKS = tempfile.TemporaryDirectory()


def on_startup(**_what: Any) -> None:  # noqa: ANN401 - mkdocs' own
    """Have `slicefunc.slicer` and the others read from here; nothing of them is imported."""
    package = Path(_LINKS.name, "slicefunc")
    package.mkdir()
    for name in FOLDERS:
        (package / name).symlink_to(_TOP / name)
    sys.path.insert(0, _LINKS.name)
