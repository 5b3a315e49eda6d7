"""Names that a computed text expression can spell."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from ....syntax.nodes import at_path
from ...scopes.definitions import Scope, module_scope

Pattern = tuple[str, str, bool]
"""Prefix, suffix, and whether the prefix is the whole name."""

_MOST_TEXTS = 32
"""Maximum number of alternative texts; with more, none is used."""
_ANYTHING: Sequence[Pattern] = (("", "", False),)


def name_patterns(node: ast.expr, scope: Scope, depth: int = 0) -> Sequence[Pattern]:
    """Return what a text expression can spell: (prefix, suffix, whether the prefix is all)."""
    match node:
        case ast.Constant(value=str(text)):
            return [(text, "", True)]
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return _sum([left, right], scope, depth)
        case ast.BinOp(left=ast.Constant(value=str(text)), op=ast.Mod(), right=right):
            given = right.elts if isinstance(right, ast.Tuple) else [right]
            return _filled(text, "%s", "%", given, scope, depth)
        case ast.Call(
            func=ast.Attribute(value=ast.Constant(value=str(text)), attr="format"), args=given
        ):
            return _filled(text, "{}", "{", given, scope, depth)
        case ast.Call(
            func=ast.Attribute(value=ast.Constant(value=str()) as between, attr="join"),
            args=[ast.List(elts=[first, *others]) | ast.Tuple(elts=[first, *others])],
        ):
            parts = [part for other in others for part in (between, other)]
            return _sum([first, *parts], scope, depth)
        case ast.Call(func=ast.Attribute(value=text, attr="lower" | "upper" as change), args=[]):
            return [
                (getattr(p, change)(), getattr(s, change)(), exact)
                for p, s, exact in name_patterns(text, scope, depth)
            ]
        case ast.JoinedStr(values=parts):
            return _sum(parts, scope, depth)
        case ast.FormattedValue(value=value, conversion=-1, format_spec=None):
            return name_patterns(value, scope, depth)
        case ast.IfExp(body=body, orelse=orelse):
            return [*name_patterns(body, scope, depth), *name_patterns(orelse, scope, depth)]
        case ast.Name() if own := _own_name(node, scope):
            return [(own, "", True)]
        case ast.Name(id=name) if depth < 3:
            return _bound_patterns(name, scope, depth)
        case ast.Attribute() if depth < 3 and (class_value := _of_class(node, scope)) is not None:
            # a subclass may assign another
            return [*name_patterns(*class_value, depth + 1), *_ANYTHING]
        case ast.Subscript(value=ast.Call() as call, slice=ast.Constant(value=0)) if depth < 3:
            return _first_part(call, scope, depth)
        case ast.Subscript(value=ast.Name(id=name)) if depth < 3 and scope.lookup(name) is None:
            return _table_patterns(name, scope, depth)
        case _:
            return _ANYTHING


def _sum(parts: Sequence[ast.expr], scope: Scope, depth: int) -> Sequence[Pattern]:
    """Return the patterns of concatenated texts: prefixes, and a final literal as suffix."""
    if len(parts) < 2:
        return name_patterns(parts[0], scope, depth) if parts else [("", "", True)]
    found: list[Pattern] = [("", "", True)]
    for part in parts:
        if not any(exact for _, _, exact in found):
            break
        nexts = name_patterns(part, scope, depth)
        found = [
            (prefix + more, rest, whole) if exact else (prefix, suffix, exact)
            for prefix, suffix, exact in found
            for more, rest, whole in (nexts if exact else _ANYTHING)
        ][:_MOST_TEXTS]
    ends = {text if exact else end for text, end, exact in name_patterns(parts[-1], scope, depth)}
    end = ends.pop() if len(ends) == 1 else ""
    return [(p, s if exact else end, exact) for p, s, exact in found]


def _filled(
    text: str, hole: str, mark: str, given: Sequence[ast.expr], scope: Scope, depth: int
) -> Sequence[Pattern]:
    """Return the patterns of a format text; its first hole is filled if the text begins with it."""
    begins = text.startswith(hole) and given
    first = name_patterns(given[0], scope, depth) if begins else _ANYTHING
    if any(exact for _, _, exact in first):
        rest = text[len(hole) :]
        head, more, _ = rest.partition(mark)
        return [(p + head, "", not more) if exact else _ANYTHING[0] for p, _, exact in first]
    return [
        (text.partition(mark)[0], _suffix_after_field(text, "}" if mark == "{" else hole), False)
    ]


def _first_part(node: ast.expr | None, scope: Scope, depth: int) -> Sequence[Pattern]:
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
            return _ANYTHING
    found: list[Pattern] = []
    for prefix, _, exact in name_patterns(text, scope, depth):
        if exact:
            parts = prefix.rpartition(separator) if is_last else prefix.partition(separator)
            found.append((parts[0], "", True))
        elif separator in prefix and not is_last:
            found.append((prefix.partition(separator)[0], "", True))
        else:
            found.append((prefix, "", False))
    return found


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


def _suffix_after_field(text: str, last: str) -> str:
    """Return the text after the last field of a format; empty if there are several fields."""
    rest = text.rpartition(last)[2]
    return rest if text.count(last[0]) == 1 and "{" not in rest else ""


def all_texts_of(node: ast.expr, scope: Scope) -> list[str] | None:
    """Return all texts of literals, their names and sums; `None` if others are possible."""
    match node:
        case ast.Constant(value=str(text)):
            return [text]
        case ast.Name(id="__name__"):
            return [scope.module.name]
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return _joined([left, right], scope)
        case ast.JoinedStr(values=parts):
            return _joined(parts, scope)
        case ast.FormattedValue(value=value, conversion=-1, format_spec=None):
            return all_texts_of(value, scope)
        case ast.Name(id=name):
            holder = scope.lookup(name)
            if holder is not None:
                values = [binder.value for binder in holder.binders[name]]
            else:
                units = scope.module.bindings.get(name, ())
                values = [getattr(unit.node, "value", None) for unit in units]
        case _:
            return None
    texts = [v.value for v in values if isinstance(v, ast.Constant) and isinstance(v.value, str)]
    return texts if len(texts) == len(values) and texts else None


def _joined(parts: Sequence[ast.expr], scope: Scope) -> list[str] | None:
    texts = [""]
    for part in parts:
        found = all_texts_of(part, scope)
        if found is None or len(texts) * len(found) > _MOST_TEXTS:
            return None
        texts = [text + rest for text in texts for rest in found]
    return texts


def _own_name(node: ast.Name, scope: Scope) -> str:
    """Return the value of `__name__` or `__package__`; empty for other names."""
    own = {"__name__": scope.module.name, "__package__": scope.module.package}
    return own.get(node.id, "")


def _table_patterns(name: str, scope: Scope, depth: int) -> Sequence[Pattern]:
    """Return the patterns of the values in a module-level dictionary or list display."""
    for unit in scope.module.bindings.get(name, ()):
        match getattr(unit.node, "value", None):
            case ast.Dict(values=values) | ast.List(elts=values) | ast.Tuple(elts=values):
                module = module_scope(scope.module)
                return [p for value in values for p in name_patterns(value, module, depth + 1)]
            case _:
                continue
    return _ANYTHING


def _bound_patterns(name: str, scope: Scope, depth: int) -> Sequence[Pattern]:
    holder = scope.lookup(name)
    if holder is None:
        for unit in scope.module.bindings.get(name, ()):
            match unit.sole:
                case ast.Assign(value=value):
                    return name_patterns(value, module_scope(scope.module), depth + 1)
                case _:
                    continue
        return _ANYTHING
    found: list[Pattern] = []
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
                        found += _ANYTHING
                    case _:
                        return _ANYTHING
            case _:
                return _ANYTHING
    return found


def _patterns_at(
    element: ast.expr, path: tuple[int, ...], scope: Scope, depth: int
) -> Sequence[Pattern]:
    """Return the patterns at the path in an element of a display."""
    part = at_path(element, path)
    return _ANYTHING if part is None else name_patterns(part, scope, depth + 1)
