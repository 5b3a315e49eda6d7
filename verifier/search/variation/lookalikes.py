"""Lookalikes of an instance: its class, an object with the same attributes, a subclass's instance.

A target that tests classes distinguishes the first two from an instance, but not the third. A
plausible wrong version does not.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ..drafts.draft_trees import parsed

_KINDS = frozenset({"type", "SimpleNamespace"})
_BELOW = "Some{name}"
"""Name of a subclass that is made on the spot."""
_TESTS = frozenset({"isinstance", "issubclass", "callable", "isclass", "type"})
_EQUALITY = frozenset({"__eq__", "__ne__"})


@dataclass(frozen=True, slots=True)
class ClassTest:
    """The facts that a target's class tests state about a parameter."""

    attributes: tuple[str, ...]
    """Attributes that the target reads of the parameter, or of its own instance."""
    is_refused: bool
    """Whether it raises or declines for instances of other classes."""
    classes: frozenset[str] = frozenset()
    """Names of the classes that the parameter is tested for."""

    @property
    def lookalikes(self) -> frozenset[str]:
        """Return the names that sketches give to lookalikes."""
        return _KINDS.union(_BELOW.format(name=each) for each in self.classes)


def class_tests(function: ast.FunctionDef | ast.AsyncFunctionDef) -> dict[str, ClassTest]:
    """Return the parameters whose class a function tests, and the operand of an equality."""
    args = function.args
    given = [each.arg for each in (*args.posonlyargs, *args.args, *args.kwonlyargs)]
    tested = {*_tested(function)}
    refused = {name for each in ast.walk(function) for name in _refused(each)}
    if function.name in _EQUALITY:  # unless any object with the attributes will do
        tested |= {name for name in given[1:2] if not [*_attributes(function, {name})]}
    classes = {name: frozenset(_classes(function, name)) for name in given}
    return {
        name: ClassTest(
            tuple(_attributes(function, {name, *given[:1]})), name in refused, classes[name]
        )
        for name in given
        if name in tested
    }


def _tested(node: ast.AST) -> Iterator[str]:
    for inner in ast.walk(node):
        match inner:
            case ast.Call(
                func=ast.Name(id=called) | ast.Attribute(attr=called), args=[ast.Name(id=name), *_]
            ) if called in _TESTS:
                yield name
            case _:
                pass


def _classes(function: ast.AST, name: str) -> Iterator[str]:
    """Yield the classes of the file that a parameter, not its attribute, is tested for."""
    for node in ast.walk(function):
        match node:
            case ast.Call(
                func=ast.Name(id="isinstance"), args=[ast.Name(id=tested), ast.Tuple(elts=classes)]
            ) if tested == name:
                yield from (each.id for each in classes if isinstance(each, ast.Name))
            case (
                ast.Call(
                    func=ast.Name(id="isinstance"), args=[ast.Name(id=tested), ast.Name(id=cls)]
                )
                | ast.Compare(
                    left=ast.Call(func=ast.Name(id="type"), args=[ast.Name(id=tested)]),
                    comparators=[ast.Name(id=cls)],
                )
            ) if tested == name:
                yield cls
            case _:
                pass


def _refused(node: ast.AST) -> Iterator[str]:
    """Yield the parameters for whose class a statement raises or declines."""
    match node:
        case ast.Assert(test=test):
            yield from _tested(test)
        case ast.If(test=test, body=body, orelse=other):
            if any(map(_refuses, (*body, *other))):
                yield from _tested(test)
        case _:
            pass


def _refuses(node: ast.AST) -> bool:
    match node:
        case ast.Raise(exc=ast.expr()) | ast.Return(value=ast.Name(id="NotImplemented")):
            return True
        case _:
            return False


def _attributes(function: ast.AST, names: set[str]) -> Iterator[str]:
    """Yield the attributes read of some names, without called methods."""
    called = {id(each.func) for each in ast.walk(function) if isinstance(each, ast.Call)}
    found = (
        node.attr
        for node in ast.walk(function)
        if isinstance(node, ast.Attribute) and id(node) not in called
        if isinstance(node.value, ast.Name) and node.value.id in names
        if not node.attr.startswith("__")
    )
    return iter(dict.fromkeys(found))


def lookalikes(
    arguments: tuple[tuple[str, str], ...], tests: Mapping[str, ClassTest]
) -> Iterator[tuple[str, str]]:
    """Yield parameters with lookalikes of the instances that they are given.

    Args:
        arguments: the arguments of a call.
        tests: the parameters whose class a target tests.
    """
    for name, text in arguments:
        test, tree = tests.get(name), parsed(text)
        match tree and tree.expression:
            case ast.Call(func=made) if test and _is_class(made, test):
                if _last(made) in test.classes:
                    cls, below = ast.unparse(made), _BELOW.format(name=_last(made))
                    yield name, text.replace(cls, f"type({below!r}, ({cls},), {{}})", 1)
                if test.is_refused:
                    yield name, ast.unparse(made)
                same = ", ".join(f"{each}={text}.{each}" for each in test.attributes)
                if same:
                    yield name, f"__import__('types').SimpleNamespace({same})"
            case _:
                pass


def _is_class(node: ast.expr, test: ClassTest) -> bool:
    """Whether a callee is a class, by its name or because it is made on the spot."""
    match node:
        case ast.Name() | ast.Attribute():
            name = _last(node)
            return name in test.classes or name.lstrip("_")[:1].isupper()
        case ast.Call(func=ast.Name(id="type"), args=[_, _, _]):
            return True
        case _:
            return False


def _last(node: ast.expr) -> str:
    """Return the last part of a dotted name."""
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case _:
            return ""
