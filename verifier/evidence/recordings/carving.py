"""Carving: turn recorded calls into calls of a script (Elbaum et al., FSE 2006).

A value becomes a constructor call with the recorded arguments if the script has the class, else an
object with the attributes that the script reads.
"""

from __future__ import annotations

import ast
import copy
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import cast

from ....slicer.emission.choose_layout import layout_of
from ....slicer.model import Slice
from ....slicer.repo.repository import Repository
from ...script.carried_names import carried_name
from .recorded_calls import (
    PLACE,
    STATE,
    UNKNOWN,
    RecordedCall,
    constructor_of,
    named_definitions,
    referred,
)

_ATTRIBUTE = re.compile(r"\.(\w+)")
_MANGLED = re.compile(r"\A_[^\W_]\w*?(__\w+)\Z")
_LONGEST = 900
"""Longest expression in characters."""


def lacking(calls: Iterable[RecordedCall], sliced: Slice) -> tuple[str, ...]:
    """Return definitions that recorded values need and a slice lacks, sorted.

    A class is included as well if only its constructor is missing.

    Returns:
        Each as `path::qualname`.
    """
    kept = {(d.path, d.qualname) for d in sliced.manifest.definitions}
    pairs = named_definitions(text for call in calls for text in call.texts)
    missing = {
        f"{path}::{qualname}"
        for (path, qualname), needed in pairs
        if (path, qualname) not in kept or needed not in kept
    }
    return tuple(sorted(missing))


@dataclass(frozen=True)
class Script:
    """A slice as one script, and the names of the repository's definitions in it."""

    repository: Repository
    sliced: Slice

    @cached_property
    def read(self) -> frozenset[str]:
        """Return all attributes that the script reads."""
        return frozenset(_ATTRIBUTE.findall(self.sliced.source))

    @cached_property
    def _kept_names(self) -> frozenset[tuple[str, str]]:
        return frozenset((d.path, d.qualname) for d in self.sliced.manifest.definitions)

    def defines(self, path: str, qualname: str) -> bool:
        """Whether the script keeps a definition."""
        return (path, qualname) in self._kept_names

    def carved(self, call: RecordedCall, likeliest: str = "") -> RecordedCall:
        """Return the call with expressions in the script's namespace; empty ones where impossible.

        Args:
            call: the recorded call.
            likeliest: a call of the receiver's class, as source of missing arguments.
        """
        files: dict[str, str] = {}
        receiver = self._expression(call.receiver, likeliest, files)
        arguments = [(name, self._expression(text, "", files)) for name, text in call.arguments]
        states = [
            (name, self._expression(text, "", files))
            for name, text in call.states
            if self.reads(name)
        ]
        contents = [
            (
                key if key.startswith(".") else self._expression(key, "", files),
                self._expression(text, "", files),
            )
            for key, text in call.contents
        ]
        return replace(
            call,
            arguments=tuple(arguments),
            receiver=receiver,
            states=tuple((name, text) for name, text in states if text),
            contents=tuple(contents) if all(key and text for key, text in contents) else (),
            files=tuple(files.items()),
        )

    def reads(self, name: object) -> bool:
        """Whether the script reads an attribute, perhaps under its mangled name."""
        return isinstance(name, str) and bool(
            name in self.read or _MANGLED.sub(r"\1", name) in self.read
        )

    def is_expressible(self, call: RecordedCall) -> bool:
        """Whether every value of a recorded call can be written in the script."""
        carved = self.carved(call)
        pairs = [*zip(call.arguments, carved.arguments, strict=True)]
        are_given = all(text for _, (_, text) in pairs) and call.is_complete
        return are_given and bool(carved.receiver or not call.receiver)

    def _expression(self, text: str, likeliest: str, files: dict[str, str]) -> str:
        """Return an expression in the script's namespace; empty if it names something unknown.

        Args:
            text: the recorded expression.
            likeliest: a call of the same class.
            files: collects the files that must be created for it.
        """
        placed: dict[str, str] = {}
        try:
            tree = ast.parse(text, mode="eval").body
            if isinstance(tree, ast.Call):
                tree.keywords = list(self._given(tree.keywords, likeliest))
            made = ast.unparse(_Renamed(self, placed).visit(tree))
            if len(made) > _LONGEST:
                return ""
            files.update(placed)
            return made
        except (SyntaxError, ValueError, RecursionError, MemoryError, LookupError):
            return ""

    def _given(self, keywords: Sequence[ast.keyword], likeliest: str) -> Iterator[ast.keyword]:
        """Yield the known arguments, and likely ones in place of others."""
        call = ast.parse(likeliest or "None", mode="eval").body
        instead = {k.arg: k for k in call.keywords} if isinstance(call, ast.Call) else {}
        for each in keywords:
            if self.can_be_given(each.value):
                yield each
            elif each.arg in instead:
                yield instead[each.arg]

    def can_be_given(self, node: ast.expr) -> bool:
        """Whether an argument can be given. Others are left to their default."""
        try:
            _Renamed(self, {}).visit(copy.deepcopy(node))
        except LookupError:
            return False
        return not (isinstance(node, ast.Name) and node.id == UNKNOWN)

    def name_of(self, path: str, qualname: str) -> str:
        """Return an expression for a definition.

        Raises:
            LookupError: the slice does not hold it.
        """
        manifest = self.sliced.manifest
        top = qualname.partition(".")[0]
        if not self.defines(path, top):
            raise LookupError(qualname)
        target = manifest.targets[0]
        is_own = path == target.path and top == target.qualname.partition(".")[0]
        if layout_of(manifest).is_merged or is_own:
            return qualname
        name = carried_name(self.repository, self.sliced, path)
        return f'__import__("importlib").import_module({name!r}).{qualname}'


@dataclass(slots=True)
class _Renamed(ast.NodeTransformer):
    """Replaces the repository's definitions by the script's names."""

    script: Script
    files: dict[str, str]
    """Collects the files at the paths that are named."""

    def visit_Call(self, node: ast.Call) -> ast.AST:
        match node:
            case ast.Call(
                ast.Name(id=name), [ast.Constant(str() as path), ast.Dict() as attributes]
            ) if name == PLACE:
                self.files.update(cast("dict[str, str]", ast.literal_eval(attributes)))
                return ast.Constant(path)
            case _:
                pass
        named = referred(node)
        if named is not None:
            return ast.parse(self.script.name_of(*named), mode="eval").body
        if referred(node.func) is not None:
            return self.generic_visit(self._instance(node))
        return self.generic_visit(node)

    def _instance(self, node: ast.Call) -> ast.Call:
        """Return a constructor call if the script has it; else an object with its attributes."""
        state = next((k.value for k in node.keywords if k.arg == STATE), None)
        init = constructor_of(node)
        node.keywords = [k for k in node.keywords if k.arg != STATE]
        match state:
            case ast.Dict(keys=[_, *keys], values=[_, *values]):
                pass
            case _:
                keys, values = [], []
        path, qualname = cast("tuple[str, str]", referred(node.func))
        is_there = self.script.defines(path, qualname.partition(".")[0])
        if is_there and (init is None or self.script.defines(*init)):
            node.keywords = [k for k in node.keywords if self.script.can_be_given(k.value)]
            return node
        pairs = [
            (key, value)
            for key, value in zip(keys, values, strict=True)
            if isinstance(key, ast.Constant)
            and self.script.reads(key.value)
            and self.script.can_be_given(value)
        ]
        members = ast.Dict([key for key, _ in pairs], [value for _, value in pairs])
        bases = ast.Tuple([node.func] if is_there else [], ast.Load())
        made: list[ast.expr] = [ast.Constant(qualname.rpartition(".")[2]), bases, members]
        return ast.Call(ast.Call(ast.Name("type", ast.Load()), made, []), [], [])
