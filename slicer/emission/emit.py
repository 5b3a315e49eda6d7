"""Choose the layout and write the slice in it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial

from ..closure.worklist import Closure
from ..errors import NotSupportedError, SourceError
from ..model import Edit, Emit, EmittedFile, Layout, LineMap
from ..repo.project_roots import build_files, member_roots
from ..repo.repository import Module
from ..resources.data_files import data_files, find_data, large_data_files
from ..resources.reads import mentions_resources
from ..syntax.builtin_models import MODULE_LISTS
from .kept_text import ModuleText, joined, module_text
from .layouts.flat.flat_layout import merge, needs_name
from .layouts.modules.modules_layout import Plan, modules_script
from .layouts.package.package_layout import package_files, with_roots
from .load_order.load_order import body_comes_too_late, first_of_program, with_load_order
from .load_order.module_level_imports import load_edges, reaches
from .plain_script import flat_script
from .recent_answers import recent


@dataclass(frozen=True, slots=True)
class Emission:
    """A written slice."""

    source: str
    files: tuple[EmittedFile, ...]
    layout: Layout
    layout_reason: str
    lines: tuple[LineMap, ...]
    edits: tuple[Edit, ...]
    data: tuple[str, ...]


def emit(
    closure: Closure,
    targets: Sequence[Module],
    bound: Mapping[str, Sequence[str]],
    layout: Emit,
) -> Emission:
    """Write the closure in a layout.

    Raises:
        NotSupportedError: `flat` was asked for and is not provably safe.
    """
    texts = _texts(closure)
    data = data_files(closure)
    if layout == "package":
        data |= large_data_files(closure)
    if closure.is_slice and layout != "package":
        # its loader is kept as it stands, so the script stays what it was
        source, lines = flat_script([texts[module.name] for module in targets])
        return _script(source, "flat", "already a slice", lines, (), ())
    merged = (
        "asked for" if layout in ("modules", "package") else merge(closure, targets, texts, data)
    )
    if not isinstance(merged, str):
        source, lines = flat_script(merged.texts)
        reason = "one module" if len(merged.texts) == 1 else "merging the modules changes nothing"
        return _script(source, "flat", reason, lines, merged.edits, ())
    if layout == "flat":
        raise NotSupportedError(f"--emit flat is not safe here: {merged}; use --emit modules")
    edges = _edges(closure)
    if layout == "package":
        texts = with_load_order(closure, targets, texts, (), visible=False)
        return _package(closure, targets, texts, data)
    plan = _plan(closure, targets, texts, edges, bound, data)
    if plan.visible and body_comes_too_late(closure, plan.target, plan.first):
        plan = replace(plan, visible=False)
    if not plan.visible:
        plan = replace(plan, first=first_of_program(closure, targets, plan.first))
    texts = with_load_order(closure, targets, texts, plan.first, visible=plan.visible)
    plan = replace(plan, texts=texts)
    edits = _edits(texts)
    source, lines = modules_script(plan)
    return _script(source, "modules", merged, lines, edits, tuple(sorted(data)))


def _texts(closure: Closure) -> dict[str, ModuleText]:
    has_docstrings = "__doc__" in closure.flags
    repository = closure.names.repository
    found: dict[str, ModuleText] = {}
    for name, kept in sorted(closure.modules.items()):
        found[name] = recent(
            repository, kept, ("text", has_docstrings),
            partial(module_text, kept, with_docstring=has_docstrings),
        )  # fmt: skip
    return found


def _edges(closure: Closure) -> dict[str, tuple[str, ...]]:
    names = closure.names
    return {
        name: recent(names.repository, kept, "edges", partial(load_edges, kept, names))
        for name, kept in closure.modules.items()
    }


def _script(
    source: str, layout: Layout, reason: str, lines: tuple[LineMap, ...],
    edits: tuple[Edit, ...], data: tuple[str, ...],
) -> Emission:  # fmt: skip
    files = (EmittedFile("slice.py", source.encode("utf-8")),)
    return Emission(source, files, layout, reason, lines, edits, data)


def _package(
    closure: Closure, targets: Sequence[Module], texts: Mapping[str, ModuleText],
    data: Mapping[str, bytes],
) -> Emission:  # fmt: skip
    repository = closure.names.repository
    texts = with_roots(repository, targets, texts, needs_name=needs_name(closure))
    own = texts[targets[0].name]
    source = joined([*own.future, *own.pieces])
    data = {**data, **_build_files(closure)}
    files = package_files(texts, data)
    return Emission(source, files, "package", "asked for", (), _edits(texts), tuple(sorted(data)))


def _build_files(closure: Closure) -> dict[str, bytes]:
    """What makes projects of folders of the tree: without, their packages are not found."""
    repository = closure.names.repository
    members = member_roots(repository)
    found: dict[str, bytes] = {}
    for name, kept in closure.modules.items():
        if kept.module.root in members.get(name.partition(".")[0], ()):
            for path in build_files(repository, kept.module.path):
                with suppress(SourceError):
                    found[path] = repository.read_data(path)
    return found


def _edits(texts: Mapping[str, ModuleText]) -> tuple[Edit, ...]:
    edits = (edit for text in texts.values() for edit in text.edits)
    return tuple(sorted(edits, key=lambda edit: (edit.path, edit.line)))


# ------------------------------------------------------------------------ modules


def _plan(
    closure: Closure, targets: Sequence[Module], texts: Mapping[str, ModuleText],
    edges: Mapping[str, tuple[str, ...]], bound: Mapping[str, Sequence[str]],
    data: Mapping[str, bytes],
) -> Plan:  # fmt: skip
    target = targets[0]
    found = find_data(closure)
    others = [name for name in edges if name != target.name]
    ancestors = _ancestors(target.name)
    visible = (
        len(targets) == 1
        and not data
        and not found.shows_file
        and not found.asks_folders
        and "__spec__" not in closure.flags  # a script that is run has none
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
    bindings = [(module.name, name) for module in targets for name in bound[module.name]]
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
    """Parent packages that are folders without an `__init__.py`."""
    found = dict(find_data(closure).namespaces)
    for kept in closure.modules.values():
        name, path = kept.module.name, kept.module.path
        folder = path.removesuffix("/__init__.py") if kept.module.is_package else path
        for ancestor in reversed(_ancestors(name)):
            folder = folder.rpartition("/")[0]
            if ancestor not in closure.modules:
                found[ancestor] = folder
    return found
