"""Tables in the forms that people and papers read."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from slicefunc.driver.evaluation.tables.table import Form, Table

TABLE = Table("Runs", ("run", "Pass@1"), (("gold", "100.0"), ("longer name", "7.5")))
cells = st.text(st.sampled_from("ab&%$#_{}|\\~^ 1"), max_size=6)


def test_text_has_names_to_the_left_and_numbers_to_the_right() -> None:
    assert TABLE.render("text") == (
        "Runs\nrun          Pass@1\ngold          100.0\nlonger name     7.5\n"
    )


def test_markdown_has_a_rule_below_the_heads() -> None:
    assert TABLE.render("markdown") == (
        "**Runs**\n\n| run | Pass@1 |\n|---|---:|\n| gold | 100.0 |\n| longer name | 7.5 |\n"
    )


def test_latex_has_a_caption_and_a_column_for_each_head() -> None:
    text = TABLE.render("latex")
    assert r"\caption{Runs}" in text
    assert r"\begin{tabular}{lr}" in text
    assert "gold & 100.0 \\\\\n" in text


@pytest.mark.parametrize("form", ["text", "markdown", "latex"])
@given(st.text(max_size=6))
def test_whatever_a_name_holds_a_row_is_one_line(form: Form, name: str) -> None:
    odd = Table(name, ("run", name), ((name, "1"), ("b", "2")))
    plain = Table("T", ("run", "x"), (("a", "1"), ("b", "2")))
    assert len(odd.render(form).splitlines()) == len(plain.render(form).splitlines())


def test_a_line_break_in_a_name_is_shown() -> None:
    table = Table("T", ("run", "n"), (("a\nb", "1"),))
    assert table.render("text") == "T\nrun   n\na\\nb  1\n"
    assert "| a\\\\nb | 1 |\n" in table.render("markdown")


@given(st.lists(st.tuples(cells, cells), max_size=4))
def test_a_row_of_markdown_has_as_many_cells_as_the_head(rows: list[tuple[str, ...]]) -> None:
    lines = Table("T", ("a", "b"), tuple(rows)).render("markdown").splitlines()[2:]
    assert len(lines) == len(rows) + 2
    assert {len(re.findall(r"(?<!\\)\|", line)) for line in lines if "\\" not in line} <= {3}


@pytest.mark.parametrize("sign", ["&", "%", "$", "#", "_", "{", "}"])
def test_what_is_special_in_latex_is_escaped(sign: str) -> None:
    text = Table(f"T{sign}", ("a",), ((f"x{sign}y",),)).render("latex")
    assert f"x\\{sign}y" in text
    assert f"\\caption{{T\\{sign}}}" in text


@pytest.mark.parametrize(
    ("sign", "escaped"), [("\\", "\\textbackslash{}"), ("~", "\\textasciitilde{}")]
)
def test_what_latex_cannot_escape_by_a_backslash_has_its_name(sign: str, escaped: str) -> None:
    assert f"x{escaped}y" in Table("T", ("a",), ((f"x{sign}y",),)).render("latex")


def test_a_circumflex_is_escaped_in_latex() -> None:
    assert "x^y" not in Table("T", ("a",), (("x^y",),)).render("latex")


def test_a_backslash_before_a_bar_does_not_end_the_cell() -> None:
    (row,) = Table("T", ("a", "b"), (("x\\|y", "1"),)).render("markdown").splitlines()[4:]
    assert len(re.findall(r"(?<!\\)(?:\\\\)*\|", row)) == 3


@pytest.mark.parametrize("form", ["text", "markdown", "latex"])
def test_a_table_without_rows_is_one(form: Form) -> None:
    text = Table("T", ("a", "b"), ()).render(form)
    assert "T" in text
    assert text.endswith("\n")
