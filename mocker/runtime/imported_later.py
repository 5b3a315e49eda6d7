"""Patches for libraries that the slice may import, made when it does."""

from __future__ import annotations

import sys
from typing import Any

from .world import undo_with


class PatchingFinder:
    """Finds a module as everybody else would, and patches it once it is loaded."""

    patches: dict[str, list[Any]] = {}

    @classmethod
    def find_spec(cls, fullname: str, path: Any = None, target: Any = None) -> Any:
        """The module's true spec, with a loader that patches; `None` for the rest."""
        if not cls.patches.get(fullname):
            return None
        for finder in sys.meta_path:
            if finder is cls or not hasattr(finder, "find_spec"):
                continue
            spec = finder.find_spec(fullname, path, target)
            if spec is not None:
                if spec.loader is not None and hasattr(spec.loader, "exec_module"):
                    spec.loader = PatchingLoader(spec.loader, cls.patches.pop(fullname))
                return spec
        return None


class PatchingLoader:
    """A module's own loader, and the patches after it."""

    def __init__(self, loader: Any, patches: list[Any]) -> None:
        self.loader, self.patches = loader, patches

    def __getattr__(self, name: str) -> Any:
        return getattr(self.loader, name)

    def create_module(self, spec: Any) -> Any:
        """As the loader does it."""
        return self.loader.create_module(spec)

    def exec_module(self, module: Any) -> None:
        """Load the module, then patch it."""
        module.__spec__.loader = module.__loader__ = self.loader
        self.loader.exec_module(module)
        for patch in self.patches:
            patch(module)


def on_import(name: str, patch: Any) -> None:
    """Call `patch(module)` now if the module is loaded, else as soon as it is."""
    if name in sys.modules:
        patch(sys.modules[name])
        return
    if PatchingFinder not in sys.meta_path:
        sys.meta_path.insert(0, PatchingFinder)
        undo_with(_stop_patching)
    PatchingFinder.patches.setdefault(name, []).append(patch)


def _stop_patching() -> None:
    PatchingFinder.patches.clear()
    if PatchingFinder in sys.meta_path:
        sys.meta_path.remove(PatchingFinder)
