"""Changes to a library that are made when the slice imports it, and not before."""

from __future__ import annotations

import importlib.machinery
import sys
from typing import Any

from .world import undo_with


class PatchingFinder:
    """Finds modules as Python does, and changes some right after they were loaded."""

    patches: dict[str, list[Any]] = {}

    @classmethod
    def find_spec(cls, fullname: str, path: object = None, target: object = None) -> Any:
        """The spec that the other finders give, with a loader that then calls the patches."""
        if fullname not in cls.patches:
            return None
        for finder in sys.meta_path:
            if finder is not cls and hasattr(finder, "find_spec"):
                spec = finder.find_spec(fullname, path, target)  # type: ignore[arg-type]
                if spec is not None:
                    if spec.loader is not None and hasattr(spec.loader, "exec_module"):
                        spec.loader = PatchingLoader(spec.loader, cls.patches[fullname])
                    return spec
        return None


class PatchingLoader:
    """A module's own loader, and what happens after it."""

    def __init__(self, loader: Any, patches: list[Any]) -> None:
        self.loader = loader
        self.patches = patches

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> Any:
        """As the module's own loader does it."""
        return self.loader.create_module(spec)

    def exec_module(self, module: Any) -> None:
        """Load, then change."""
        module.__spec__.loader = module.__loader__ = self.loader
        self.loader.exec_module(module)
        for patch in self.patches:
            patch(module)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.loader, name)


def when_loaded(name: str, patch: Any) -> None:
    """Call `patch(module)` as soon as a module is there: now, or when it gets imported."""
    if name in sys.modules and sys.modules[name] is not None:
        patch(sys.modules[name])
        return
    if PatchingFinder not in sys.meta_path:
        sys.meta_path.insert(0, PatchingFinder)
        undo_with(sys.meta_path.remove, PatchingFinder)
    PatchingFinder.patches.setdefault(name, []).append(patch)
    undo_with(PatchingFinder.patches.pop, name, None)


def as_data(value: Any, depth: int = 4) -> Any:
    """A value as data for the effect log: no objects, no addresses."""
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, (bytes, bytearray)):
        return bytes(value[:200])
    if depth > 0 and isinstance(value, dict):
        return {str(k): as_data(v, depth - 1) for k, v in value.items()}
    if depth > 0 and isinstance(value, (list, tuple)):
        return [as_data(v, depth - 1) for v in value]
    if depth > 0 and isinstance(value, (set, frozenset)):
        return sorted((as_data(v, depth - 1) for v in value), key=repr)
    if hasattr(value, "to_dict"):
        try:
            return as_data(value.to_dict(), depth - 1)
        except Exception:
            pass
    return f"<{type(value).__name__}>"
