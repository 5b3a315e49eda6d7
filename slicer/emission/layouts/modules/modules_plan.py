"""The plan of a `modules` script: what it carries, and how it loads."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import partial

from ....closure.worklist import Closure
from ....repo.repository import Module
from ....resources.data_files import find_data
from ....resources.reads import mentions_resources
from ....syntax.builtin_models import MODULE_LISTS
from ...emission import KeptTexts
from ...kept_text import ModuleText
from ...module_answers import recent
from ...module_loading.module_level_imports import load_edges, reaches
from ...visible_names import needs_name


@dataclass(frozen=True, slots=True)
class Plan:
    """What a script carries, and how it loads."""

    target: Module
    texts: Mapping[str, ModuleText]
    """Kept text by module name, the target's own included."""
    packages: Mapping[str, str]
    """Name → folder of the packages without an `__init__.py` that contain carried modules."""
    visible: bool
    """Whether the target's module is the script's own body."""
    first: tuple[str, ...]
    """Modules that no kept code imports; they are loaded before the body."""
    bound: tuple[tuple[str, str], ...]
    """(module, name) pairs that the script binds at its end."""
    data: Mapping[str, bytes]
    """Data files by path."""
    asks_folders: bool
    """Whether code may query the folders of carried packages."""
    reads_resources: bool
    """Whether files may be read by package."""
    lists_modules: bool
    """Whether code may list the modules of a package."""
    needs_name: bool
    """Whether the target's code can see its module's name."""


def plan_of(kept: KeptTexts) -> Plan:
    """Return the plan, without the load order."""
    closure, targets, texts, data = kept.closure, kept.targets, kept.texts, kept.data
    edges = _edges(closure)
    target = targets[0]
    found = find_data(closure)
    others = [name for name in edges if name != target.name]
    ancestors = _ancestors(target.name)
    visible = (
        len(targets) == 1
        and not data
        and not found.shows_file
        and not found.asks_folders
        and "__spec__" not in closure.flags  # a script that runs has none
        and not target.is_package
        and not any(reaches(name, target.name, {**edges, target.name: ()}) for name in others)
    )
    imported = {name for names in edges.values() for name in names}
    imported |= {name for _, name in closure.load_edges}
    first = [
        name for name in sorted(others)
        if name not in imported and name not in ancestors and not _is_parent(name, edges)
        and (not texts[name].is_empty or closure.modules[name].must_load)
        and name not in {t.name for t in targets}
    ]  # fmt: skip
    bindings = [(module.name, name) for module in targets for name in kept.bound[module.name]]
    return Plan(
        target, texts, _packages(closure, target), visible, tuple(first),
        tuple(dict.fromkeys(bindings)), data, found.asks_folders, mentions_resources(closure),
        "__path__" in closure.flags or not MODULE_LISTS.isdisjoint(closure.mentioned),
        needs_name(closure) or bool(target.package),
    )  # fmt: skip


def _is_parent(name: str, edges: Iterable[str]) -> bool:
    return any(other.startswith(name + ".") for other in edges)


def _ancestors(name: str) -> tuple[str, ...]:
    parts = name.split(".")
    return tuple(".".join(parts[:depth]) for depth in range(1, len(parts)))


def _packages(closure: Closure, target: Module) -> dict[str, str]:
    """Return the parent packages that are folders without an `__init__.py`."""
    found = dict(find_data(closure).namespaces)
    for kept in closure.modules.values():
        name, path = kept.module.name, kept.module.path
        folder = path.removesuffix("/__init__.py") if kept.module.is_package else path
        for ancestor in reversed(_ancestors(name)):
            folder = folder.rpartition("/")[0]
            if ancestor not in closure.modules:
                found[ancestor] = folder
    return found


def _edges(closure: Closure) -> dict[str, tuple[str, ...]]:
    names = closure.names
    return {
        name: recent(names.repository, kept, "edges", partial(load_edges, kept, names))
        for name, kept in closure.modules.items()
    }
