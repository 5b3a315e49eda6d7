"""Dictionaries that are given together, and share keys at several depths.

What merges, compares or updates nested dictionaries does something else at each depth, and where
one side has a dictionary and the other has none; arguments that are varied alone never meet so.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from .drafts import Draft

_MAPPINGS = frozenset({"dict", "Mapping", "MutableMapping"})
_LEFT = "{'a': {'b': {'c': 1, 'd': 'x'}, 'e': [1, 2]}, 'f': 2}"
_RIGHT = (
    "{'a': {'b': {'c': 7}}}",
    "{'a': {'b': {'g': 7}}, 'h': {'i': 3}}",
    "{'a': {'b': {'c': None}, 'e': [3]}}",
    "{'a': {'b': None}}",
    "{'a': {'b': {}}}",
    "{'a': {'b': 5}, 'f': {'c': 1}}",
    "{'a': 0}",
)


def nests_mappings(function: ast.AST) -> bool:
    """Whether the function tests values for being dictionaries, other than its parameters."""
    args = getattr(function, "args", ast.arguments([], [], None, [], [], None, []))
    given = {each.arg for each in (*args.posonlyargs, *args.args, *args.kwonlyargs)}
    for node in ast.walk(function):
        match node:
            case ast.Call(func=ast.Name(id="isinstance"), args=[tested, kinds]):
                named = {getattr(n, "id", getattr(n, "attr", "")) for n in ast.walk(kinds)}
                is_given = isinstance(tested, ast.Name) and tested.id in given
                if named & _MAPPINGS and not is_given:
                    return True
            case _:
                continue
    return False


def overlapping(draft: Draft) -> Iterator[Draft]:
    """The draft with such dictionaries in the place of two that it has."""
    places = [at for at, text in enumerate(draft.texts) if text[:1] == "{" and _is_dict(text)]
    if len(places) < 2:
        return
    left, right = places[:2]
    for text in _RIGHT:
        for one, other in ((_LEFT, text), (text, _LEFT)):
            texts = list(draft.texts)
            texts[left], texts[right] = one, other
            yield draft.with_texts(texts)


def _is_dict(text: str) -> bool:
    try:
        return isinstance(ast.parse(text, mode="eval").body, ast.Dict)
    except SyntaxError:
        return False
