"""Certain values of a function's expressions, by its text: `None`, a match or `None`, an
`int`.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Callable, Iterator

from ....slicer.syntax.scopes import assigned_values, bound_inside, declared_in
from ..mutated_block import Block, Function, own_nodes

_TRUE_OR_NONE = frozenset(
    "re.match re.search re.fullmatch regex.match regex.search regex.fullmatch shutil.which "
    "importlib.util.find_spec inspect.getmodule inspect.currentframe".split()
)
"""Functions that return `None` or a truthy value."""
_MATCHERS = frozenset("match search fullmatch".split())
_NOT_OF_LINES = frozenset("A ASCII I IGNORECASE S DOTALL U UNICODE".split())
"""Flags under which `^` matches only at the start of the text."""
_COUNTS = frozenset("builtins.len builtins.ord builtins.hash builtins.id".split())
_WHOLE_SIGNS = (ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Mod)
_PLAIN = (ast.Name, ast.Attribute, ast.Constant)
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)


class CertainValues:
    """The certain facts about a block's expressions."""

    def __init__(self, block: Block, module: ast.Module, path: Callable[[ast.expr], str]) -> None:
        """Analyse a block.

        Args:
            block: the block with the expressions.
            module: the tree of the block's file.
            path: returns the dotted name that an expression stands for; empty if unknown.
        """
        self._path = path
        self._patterns = {
            **dict(_patterns(module, path)),
            **dict(_own_patterns(module, block.enclosing, path)),
        }
        self._nodes = [node for function in block.functions for node in own_nodes(function)]
        self._bound = _bindings(self._nodes)
        self._parameters = {each.arg: each for each in _parameters(block.functions)}
        shared = (n for function in block.functions for n in ast.walk(function))
        self._shared = declared_in(shared)
        local = (self._parameters.keys() | self._bound.keys()) - self._shared
        tested = (name for node in self._nodes for name in _none_after_test(node))
        self.none = frozenset(id(name) for name in tested if name.id in local)
        """Ids of names that are `None` where they are read."""
        self.absent = frozenset(id(store) for node in self._nodes for store in _first_stores(node))
        """Ids of statements that store under a missing key."""

    def is_true_or_none(self, node: ast.expr) -> bool:
        """Whether an expression is falsy only if it is `None`."""
        match node:
            case ast.Name(id=name) if name not in self._parameters.keys() | self._shared:
                values = self._bound.get(name, [None])
                return all(each is not None and self._matches(each) for each in values)
            case _:
                return False

    def is_integer(self, node: ast.expr) -> bool:
        """Whether an expression is an `int`, provided that parameters match their annotations."""
        match node:
            case ast.Constant(value=value):
                return type(value) is int
            case ast.Name(id=name):
                declared = self._parameters.get(name)
                annotation = declared.annotation if declared is not None else None
                is_int = annotation is not None and ast.unparse(annotation).strip("'\"") == "int"
                return is_int and name not in self._bound
            case ast.Call(func=func, args=[_], keywords=[]):
                return self._path(func) in _COUNTS
            case ast.UnaryOp(op=ast.USub() | ast.UAdd(), operand=inner):
                return self.is_integer(inner)
            case ast.BinOp(left=left, op=op, right=right) if isinstance(op, _WHOLE_SIGNS):
                return self.is_integer(left) and self.is_integer(right)
            case _:
                return False

    def begins_at_start(self, function: ast.expr) -> bool:
        """Whether a method of a compiled pattern, or a function of `re`, only matches at the start.

        Args:
            function: the callee; the pattern of a function of `re` is unknown.
        """
        match function:
            case ast.Attribute(value=ast.Name() | ast.Attribute() as pattern):
                compiled = self._patterns.get(ast.unparse(pattern))
                return compiled is not None and is_anchored(compiled)
            case _:
                return False

    def _matches(self, value: ast.expr) -> bool:
        match value:
            case ast.Constant(value=None):
                return True
            case ast.Call(
                func=ast.Attribute(value=ast.Name() | ast.Attribute() as pattern, attr=attr)
            ) if ast.unparse(pattern) in self._patterns:
                return attr in _MATCHERS
            case ast.Call(func=func):
                return self._path(func) in _TRUE_OR_NONE
            case _:
                return False


def is_anchored(compiled: ast.Call) -> bool:
    """Whether a pattern only matches at the start of a text, as far as its form shows.

    Args:
        compiled: the call that compiles it.
    """
    match compiled.args:
        case [ast.Constant(value=str() | bytes() as value), *flags]:
            pattern = value if isinstance(value, str) else value.decode("latin-1")
        case _:
            return False
    names = [n for each in (*flags, *compiled.keywords) for n in ast.walk(each)]
    flag_names = {n.attr for n in names if isinstance(n, ast.Attribute)}
    is_plain = flag_names <= _NOT_OF_LINES and bool(flag_names) == bool(names)
    return is_plain and pattern.startswith(("^", r"\A")) and not _has_alternatives(pattern)


def _has_alternatives(pattern: str) -> bool:
    """Whether a pattern has a `|` outside all groups."""
    plain = re.sub(r"\\.|\[\]?(?:\\.|[^\]])*\]", "", pattern, flags=re.DOTALL)
    depth = 0
    for character in plain:
        depth += (character == "(") - (character == ")")
        if character == "|" and depth == 0:
            return True
    return False


def _patterns(
    module: ast.Module, path: Callable[[ast.expr], str]
) -> Iterator[tuple[str, ast.Call]]:
    """Yield names of a file that are bound once, to a compiled pattern, with the compiling call."""
    names = (node for node in ast.walk(module) if isinstance(node, ast.Name | ast.arg))
    stored = Counter(
        node.arg if isinstance(node, ast.arg) else node.id
        for node in names
        if isinstance(node, ast.arg) or not isinstance(node.ctx, ast.Load)
    )
    for statement in module.body:
        match statement:
            case (
                ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(func=func) as call)
                | ast.AnnAssign(target=ast.Name(id=name), value=ast.Call(func=func) as call)
            ) if stored[name] == 1 and path(func) in {"re.compile", "regex.compile"}:
                yield name, call
            case _:
                pass


def _own_patterns(
    module: ast.Module, around: tuple[str, ...], path: Callable[[ast.expr], str]
) -> Iterator[tuple[str, ast.Call]]:
    """Yield class-level patterns by their names in methods, if nothing else sets them."""
    set_elsewhere = {
        node.attr
        for node in ast.walk(module)
        if isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load)
    }
    inside: ast.Module | ast.ClassDef | None = module
    for name in around:
        classes = (n for n in inside.body if isinstance(n, ast.ClassDef) and n.name == name)
        inside = next(classes, None)
        if inside is None:
            return
    if isinstance(inside, ast.ClassDef):
        for name, call in _patterns(ast.Module(inside.body, []), path):
            if name not in set_elsewhere:
                yield from ((f"{holder}.{name}", call) for holder in ("self", "cls", inside.name))


def _bindings(nodes: list[ast.AST]) -> dict[str, list[ast.expr | None]]:
    """Map each name to what it is bound to; a nested function may mean another variable."""
    found = assigned_values(nodes)
    for node in nodes:
        for name in sorted(bound_inside(node)) if isinstance(node, _SCOPES) else ():
            found.setdefault(name, []).append(None)
    return found


def _parameters(functions: tuple[Function, ...]) -> Iterator[ast.arg]:
    for function in functions:
        yield from (node for node in ast.walk(function.args) if isinstance(node, ast.arg))


def _first_stores(node: ast.AST) -> Iterator[ast.stmt]:
    """Yield the store right after a test that its key is missing."""
    match node:
        case ast.If(
            test=ast.Compare(left=key, ops=[ast.NotIn()], comparators=[container]),
            body=[ast.Assign(targets=[ast.Subscript(value=where, slice=at)]) as store, *_],
        ) if ast.dump(key) == ast.dump(at) and ast.dump(container) == ast.dump(where):
            if all(isinstance(part, _PLAIN) for part in (key, container)):
                yield store
        case _:
            pass


def _none_after_test(node: ast.AST) -> Iterator[ast.Name]:
    """Yield names in the branch that runs only where they are `None`."""
    match node:
        case ast.If(test=ast.Compare(left=ast.Name(id=name), ops=[ast.Is()]) as test, body=body):
            pass
        case ast.If(
            test=ast.Compare(left=ast.Name(id=name), ops=[ast.IsNot()]) as test, orelse=body
        ):
            pass
        case _:
            return
    if not (isinstance(test.comparators[0], ast.Constant) and test.comparators[0].value is None):
        return
    inside = [each for statement in body for each in ast.walk(statement)]
    names = [each for each in inside if isinstance(each, ast.Name) and each.id == name]
    if not any(isinstance(each, _SCOPES) for each in inside) and all(
        isinstance(each.ctx, ast.Load) for each in names
    ):
        yield from names
