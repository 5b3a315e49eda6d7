"""What the name of an external class says about its instances."""

from __future__ import annotations

from ...repo.repository import STDLIB
from ...syntax.builtin_models import OPEN_MODULES

SCALARS = frozenset({"builtins.str", "builtins.bytes", "builtins.int", "builtins.float",
                      "builtins.bool", "builtins.complex", "builtins.bytearray"})  # fmt: skip
NUMBERS = frozenset({"builtins.int", "builtins.float", "builtins.bool", "builtins.complex"})


def is_closed(name: str) -> bool:
    """Whether no repository class derives from the class, and its instances hold none."""
    return "()" in name or is_closed_module(name.rpartition(".")[0])


def is_closed_module(name: str) -> bool:
    """Whether no object of the module returns an object that was put into it."""
    top = name.split(".", maxsplit=1)[0]
    return (top in STDLIB and top not in OPEN_MODULES) or top in ("numpy", "pandas")
