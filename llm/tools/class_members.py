"""Members of a class, with those that it inherits."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from ...slicer.analysis.scopes.definitions import (
    ClassInfo,
    module_class,
    nested_class,
)
from ...slicer.closure.repository_analysis import Analysis
from .file_records import Definition, decorated_signature, is_partial

_BUILTIN = "builtins.object"


@dataclass(frozen=True, slots=True)
class Member:
    """A member of a class."""

    name: str
    kind: str
    """`method`, `property`, `attribute` or `class`."""
    signature: str
    """Its decorators, a line each, and its header or assignment on one line."""
    summary: str
    """The first line of its docstring."""
    path: str
    owner: str
    """Qualified name of the class that defines it."""
    first: int
    last: int

    @property
    def text(self) -> str:
        """Return what is known of it, for comparisons with a query."""
        return f"{self.name} {self.signature} {self.summary}"


class ClassMembers:
    """A class with its members, in resolution order."""

    def __init__(self, analysis: Analysis, definition: Definition) -> None:
        """Take the analysis of the repository, and the class."""
        self._inference = analysis.inference
        self.definition = definition
        self.info = _info_of(analysis, definition)

    @cached_property
    def bases(self) -> tuple[ClassInfo, ...]:
        """The classes of the repository from which it inherits, nearest first."""
        return self._inference.mro(self.info)[1:]

    @property
    def base_labels(self) -> list[str]:
        """The names of these classes as tools take them."""
        return [f"{each.module.path}::{each.qualname}" for each in self.bases]

    @cached_property
    def outside_bases(self) -> tuple[str, ...]:
        """Dotted names of base classes outside the repository; `?` for one that is unknown."""
        found = self._inference.external_bases(self.info)
        return tuple(name for name in found if name != _BUILTIN)

    @cached_property
    def members(self) -> tuple[Member, ...]:
        """All members: its own in source order, then inherited ones that it does not override."""
        found: dict[str, Member] = {}
        for owner in (self.info, *self.bases):
            for member in _members_of(owner):
                known = found.get(member.name)
                if known is None or (is_partial(known.signature) and known.owner == member.owner):
                    found[member.name] = member
        return tuple(found.values())

    def named(self, name: str) -> Member | None:
        """Return the member of that name; `None` for none in the repository."""
        return next((each for each in self.members if each.name == name), None)

    @cached_property
    def constructor(self) -> str | None:
        """The signature of the constructor that `@dataclass` makes, if one is made."""
        is_dataclass = any(
            ast.unparse(each).partition("(")[0].rpartition(".")[2] == "dataclass"
            for each in self.info.node.decorator_list
        )
        if not is_dataclass:
            return None
        fields = dict.fromkeys(self._inference.declared_fields(self.info))
        known = {each.name: each.signature for each in self.members}
        return f"def __init__(self, {', '.join(known.get(name, name) for name in fields)}) -> None"


def _info_of(analysis: Analysis, definition: Definition) -> ClassInfo:
    """Return the class as the analysis sees it."""
    module = analysis.repository.module_at(definition.path)
    first, *inner = definition.qualname.split(".")
    (unit, node) = next(
        (unit, node)
        for unit in module.units
        for top in unit.nodes
        for node in ast.walk(top)
        if isinstance(node, ast.ClassDef)
        and node.name == first
        and (inner or _starts_at(node, definition))
    )
    info = module_class(module, unit, node)
    for name in inner:
        found = next(
            each for each in ast.walk(info.node) if isinstance(each, ast.ClassDef)
            and each.name == name and each is not info.node
        )  # fmt: skip
        info = nested_class(info.scope, unit, found)
    return info


def _starts_at(node: ast.ClassDef, definition: Definition) -> bool:
    return definition.first <= node.lineno <= definition.last


def _members_of(owner: ClassInfo) -> Iterator[Member]:
    """Yield what a class binds in its body, then what its methods assign to `self`."""
    for unit in owner.members:
        for node in unit.nodes:
            yield from _bound(node, owner)
    for name, assigned in owner.self_assignments.items():
        value = assigned[0][0]
        line = getattr(value, "lineno", owner.node.lineno)
        shown = f"self.{name}"
        if isinstance(value, ast.AnnAssign):
            shown = f"self.{name}: {ast.unparse(value.annotation)}"
        elif isinstance(value, ast.expr):
            shown = f"self.{name} = {_short(value)}"
        yield Member(name, "attribute", shown, "", owner.module.path, owner.qualname, line, line)


def _bound(node: ast.stmt, owner: ClassInfo) -> Iterator[Member]:
    path, qualname = owner.module.path, owner.qualname
    first, last = node.lineno, node.end_lineno or node.lineno
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            decorators = [ast.unparse(each) for each in node.decorator_list]
            kind = "class" if isinstance(node, ast.ClassDef) else "method"
            if any(
                each.rpartition(".")[2] in {"property", "cached_property"} for each in decorators
            ):
                kind = "property"
            header = decorated_signature(node)
            summary = (ast.get_docstring(node) or "").partition("\n")[0]
            first = min([first, *(each.lineno for each in node.decorator_list)])
            yield Member(node.name, kind, header, summary, path, qualname, first, last)
        case ast.AnnAssign(target=ast.Name(id=name)):
            value = f" = {_short(node.value)}" if node.value else ""
            shown = f"{name}: {ast.unparse(node.annotation)}{value}"
            yield Member(name, "attribute", shown, "", path, qualname, first, last)
        case ast.Assign(targets=targets):
            for target in targets:
                for each in ast.walk(target):
                    if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store):
                        shown = f"{each.id} = {_short(node.value)}"
                        yield Member(each.id, "attribute", shown, "", path, qualname, first, last)
        case _:
            for inner in ast.iter_child_nodes(node):
                if isinstance(inner, ast.stmt):
                    yield from _bound(inner, owner)


def _short(value: ast.expr) -> str:
    text = ast.unparse(value).replace("\n", " ")
    return text if len(text) <= 60 else f"{text[:60]}…"
