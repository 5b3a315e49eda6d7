"""Calls that read metadata of the repository's own distribution, which slices do not carry."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from ...analysis.scopes.definitions import Scope, function_scope, module_class, module_scope
from ...analysis.uses.external_calls.entry_points import FINDERS
from ...closure.kept_definitions import KeptModule
from ...closure.worklist import Closure
from ...model import Gap
from ...packaging.build_metadata import enclosing_declarations, normalised, spells
from ...repo.repository import Module, Repository
from ...resources.paths.paths import Paths
from ...syntax.nodes import children

_BY_NAME = frozenset(
    f"{module}.{name}"
    for module in ("importlib.metadata", "importlib_metadata")
    for name in (
        "version",
        "metadata",
        "distribution",
        "files",
        "requires",
        "Distribution.from_name",
    )
) | frozenset(
    f"pkg_resources.{name}"
    for name in (
        "get_distribution",
        "require",
        "load_entry_point",
        "get_entry_info",
        "get_entry_map",
    )
)
_CALLS = _BY_NAME | FINDERS
_MENTIONS = ("importlib.metadata", "importlib_metadata", "pkg_resources")
_WORDS = ("metadata", "pkg_resources")
"""Every module that can call these functions contains one of these words, if only in an import."""
_NAME_END = re.compile(r"[\s<>=!~;\[(@]")


def own_metadata_gaps(closure: Closure) -> tuple[Gap, ...]:
    """Return a gap for each kept call that reads metadata of the repository's own distribution."""
    if not any(name.startswith(_MENTIONS) for name in closure.mentioned):
        return ()
    paths = Paths(closure.inference, closure.classes)
    gaps: dict[Gap, None] = {}
    for name in sorted(closure.modules):
        kept = closure.modules[name]
        if not any(word in kept.module.source.text for word in _WORDS):
            continue
        own: tuple[frozenset[str], frozenset[str]] | None = None
        for call, scope in _calls(kept):
            callees = [found for found in paths.external_names(call.func, scope) if found in _CALLS]
            if callees:
                own = own or _own_names(closure.names.repository, kept.module)
                requested = _requested(paths, call, scope, callees[0], own)
                if requested is not None:
                    call_text = f"{callees[0]}({requested!r})"
                    detail = f"{call_text} reads the metadata of the repository's own distribution"
                    gaps.setdefault(Gap("own-metadata", kept.module.path, call.lineno, detail))
    return tuple(gaps)


def _requested(
    paths: Paths, call: ast.Call, scope: Scope, callee: str,
    own: tuple[frozenset[str], frozenset[str]],
) -> str | None:  # fmt: skip
    """Return the repository's own distribution or entry-point group that a call requests."""
    names, groups = own
    if callee in FINDERS:
        arguments = [k.value for k in call.keywords if k.arg == "group"] or call.args[:1]
        if not arguments:
            return next((g for g in sorted(groups) if spells(scope.module.source.text, g)), None)
    else:
        arguments = [k.value for k in call.keywords if k.arg in ("distribution_name", "name")]
        arguments += call.args[:1]
    for argument in arguments:
        for text in paths.evaluate(argument, scope):
            if text.is_open or text.is_place:
                continue
            if callee in FINDERS:
                first = normalised(text.text.split(".")[0])
                if text.text in groups or first in names:
                    return text.text
            elif normalised(_NAME_END.split(text.text, maxsplit=1)[0]) in names:
                return text.text
    return None


def _calls(kept: KeptModule) -> Iterator[tuple[ast.Call, Scope]]:
    """Yield the calls in a module's kept parts, with the scope of the enclosing function."""
    module = kept.module
    for unit in module.units:
        if unit.index not in kept.units:
            continue
        if unit.index in kept.members and isinstance(unit.node, ast.ClassDef):
            cls = module_class(module, unit, unit.node)
            for member in cls.members:
                if member.index in kept.members[unit.index]:
                    for node in member.nodes:
                        yield from _calls_in(node, cls.scope)
        else:
            for node in unit.nodes:
                yield from _calls_in(node, module_scope(module))


def _calls_in(node: ast.AST, scope: Scope) -> Iterator[tuple[ast.Call, Scope]]:
    if isinstance(node, ast.Call):
        yield node, scope
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        scope = function_scope(node, scope, scope.owner if scope.is_class else None)
    for child in children(node):
        yield from _calls_in(child, scope)


# ------------------------------------------------------------------------ names


def _own_names(repository: Repository, module: Module) -> tuple[frozenset[str], frozenset[str]]:
    """Return the normalised names of the module's own distribution, and its entry-point groups.

    A package's own import name stands for its distribution, as in `version(__name__)`.
    """
    declared = enclosing_declarations(repository, module.path)
    names = declared.names | {module.name, module.package, module.name.split(".")[0]}
    groups = frozenset(point.group for point in declared.entry_points)
    return frozenset(normalised(name) for name in names if name), groups
