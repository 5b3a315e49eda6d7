"""What a mocked script carries: each file is a piece, and goes into scripts as it stands.

A piece imports other pieces, by relative imports, and nothing else of slice-func; in a script
all pieces share one module, so their names differ.
"""

from functools import cache
from pathlib import Path


def runtime_text(name: str) -> str:
    """The source of a piece, by its name: those of all families have different ones."""
    return runtime_files()[name].read_text(encoding="utf-8")


@cache
def runtime_files() -> dict[str, Path]:
    """The file of each piece: what all families share lies here, the rest beside its family."""
    here = Path(__file__).parent
    files = [*here.glob("*/*.py"), *here.parent.glob("families/*/*/runtime/*.py")]
    return {file.stem: file for file in files if file.stem != "__init__"}
