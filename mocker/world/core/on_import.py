"""Replacements in a library from the moment at which the script imports it, and not before."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from .world import undo_with


class Watched:
    """Finds what others find, and acts once that is loaded."""

    actions: dict[str, list[Callable[[Any], None]]] = {}

    @classmethod
    def find_spec(cls, fullname: str, path: Any = None, target: Any = None) -> Any:
        """The spec of a module that is waited for; `None` for the rest."""
        if fullname not in cls.actions:
            return None
        for finder in sys.meta_path:
            find = getattr(finder, "find_spec", None)
            spec = find(fullname, path, target) if find and finder is not cls else None
            if spec is not None:
                if hasattr(spec.loader, "exec_module"):
                    spec.loader = LoadedThen(spec.loader, cls.actions.pop(fullname))
                return spec
        return None


class LoadedThen:
    """A loader that acts after the module's own."""

    def __init__(self, loader: Any, actions: list[Callable[[Any], None]]) -> None:
        self._loader = loader
        self._actions = actions

    def __getattr__(self, name: str) -> Any:
        return getattr(self._loader, name)

    def create_module(self, spec: Any) -> Any:
        """As the module's own loader does it."""
        return self._loader.create_module(spec)

    def exec_module(self, module: Any) -> None:
        """Load, then act; nothing of this is to be seen on the module."""
        module.__spec__.loader = module.__loader__ = self._loader
        self._loader.exec_module(module)
        for action in self._actions:
            action(module)


def on_import(name: str, action: Callable[[Any], None]) -> None:
    """Call a function with a module once that is loaded: at once where it already is."""
    if name in sys.modules:
        action(sys.modules[name])
        return
    Watched.actions.setdefault(name, []).append(action)
    if Watched not in sys.meta_path:
        sys.meta_path.insert(0, Watched)
        undo_with(sys.meta_path.remove, Watched)
        undo_with(Watched.actions.clear)
