"""Which names a text expression can spell, where these are computed."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from ..definitions import Scope, module_scope

_MOST_TEXTS = 32
"""Of more texts, none is looked at."""


def name_patterns(node: ast.expr, scope: Scope, depth: int = 0) -> Sequence[tuple[str, str, bool]]:
    """What names a text expression can spell: (prefix, suffix, whether the prefix is the whole)."""
    match node:
        case ast.Constant(value=str(text)):
            return [(text, "", True)]
        case ast.BinOp(left=ast.Constant(value=str(text)), op=ast.Add()):
            return [(text, "", False)]
        case ast.BinOp(op=ast.Add(), right=ast.Constant(value=str(text))):
            return [("", text, False)]
        case ast.BinOp(left=ast.BinOp(left=ast.Constant(value=str(text))), op=ast.Add()):
            return [(text, "", False)]
        case ast.BinOp(left=ast.Constant(value=str(text)), op=ast.Mod()):
            return [(text.partition("%")[0], _behind(text, "%s"), False)]
        case ast.Call(func=ast.Attribute(value=ast.Constant(value=str(text)), attr="format")):
            return [(text.partition("{")[0], _behind(text, "}"), False)]
        case ast.BinOp(left=ast.BinOp(left=ast.Name() as own, right=ast.Constant(value=str(text)))):
            return [(f"{named}{text}" if (named := _own_name(own, scope)) else "", "", False)]
        case ast.JoinedStr(values=[ast.FormattedValue(value=ast.Name() as own), *parts]) if (
            named := _own_name(own, scope)
        ):
            prefix = named + _constant_text(parts[0]) if parts else named
            return [(prefix, "", not parts)]
        case ast.JoinedStr(values=[*parts]) if parts:
            first, last = parts[0], parts[-1]
            prefix = _constant_text(first)
            suffix = _constant_text(last) if len(parts) > 1 else ""
            return [(prefix, suffix, len(parts) == 1 and isinstance(first, ast.Constant))]
        case ast.IfExp(body=body, orelse=orelse):
            return [*name_patterns(body, scope, depth), *name_patterns(orelse, scope, depth)]
        case ast.Name(id=name) if depth < 3:
            return _bound_patterns(name, scope, depth)
        case ast.Subscript(value=ast.Name(id=name)) if depth < 3 and scope.lookup(name) is None:
            return _table_patterns(name, scope, depth)
        case _:
            return [("", "", False)]


def _behind(text: str, last: str) -> str:
    """What stands behind the last field of a format; nothing where there are several."""
    rest = text.rpartition(last)[2]
    return rest if text.count(last[0]) == 1 and "{" not in rest else ""


def all_texts_of(node: ast.expr, scope: Scope) -> list[str] | None:
    """The texts that literals, names for them and sums of both may be; `None` where others may."""
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
    """What `__name__` and `__package__` are; nothing for other names."""
    own = {"__name__": scope.module.name, "__package__": scope.module.package}
    return own.get(node.id, "")


def _constant_text(node: ast.expr) -> str:
    match node:
        case ast.Constant(value=str(text)):
            return text
        case _:
            return ""


def _table_patterns(name: str, scope: Scope, depth: int) -> Sequence[tuple[str, str, bool]]:
    """The values of a module-level dictionary or list display."""
    for unit in scope.module.bindings.get(name, ()):
        match getattr(unit.node, "value", None):
            case ast.Dict(values=values) | ast.List(elts=values) | ast.Tuple(elts=values):
                module = module_scope(scope.module)
                return [p for value in values for p in name_patterns(value, module, depth + 1)]
            case _:
                continue
    return [("", "", False)]


def _bound_patterns(name: str, scope: Scope, depth: int) -> Sequence[tuple[str, str, bool]]:
    holder = scope.lookup(name)
    anything = [("", "", False)]
    if holder is None:
        for unit in scope.module.bindings.get(name, ()):
            match unit.sole:
                case ast.Assign(value=value):
                    return name_patterns(value, module_scope(scope.module), depth + 1)
                case _:
                    continue
        return anything
    found: list[tuple[str, str, bool]] = []
    for binder in holder.binders[name]:
        match binder.kind, binder.value:
            case "value", ast.expr() as value if not binder.path:
                found += name_patterns(value, holder, depth + 1)
            case "item", (ast.Tuple() | ast.List() | ast.Set()) as display:
                for element in display.elts:
                    found += name_patterns(_at(element, binder.path), holder, depth + 1)
            case _:
                return anything
    return found


def _at(node: ast.expr, path: tuple[int, ...]) -> ast.expr:
    """What stands at the place in a display of tuples."""
    for index in path:
        if isinstance(node, ast.Tuple) and 0 <= index < len(node.elts):
            node = node.elts[index]
    return node
