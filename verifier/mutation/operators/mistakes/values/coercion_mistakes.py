"""Needless conversions of parameters and results, which show for few values only."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping

from ...expression_operators import Change
from ..mutated_function import MutatedFunction

_FORMS: Mapping[str, tuple[str, ...]] = {
    "str": (
        "{it}.strip()", "{it}.lower()", "{it} or None", "' '.join({it}.split())",
        r"{it}.replace('\r', '')", "{it}.encode('ascii', 'ignore').decode()",
    ),
    "bytes": ("{it}.strip()", "{it} or None"),
    "int": ("{it} or None", "abs({it})", "min({it}, 100)", "max({it}, 1)"),
    "float": ("round({it}, 2)", "abs({it})", "int({it})", "{it} or None"),
    "list": (
        "[e for e in {it} if e is not None]", "[e for e in {it} if e]", "{it}[::-1]", "{it}[:8]",
        "[e for n, e in enumerate({it}) if e not in {it}[:n]]", "{it} or None",
    ),
    "tuple": ("list({it})", "tuple(e for e in {it} if e)", "{it} or None"),
    "dict": (
        "{{k: v for k, v in {it}.items() if v is not None}}", "{it} or None",
        "{{k: v for k, v in {it}.items() if v}}", "dict(list({it}.items())[::-1])",
    ),
}  # fmt: skip
"""Maps the kind of a value to needless conversions of it."""
RESULT = "return"
"""The key in `values` for the kinds of results."""
_MOST_PARAMETERS = 6


def coerced(function: MutatedFunction, values: Mapping[str, Collection[str]]) -> Iterator[Change]:
    """Yield conversions of each parameter, by the kinds of its values, and of the results."""
    if isinstance(function.function, ast.Lambda):
        return
    has_docstring = ast.get_docstring(function.function, clean=False) is not None
    first = next(iter(function.function.body[has_docstring:]), None)
    if first is None:
        return
    line = function.block.lines[first.lineno - function.block.first]
    indent = line[: first.col_offset].decode()
    names = [each.arg for each in function.parameters if each.arg in values]
    for name in names[:_MOST_PARAMETERS] if not indent.strip() else ():
        for kind in sorted(values[name]):
            for form in _FORMS.get(kind, ()):
                made = form.format(it=name)
                head = f"{name} = {made} if type({name}) is {kind} else {name}"
                text = f"{head}\n{indent}{function.source(first)}"
                yield Change(f"coerced {name}", first, text, is_hint=True)
    for node in function.nodes:
        match node:
            case ast.Return(value=ast.expr() as value) if not isinstance(value, ast.Constant):
                for kind in sorted(values.get(RESULT, ())):
                    for form in _FORMS.get(kind, ()):
                        made = form.format(it="it")
                        text = f"(lambda it: {made} if type(it) is {kind} else it)"
                        yield Change(
                            f"coerced result {kind}",
                            value,
                            f"{text}({function.source(value)})",
                            is_hint=True,
                        )
            case _:
                pass
