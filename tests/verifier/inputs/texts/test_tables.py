"""Tables have the columns that a target names, with labels where it groups."""

from __future__ import annotations

import ast

from hypothesis import given
from hypothesis import strategies as st
from slicefunc.verifier.inputs.texts.pandas_tables import column_tables

UNKNOWN = ['__import__("pandas").DataFrame({"a": [1, 2, 3]})']


def tables(text: str) -> list[dict[str, list[object]]]:
    node = ast.parse(text).body[0]
    assert isinstance(node, ast.FunctionDef)
    made = column_tables(node, UNKNOWN)
    return [ast.literal_eval(each[each.index("(", len("__import__(")) + 1 : -1]) for each in made]


def test_columns_that_are_read_are_there_and_those_that_are_only_made_are_not() -> None:
    text = (
        "def f(frame, by='region'):\n"
        "    clean = frame.dropna(subset=['amount'])\n"
        "    out = clean.groupby(by).agg(total=('amount', 'sum'), top=('price', 'max'))\n"
        "    out['share'] = 1\n"
        "    return out\n"
    )
    first = tables(text)[0]
    assert first.keys() == {"amount", "price", "region"}
    assert len(set(map(str, first["region"]))) < len(first["region"])  # groups of several rows
    assert all(isinstance(value, str) for value in first["region"])
    assert all(isinstance(value, int) for value in first["amount"])


def test_there_are_gaps_a_single_row_and_none() -> None:
    found = tables("def f(frame):\n    return frame['a'].sum() / frame['b'].sum()\n")
    assert any(None in table["a"] and None in table["b"] for table in found)
    assert {len(table["a"]) for table in found} == {0, 1, 6}


def test_where_no_column_is_named_or_there_is_no_table_nothing_is_made() -> None:
    assert tables("def f(frame):\n    return len(frame)\n") == []
    node = ast.parse("def f(row):\n    return row['a']\n").body[0]
    assert isinstance(node, ast.FunctionDef)
    assert list(column_tables(node, ["{'a': 1}"])) == []


@given(st.lists(st.text(min_size=1, max_size=8), min_size=1, max_size=10))
def test_all_columns_of_a_table_are_of_one_length(names: list[str]) -> None:
    text = "def f(frame):\n" + "".join(f"    frame[{name!r}]\n" for name in names)
    for table in tables(text):
        assert len({len(column) for column in table.values()}) == 1
        assert table.keys() <= set(names)
