"""The driver: the list of passes, the whole-repository run, and the command line.

The package loads its modules on first use, so that `slice-func --help` does not load the slicer.
"""

from __future__ import annotations

TYPE_CHECKING = False  # type checkers treat the name like typing's; importing typing is slow
if TYPE_CHECKING:
    from .pipeline.passes import compile_environment, compile_slice
    from .record.environment_files import write_environment
    from .record.record_schema import environment_schema
    from .settings.options import Options, Verification

__all__ = [
    "Options",
    "Verification",
    "compile_environment",
    "compile_slice",
    "environment_schema",
    "write_environment",
]


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    if name == "write_environment":
        from .record import environment_files as home
    elif name == "environment_schema":
        from .record import record_schema as home
    else:
        from .pipeline import passes as home

    return getattr(home, name)
