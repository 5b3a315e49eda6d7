"""Modules that are generated instead of installed, served under their true names."""

from __future__ import annotations

import importlib.machinery
import linecache
import sys
from typing import Any

from .world import undo_with


class StubFinder:
    """Finds and loads the stub modules of one script."""

    texts: dict[str, str] = {}

    @classmethod
    def find_spec(cls, fullname: str, path: object = None, target: object = None) -> Any:
        """A spec for what is stubbed; `None` for the rest."""
        if fullname not in cls.texts:
            return None
        is_package = any(name.startswith(fullname + ".") for name in cls.texts)
        return importlib.machinery.ModuleSpec(fullname, cls, is_package=is_package)  # type: ignore[arg-type]

    @staticmethod
    def create_module(spec: object) -> None:
        """As Python does it."""

    @classmethod
    def exec_module(cls, module: Any) -> None:
        """Run the stub's text."""
        text = cls.texts[module.__name__]
        file = f"<stub of {module.__name__}>"
        linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
        exec(compile(text, file, "exec", dont_inherit=True), vars(module))


def serve(texts: dict[str, str]) -> None:
    """Serve these modules, whatever is installed or loaded under their names."""
    StubFinder.texts.update(texts)
    tops = {name.partition(".")[0] for name in texts}
    for name in [n for n in sys.modules if n in texts or n.partition(".")[0] in tops]:
        if name in texts:
            undo_with(sys.modules.__setitem__, name, sys.modules.pop(name))
    for name in texts:
        undo_with(sys.modules.pop, name, None)
    sys.meta_path.insert(0, StubFinder)
    undo_with(sys.meta_path.remove, StubFinder)
