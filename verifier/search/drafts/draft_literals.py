"""The literals of a draft: find them, and replace some of them."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from ...mutation.operators.value_changes import Literal
from .draft_trees import Tree, constant, parsed, unparsed, with_nodes
from .drafts import Draft

_LITERALS = (ast.Constant, ast.UnaryOp, ast.List, ast.Tuple, ast.Dict, ast.Set)


def literals_of(draft: Draft) -> tuple[Literal, ...]:
    """Return the literals of a draft, including containers of literals, outer ones first."""
    return tuple(
        Literal(at, number, value)
        for at, text in enumerate(draft.texts)
        if (tree := parsed(text)) is not None
        for number, value in _values(tree)
    )


def with_literals(draft: Draft, values: Mapping[tuple[int, int], object]) -> Draft:
    """Return the draft with other values at the given positions."""

    def changed(at: int, text: str) -> str:
        here = {node: constant(value) for (text_at, node), value in values.items() if text_at == at}
        tree = parsed(text) if here else None
        return text if tree is None else unparsed(with_nodes(tree, here))

    return draft.with_texts([changed(at, text) for at, text in enumerate(draft.texts)])


def _values(tree: Tree) -> Iterator[tuple[int, object]]:
    for number, node in enumerate(tree.nodes):
        if isinstance(node, _LITERALS) and id(node) not in tree.fixed:
            try:
                value: object = ast.literal_eval(node)
            except (ValueError, TypeError, RecursionError):
                continue
            yield number, value
