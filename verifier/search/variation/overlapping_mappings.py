"""Dictionaries in one call that share keys at several depths.

Code that merges, compares or updates nested dictionaries differs by depth, and where only one side
has a dictionary. Arguments that are varied alone never meet so.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from itertools import combinations, islice

from ..drafts.draft_trees import parsed, unparsed, with_nodes
from ..drafts.drafts import Draft

_MAPPINGS = frozenset({"dict", "Mapping", "MutableMapping"})
_MOST_PLACES = 3
"""Pairs of dictionaries in one call."""
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
    """Whether the function tests values other than its parameters for being dictionaries."""
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
    """Yield the draft with two of its dictionaries replaced by overlapping ones.

    A dictionary may be an argument, stand inside one, or in the receiver's expression.
    """
    found = [_with_dictionary(text) for text in draft.texts]
    places = [at for at, put in enumerate(found) if put is not None]
    for left, right in islice(combinations(places, 2), _MOST_PLACES):
        put_left, put_right = found[left], found[right]
        assert put_left is not None
        assert put_right is not None
        for text in _RIGHT:
            for one, other in ((_LEFT, text), (text, _LEFT)):
                texts = list(draft.texts)
                texts[left], texts[right] = put_left(one), put_right(other)
                yield draft.with_texts(texts)


def _with_dictionary(text: str) -> Callable[[str], str] | None:
    """Return a function that replaces the outermost dictionary of a text; `None` without one."""
    tree = parsed(text) if "{" in text else None
    if tree is None or not tree.expression:
        return None
    dictionaries = (
        at
        for at, node in enumerate(tree.nodes)
        if isinstance(node, ast.Dict) and id(node) not in tree.fixed
    )
    first = next(dictionaries, None)
    if first is None:
        return None

    def put(other: str) -> str:
        return unparsed(with_nodes(tree, {first: ast.parse(other, mode="eval").body}))

    return put
