"""Names that a computed text expression can spell."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from itertools import chain, takewhile
from operator import methodcaller

from ....syntax.nodes import at_path
from ...inference.names.module_name_values import module_global_writers
from ...scopes.definitions import Scope, module_scope
from ...values.texts import NOTHING_KNOWN, UNKNOWN, Text, Texts, filled, summed

_MOST_TEXTS = 32
"""Maximum number of alternative texts."""


def name_patterns(node: ast.expr, scope: Scope, depth: int = 0) -> Texts:
    """Return what a text expression can spell."""
    match node:
        case ast.Constant(value=str(text)):
            return (Text(text),)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return _sum([left, right], scope, depth)
        case ast.BinOp(left=ast.Constant(value=str(text)), op=ast.Mod(), right=right):
            given = right.elts if isinstance(right, ast.Tuple) else [right]
            return _filled(text, "%", given, scope, depth)
        case ast.Call(
            func=ast.Attribute(value=ast.Constant(value=str(text)), attr="format"), args=given
        ):
            return _filled(text, "{", given, scope, depth)
        case ast.Call(
            func=ast.Attribute(value=ast.Constant(value=str()) as between, attr="join"),
            args=[ast.List(elts=parts) | ast.Tuple(elts=parts)],
        ):
            return _joined(between, parts, scope, depth)
        case ast.Call(func=ast.Attribute(value=text, attr="lower" | "upper" as change), args=[]):
            found = name_patterns(text, scope, depth)
            return tuple(each.changed(methodcaller(change)) for each in found)
        case ast.JoinedStr(values=parts):
            return _sum(parts, scope, depth)
        case ast.FormattedValue(value=value, conversion=-1, format_spec=None):
            return name_patterns(value, scope, depth)
        case ast.IfExp(body=body, orelse=orelse):
            return (*name_patterns(body, scope, depth), *name_patterns(orelse, scope, depth))
        case ast.Name() if own := _own_name(node, scope):
            return (Text(own),)
        case ast.Name(id=name) if depth < 3:
            return _bound_patterns(name, scope, depth)
        case ast.Attribute() if depth < 3 and (class_value := _of_class(node, scope)) is not None:
            # a subclass may assign another
            return (*name_patterns(*class_value, depth + 1), UNKNOWN)
        case ast.Subscript(value=ast.Call() as call, slice=ast.Constant(value=0)) if depth < 3:
            return _first_part(call, scope, depth)
        case ast.Subscript(value=ast.Name(id=name)) if depth < 3 and scope.lookup(name) is None:
            return _table_patterns(name, scope, depth)
        case _:
            return NOTHING_KNOWN


def _sum(parts: Sequence[ast.expr], scope: Scope, depth: int) -> Texts:
    return summed((name_patterns(part, scope, depth) for part in parts), _MOST_TEXTS)


def _joined(between: ast.expr, parts: Sequence[ast.expr], scope: Scope, depth: int) -> Texts:
    """Return the patterns of `between.join(parts)`; a part with a star may be none, or several."""
    stars = [place for place, part in enumerate(parts) if isinstance(part, ast.Starred)]
    first, last = (stars[0], stars[-1] + 1) if stars else (len(parts), len(parts))
    known = [
        [piece for part in some for piece in (between, part)][1:]
        for some in (parts[:first], parts[last:])
    ]
    around = [_sum(some, scope, depth) for some in known]
    return summed([around[0], *([NOTHING_KNOWN] if stars else ()), around[1]], _MOST_TEXTS)


def _filled(text: str, style: str, given: Sequence[ast.expr], scope: Scope, depth: int) -> Texts:
    places = takewhile(lambda each: not isinstance(each, ast.Starred), given)
    values = [name_patterns(each, scope, depth) for each in places]
    return filled((Text(text),), style, values, _MOST_TEXTS)


def _first_part(node: ast.expr | None, scope: Scope, depth: int) -> Texts:
    """Return the patterns of the part before a separator: `(PREFIX + path).split(":")[0]`."""
    match node:
        case ast.Call(
            func=ast.Attribute(value=text, attr="split" | "partition"),
            args=[ast.Constant(value=str(separator)), *_],
        ) if separator:
            is_last = False
        case ast.Call(
            func=ast.Attribute(value=text, attr="rsplit" | "rpartition"),
            args=[ast.Constant(value=str(separator)), *_],
        ) if separator:
            is_last = True
        case _:
            return NOTHING_KNOWN
    found: list[Text] = []
    for each in name_patterns(text, scope, depth):
        if not each.is_open:
            parts = each.text.rpartition(separator) if is_last else each.text.partition(separator)
            found.append(Text(parts[0]))
        elif separator in each.text and not is_last:
            found.append(Text(each.text.partition(separator)[0]))
        else:
            found.append(Text(each.text, is_open=True))
    return tuple(found)


def _of_class(node: ast.Attribute, scope: Scope) -> tuple[ast.expr, Scope] | None:
    """Return the enclosing class body's value for the attribute of `self`, with its scope."""
    around: Scope | None = scope
    while around is not None and around.owner is None:
        around = around.parent
    if around is None or around.owner is None or not isinstance(node.value, ast.Name):
        return None
    binders = around.owner.scope.binders.get(node.attr, ())
    if node.value.id not in ("self", "cls") or len(binders) != 1:
        return None
    (binder,) = binders
    value = binder.node.value if isinstance(binder.node, ast.AnnAssign) else binder.value
    is_plain = binder.kind in ("value", "annotated") and not binder.path
    return (value, around.owner.scope) if value is not None and is_plain else None


def all_texts_of(node: ast.expr, scope: Scope) -> list[str] | None:
    """Return all texts that an expression can spell; `None` if they are not known."""
    found = name_patterns(node, scope)
    return None if any(each.is_open for each in found) else [each.text for each in found]


def _own_name(node: ast.Name, scope: Scope) -> str:
    """Return the value of `__name__` or `__package__`; empty for other names."""
    own = {"__name__": scope.module.name, "__package__": scope.module.package}
    return own.get(node.id, "")


def _table_patterns(name: str, scope: Scope, depth: int) -> Texts:
    """Return the patterns of the values in a module-level dictionary or list display."""
    for unit in scope.module.bindings.get(name, ()):
        match getattr(unit.node, "value", None):
            case ast.Dict(values=values) | ast.List(elts=values) | ast.Tuple(elts=values):
                module = module_scope(scope.module)
                return tuple(p for value in values for p in name_patterns(value, module, depth + 1))
            case _:
                continue
    return NOTHING_KNOWN


def _bound_patterns(name: str, scope: Scope, depth: int) -> Texts:
    holder = scope.lookup(name)
    if holder is None:
        module, units = module_scope(scope.module), scope.module.bindings.get(name, ())
        values = [_assigned(unit.sole) for unit in units]
        if name in module_global_writers(scope.module):
            values.append(None)
        each = (name_patterns(v, module, depth + 1) if v else NOTHING_KNOWN for v in values)
        return tuple(chain.from_iterable(each)) or NOTHING_KNOWN
    found: list[Text] = []
    for binder in holder.binders[name]:
        match binder.kind, binder.value:
            case "value", ast.expr() as value if not binder.path:
                found += name_patterns(value, holder, depth + 1)
            case "value", ast.Call() as value if binder.path == (0,):
                found += _first_part(value, holder, depth + 1)
            case "item", (ast.Tuple() | ast.List() | ast.Set()) as display:
                for element in display.elts:
                    found += _patterns_at(element, binder.path, holder, depth)
            case "item", ast.Attribute() as attribute:
                match _of_class(attribute, holder):
                    case ((ast.Tuple() | ast.List()) as display, place):
                        for element in display.elts:
                            found += _patterns_at(element, binder.path, place, depth)
                        found += NOTHING_KNOWN
                    case _:
                        return NOTHING_KNOWN
            case _:
                return NOTHING_KNOWN
    return tuple(found)


def _assigned(node: ast.stmt | None) -> ast.expr | None:
    """Return the value that a statement gives to names; not one that it takes apart."""
    match node:
        case ast.Assign(targets=targets, value=value):
            return value if all(isinstance(each, ast.Name) for each in targets) else None
        case _:
            return None


def _patterns_at(element: ast.expr, path: tuple[int, ...], scope: Scope, depth: int) -> Texts:
    """Return the patterns at the path in an element of a display."""
    part = at_path(element, path)
    return NOTHING_KNOWN if part is None else name_patterns(part, scope, depth + 1)
