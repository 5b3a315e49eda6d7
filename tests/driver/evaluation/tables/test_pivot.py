"""Tables with one setting as rows and another as columns."""

from __future__ import annotations

from typing import Any

import pytest
from slicefunc.driver.evaluation.tables.comparison import comparison
from slicefunc.driver.evaluation.tables.pivot import pivot_table
from slicefunc.slicer.errors import OptionError

from tests.driver.evaluation.sample_rows import run_of

P, F = "passed", "failed"


def runs(*settings: dict[str, Any]) -> list[dict[str, Any]]:
    made = [
        run_of({"a1": P, "b1": P if number % 2 else F}, location=f"run{number}", **each)
        for number, each in enumerate(settings)
    ]
    return comparison(made, (1,))["runs"]


def test_a_cell_is_the_run_of_its_row_and_column() -> None:
    found = pivot_table(
        runs(
            {"model": "m", "context": "none"},
            {"model": "m", "context": "slice"},
            {"model": "n", "context": "slice"},
        ),
        "model", "context", "pass@1",
    )  # fmt: skip
    assert found.heads == ("model", "none", "slice")
    assert [[cell.split()[0] for cell in row] for row in found.rows] == [
        ["m", "50.0", "100.0"],
        ["n", "-", "50.0"],
    ]


@pytest.mark.parametrize(
    ("measure", "shown"),
    [("test_rate", "50.0"), ("codebleu", "50.0"), ("cost", "0.02"), ("seconds", "1.00"),
     ("input_tokens", "20"), ("pass@3", "-")],
)  # fmt: skip
def test_other_measures_have_their_own_form(measure: str, shown: str) -> None:
    found = pivot_table(runs({"model": "m", "agent": "rrr"}), "model", "agent", measure)
    assert found.rows == (("m", shown),)


def test_two_runs_in_one_cell_are_refused_with_what_tells_them_apart() -> None:
    two = runs({"model": "m", "rounds": 0}, {"model": "m", "rounds": 3})
    with pytest.raises(OptionError, match="run0 and run1") as caught:
        pivot_table(two, "model", "context", "pass@1")
    assert "differ in rounds" in caught.value.advice


@pytest.mark.parametrize("measure", ["pass", "pass@", "pass@x", "nonsense", ""])
def test_an_unknown_measure_is_refused(measure: str) -> None:
    with pytest.raises(OptionError, match="no measure"):
        pivot_table(runs({"model": "m"}), "model", "context", measure)
