"""Expressions: names, attributes, items, operators, displays and comprehensions."""

from __future__ import annotations

import ast
import re

from ...slicer.analysis.inference.function_texts import is_property
from ...slicer.analysis.scopes.definitions import comprehension_scope, function_scope
from ...slicer.analysis.values.abstract_values import ClassValue, Instance, SuperValue
from .flow_graph import Node
from .flow_walk import Frame, Walk

_SIGNS: dict[type[ast.cmpop], str] = {
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
    ast.In: "in", ast.NotIn: "not in", ast.Is: "is", ast.IsNot: "is not",
}  # fmt: skip
_TURNED = {
    "==": "==", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<=", "in": "has",
    "not in": "has not", "is": "is", "is not": "is not",
}  # fmt: skip
_CATCHING = frozenset({"KeyError", "IndexError", "LookupError", "Exception", "TypeError"})
_INDEX = re.compile(
    r"[a-z]|(.*_)?(idx|ind|index|indices|pos|position|row|col|column|line|num|number|nr|no|step"
    r"|count|offset)\d*",
    re.IGNORECASE,
)
"""Names of integers used as positions in lists."""
_NUMERIC = (ast.Sub, ast.Div, ast.FloorDiv, ast.Pow, ast.MatMult)


def name(walk: Walk, node: ast.Name) -> Node:
    """Return the node of a name that is read."""
    return walk.name(node.id)


def constant(walk: Walk, node: ast.Constant) -> Node:
    """Return the node of a literal."""
    return walk.graph.constant(node.value)


def attribute(walk: Walk, node: ast.Attribute) -> Node:
    """Return the node of an attribute: of a module, an object, or an outside name."""
    return member(walk, walk.value(node.value), node)


def member(walk: Walk, base: Node, node: ast.Attribute) -> Node:
    """Return the node of an attribute of a walked value."""
    module = walk.module_of(base, node.value)
    if module is not None:
        if walk.inference.names.defines(module[0], node.attr):
            return walk.global_name(module[0], node.attr)
        return walk.graph.new()
    found = walk.graph.take(base, ("attr", node.attr))
    for value in walk.inferred(node.value):
        if isinstance(value, (Instance, ClassValue, SuperValue)):
            walk.graph.flow(walk.attribute_of(value.cls, node.attr), found)
            defined = walk.inference.find_member(value.cls, node.attr)
            for unit in defined[1] if defined else ():
                if isinstance(unit.node, (ast.FunctionDef, ast.AsyncFunctionDef)) and is_property(
                    unit.node
                ):
                    walk.graph.flow(walk.graph.at(("result", unit.node)), found)
    return found


def subscript(walk: Walk, node: ast.Subscript) -> Node:
    """Return the node of an item, or of a part of a sequence."""
    base = walk.value(node.value)
    return item(walk, base, node.slice)


def item(walk: Walk, base: Node, key: ast.expr) -> Node:  # noqa: C901 - a case for each kind of subscript
    """Return the node that a subscript takes out of a value."""
    match key:
        case ast.Slice():
            for part in (key.lower, key.upper, key.step):
                if part is not None:
                    walk.add_use(walk.value(part), "type", "int")
            walk.add_use(base, "sliced", getattr(key.lower, "value", None))
            return base
        case ast.Constant(value=value):
            return _known_item(walk, base, value)
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() as value)):
            return _known_item(walk, base, -value)
        case ast.Tuple(elts=elements) if any(isinstance(e, ast.Slice) for e in elements):
            walk.add_use(base, "argument", ("dimensions", len(elements)))
            return base
        case ast.List(elts=elements):
            for element in elements:  # columns of a table
                if isinstance(element, ast.Constant):
                    walk.graph.take(base, ("key", element.value))
            return base
        case ast.Compare() | ast.BoolOp() | ast.BinOp(op=ast.BitAnd() | ast.BitOr()):
            _rows(walk, key)
            return base
        case _:
            place = walk.value(key)
            if isinstance(key, ast.BinOp) and isinstance(key.op, (ast.Sub, ast.Add)):
                for side in (key.left, key.right):
                    if isinstance(side, ast.Name) and _kind(key.right) == "int":
                        walk.add_use(walk.name(side.id), "type", "int")
            if isinstance(key, ast.JoinedStr):
                walk.add_use(place, "type", "str")
            elif isinstance(key, ast.Name) and not _INDEX.fullmatch(key.id):
                for argument in _parameters(walk):
                    if argument.arg == key.id and argument.annotation is None:
                        walk.add_use(place, "argument", ("key",))
            return walk.graph.take_by(base, place)


def _parameters(walk: Walk) -> list[ast.arg]:
    function = walk.frame.scope.node
    if not isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
        return []
    arguments = function.args
    return [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]


def _known_item(walk: Walk, base: Node, key: object) -> Node:
    """Return the item of a constant key; note whether the slice handles its absence."""
    found = walk.graph.take(base, ("key", key))
    if any(name in _CATCHING for names in walk.caught for name in names):
        walk.add_use(found, "caught")
    return found


def _rows(walk: Walk, condition: ast.expr) -> None:
    """Note a condition that selects rows of a table: it should select some."""
    match condition:
        case ast.BinOp(left=left, op=ast.BitAnd() | ast.BitOr(), right=right):
            _rows(walk, left)
            _rows(walk, right)
        case _:
            walk.add_use(walk.value(condition), "truth", True)


def binary(walk: Walk, node: ast.BinOp) -> Node:
    """Return the node of an operator's result; note what it requires of its operands."""
    left, right = walk.value(node.left), walk.value(node.right)
    result = walk.graph.new()
    if isinstance(node.op, ast.Mod) and _is_text(node.left):
        return result  # a format
    walk.add_use(left, "argument", ("arithmetic",), result)
    walk.add_use(right, "argument", ("arithmetic",), result)
    if isinstance(node.op, ast.Add):
        for side, other in ((left, node.right), (right, node.left)):
            kind = _kind(other)
            if kind:
                walk.add_use(side, "type", kind)
            walk.add_use(side, "argument", ("add", right if side == left else left))
        # the concatenation of lists and texts has the items of both
        walk.graph.flow(left, result)
        walk.graph.flow(right, result)
        return result
    if isinstance(node.op, ast.Div):
        # the path operator `/`
        paths = [walk.dotted(side) for side in (node.left, node.right)]
        if any("athlib" in "".join(names) for names in paths):
            walk.add_use(right, "argument", ("path",))
            return result
    for side, other, given in ((left, right, node.right), (right, left, node.left)):
        if isinstance(node.op, _NUMERIC):
            if not any(n.startswith("datetime.") for n in walk.dotted(given)):
                walk.add_use(side, "type", "number")
                walk.add_use(side, "argument", ("with", other))
        elif isinstance(node.op, ast.Mult):
            walk.add_use(side, "type", "number")
        elif isinstance(node.op, (ast.Mod, ast.LShift, ast.RShift, ast.BitAnd, ast.BitXor)):
            if _kind(given) != "int":
                continue
            walk.add_use(side, "type", "int")
    if isinstance(node.op, (ast.Div, ast.Mod, ast.FloorDiv)):
        walk.add_use(right, "compare", ("!=", walk.graph.constant(0)), _true(walk))
    if isinstance(node.op, ast.BitOr):
        walk.graph.flow(left, result)
        walk.graph.flow(right, result)
    return result


def _true(walk: Walk) -> Node:
    node = walk.graph.new()
    walk.add_use(node, "truth", True)
    return node


def _is_text(node: ast.expr) -> bool:
    return _kind(node) == "str"


def _kind(node: ast.expr) -> str | None:
    match node:
        case ast.Constant(value=bool()):
            return None
        case ast.Constant(value=str()) | ast.JoinedStr():
            return "str"
        case ast.Constant(value=bytes()):
            return "bytes"
        case ast.Constant(value=int()):
            return "int"
        case ast.Constant(value=float()):
            return "number"
        case ast.List() | ast.ListComp():
            return "list"
        case ast.BinOp(left=left, op=ast.Add() | ast.Mod(), right=right):
            return _kind(left) or _kind(right)
        case ast.Call(func=ast.Name(id="str")):
            return "str"
        case _:
            return None


def unary(walk: Walk, node: ast.UnaryOp) -> Node:
    """Return the node of `not x` or a sign."""
    match node:
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as value)):
            return walk.graph.constant(-value)
        case _:
            inner = walk.value(node.operand)
    if isinstance(node.op, ast.Not):
        result = walk.graph.new()
        walk.add_use(inner, "truth", None)
        return result
    walk.add_use(inner, "type", "number")
    return inner


def boolean(walk: Walk, node: ast.BoolOp) -> Node:
    """Return the node of `a or b`, `a and b`: each side may be the value."""
    result = walk.graph.new()
    for index, part in enumerate(node.values):
        inner = walk.value(part)
        is_last = index == len(node.values) - 1
        if not is_last:
            walk.add_use(inner, "truth", None)
        if is_last or isinstance(node.op, ast.Or):
            walk.graph.flow(inner, result)
    return result


def compare(walk: Walk, node: ast.Compare) -> Node:
    """Return the node of a comparison; note each side with the other."""
    result = walk.graph.new()
    left = walk.value(node.left)
    for sign, operand in zip(node.ops, node.comparators, strict=True):
        right = walk.value(operand)
        text = _SIGNS[type(sign)]
        walk.add_use(left, "compare", (text, right), result)
        walk.add_use(right, "compare", (_TURNED[text], left), result)
        left = right
    return result


def ternary(walk: Walk, node: ast.IfExp) -> Node:
    """Return the node of `a if test else b`."""
    is_empty = isinstance(node.orelse, ast.Constant) and not node.orelse.value
    is_reversed = isinstance(node.body, ast.Constant) and not node.body.value and not is_empty
    test(walk, node.test, not is_reversed)
    result = walk.graph.new()
    with walk.weakly(is_reversed):
        walk.graph.flow(walk.value(node.body), result)
    with walk.weakly(not is_reversed):
        walk.graph.flow(walk.value(node.orelse), result)
    return result


def test(walk: Walk, node: ast.expr, wanted: bool | None) -> None:
    """Note a condition, and the outcome that is wanted of it."""
    match node:
        case ast.UnaryOp(op=ast.Not(), operand=inner):
            test(walk, inner, None if wanted is None else not wanted)
        case ast.BoolOp(op=op, values=values):
            # one operand is enough for `or` to be true, and for `and` to be false
            needs_all = isinstance(op, ast.And) == bool(wanted) if wanted is not None else False
            for index, value in enumerate(values):
                is_one = index == (0 if isinstance(op, ast.Or) else len(values) - 1)
                test(walk, value, wanted if needs_all or is_one else None)
        case _:
            walk.add_use(walk.value(node), "truth", wanted)


def joined(walk: Walk, node: ast.JoinedStr) -> Node:
    """Return the node of an f-string."""
    for part in node.values:
        if isinstance(part, ast.FormattedValue):
            inner = walk.value(part.value)
            spec = part.format_spec
            if isinstance(spec, ast.JoinedStr) and spec.values:
                last = spec.values[-1]
                formatted(walk, inner, str(getattr(last, "value", "")))
            else:
                walk.add_use(inner, "argument", ("format",))
    return walk.graph.new()


def formatted(walk: Walk, node: Node, spec: str) -> None:
    """Note the type that a format specification requires."""
    if spec[-1:] in ("f", "e", "g", "%") or "," in spec or spec[-2:-1] == ".":
        walk.add_use(node, "type", "number")
    elif spec[-1:] in ("d", "x", "b", "o"):
        walk.add_use(node, "type", "int")
    elif "%" in spec:
        walk.add_use(node, "type", "date")
    else:
        walk.add_use(node, "argument", ("format",))


def sequence(walk: Walk, node: ast.List | ast.Tuple | ast.Set) -> Node:
    """Return the node of a list, tuple or set display."""
    result = walk.graph.new()
    is_sure = True
    for index, element in enumerate(node.elts):
        if isinstance(element, ast.Starred):
            is_sure = False
            inner = walk.graph.take(walk.value(element.value), ("item",))
        else:
            inner = walk.value(element)
        is_keyed = is_sure and not isinstance(node, ast.Set)
        walk.graph.store(inner, result, ("key", index) if is_keyed else ("item",))
    return result


def mapping(walk: Walk, node: ast.Dict) -> Node:
    """Return the node of a dict display."""
    result = walk.graph.new()
    for key, value in zip(node.keys, node.values, strict=True):
        inner = walk.value(value)
        match key:
            case None:
                walk.add_use(inner, "type", "dict")
                walk.graph.flow(inner, result)
            case ast.Constant(value=constant):
                walk.graph.store(inner, result, ("key", constant))
            case _:
                walk.graph.store(walk.value(key), result, ("item",))
                walk.graph.store(inner, result, ("value",))
    return result


def comprehension(
    walk: Walk, node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp
) -> Node:
    """Return the node of a comprehension: a loop that makes a container."""
    result = walk.graph.new()
    first = walk.value(node.generators[0].iter)
    with walk.in_scope(comprehension_scope(node, walk.frame.scope)):
        for index, generator in enumerate(node.generators):
            source = first if index == 0 else walk.value(generator.iter)
            target(walk, generator.target, walk.graph.take(source, ("item",)))
            for condition in generator.ifs:
                test(walk, condition, True)
        if isinstance(node, ast.DictComp):
            walk.graph.store(walk.value(node.key), result, ("item",))
            walk.graph.store(walk.value(node.value), result, ("value",))
        else:
            walk.graph.store(walk.value(node.elt), result, ("item",))
    return result


def target(walk: Walk, node: ast.expr, value: Node) -> None:
    """Assign a value to a target."""
    match node:
        case ast.Name(id=text):
            walk.bind(text, value)
        case ast.Starred(value=inner):
            target(walk, inner, value)
        case ast.Tuple(elts=elements) | ast.List(elts=elements):
            starred = next(
                (i for i, e in enumerate(elements) if isinstance(e, ast.Starred)), len(elements)
            )
            walk.add_use(value, "unpack", len(elements) if starred == len(elements) else -starred)
            for index, element in enumerate(elements):
                if index < starred:
                    target(walk, element, walk.graph.take(value, ("key", index)))
                elif index == starred:
                    rest = walk.graph.new()
                    walk.graph.store(walk.graph.take(value, ("item",)), rest, ("item",))
                    target(walk, element, rest)
                else:
                    at = index - len(elements)
                    target(walk, element, walk.graph.take(value, ("key", at)))
        case ast.Attribute(value=base, attr=attr):
            _assign_attribute(walk, base, attr, value)
        case ast.Subscript(value=base, slice=key):
            holder = walk.value(base)
            if isinstance(key, ast.Slice):
                return
            place = walk.value(key)
            walk.add_use(holder, "stored", place)
            if isinstance(key, ast.Constant):
                walk.graph.store(value, holder, ("key", key.value))
            else:
                walk.graph.store(place, holder, ("own key",))
                walk.graph.store(value, holder, ("sub",))
        case _:
            walk.value(node)


def _assign_attribute(walk: Walk, base: ast.expr, attr: str, value: Node) -> None:
    holder = walk.value(base)
    module = walk.module_of(holder, base)
    if module is not None:
        walk.graph.flow(value, walk.graph.at(("global", module[0].path, attr)))
        return
    classes = list(walk.classes(base))
    for cls in classes:
        walk.graph.flow(value, walk.attribute_of(cls, attr))
    if not classes:
        walk.graph.store(value, holder, ("attr", attr))
        walk.add_use(holder, "argument", ("assigned", attr))


def awaited(walk: Walk, node: ast.Await) -> Node:
    """Return the node of `await x`: the awaitable and its result share a node."""
    value = walk.value(node.value)
    walk.add_use(value, "awaited")
    return value


def named(walk: Walk, node: ast.NamedExpr) -> Node:
    """Return the node of `name := value`."""
    value = walk.value(node.value)
    target(walk, node.target, value)
    return value


def yielded(walk: Walk, node: ast.Yield) -> Node:
    """Return the node of `yield x`: the function returns an iterator."""
    if node.value is not None:
        value = walk.value(node.value)
        walk.graph.store(value, walk.frame.result, ("item",))
        # under @contextmanager and in fixtures the result is the yielded value itself
        if getattr(walk.frame.scope.node, "decorator_list", ()):
            walk.graph.flow(value, walk.frame.result)
    return walk.graph.new()


def yielded_from(walk: Walk, node: ast.YieldFrom) -> Node:
    """Return the node of `yield from x`."""
    walk.graph.flow(walk.value(node.value), walk.frame.result)
    return walk.graph.new()


def function(walk: Walk, node: ast.Lambda) -> Node:
    """Return the node of a lambda: a function whose result is one expression."""
    scope = function_scope(node, walk.frame.scope, None)
    graph = walk.graph
    result = graph.named["result", node] = graph.new()
    frame = Frame(scope, dict(walk.frame.names), result)
    with walk.in_frame(frame):
        args = node.args
        for arg in (*args.posonlyargs, *args.args, *args.kwonlyargs):
            walk.bind(arg.arg, graph.at(("parameter", node, arg.arg)))
        graph.flow(walk.value(node.body), result)
    value = graph.new()
    walk.callables[value] = node
    return value
