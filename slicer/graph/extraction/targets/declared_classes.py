"""Facts of annotations: the declared classes of parameters, results and attributes."""

from __future__ import annotations

import ast

from ...facts import Declare, NewClass, NewContainer, Variable
from ..fact_walk import Walk

_INSIDE = frozenset(
    """
    Optional Union Annotated Final ClassVar Required NotRequired Awaitable Coroutine InitVar
    """.split()
)
_ITEMS = frozenset(
    """
    list List set Set frozenset FrozenSet tuple Tuple Sequence MutableSequence Iterable Iterator
    Collection Generator AsyncIterator AsyncIterable AsyncGenerator deque Deque AbstractSet
    """.split()
)
_MAPPINGS = frozenset(
    "dict Dict Mapping MutableMapping defaultdict DefaultDict OrderedDict ChainMap".split()
)


def declare(walk: Walk, annotation: ast.expr, target: Variable, klass: int | None) -> None:
    """Record what an annotation says of a variable.

    Args:
        walk: the extraction.
        annotation: its expression.
        target: the variable.
        klass: the meaning of `Self`.
    """
    for source in _classes(walk, annotation, klass):
        walk.builder.emit(Declare(source, target))


def _classes(walk: Walk, node: ast.expr, klass: int | None) -> list[Variable]:
    found: list[Variable] = []
    stack: list[ast.expr] = [node]
    while stack:
        current = stack.pop()
        match current:
            case ast.Constant(value=str(text)):
                stack += _parsed(text, current.lineno)
            case ast.BinOp(op=ast.BitOr()):
                stack += (current.right, current.left)
            case ast.Subscript():
                found += _subscripted(walk, current, stack, klass)
            case ast.Name(id="Self") if klass is not None:
                found.append(_class_itself(walk, klass))
            case ast.Name() | ast.Attribute():
                value = walk.evaluate(current)
                if value is not None:
                    found.append(value)
            case _:
                pass
    return found


def _subscripted(
    walk: Walk, node: ast.Subscript, stack: list[ast.expr], klass: int | None
) -> list[Variable]:
    walk.evaluate(node.value)
    inner = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    match node.value:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            pass
        case _:
            return []
    if name in _INSIDE:
        stack += inner[:1] if name in ("Annotated", "InitVar") else inner
        return []
    if name not in _ITEMS and name not in _MAPPINGS:
        if name in ("Callable", "Literal", "type", "Type"):
            return []
        stack.append(node.value)
        return []
    items = inner[-1:] if name in _MAPPINGS else inner
    item = walk.builder.new()
    for part in items:
        declare(walk, part, item, klass)
    container = walk.builder.new()
    kind = "dict" if name in _MAPPINGS else "list"
    walk.builder.emit(NewContainer(container, kind, ((None, item),), ()))
    return [container]


def _class_itself(walk: Walk, klass: int) -> Variable:
    target = walk.builder.new()
    walk.builder.emit(NewClass(target, klass))
    return target


def _parsed(text: str, line: int) -> list[ast.expr]:
    try:
        node = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    for child in ast.walk(node):
        if isinstance(child, ast.expr):
            child.lineno = line
    return [node]
