"""Drafts whose arguments match what their receiver was filled with.

If statements store under one key and the call looks up another, nothing is ever found.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace

from ...inputs.statements import PARSED_RECEIVER, Statement, named, with_open_name
from ..drafts.draft_trees import nodes_of
from ..drafts.drafts import Draft

_MOST_ITEMS = 3


def about_items(draft: Draft) -> Iterator[Draft]:
    """Yield the draft with its argument stored in the receiver, and with a stored item as argument.

    Args:
        draft: a call with statements that fill its receiver, by `[1] = 2` or `.add(3)`.
    """
    items = [item for statement in draft.before for item in inserted_items(statement)]
    if not items:
        return
    for _, given in draft.arguments:
        if given not in items and is_literal(given):
            yield replace(draft, before=tuple(_putting(s, items[0], given) for s in draft.before))
    for name, given in draft.arguments:
        for item in dict.fromkeys(items[:_MOST_ITEMS]):
            if item != given and is_literal(given):
                yield draft.with_arguments([(name, item)])


def inserted_items(statement: Statement) -> list[str]:
    """Return the first argument of each call that fills the receiver, if it is a literal."""
    return [text for node in _nodes(statement) if is_literal(text := ast.unparse(node))]


def _nodes(statement: Statement) -> Iterator[ast.expr]:
    for line in nodes_of(statement):
        match line:
            case ast.Assign([ast.Subscript(ast.Name(id=name), key)]) if name == PARSED_RECEIVER:
                yield key
            case ast.Expr(ast.Call(ast.Attribute(ast.Name(id=name)), [first, *_])) if (
                name == PARSED_RECEIVER
            ):
                yield first
            case ast.Expr(ast.Call(ast.Attribute(ast.Name(id=name)), [], [first, *_])) if (
                name == PARSED_RECEIVER
            ):
                yield first.value
            case _:
                pass


def is_literal(text: str) -> bool:
    """Whether an expression is a plain value other than `None` and booleans."""
    try:
        value: object = ast.literal_eval(text)
    except (SyntaxError, ValueError, RecursionError):
        return False
    return isinstance(value, (int, float, str, bytes, tuple)) and not isinstance(value, bool)


def _putting(statement: Statement, item: str, instead: str) -> Statement:
    """Return the statement with an item replaced everywhere."""
    places = [node for node in _nodes(statement) if ast.unparse(node) == item]
    if not places:
        return statement
    lines = named(statement.text, PARSED_RECEIVER).split("\n")
    for node in reversed(places):
        line = lines[node.lineno - 1].encode()
        cut = (line[: node.col_offset], instead.encode(), line[node.end_col_offset :])
        lines[node.lineno - 1] = b"".join(cut).decode()
    return Statement(with_open_name("\n".join(lines)))
