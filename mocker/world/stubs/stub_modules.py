"""Modules that are generated instead of installed, served under their true names."""

from __future__ import annotations

import importlib
import importlib.machinery
import linecache
import sys
from typing import Any

from ..core.world import undo_with

PROBED = "msvcrt _winapi winreg _winreg nt".split()
PROBING = "subprocess mimetypes ntpath getpass multiprocessing.connection".split()
"""Standard modules that tell the system by whether these can be imported."""


class StubFinder:
    """Finds and loads the stub modules of one script, and whatever is below them."""

    texts: dict[str, str] = {}

    @classmethod
    def serves(cls, name: str) -> bool:
        """Whether this is a stub module, or below one."""
        while name and name not in cls.texts:
            name = name.rpartition(".")[0]
        return bool(name)

    @classmethod
    def find_spec(cls, fullname: str, path: object = None, target: object = None) -> Any:
        """A spec for what is stubbed; `None` for the rest."""
        if not cls.serves(fullname):
            return None
        return importlib.machinery.ModuleSpec(fullname, cls, is_package=True)

    @staticmethod
    def create_module(spec: object) -> None:
        """As Python does it."""

    @classmethod
    def exec_module(cls, module: Any) -> None:
        """Run the stub's text."""
        name = module.__name__
        text = cls.texts.get(name, "")
        module.__stub__ = name
        if not text and "stub_getattr" in globals():  # not every script has the universal stand-in
            module.__getattr__ = globals()["stub_getattr"](name)
        file = f"<stub of {name}>"
        linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
        exec(compile(text, file, "exec", dont_inherit=True), vars(module))


class StubParents(StubFinder):
    """Finds packages around stub modules which nothing else provides: they are empty."""

    @classmethod
    def serves(cls, name: str) -> bool:
        """Whether a stub module is below this."""
        return any(known.startswith(f"{name}.") for known in StubFinder.texts)

    @classmethod
    def exec_module(cls, module: Any) -> None:
        """There is nothing in it."""


def serve(texts: dict[str, str]) -> None:
    """Serve these modules, whatever is installed or loaded under their names."""
    if not texts.keys().isdisjoint(PROBED):
        for name in PROBING:
            importlib.import_module(name)
    StubFinder.texts.update(texts)
    for name in [n for n in sys.modules if StubFinder.serves(n)]:
        undo_with(sys.modules.__setitem__, name, sys.modules.pop(name))
    undo_with(_forget)
    sys.meta_path.insert(0, StubFinder)
    sys.meta_path.append(StubParents)
    undo_with(sys.meta_path.remove, StubFinder)
    undo_with(sys.meta_path.remove, StubParents)


def _forget() -> None:
    """Drop the stub modules that were loaded."""
    for name, module in list(sys.modules.items()):
        if isinstance(getattr(module, "__loader__", None), type) and hasattr(module, "__stub__"):
            del sys.modules[name]
