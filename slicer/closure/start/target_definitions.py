"""Finding targets: from `path::qualname` to the defining statements."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from ...analysis.inference import Inference
from ...analysis.names.name_resolution import Names
from ...analysis.scopes.definitions import ClassInfo, FunctionInfo, module_scope
from ...analysis.values.abstract_values import ClassValue, FunctionValue, ordered
from ...errors import SourceError, TargetError
from ...model import Target
from ...repo.repository import Module, Repository, walk_definitions
from ...repo.units import Unit, bound_names
from ...syntax.nodes import walk


@dataclass(frozen=True, slots=True)
class Goal:
    """A target found in its module."""

    target: Target
    module: Module
    units: tuple[Unit, ...]
    """Top-level statements that define its outermost name."""
    outer: str
    """The outermost name, which the script binds."""
    member: tuple[str, ...]
    """The remaining names, inside the outermost class."""
    warning: str | None = None


def find_goal(repository: Repository, target: str | Target, *, is_target: bool = True) -> Goal:
    """Return the target or additional definition; an additional one may be a merely imported name.

    Raises:
        TargetError: it does not exist; the message lists similar names.
    """
    if isinstance(target, str):
        path, separator, qualname = target.rpartition("::")
        if not separator or not path or not qualname:
            raise TargetError(f"{target!r} is no target", _written(repository, target))
        target = Target(path, qualname)
    path = repository.normal_path(target.path)
    if not path.endswith((".py", ".pyw")):
        raise TargetError(f"{path}: not a Python source file", "name a .py file")
    module = repository.module_at(path)
    parts = target.qualname.replace(".<locals>", "").split(".")
    units = tuple(u for u in module.bindings.get(parts[0], ()))
    found = Target(path, target.qualname)
    if not units:
        raise _no_such(module, target)
    if (_is_slice(module) or not is_target) and all(u.kind == "import" for u in units):
        return Goal(found, module, units, parts[0], ())
    definitions = [n for u in units for n in _definitions(u, parts[0])]
    if not definitions:
        if len(parts) == 1 and any(u.kind != "import" or _is_slice(module) for u in units):
            return Goal(found, module, units, parts[0], ())
        there = _imported(repository, module, parts)
        problem = "is imported here" if there else "is not a function or class"
        advice = (
            f"name {there}, where it is defined" if there else _defined_names(_names_of(module), "")
        )
        raise TargetError(f"{path}:{units[0].first}: {parts[0]} {problem}", advice)
    member, warning = _descend(repository, definitions, parts, module, target)
    return Goal(found, module, units, parts[0], member, warning)


def _written(repository: Repository, text: str) -> str:
    """Return what to write instead of a target that names no file, or no definition."""
    path, _, qualname = text.partition(":")
    if repository.is_file(path) and path.endswith(".py"):
        qualname = qualname.lstrip(":") or next(iter(_names_of(repository.module_at(path))), "")
        if qualname:
            return f"did you mean {path}::{qualname}?"
    found = list(islice(_defined_as(repository, text), _MOST_MEANT))
    if found:
        return f"did you mean {', '.join(found)}?"
    return "write PATH::QUALNAME, as pkg/mod.py::Class.method"


def _defined_as(repository: Repository, text: str) -> Iterator[str]:
    """Yield the targets that a name without a file may mean: `add_tax`, or `shop.add_tax`.

    Targets with the whole dotted name come first, then those with its last part alone.
    """
    last = text.rpartition(".")[2]
    if not text.replace(".", "_").isidentifier():
        return
    defines = re.compile(rf"\b(?:def|class)\s+{last}\b")
    others: list[str] = []
    for path in repository.python_files():
        try:
            found = (
                _names_of(repository.module_at(path))
                if defines.search(repository.text(path))
                else ()
            )
        except SourceError:
            continue
        dotted = path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        for name in dict.fromkeys(found):
            if f".{dotted}.{name}".endswith(f".{text}"):
                yield f"{path}::{name}"
            elif f".{name}".endswith(f".{last}"):
                others.append(f"{path}::{name}")
    yield from others


_MOST_MEANT = 3
"""Maximum number of targets listed in the message for a name without a file."""


def _is_slice(module: Module) -> bool:
    """Whether the file is itself an emitted script that carries modules."""
    return any(unit.kind == "prelude" for unit in module.units)


def _definitions(
    unit: Unit, name: str
) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef]:
    for qualname, node in walk_definitions(unit.nodes):
        if qualname == name:
            yield node


def _descend(
    repository: Repository,
    nodes: Sequence[ast.AST],
    parts: list[str],
    module: Module,
    target: Target,
) -> tuple[tuple[str, ...], str | None]:
    """Follow a dotted name; a function nested in a function is replaced by the outer one."""
    member: list[str] = []
    for depth, name in enumerate(parts[1:], 1):
        functions = [n for n in nodes if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef))]
        if functions:
            inner = [n for f in functions for n in walk(f) if getattr(n, "name", None) == name]
            if not inner:
                raise _no_such(module, target)
            outer = ".".join(parts[:depth])
            line = getattr(inner[0], "lineno", 0)
            return tuple(member), (
                f"{target.path}:{line}: {name} is defined inside {outer}; "
                f"sliced {outer}, which holds it"
            )
        found = [
            n
            for c in nodes
            if isinstance(c, ast.ClassDef)
            for q, n in walk_definitions(c.body)
            if q == name
        ]
        if not found:
            bound = [
                statement
                for c in nodes
                if isinstance(c, ast.ClassDef)
                for statement in c.body
                if name in bound_names(statement)
            ]
            if not bound or depth + 1 < len(parts):
                inherited = _inherited(repository, module, ".".join(parts[:depth]), name)
                if inherited:
                    problem = f"{module.path}: {'.'.join(parts[:depth])} does not define {name}"
                    raise TargetError(problem, f"name {inherited}, which it inherits")
                raise _no_such(module, target)
            found = bound
        member.append(name)
        nodes = found
    return tuple(member), None


def _imported(repository: Repository, module: Module, parts: Sequence[str]) -> str:
    """Return the target behind a name that the file only imports; else empty."""
    inference = Inference(Names(repository))
    for value in ordered(inference.global_values(module, parts[0])):
        match value:
            case ClassValue(cls=ClassInfo(module=source, qualname=name)):
                pass
            case FunctionValue(
                function=FunctionInfo(module=source, node=ast.FunctionDef(name=name))
            ):
                pass
            case _:
                continue
        if source.path != module.path:
            return f"{source.path}::{'.'.join([name, *parts[1:]])}"
    return ""


def _inherited(repository: Repository, module: Module, outer: str, name: str) -> str:
    """Return the target behind a member that the class inherits; else empty."""
    inference = Inference(Names(repository))
    named = ast.parse(outer, mode="eval").body
    for value in ordered(inference.evaluate(named, module_scope(module))):
        found = inference.find_member(value.cls, name) if isinstance(value, ClassValue) else None
        if isinstance(value, ClassValue) and found is not None and found[0] is not value.cls:
            return f"{found[0].module.path}::{found[0].qualname}.{name}"
    return ""


def _names_of(module: Module) -> list[str]:
    return [name for name, _ in walk_definitions(module.source.tree.body)]


def _no_such(module: Module, target: Target) -> TargetError:
    import difflib

    names = _names_of(module)
    close = difflib.get_close_matches(target.qualname, names, n=3, cutoff=0.5)
    last = target.qualname.rpartition(".")[2]
    same = [n for n in names if n.rpartition(".")[2] == last]
    best = list(dict.fromkeys([*same, *close]))[:3]
    hint = f"did you mean {', '.join(best)}?" if best else ""
    guarded = ""
    if (
        re.search(
            rf"^[ \t]+(?:async\s+)?(?:def|class)\s+{re.escape(last)}\b", module.source.text, re.M
        )
        and not best
    ):
        guarded = (
            ' at import time (a definition below `if __name__ == "__main__"` '
            "or inside a function is not one)"
        )
    problem = f"{target.path}: no function or class {target.qualname}{guarded}"
    return TargetError(problem, hint or _defined_names(names, target.qualname))


def _defined_names(names: Sequence[str], qualname: str) -> str:
    """Return the names for the message: the class's members, or all names of the file."""
    outer = qualname.rpartition(".")[0]
    inside = [name for name in names if outer and name.startswith(f"{outer}.")]
    there = list(dict.fromkeys(inside or names))
    more = f" and {len(there) - _SHOWN} more" if len(there) > _SHOWN else ""
    if not there:
        return "name another file: this one defines no function and no class"
    return f"name what it has: {', '.join(there[:_SHOWN])}{more}"


_SHOWN = 8
"""Maximum number of names listed in the message for an unknown name."""
