"""Assertions on tables and arrays, for which `==` compares item by item."""

from __future__ import annotations

from math import isfinite

from ..observation.observation import Node, Observation, Value
from ..observation.short_text import resolve
from ..observation.values.compare_arrays import numbers_of
from ..observation.values.python_literals import literal

MOST = 200
"""Most items of an array that a test spells out."""
_TABLES = {
    "pandas.DataFrame": "frame",
    "pandas.core.frame.DataFrame": "frame",
    "pandas.Series": "series",
    "pandas.core.series.Series": "series",
}


def table_assertion(call: str, value: Value, observation: Observation) -> str:
    """Return an assertion on a table or array that a call returns; empty for other values."""
    if not isinstance(value, Node):
        return ""
    if value.kind == "array" and value.text("type") == "numpy.ndarray":
        items, shape = _items(value, observation), value.field("shape")
        if items is None:
            return ""
        made = f"numpy.array({items}, {value.text('dtype')!r}).reshape({shape!r})"
        return f"import numpy\nnumpy.testing.assert_allclose({call}, {made}, rtol=1e-12)"
    kind = _TABLES.get(value.text("type"))
    made = _table(value, observation) if kind else ""
    if not made:
        return ""
    loosely = "check_index_type=False" + ", check_column_type=False" * (kind == "frame")
    return f"import pandas\npandas.testing.assert_{kind}_equal({call}, {made}, {loosely})"


def _table(value: Node, observation: Observation) -> str:
    parts = dict(zip(value.group("parts").keys, value.group("parts").values, strict=True))
    index = _labels(parts["index"], observation)
    if index is None:
        return ""
    data = resolve(parts["data"], observation)
    if "columns" not in parts:
        column = _column(data, observation, index)
        name = literal(parts["name"], observation)
        return column[:-1] + f", name={name})" if column and name else ""
    columns = _labels(parts["columns"], observation)
    found = [_column(each, observation, index) for each in _values(data)]
    if columns is None or not all(found):
        return ""
    given = ", ".join(f"{n}: {column}" for n, column in enumerate(found))
    return f"pandas.DataFrame({{{given}}}, index={index}).set_axis({columns}, axis=1)"


def _column(value: Value, observation: Observation, index: str) -> str:
    """Return a series with the items of a column."""
    dtype, content, *_ = (*_values(resolve(value, observation)), None, None)
    items = _items(resolve(content, observation), observation)
    return "" if items is None else f"pandas.Series({items}, dtype={dtype!r}, index={index})"


def _labels(value: Value, observation: Observation) -> str | None:
    found = resolve(value, observation)
    if not isinstance(found, Node):
        return None
    parts = dict(zip(found.group("parts").keys, found.group("parts").values, strict=True))
    _, content, *_ = (*_values(resolve(parts.get("data"), observation)), None, None)
    return _items(resolve(content, observation), observation)


def _values(value: Value) -> tuple[Value, ...]:
    return value.group("items").values if isinstance(value, Node) else ()


def _items(value: Value, observation: Observation) -> str | None:
    """Return the items of an array or list as a Python list."""
    if isinstance(value, Node) and value.kind == "array" and value.field("data") is not None:
        found = numbers_of(value)
        if len(found) > MOST or "c" in value.text("layout"):
            return None
        return f"[{', '.join(repr(n) if isfinite(n) else f'float({str(n)!r})' for n in found)}]"
    if not isinstance(value, Node) or value.kind != "list" or len(_values(value)) > MOST:
        return None
    return literal(value, observation)
