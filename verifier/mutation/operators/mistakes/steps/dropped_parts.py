"""Parts left out: a keyword, an argument, an item, a default, a step in between, a branch."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...value_changes import distinct, longer, one_after_another
from ..mutated_function import MutatedFunction
from ..operator_contract import Edit, Operator

_OPTIONAL = {
    "split": 2, "rsplit": 2, "replace": 3, "find": 2, "rfind": 2, "index": 2, "rindex": 2,
    "startswith": 2, "endswith": 2, "count": 2, "encode": 1, "decode": 1, "ljust": 2, "rjust": 2,
    "center": 2, "sub": 4, "round": 2, "int": 2, "sum": 2, "enumerate": 2, "print": 2, "sort": 1,
    "strftime": 2, "pop": 1, "join": 9, "range": 3,
}  # fmt: skip
"""Maps a function or method to the number of arguments from which the last one is optional."""
_IMPLIED = {"int": 10, "range": 1, "enumerate": 0, "sum": 0, "round": None}
"""Maps a builtin to a last argument that equals its default."""
_FIRST = frozenset("find rfind index rindex startswith endswith".split())
"""Methods whose last argument defaults to 0."""
_LAST = frozenset("split rsplit replace pop".split())
"""Methods whose last argument defaults to -1."""
_TEXT_STEPS = frozenset(
    "strip lstrip rstrip replace removeprefix removesuffix zfill translate".split()
)
_BUILTIN_STEPS = frozenset("sorted round".split())


def _keywords(function: MutatedFunction) -> Iterator[Edit]:
    for node, missing in _given(function):
        if not isinstance(missing.value, ast.Constant):
            yield node, _call(function, node, missing)


def _settings(function: MutatedFunction) -> Iterator[Edit]:
    for node, missing in _given(function):
        if isinstance(missing.value, ast.Constant):
            yield node, _call(function, node, missing)


def _given(function: MutatedFunction) -> Iterator[tuple[ast.Call, ast.keyword]]:
    """Yield calls with each of their keywords; not those that make an exception."""
    raised = {id(node.exc) for node in function.nodes if isinstance(node, ast.Raise)}
    for node in function.nodes:
        if isinstance(node, ast.Call) and id(node) not in raised:
            yield from ((node, each) for each in node.keywords if each.arg is not None)


def _rest(function: MutatedFunction) -> Iterator[Edit]:
    """Yield calls without a `*args` or `**kwargs` that they pass on."""
    for node in function.nodes:
        match node:
            case ast.Call(args=args, keywords=keywords):
                starred = [each for each in args if isinstance(each, ast.Starred)]
                for missing in (*starred, *(each for each in keywords if each.arg is None)):
                    yield node, _call(function, node, missing)
            case _:
                pass


def _arguments(function: MutatedFunction) -> Iterator[Edit]:
    for node in function.nodes:
        match node:
            case ast.Call(
                func=ast.Name(id=name) | ast.Attribute(attr=name), args=[*_, last], keywords=[]
            ) if len(node.args) >= _OPTIONAL.get(name, 99) and not _is_redundant(node, name, last):
                yield node, _call(function, node, last)
            case _:
                pass


def _is_redundant(node: ast.Call, name: str, last: ast.expr) -> bool:
    """Whether an argument equals its default, or may be empty."""
    is_method = isinstance(node.func, ast.Attribute)
    match last:
        case ast.Starred():
            return True
        case ast.Constant(value=str() as value):
            return name in {"encode", "decode"} and value.lower() in {"utf-8", "utf8"}
        case ast.Constant(value=value) if name in _IMPLIED and not is_method:
            return type(value) is type(_IMPLIED[name]) and value == _IMPLIED[name]
        case ast.Constant(value=0):
            return name in _FIRST and is_method
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=1)):
            return name in _LAST and is_method
        case _:
            return False


def _call(function: MutatedFunction, node: ast.Call, missing: ast.AST) -> str:
    """Return the call without one of its arguments."""
    given = [function.source(each) for each in node.args if each is not missing]
    for each in node.keywords:
        if each is not missing:
            value = function.source(each.value)
            given.append(f"{each.arg}={value}" if each.arg else f"**{value}")
    return f"{function.operand(node.func)}({', '.join(given)})"


def _items(function: MutatedFunction) -> Iterator[Edit]:
    for node in function.nodes:
        match node:
            case ast.List(elts=[_, _, *_] as items, ctx=ast.Load()):
                for missing in items:
                    yield node, f"[{_joined(function, items, missing)}]"
            case ast.Set(elts=[_, _, *_] as items):
                for missing in items:
                    yield node, f"{{{_joined(function, items, missing)}}}"
            case ast.Tuple(elts=[_, _, *_] as items, ctx=ast.Load()) if _is_collection(
                function, node
            ):
                for missing in items:
                    yield node, f"({_joined(function, items, missing)},)"
            case ast.Dict(keys=[_, _, *_] as keys):
                for missing in range(len(keys)):
                    yield node, _without_key(function, node, missing)
            case _:
                pass


def _is_collection(function: MutatedFunction, node: ast.Tuple) -> bool:
    """Whether a tuple is searched or iterated over, and not unpacked by position."""
    match function.parents.get(id(node)):
        case ast.Compare(ops=[ast.In() | ast.NotIn()]) | ast.For() | ast.comprehension():
            return True
        case ast.Call(func=ast.Name(id="isinstance" | "issubclass")):
            return True
        case ast.Call(func=ast.Attribute(attr="startswith" | "endswith")):
            return True
        case _:
            return False


def _joined(function: MutatedFunction, items: list[ast.expr], missing: ast.expr) -> str:
    return ", ".join(function.source(each) for each in items if each is not missing)


def _without_key(function: MutatedFunction, node: ast.Dict, missing: int) -> str:
    parts: list[str] = []
    for position, (key, value) in enumerate(zip(node.keys, node.values, strict=True)):
        if position != missing:
            text = function.source(value)
            parts.append(f"{function.source(key)}: {text}" if key else f"**{text}")
    return f"{{{', '.join(parts)}}}"


def _defaults(function: MutatedFunction) -> Iterator[Edit]:
    """Yield look-ups without their default, which fail where nothing is found."""
    for node in function.nodes:
        match node:
            case (
                ast.Call(func=ast.Attribute(attr="get" | "pop"), args=[_, last], keywords=[])
                | ast.Call(func=ast.Name(id="next"), args=[_, last], keywords=[])
                | ast.Call(func=ast.Name(id="getattr"), args=[_, _, last], keywords=[])
            ) if not any(isinstance(each, ast.Starred) for each in node.args):
                if not _is_none_of_get(node, last):
                    yield node, _call(function, node, last)
            case _:
                pass


def _is_none_of_get(node: ast.Call, default: ast.expr) -> bool:
    """Whether `get` has that default anyway."""
    is_get = isinstance(node.func, ast.Attribute) and node.func.attr == "get"
    return is_get and isinstance(default, ast.Constant) and default.value is None


def _steps(function: MutatedFunction) -> Iterator[Edit]:
    """Yield the receiver or argument in place of a call that changes it slightly."""
    for node in function.nodes:
        match node:
            case ast.Call(func=ast.Attribute(value=receiver, attr=name), args=[_, *_]) if (
                name in _TEXT_STEPS
            ):
                yield node, function.operand(receiver)
            case ast.Call(func=ast.Name(id=name), args=[first, *rest], keywords=keywords) if (
                name in _BUILTIN_STEPS and (rest or keywords)
            ):
                yield node, function.operand(first)
            case ast.Call(func=ast.Attribute(value=ast.Name(id=module)), args=[only], keywords=[]):
                if module in function.modules and not isinstance(only, ast.Starred):
                    yield node, function.operand(only)
            case _:
                pass


def _branches(function: MutatedFunction) -> Iterator[Edit]:
    for node in function.nodes:
        match node:
            case ast.If(body=[ast.Return() | ast.Continue()], orelse=[]):
                yield node, "pass"
            case ast.If(body=[_, _, *_], orelse=[]):
                if not any(isinstance(n, ast.Yield | ast.YieldFrom) for n in ast.walk(node)):
                    yield node, "pass"
            case _:
                pass


def _accumulated(function: MutatedFunction) -> Iterator[Edit]:
    """Yield a plain assignment for an accumulation, which then keeps only the last value."""
    for node in function.nodes:
        if isinstance(node, ast.AugAssign):
            yield node, f"{function.source(node.target)} = {function.source(node.value)}"


OPERATORS = (
    Operator(
        "dropped keyword",
        _keywords,
        (("return a(1, key=b, **c)", ("return a(1, **c)",)),),
        ("return a(1, b, *c, **options)", "return a(key=1)", "raise a(key=b)"),
    ),
    Operator(
        "dropped setting",
        _settings,
        (("return a(key=1)", ("return a()",)),),
        ("return a(1)", "return a(key=b)"),
        is_hint=True,  # the argument often equals the default
    ),
    Operator(
        "dropped rest",
        _rest,
        (
            (
                "return a(1, *b, key=c, **options)",
                (
                    "return a(1, key=c, **options)",
                    "return a(1, *b, key=c)",
                ),
            ),
        ),
        ("return a(1, key=c)", "return [*b]"),
        is_hint=True,  # the original may often pass none
    ),
    Operator(
        "dropped argument",
        _arguments,
        (
            ("return a.split(',', 1)", ("return a.split(',')",)),
            ("return int(a, 16)", ("return int(a)",)),
        ),
        (
            "return a.split(',')",
            "return a.split(*b)",
            "return g(a, b)",
            "return int(a)",
            "return a.encode('utf-8')",
            "return int(a, 10)",
            "return a.split(',', -1)",
            "return range(a, b, 1)",
        ),
    ),
    Operator(
        "dropped item",
        _items,
        (
            ("return [a, *b]", ("return [*b]", "return [a]")),
            ("return {'x': a, **b}", ("return {**b}", "return {'x': a}")),
            ("return a in ('x', 'y')", ("return a in ('y',)", "return a in ('x',)")),
        ),
        ("return a, b", "return [a]", "a, b = b, a", "[a, b] = c", "return g((a, b))"),
    ),
    Operator(
        "dropped default",
        _defaults,
        (
            ("return a.get(b, 0)", ("return a.get(b)",)),
            ("return getattr(a, 'x', None)", ("return getattr(a, 'x')",)),
        ),
        ("return a.get(b)", "return a.get(b, None)", "return next(a)"),
    ),
    Operator(
        "dropped step",
        _steps,
        (
            ("return sorted(a, key=len)", ("return a",)),
            ("return a.b.strip('/')", ("return a.b",)),
            ("import math\nreturn math.cos(a + 1)", ("import math\nreturn (a + 1)",)),
        ),
        ("return sorted(a)", "return a.strip()", "return a.cos(b)"),
    ),
    Operator(
        "dropped branch",
        _branches,
        (
            ("if a:\n    return b\nreturn c", ("pass\nreturn c",)),
            ("if a:\n    b()\n    c()\nreturn c", ("pass\nreturn c",)),
        ),
        ("if a:\n    return b\nelse:\n    return c", "for x in a:\n    yield x", "if a:\n    b()"),
    ),
    Operator(
        "last for sum",
        _accumulated,
        (("c += a\nreturn c", ("c = a\nreturn c",)),),
        ("c = c + a",),
        killed_by=one_after_another(longer, distinct),
    ),
)
