"""The literals of a draft: where they stand, and the draft with others in their place."""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from .drafts import Draft
from .fixed import fixed_nodes

_RECEIVER = "__it__"
"""Stands for `{it}` where a statement is parsed."""
_LITERALS = (ast.Constant, ast.UnaryOp, ast.List, ast.Tuple, ast.Dict, ast.Set)


@dataclass(frozen=True, slots=True)
class Literal:
    """A literal of a draft."""

    text: int
    """Which of the draft's texts it is in."""
    node: int
    """Which of that text's nodes it is."""
    value: object

    @property
    def key(self) -> tuple[int, int]:
        """Its place."""
        return self.text, self.node


def literals_of(draft: Draft) -> tuple[Literal, ...]:
    """The literals that stand in a draft, containers of literals included, outer ones first."""
    return tuple(
        Literal(at, number, value)
        for at, text in enumerate(_texts(draft))
        if (tree := _parsed(text)) is not None
        for number, value in _values(tree)
    )


def with_literals(draft: Draft, values: Mapping[tuple[int, int], object]) -> Draft:
    """The draft with other values in some places."""

    def changed(at: int, text: str) -> str:
        here = {node: value for (text_at, node), value in values.items() if text_at == at}
        tree = _parsed(text) if here else None
        return text if tree is None else _with(tree, here)

    texts = [changed(at, text) for at, text in enumerate(_texts(draft))]
    count = len(draft.arguments)
    return replace(
        draft,
        receiver=texts[0],
        arguments=tuple(
            (name, text) for (name, _), text in zip(draft.arguments, texts[1:], strict=False)
        ),
        before=tuple(texts[count + 1 :]),
    )


def _texts(draft: Draft) -> Sequence[str]:
    return (draft.receiver, *(text for _, text in draft.arguments), *draft.before)


def _parsed(text: str) -> ast.mod | None:
    """An expression, or a statement."""
    text = text.replace("{it}", _RECEIVER)
    for mode in ("eval", "exec"):
        try:
            return ast.parse(text, mode=mode)
        except (SyntaxError, ValueError, RecursionError):
            continue
    return None


def _values(tree: ast.AST) -> Iterator[tuple[int, object]]:
    fixed = fixed_nodes(tree)
    for number, node in enumerate(ast.walk(tree)):
        if isinstance(node, _LITERALS) and id(node) not in fixed:
            try:
                value: object = ast.literal_eval(node)
            except (ValueError, TypeError, RecursionError):
                continue
            yield number, value


def _with(tree: ast.mod, values: Mapping[int, object]) -> str:
    nodes = list(ast.walk(copy.deepcopy(tree)))
    made = {id(nodes[at]): ast.parse(repr(value), mode="eval").body for at, value in values.items()}
    whole = _Replace(lambda node: made.get(id(node), node)).visit(nodes[0])
    return ast.unparse(ast.fix_missing_locations(whole)).replace(_RECEIVER, "{it}")


class _Replace(ast.NodeTransformer):
    def __init__(self, other: Callable[[ast.AST], ast.AST]) -> None:
        self._other = other

    def visit(self, node: ast.AST) -> ast.AST:
        new = self._other(node)
        return new if new is not node else super().visit(node)
