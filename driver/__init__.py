"""The driver: the list of passes, the whole-repository run, and the command line.

Its passes and their `Options` are taken from `compile` on first use, so that `slice-func --help`
does not load the slicer.
"""

from __future__ import annotations

TYPE_CHECKING = False  # what a type checker takes for typing's own; importing typing costs a start
if TYPE_CHECKING:
    from .compile import Options, compile_environment, compile_slice

__all__ = ["Options", "compile_environment", "compile_slice"]


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from . import compile as passes

    return getattr(passes, name)
