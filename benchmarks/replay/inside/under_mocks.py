"""The original under the mocks of a slice: what is asked of the outside world has one answer then.

A mocked slice does not do what the original does where that asks the outside world: nobody answers
the original in the sandbox, and the mocks answer the slice. Whether it is the same function can
still be seen: load the very mocks that the slice carries, import the original after them, and call.
"""

from __future__ import annotations

import ast
import importlib.abc
import importlib.machinery
import sys
import types
from collections.abc import Sequence
from pathlib import Path

LOADER = "_slice_func_mocks"
MODULE = "slice_func_mocks"


def mocks_of(script: str) -> str | None:
    """The text of the module of mocks that a script carries."""
    for node in ast.walk(ast.parse(script)):
        match node:
            case ast.Call(func=ast.Name(id=name), args=[ast.Constant(value=str(text))]) if (
                name == LOADER
            ):
                return text
            case _:
                pass
    return None


class _AsSlice(importlib.abc.MetaPathFinder):
    """Finds the package's modules, and has the mocks take their code for the slice's own."""

    def __init__(self, own: frozenset[str]) -> None:
        self._own = own

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None,
        target: types.ModuleType | None = None,
    ) -> importlib.machinery.ModuleSpec | None:
        """As the path finder does."""
        if fullname.partition(".")[0] not in self._own:
            return None
        spec = importlib.machinery.PathFinder.find_spec(fullname, path, target)
        if spec is not None and spec.loader is not None:
            vars(spec.loader)["slice_identity"] = ""
        return spec


def load_mocks(script: Path, own: frozenset[str]) -> None:
    """Load what a script would load before its own statements; modules of the package come after.

    Raises:
        LookupError: it carries no mocks.
    """
    text = mocks_of(script.read_text(encoding="utf-8"))
    if text is None:
        raise LookupError("the script carries no mocks")
    sys.meta_path.insert(0, _AsSlice(own))
    module = types.ModuleType(MODULE)
    module.__file__ = f"<{MODULE}>"
    sys.modules[MODULE] = module
    exec(compile(text, module.__file__, "exec", dont_inherit=True), vars(module))


def effects_so_far() -> list[tuple[object, ...]]:
    """The effect log of whatever mocks this process has."""
    return list(getattr(sys.modules.get(MODULE), "effects", ()))


def begin_anew() -> None:
    """Have the mocks of this process, if it has any, begin as before a first case."""
    module = sys.modules.get(MODULE)
    if module is not None:
        module.restart()
