"""What a mocked script carries: each file is a piece, and goes into scripts as it stands.

A piece imports other pieces by `from .name import …` and nothing else of slice-func; in a script
all pieces share one module, so their names differ.
"""

from importlib.resources import files


def runtime_text(name: str) -> str:
    """The source of a file in here."""
    return (files(__package__ or "") / f"{name}.py").read_text(encoding="utf-8")
