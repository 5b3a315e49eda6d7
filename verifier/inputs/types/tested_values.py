"""Classes, and values that belong together, in the target's own tests of a parameter."""

from __future__ import annotations

import ast
from collections.abc import Iterator

_MOST = 6
BUILTIN_EXPRESSIONS = {
    "int": "1", "str": "'text-1'", "float": "1.5", "bool": "True", "bytes": "b'bytes-1'",
    "list": "['item-1', 'item-2']", "tuple": "('item-1', 'item-2')", "set": "{'item-1'}",
    "frozenset": "frozenset({'item-1'})", "dict": "{'key-1': 'value-1'}", "NoneType": "None",
    "complex": "1j", "bytearray": "bytearray(b'bytes-1')", "type": "int", "object": "object()",
    "range": "range(2)", "slice": "slice(0, 1)", "Exception": "Exception('error-1')",
}  # fmt: skip
"""An instance of each builtin class."""

_CALLABLE = "(lambda *args, **named: args)"
PASSES_TEST = {
    "callable": _CALLABLE, "isfunction": _CALLABLE, "isclass": "object", "isroutine": "len",
    "isbuiltin": "len", "ismethod": "''.join", "isgenerator": "(n for n in [1, 2])",
    "ismodule": "__import__('math')", "isnan": "float('nan')", "isinf": "float('inf')",
}  # fmt: skip
"""Maps predicates of the standard library to a value that each accepts."""


def accepted_texts(function: ast.AST, place: str) -> Iterator[str]:
    """Yield values that the predicates applied to a parameter accept.

    Args:
        function: the target.
        place: the parameter's name, or an attribute as it is written.
    """
    for node in ast.walk(function):
        match node:
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name), args=[given]):
                if name in PASSES_TEST and ast.unparse(given) == place:
                    yield PASSES_TEST[name]
                    if name == "callable":  # a callable that prints its own name
                        yield "dict"
            case _:
                pass


def is_about(subject: ast.expr, place: str) -> bool:
    """Whether an expression is a place, or a call with it as the only argument."""
    match subject:
        case ast.Call(args=[given], keywords=[]):
            return ast.unparse(given) == place
        case _:
            return ast.unparse(subject) == place


def tested_classes(function: ast.AST, place: str) -> Iterator[ast.expr]:
    """Yield the classes that a parameter is tested for, by `isinstance` and then by patterns.

    Args:
        function: the target.
        place: the parameter's name, or an attribute as it is written.
    """
    same = {place, *same_names(function, place)}
    for node in ast.walk(function):
        match node:
            case ast.Call(func=ast.Name(id="isinstance"), args=[tested, classes]) if (
                ast.unparse(tested) in same
            ):
                yield from _each(classes)
            case ast.Compare(
                left=ast.Call(func=ast.Name(id="type"), args=[tested]),
                ops=[ast.Is() | ast.IsNot() | ast.Eq() | ast.NotEq() | ast.In() | ast.NotIn()],
                comparators=[classes],
            ) if ast.unparse(tested) in same:
                yield from _each(classes)
            case ast.Match(subject=tested, cases=cases) if is_about(tested, place):
                for case in cases:
                    yield from _matched(case.pattern)
            case _:
                pass


def nested_classes(function: ast.AST, place: str) -> Iterator[ast.expr]:
    """Yield the classes in all patterns, nested ones too, that a parameter is matched with."""
    for node in ast.walk(function):
        if isinstance(node, ast.Match) and is_about(node.subject, place):
            patterns = (inner for case in node.cases for inner in ast.walk(case.pattern))
            yield from (each.cls for each in patterns if isinstance(each, ast.MatchClass))


def item_names(function: ast.AST, place: str) -> tuple[str, ...]:
    """Return the loop variables for the items of a parameter.

    Args:
        function: the target.
        place: the parameter's name, or an attribute as it is written.
    """
    places = {place, *_given_names(function, place)}
    return tuple(dict.fromkeys(n for n, items in _loops(function) if ast.unparse(items) in places))


def same_names(function: ast.AST, place: str) -> tuple[str, ...]:
    """Return other names of a place: by assignment, or as the only item of a new collection.

    Args:
        function: the target.
        place: the parameter's name, or an attribute as it is written.
    """
    made = {name for name, value in _assigned(function) if _holds(value, place)}
    inside = (n for n, it in _loops(function) if _holds(it, place) or ast.unparse(it) in made)
    return tuple(dict.fromkeys((*_given_names(function, place), *inside)))


def _given_names(function: ast.AST, place: str) -> tuple[str, ...]:
    """Return the names assigned from a place."""
    return tuple(n for n, value in _assigned(function) if ast.unparse(value) == place)


def _assigned(function: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    """Yield names with each value that may be assigned to them, through conditional expressions."""
    for node in ast.walk(function):
        match node:
            case (
                ast.Assign(targets=[ast.Name(id=name)], value=value)
                | ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value)
                | ast.NamedExpr(target=ast.Name(id=name), value=value)
            ):
                yield from ((name, each) for each in _chosen(value))
            case _:
                pass


def _chosen(value: ast.expr) -> Iterator[ast.expr]:
    match value:
        case ast.IfExp(body=body, orelse=other):
            yield from (*_chosen(body), *_chosen(other))
        case ast.BoolOp(op=ast.Or(), values=values):
            for each in values:
                yield from _chosen(each)
        case _:
            yield value


def _holds(value: ast.expr, place: str) -> bool:
    """Whether it is a list, tuple or set display that contains a place."""
    is_made = isinstance(value, ast.List | ast.Tuple | ast.Set)
    return is_made and any(ast.unparse(each) == place for each in value.elts)


def _loops(function: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    """Yield loop variables with what they loop over."""
    for node in ast.walk(function):
        match node:
            case ast.For() | ast.AsyncFor() | ast.comprehension():
                target, items = node.target, node.iter
            case _:
                continue
        match items, target:
            case (
                ast.Call(func=ast.Name(id="enumerate"), args=[counted, *_]),
                ast.Tuple(elts=[_, inner]),
            ):
                items, target = counted, inner
            case _:
                pass
        if isinstance(target, ast.Name):
            yield target.id, items


def _matched(pattern: ast.pattern) -> Iterator[ast.expr]:
    """Yield the classes that a pattern tests at its top level."""
    match pattern:
        case ast.MatchClass(cls=cls):
            yield cls
        case ast.MatchAs(pattern=ast.pattern() as inner):
            yield from _matched(inner)
        case ast.MatchOr(patterns=patterns):
            for each in patterns:
                yield from _matched(each)
        case _:
            pass


def _each(classes: ast.expr) -> Iterator[ast.expr]:
    match classes:
        case ast.Tuple(elts=items):
            for item in items:
                yield from _each(item)
        case ast.BinOp(op=ast.BitOr(), left=left, right=right):
            yield from _each(left)
            yield from _each(right)
        case _:
            yield classes


def builtin_text(cls: ast.expr) -> str | None:
    """Return an expression for an instance of a builtin class; `None` for others."""
    return BUILTIN_EXPRESSIONS.get(cls.id) if isinstance(cls, ast.Name) else None


def together(function: ast.AST, names: frozenset[str]) -> Iterator[tuple[tuple[str, str], ...]]:
    """Yield values that parameters must have together: `(a, b)` is looked up in constant tuples.

    Args:
        function: the target.
        names: names of its parameters.

    Yields:
        name and expression of each parameter.
    """
    tuples: list[tuple[str, ...]] = []
    known: list[ast.Tuple] = []
    for node in ast.walk(function):
        if isinstance(node, ast.Tuple) and len(node.elts) > 1:
            found = [each.id for each in node.elts if isinstance(each, ast.Name)]
            if len(found) == len(node.elts) and names.issuperset(found):
                tuples.append(tuple(found))
            elif all(isinstance(each, ast.Constant) for each in node.elts):
                known.append(node)
    for order in dict.fromkeys(tuples):
        fitting = [node for node in known if len(node.elts) == len(order)]
        for node in fitting[:_MOST]:
            yield tuple(zip(order, map(ast.unparse, node.elts), strict=True))


def is_only_tested(function: ast.AST, name: str) -> bool:
    """Whether a function only tests a parameter for truth."""
    tests: set[int] = set()
    for node in ast.walk(function):
        match node:
            case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test):
                tests |= {id(each) for each in _truth_tested(test)}
            case ast.Assert(test=test):
                tests |= {id(each) for each in _truth_tested(test)}
            case ast.comprehension(ifs=conditions):
                tests |= {id(each) for test in conditions for each in _truth_tested(test)}
            case ast.UnaryOp(op=ast.Not()):
                tests |= {id(each) for each in _truth_tested(node)}
            case _:
                pass
    own = [n for n in ast.walk(function) if isinstance(n, ast.Name) and n.id == name]
    return bool(own) and all(id(node) in tests for node in own)


def _truth_tested(test: ast.expr) -> Iterator[ast.expr]:
    """Yield the parts of a condition that are only tested for truth."""
    match test:
        case ast.BoolOp(values=values):
            for value in values:
                yield from _truth_tested(value)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield from _truth_tested(operand)
        case _:
            yield test
