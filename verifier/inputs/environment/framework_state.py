"""State of a web framework besides the request, as statements that set it.

Application settings, the session and request-local values are read by key. Deployment or earlier
calls set them.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import islice, zip_longest

from ....mocker.source.kept_code import Function, KeptCode, KeptStatement
from ....mocker.source.text_values import ANY, GIVEN, Texts

_PLACES = {
    "flask.current_app.config": '__import__("flask").current_app.config[{key!r}] = {value}',
    "flask.session": '__import__("flask").session[{key!r}] = {value}',
    "flask.g": 'setattr(__import__("flask").g, {key!r}, {value})',
}
_VALUES = {
    "flask.current_app.config": ("'setting-1'", "True", "False", "None", "0"),
    "flask.session": ("'text-1'", "{1, 2}", "1"),
    "flask.g": ("'text-1'", "None"),
}
_MOST = 24
_MOST_GUESSED = 2


def framework_state(code: KeptCode) -> tuple[str, ...]:
    """Return the statements, the likeliest of each key first; the target's own keys come first.

    Args:
        code: the kept code.
    """
    found: dict[tuple[str, str], tuple[str, ...]] = {}
    texts = Texts(code)
    looked_up = [each for each in _looked_up(code) if isinstance(each[0].node, Function)]
    for kept, place, key in sorted(looked_up, key=lambda each: not each[0].is_target):
        known = sorted(t for t in texts.of(key, kept) if t and ANY not in t and GIVEN not in t)
        for name in known or islice(_guessed(code, kept), _MOST_GUESSED):
            statement = _PLACES[place]
            made = (statement.format(key=name, value=value) for value in _VALUES[place])
            found.setdefault((place, name), tuple(made))
    turns = zip_longest(*found.values())
    return tuple(text for turn in turns for text in turn if text is not None)[:_MOST]


def _looked_up(code: KeptCode) -> Iterator[tuple[KeptStatement, str, ast.expr]]:
    """Yield each lookup: the statement, the place, and the key."""
    for kept, node in code.nodes(ast.Subscript, ast.Call, ast.Compare, ast.Attribute):
        match node:
            case ast.Subscript(value=where, slice=key):
                pass
            case ast.Compare(left=key, ops=[ast.In() | ast.NotIn()], comparators=[where]):
                pass
            case ast.Call(
                func=ast.Attribute(value=where, attr="get" | "pop" | "setdefault"), args=[key, *_]
            ):
                pass
            case ast.Attribute(value=where, attr=name) if not hasattr(dict, name):
                if code.dotted(where, kept.path) == "flask.g":
                    yield kept, "flask.g", ast.Constant(name)
                continue
            case _:
                continue
        place = code.dotted(where, kept.path)
        if place in _PLACES:
            yield kept, place, key


def _guessed(code: KeptCode, kept: KeptStatement) -> Iterator[str]:
    """Yield lower-case names among a function's texts that may be a computed key."""
    for node in code.walk(kept.node):
        match node:
            case ast.Constant(value=str() as text) if text.isidentifier() and text.islower():
                yield text
            case _:
                pass
