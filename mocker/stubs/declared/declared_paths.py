"""The declarations that a slice's paths mean, and the calls that concern each function."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass

from ....slicer.syntax.call_shapes import CallShape
from ..external_usage import Usage
from ..interfaces import Answers, Found, Member, line_of, members_of

Key = tuple[str, str]
"""A function's dotted name, or a class's with the name of a member."""


@dataclass(frozen=True, slots=True)
class FunctionUsage:
    """The uses of one function in a slice."""

    shapes: frozenset[CallShape]
    """Shapes of the calls that are, or may be, to this function."""
    paths: tuple[str, ...]
    """The paths at which it is called."""


@dataclass(frozen=True, slots=True)
class DeclaredMeaning:
    """A declared function or class, a member of a class, or the source of a value."""

    found: Found | None = None
    member: Member | None = None
    value: str | None = None


class DeclaredPaths:
    """Follows paths through declarations."""

    def __init__(
        self, usage: Usage, answers: Answers, classes: Mapping[str, Found],
        named: Mapping[str, Found],
    ) -> None:  # fmt: skip
        self._answers = answers
        self._classes = classes
        self._named = named
        self._known: dict[str, DeclaredMeaning | None] = {}
        self._shapes: dict[Key, set[CallShape]] = {}
        self._open: dict[str, set[CallShape]] = {}
        self._paths: dict[Key, set[str]] = {}
        for call in usage.calls:
            key = self._key(self.meaning(call.path)) if call.path else None
            if key is None:
                self._open.setdefault(call.name, set()).add(call.shape)
            else:
                self._shapes.setdefault(key, set()).add(call.shape)
        for use in usage.uses:
            key = self._key(self.meaning(use.path))
            if key is not None:
                self._paths.setdefault(key, set()).add(use.path)

    def of_function(self, found: Found) -> FunctionUsage:
        """Return the slice's uses of a module's function."""
        key = found.path, ""
        return FunctionUsage(
            frozenset(self._shapes.get(key, ())), tuple(sorted(self._paths.get(key, ())))
        )

    def of_member(self, member: Member) -> FunctionUsage:
        """Return the slice's uses of a method, with calls of any method of the same name."""
        key = member.owner.path, member.name
        shapes = {*self._shapes.get(key, ()), *self._open.get(member.name, ())}
        return FunctionUsage(frozenset(shapes), tuple(sorted(self._paths.get(key, ()))))

    def _key(self, meaning: DeclaredMeaning | None) -> Key | None:
        if meaning is None or meaning.value is not None:
            return None
        if meaning.member is not None:
            return meaning.member.owner.path, meaning.member.name
        found = meaning.found
        if found is None or found.cls is None:
            return (found.path, "") if found else None
        made = self._member(found, "__init__")
        return (made.owner.path, made.name) if made else None

    def meaning(self, path: str) -> DeclaredMeaning | None:
        """Return the declaration that a path means; `None` if there is none."""
        if path not in self._known:
            self._known[path] = None
            self._known[path] = self._meaning(path)
        return self._known[path]

    def _meaning(self, path: str) -> DeclaredMeaning | None:
        if path in self._named:
            return DeclaredMeaning(self._named[path])
        if path.endswith("()"):
            return self._called(self.meaning(path[:-2]))
        if path.endswith("[]"):
            above = self.meaning(path[:-2])
            return self._item(above.value) if above and above.value else None
        prefix, _, name = path.rpartition(".")
        above = self.meaning(prefix) if prefix else None
        cls = None
        if above and above.value:
            cls = self._class_of(above.value)
        elif above and above.found and above.member is None:
            cls = above.found if above.found.cls else None
        member = self._member(cls, name) if cls else None
        if member is None:
            return None
        return (
            self._read(member)
            if member.kind in ("property", "value")
            else DeclaredMeaning(None, member)
        )

    def _called(self, above: DeclaredMeaning | None) -> DeclaredMeaning | None:
        if above is None:
            return None
        if above.found and above.found.cls:
            home = self._answers.home(above.found)
            return DeclaredMeaning(value=f"Given({home!r})") if home else None
        member = above.member
        if above.value:
            cls = self._class_of(above.value)
            member = self._member(cls, "__call__") if cls else None
        if member is not None:
            owner, functions = member.owner, member.functions
            own = self._answers.home(owner)
            return self._returned(owner.module, functions, f"Given({own!r})" if own else "")
        return self._returned(above.found.module, above.found.functions) if above.found else None

    def _returned(
        self, module: str, functions: tuple[ast.FunctionDef | ast.AsyncFunctionDef, ...],
        own: str = "",
    ) -> DeclaredMeaning | None:  # fmt: skip
        values = (self._answers.returned(module, node, own) for node in functions)
        value = next((value for value in values if value), None)
        return DeclaredMeaning(value=value) if value else None

    def _read(self, member: Member) -> DeclaredMeaning | None:
        value = self._answers.attribute_source(member)
        return DeclaredMeaning(value=value) if value else None

    def _member(self, cls: Found, name: str) -> Member | None:
        for each in line_of(self._answers.reader, cls):
            for member in members_of(each):
                if member.name == name:
                    return member
        return None

    def _class_of(self, value: str) -> Found | None:
        match ast.parse(value, mode="eval").body:
            case ast.Call(func=ast.Name(id="Given"), args=[ast.Constant(value=str(home))]):
                return self._classes.get(home)
            case ast.Call(func=ast.Name(id="Entered"), args=[inner]):
                return self._class_of(ast.unparse(inner))
            case _:
                return None

    def _item(self, value: str) -> DeclaredMeaning | None:
        node = ast.parse(value, mode="eval").body
        match node:
            case ast.Call(func=ast.Name(id="Iterated" | "Streamed"), args=[ast.List() as inner]):
                node = inner
            case ast.Call(func=ast.Name(id="Given")):
                cls = self._class_of(value)
                for name in ("__getitem__", "__iter__") if cls else ():
                    member = self._member(cls, name) if cls else None
                    if member is not None:
                        found = self._returned(member.owner.module, member.functions)
                        is_item = name == "__getitem__" or not (found and found.value)
                        return found if is_item else self._item(str(found and found.value))
                return None
            case _:
                pass
        match node:
            case ast.List(elts=[first, *_]) | ast.Tuple(elts=[first, *_]):
                return DeclaredMeaning(value=ast.unparse(first))
            case ast.Dict(values=[first, *_]):
                return DeclaredMeaning(value=ast.unparse(first))
            case _:
                return None
