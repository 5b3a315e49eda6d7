"""Generates declared functions: their signature, and their answer if uses show none."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, replace

from ....slicer.syntax.call_shapes import CallShape, accepts
from ..external_usage import Usage
from ..interfaces import Answers, Found, Member, line_of
from ..interfaces.declared_members import preserves_signature
from ..interfaces.declared_signatures import OPEN, normal_arguments, signature_text
from ..interfaces.typed_answers import ANYTHING
from .declared_paths import FunctionUsage

_MOST = 6
"""The most overloads that are distinguished."""
_Node = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True)
class Signature:
    """One way to call a function."""

    parameters: str
    body: str
    is_async: bool


@dataclass(frozen=True, slots=True)
class Writer:
    """Generates functions."""

    answers: Answers
    usage: Usage

    def function(self, found: Found, name: str, usage: FunctionUsage) -> str:
        """Return a function of a module."""
        signatures = self._signatures(found.module, found.functions, usage, "", 0)
        return "\n".join(_lines(name, signatures, ["declared"]))

    def method(self, member: Member, usage: FunctionUsage) -> str:
        """Return a method of a class, indented; "" if every stub does the same."""
        name = member.name
        is_static = member.kind == "static method"
        first = "" if is_static else _first_name(member.functions[0])
        found = self._signatures(member.owner.module, member.functions, usage, first, not is_static)
        if name == "__init__":
            found = [replace(each, body="pass", is_async=False) for each in found]
        elif name.startswith("__"):
            plain = [f"return {ANYTHING}", f"return {first}"]
            if name in ("__enter__", "__aenter__"):  # returns itself
                line = line_of(self.answers.reader, member.owner)
                plain += [f"return Given({self.answers.home(each)!r})" for each in line]
            if all(each.body in plain for each in found):
                return ""
        if is_static:
            decorators = ["staticmethod", "declared"]
        elif member.kind == "class method":
            decorators = ["classmethod", "declared_method"]
        else:
            decorators = ["declared_method"]
        if len(found) > 1 and len(decorators) > 1:
            found = [replace(found[0], parameters=_wide(first))]
        return "\n".join(f"    {line}" for line in _lines(name, found, decorators))

    def _signatures(
        self, module: str, nodes: tuple[_Node, ...], usage: FunctionUsage, first: str, bound: int
    ) -> list[Signature]:
        texts = [signature_text(node) for node in nodes]
        is_kept = (
            None not in texts
            and all(map(preserves_signature, nodes))
            and len(nodes) <= _MOST
            and all(_is_accepted(nodes, shape, bound) for shape in usage.shapes)
        )
        found: dict[str, Signature] = {}
        for node, text in zip(nodes, texts, strict=True):
            is_async, value = _answer(module, node, self.answers, first)
            value, is_async = _loosened(value, usage, self.usage, is_async=is_async)
            body = "pass" if value == "None" else f"return {value}"
            parameters = text if is_kept and text is not None else _wide(first)
            found.setdefault(parameters, Signature(parameters, body, is_async))
        several = list(found.values())
        is_awaited = any("awaited" in self.usage.roles(path) for path in usage.paths)
        # one object is called in one way
        return [each for each in several if each.is_async == is_awaited] or several[:1]


def _wide(first: str) -> str:
    return f"{first}, {OPEN}" if first else OPEN


def _lines(name: str, found: list[Signature], decorators: list[str]) -> Iterator[str]:
    for index, each in enumerate(found):
        yield from (f"@{d}" for d in (decorators if not index else [f"{name}.overload"]))
        yield f"{'async ' * each.is_async}def {name}({each.parameters}):"
        yield f"    {each.body}"


def _is_accepted(nodes: tuple[_Node, ...], shape: CallShape, bound: int) -> bool:
    return any(accepts(normal_arguments(node.args), shape, bound=bound) for node in nodes)


def _answer(module: str, node: _Node, answers: Answers, first: str) -> tuple[bool, str]:
    """Return whether the answer is awaited, and its source."""
    is_generator = any(isinstance(inner, (ast.Yield, ast.YieldFrom)) for inner in ast.walk(node))
    is_async = isinstance(node, ast.AsyncFunctionDef) and not is_generator
    if not preserves_signature(node):
        return False, ANYTHING
    inner = None if is_async else answers.awaited(module, node.returns)
    if inner is not None:
        return True, answers.of(module, inner, node.name, first) or ANYTHING
    return is_async, answers.returned(module, node, first) or ANYTHING


def _loosened(
    value: str, function: FunctionUsage, usage: Usage, *, is_async: bool
) -> tuple[str, bool]:
    """Return the answer, or anything if the slice's uses contradict it."""
    for path in function.paths:
        is_awaited = "awaited" in usage.roles(path)
        # uses of an element may also be noted for the whole
        uses = tuple({*usage.below(f"{path}()")} - {*usage.below(f"{path}()[]")})
        is_entered = any(use.path.startswith(f"{path}()[") for use in usage.uses)
        if is_async and not is_awaited and (uses or is_entered):
            return ANYTHING, False
        if not is_async and is_awaited and "Given(" not in value:
            return ANYTHING, False
        if not _fits(value, uses, is_entered=is_entered):
            return ANYTHING, is_async
    return value, is_async


def _fits(value: str, uses: tuple[str, ...], *, is_entered: bool) -> bool:
    kind = _type(ast.parse(value, mode="eval").body)
    if kind is None:
        return True
    has_items = hasattr(kind, "__getitem__")
    return all(hasattr(kind, name) for name in uses) and (has_items or not is_entered)


def _type(node: ast.expr) -> type | None:
    match node:
        case ast.List():
            return list
        case ast.Tuple():
            return tuple
        case ast.Dict():
            return dict
        case ast.Constant(value=value):
            return type(value)
        case _:
            return None


def _first_name(node: _Node) -> str:
    args = [*node.args.posonlyargs, *node.args.args]
    return args[0].arg if args else "self"
