"""Objects of which annotations are made, written as expressions."""

from __future__ import annotations

import collections.abc  # pyright: ignore[reportUnusedImport]  - a form names it
import dataclasses
import datetime as dt
import re
import sqlite3
import threading
import typing
from pathlib import Path
from typing import Any, cast

import numpy as np
import pandas as pd
import pytest
from slicefunc.verifier.sandbox.recording.reprs import UnwritableError, Writer

FORMS = [
    "typing.List[int]",
    "list[int]",
    "typing.Optional[int]",
    "int | None",
    "typing.Any",
    "typing.Dict",
    "typing.Literal['a', 1]",
    "typing.Callable[[int], str]",
    "collections.abc.Callable[..., str]",
    "typing.Tuple[int, ...]",
    "typing.ClassVar[typing.Union[int, str]]",
]


def _made_again(value: Any) -> Any:
    return eval(cast("Any", Writer("/nowhere")).text(value))


@pytest.mark.parametrize("form", FORMS)
def test_a_form_is_written_as_what_makes_it(form: str) -> None:
    value: Any = eval(form, {"typing": typing, "collections": collections})
    assert _made_again(value) == value


def test_initialising_and_new_types_are_written_with_what_they_hold() -> None:
    made = _made_again(dataclasses.InitVar[int])
    assert (type(made), made.type) == (dataclasses.InitVar, int)
    named = _made_again(typing.NewType("Count", int))
    assert (named.__name__, named.__supertype__) == ("Count", int)


def test_a_file_is_written_as_what_is_still_to_be_read(tmp_path: Path) -> None:
    place = tmp_path / "notes.txt"
    place.write_text("one\ntwo\n")
    with place.open("rb") as file:
        file.readline()
        made = _made_again(file)
        assert (made.read(), file.read()) == (b"two\n", b"two\n")


def test_a_database_is_written_with_its_tables_and_rows() -> None:
    database = sqlite3.connect(":memory:")
    database.execute("CREATE TABLE users (name TEXT, age INTEGER)")
    database.executemany("INSERT INTO users VALUES (?, ?)", [("it's", 3), (None, 4)])
    for made in (_made_again(database), _made_again(database.cursor())):
        assert made.execute("SELECT * FROM users").fetchall() == [("it's", 3), (None, 4)]
    database.row_factory = sqlite3.Row
    (row, _) = _made_again(database).execute("SELECT * FROM users")
    assert row["age"] == 3


def test_a_large_database_is_not_written() -> None:
    database = sqlite3.connect(":memory:")
    database.execute("CREATE TABLE users (name TEXT)")
    database.executemany("INSERT INTO users VALUES (?)", [("a" * 50,)] * 200)
    with pytest.raises(UnwritableError):
        Writer("/nowhere").text(database)


def test_a_date_of_a_stopped_clock_is_written_as_a_date_and_one_with_more_is_not() -> None:
    class FakeDate(dt.date):
        pass

    class FakeTime(dt.datetime):
        pass

    assert _made_again(FakeDate(2016, 2, 29)) == dt.date(2016, 2, 29)
    assert _made_again(FakeTime(2016, 2, 29, 10)) == dt.datetime(2016, 2, 29, 10)  # noqa: DTZ001 - the clock of a test has no zone
    with pytest.raises(UnwritableError):
        _made_again(FakeTime(2016, 2, 29, tzinfo=dt.UTC))


@pytest.mark.parametrize(
    "match",
    [
        re.match(r"(\w)(?P<rest>\w*)", "text"),
        re.compile(r"\d+", re.MULTILINE).search("a 12 b"),
        [*re.finditer(r"\w", "abc")][-1],
        re.compile("a|ab").fullmatch("xab", 1),
    ],
)
def test_a_match_is_written_by_what_finds_it(match: re.Match[str]) -> None:
    made = _made_again(match)
    assert (made.re, made.regs, made.string) == (match.re, match.regs, match.string)


@pytest.mark.parametrize("value", [threading.Lock(), [1].__iter__(), iter("ab")])
def test_what_c_keeps_for_itself_is_not_written(value: object) -> None:
    with pytest.raises(UnwritableError):
        Writer("/nowhere").text(value)


def test_small_arrays_and_tables_are_written_with_their_content() -> None:
    arrays = [
        np.array([[1.5, float("nan")], [float("inf"), -0.0]]),
        np.array([], dtype="float32"),
        np.array([True]),
        np.float64(1.5),
    ]
    for array in arrays:
        made = _made_again(array)
        np.testing.assert_array_equal(made, array)
        assert made.dtype == array.dtype
    index = pd.DatetimeIndex(["2024-01-01 10:00", "2024-01-02"], tz="Europe/Vienna")
    series = pd.Series([1.0, float("nan")], index=index, name="ghi")
    pd.testing.assert_series_equal(_made_again(series), series, check_freq=False)
    table = pd.DataFrame({"a": [1, 2], "b": ["x", None]}, index=["p", "q"])
    pd.testing.assert_frame_equal(_made_again(table), table)
    with pytest.raises(UnwritableError):
        Writer("/nowhere").text(np.zeros(1000))
