"""pandas tables with the columns that a target names: repeated labels, numbers, gaps."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from itertools import islice

from ....slicer.emission.manifest.suggestions.target_functions import FunctionNode
from ..types.parameter_defaults import default_of

_MOST_COLUMNS = 6
_FRAME = '__import__("pandas").DataFrame('
_KEYWORDS = frozenset(
    "by on subset columns index values left_on right_on id_vars value_vars x y hue keys".split()
)
"""Keyword arguments of table methods that name columns."""
_METHODS = frozenset(
    "groupby sort_values set_index dropna drop_duplicates pivot_table pivot merge melt "
    "value_counts".split()
)
"""Table methods whose positional arguments name columns."""
_LABEL_METHODS = frozenset("groupby set_index pivot_table pivot value_counts merge".split())
_LABEL_WORDS = frozenset("by on hue left_on right_on id_vars keys".split())
_DATES = ("date", "time", "day", "month", "year", "timestamp")
_LABELS = ["b", "a", "b", "c", "a", "b"]
_FEW = [2, 5, 2, 1, 4, 3]
_MORE = [2.5, None, -1.0, 4.0, 2.5, 0.0]
"""Numbers of a column; a gap becomes NaN."""
_DAYS = ["2024-02-29", "2023-12-31", "2024-02-29", "2024-03-01", "2023-01-01", "2024-03-31"]


def column_tables(node: FunctionNode, known: Sequence[str]) -> Iterator[str]:
    """Yield tables with the columns that the target names; none if it names no column.

    Args:
        node: the target.
        known: the parameter's values; tables are made only if one of them is a table.
    """
    is_table = any(text.startswith(_FRAME) for text in known)
    found = dict[str, bool]()
    for name, is_label in _columns(node) if is_table else ():
        found[name] = found.get(name, False) or is_label
    columns = dict(islice(found.items(), _MOST_COLUMNS))
    if not columns:
        return
    yield _table(columns, _FEW)
    yield _table(columns, _MORE)
    yield _table(dict.fromkeys(columns, False), _MORE)
    yield _table(dict.fromkeys(columns, True), _FEW)
    yield _table(columns, _FEW, 1)
    yield _table(columns, _FEW, 0)


def _table(columns: dict[str, bool], numbers: Sequence[float | None], count: int = 6) -> str:
    """Return an expression for a table; `columns` says which columns hold labels.

    Each column starts at another value, so that no two are equal.
    """
    made: dict[str, list[object]] = {}
    for at, (name, is_label) in enumerate(columns.items()):
        is_date = not is_label and any(word in name.lower() for word in _DATES)
        values = _DAYS if is_date else _LABELS if is_label else numbers
        turned = [*values[at % 6 :], *values[: at % 6]]
        made[name] = [*turned[:count]]
    return f"{_FRAME}{made!r})"


def _columns(node: FunctionNode) -> Iterator[tuple[str, bool]]:
    """Yield names of columns in text order, and whether a column holds labels."""
    stored = {
        id(each.slice)
        for each in ast.walk(node)
        if isinstance(each, ast.Subscript) and isinstance(each.ctx, ast.Store)
    }
    for each in ast.walk(node):
        match each:
            case ast.Subscript(slice=key) if id(key) not in stored:
                yield from ((name, False) for name in _named(node, key))
            case ast.Call(func=ast.Attribute(attr=method), args=args, keywords=keywords):
                for argument in args if method in _METHODS else ():
                    found = _named(node, argument)
                    yield from ((name, method in _LABEL_METHODS) for name in found)
                for keyword in keywords:
                    pair = keyword.value if method == "agg" else None
                    if isinstance(pair, ast.Tuple) and pair.elts:  # column and aggregation
                        yield from ((name, False) for name in _named(node, pair.elts[0]))
                    elif keyword.arg in _KEYWORDS:
                        is_label = keyword.arg in _LABEL_WORDS and method in _LABEL_METHODS
                        yield from ((name, is_label) for name in _named(node, keyword.value))
            case _:
                pass


def _named(node: FunctionNode, key: ast.expr) -> Iterator[str]:
    """Yield column names from a text, a list, or a parameter's default."""
    match key:
        case ast.Constant(value=str(name)) if name:
            yield name
        case ast.List(elts=elements) | ast.Tuple(elts=elements):
            for element in elements:
                yield from _named(node, element)
        case ast.Name(id=name):
            default = default_of(node, name)
            if isinstance(default, ast.Constant | ast.List | ast.Tuple):
                yield from _named(node, default)
        case _:
            pass
