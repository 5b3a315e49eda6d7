"""Types of parameters that click decorators declare as options and arguments."""

from __future__ import annotations

import ast
from dataclasses import dataclass

_TYPES = {
    "str": "str", "STRING": "str", "int": "int", "INT": "int", "IntRange": "int", "float": "number",
    "FLOAT": "number", "FloatRange": "number", "bool": "bool", "BOOL": "bool", "Path": "path",
}  # fmt: skip
"""Maps click types, by the last part of their names, to the names that facts use."""


@dataclass(frozen=True, slots=True)
class Declared:
    """The facts that a declaration states about one parameter."""

    type: str = ""
    """Type in the words of facts; empty if not declared."""
    values: tuple[str, ...] = ()
    """Expressions for the choices and the default."""


def declared_option(node: ast.FunctionDef | ast.AsyncFunctionDef, name: str) -> Declared | None:
    """Return what a decorator like `@click.option("--name", type=int)` says, or `None`.

    Args:
        node: the function under the decorators.
        name: name of the parameter.
    """
    for each in node.decorator_list:
        match each:
            case ast.Call(func=ast.Name(id=how) | ast.Attribute(attr=how), args=args) if how in (
                "option",
                "argument",
            ) and name == _parameter(args):
                return _declared(each, args)
            case _:
                pass
    return None


def _parameter(args: list[ast.expr]) -> str:
    """Return the parameter of a declaration: its explicit name, or the longest option."""
    said = [a.value for a in args if isinstance(a, ast.Constant) and isinstance(a.value, str)]
    named = [each for each in said if each.isidentifier()]
    options = sorted((each.partition("/")[0] for each in said), key=lambda o: -_dashes(o))
    first = (named or options or [""])[0]
    return first.strip().lstrip("-").replace("-", "_").lower()


def _dashes(option: str) -> int:
    return min(len(option) - len(option.lstrip("-")), 2)


def _declared(call: ast.Call, args: list[ast.expr]) -> Declared:
    given = {k.arg: k.value for k in call.keywords if k.arg}
    default = given.get("default")
    values = [ast.unparse(default)] if isinstance(default, ast.Constant) else []
    choices = _choices(given.get("type"))
    values = [*choices, *values]
    if _is_many(given):
        return Declared("list", (*(f"({', '.join(choices)},)" for _ in choices[:1]), "()"))
    is_switch = any("/" in str(getattr(each, "value", "")) for each in args)
    if _is(given.get("is_flag"), True) or is_switch:
        return Declared("bool", tuple(values))
    if _is(given.get("count"), True):
        return Declared("int", tuple(values))
    return Declared(_type(given.get("type"), default), tuple(dict.fromkeys(values)))


def _is_many(given: dict[str, ast.expr]) -> bool:
    number = given.get("nargs")
    is_one = number is None or (isinstance(number, ast.Constant) and number.value == 1)
    return _is(given.get("multiple"), True) or not is_one


def _type(node: ast.expr | None, default: ast.expr | None) -> str:
    """Return a type by its name; without one by the default, else text."""
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return _TYPES.get(name, "")
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)):
            return "str" if name == "Choice" else _TYPES.get(name, "")
        case None if isinstance(default, ast.Constant) and default.value is not None:
            return _TYPES.get(type(default.value).__name__, "")
        case None if default is None or isinstance(default, ast.Constant):
            return "str"
        case _:
            return ""


def _choices(node: ast.expr | None) -> list[str]:
    match node:
        case ast.Call(
            func=ast.Name(id="Choice") | ast.Attribute(attr="Choice"),
            args=[ast.List(elts=items) | ast.Tuple(elts=items), *_],
        ):
            return [ast.unparse(each) for each in items if isinstance(each, ast.Constant)]
        case _:
            return []


def _is(node: ast.expr | None, value: object) -> bool:
    return isinstance(node, ast.Constant) and node.value is value
