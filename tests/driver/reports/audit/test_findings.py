"""Filled sheets, and what they show."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest
from slicefunc.driver.reports.audit.filled_sheets import (
    SheetError,
    read_key,
    read_sheets,
    with_known_items,
)
from slicefunc.driver.reports.audit.findings import findings, majority
from slicefunc.driver.reports.audit.report_text import report_lines

from tests.driver.conftest import run

ANN = {
    "1": ("yes", "easy", "yes", "yes"), "2": ("no", "hard", "no", "yes"),
    "3": ("yes", "easy", "yes", "no"), "4": ("unsure", "medium", "no", "yes"),
}  # fmt: skip
BEN = {
    "1": ("yes", "easy", "yes", "yes"), "2": ("yes", "medium", "yes", "yes"),
    "3": ("yes", "easy", "yes", "yes"), "4": ("no", "hard", "unsure", "yes"),
}  # fmt: skip
NAMES = ("could_solve", "difficulty", "same_function", "tests_right")


def sheet(folder: Path, name: str, rows: dict[str, tuple[str, ...]], **options: Any) -> Path:
    """A sheet that somebody has filled in."""
    file = folder / f"audit-{name}.csv"
    with file.open("w", newline="", encoding=options.get("encoding", "utf-8")) as stream:
        writer = csv.writer(stream, delimiter=options.get("delimiter", ","))
        writer.writerow(["item", "sheet", "annotator", *NAMES])
        for item, answers in rows.items():
            number = options.get("sheet", "sheet-1")
            writer.writerow([item, number, options.get("annotator", name), *answers])
    return file


@pytest.fixture
def key(tmp_path: Path) -> Path:
    """A key by which the slices of items 2 and 4 are altered."""
    items = [
        {
            "item": item, "environment": f"id{item}", "is_altered": item in "24",
            "are_tests_altered": item == "3", "change": "",
            "same_function": "no" if item in "24" else "yes",
            "tests_right": "no" if item == "3" else "yes",
        }
        for item in "1234"
    ]  # fmt: skip
    file = tmp_path / "key.json"
    file.write_text(json.dumps({"schema": 1, "sheet": "sheet-1", "items": items}))
    return file


def found(key: Path, *sheets: Path) -> dict[str, Any]:
    known = read_key(key)
    responses = read_sheets(sheets, known.sheet, lambda _line: None)
    return findings(with_known_items(responses, known.items), known.items)


def test_people_are_held_against_each_other(key: Path, tmp_path: Path) -> None:
    about = found(key, sheet(tmp_path, "ann", ANN), sheet(tmp_path, "ben", BEN))["between_people"]
    (pair,) = about["same_function"]["pairs"]
    assert pair["people"] == ["ann", "ben"]
    assert (pair["count"], pair["of"]) == (2, 4)
    assert pair["cohen_kappa"] == pytest.approx((2 / 4 - 6 / 16) / (1 - 6 / 16))
    assert about["difficulty"]["weights"] == "linear"
    assert about["could_solve"]["fleiss_items"] == 4


def test_people_are_held_against_our_checks(key: Path, tmp_path: Path) -> None:
    about = found(key, sheet(tmp_path, "ann", ANN), sheet(tmp_path, "ben", BEN))
    people = about["with_checks"]["same_function"]["people"]
    assert (people["ann"]["count"], people["ann"]["of"]) == (4, 4)
    assert people["ann"]["cohen_kappa"] == 1
    assert (people["ben"]["count"], people["ben"]["of"], people["ben"]["unsure"]) == (2, 3, 1)
    assert people["ben"]["differ"] == ["2"]
    assert about["altered_slices"]["noticed"]["count"] == 2
    assert about["altered_slices"]["noticed"]["of"] == 4
    assert about["altered_slices"]["others_taken_as_same"]["share"] == 1
    assert (about["altered_tests_noticed"]["count"], about["altered_tests_noticed"]["of"]) == (1, 2)
    assert about["with_checks"]["tests_right"]["people"]["ann"]["cohen_kappa"] == 1


def test_solved_shares_have_intervals_by_difficulty(key: Path, tmp_path: Path) -> None:
    about = found(key, sheet(tmp_path, "ann", ANN), sheet(tmp_path, "ben", BEN))["could_solve"]
    assert (about["all"]["count"], about["all"]["of"]) == (5, 8)
    low, high = about["all"]["interval"]
    assert low < 5 / 8 < high
    assert (about["difficulty"]["easy"]["count"], about["difficulty"]["easy"]["of"]) == (4, 4)
    assert about["difficulty"]["hard"]["share"] == 0


def test_a_majority_needs_more_than_half_of_those_who_are_sure() -> None:
    given = {
        "a": {"1": "yes", "2": "yes", "3": "unsure"},
        "b": {"1": "yes", "2": "no", "3": "no"},
        "c": {"1": "no"},
    }
    assert majority(given) == {"1": "yes", "2": "unsure", "3": "no"}


def test_one_person_is_enough_for_a_report(key: Path, tmp_path: Path) -> None:
    lines = list(report_lines(found(key, sheet(tmp_path, "ann", ANN))))
    assert "  same_function: fewer than two people have answered" in lines
    assert any("altered slices that were noticed: 2 of 2 (100.0 %" in line for line in lines)


def test_spreadsheets_may_save_in_their_way(key: Path, tmp_path: Path) -> None:
    padded = {f"0{item}": answers for item, answers in ANN.items()}
    file = sheet(tmp_path, "ann", padded, delimiter=";", encoding="utf-8-sig", annotator="")
    known = read_key(key)
    responses = read_sheets([file], known.sheet, lambda _line: None)
    (first, *_) = with_known_items(responses, known.items)
    assert (first.person, first.item) == ("ann", "1")


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        ({"1": ("perhaps", "", "", "")}, "could_solve is perhaps; it takes yes, no, unsure"),
        ({"9": ("yes", "", "", "")}, "ann answers item 9, which the key does not have"),
    ],
    ids=["answer", "item"],
)
def test_wrong_rows_are_refused(
    key: Path, tmp_path: Path, rows: dict[str, tuple[str, ...]], told: str
) -> None:
    with pytest.raises(SheetError, match=told):
        found(key, sheet(tmp_path, "ann", rows))


def test_nobody_answers_twice(key: Path, tmp_path: Path) -> None:
    file = sheet(tmp_path, "ann", ANN)
    with pytest.raises(SheetError, match="ann has answered item 1 before"):
        found(key, file, file)


def test_the_command_prints_text_or_json(key: Path, tmp_path: Path) -> None:
    sheets = (sheet(tmp_path, "ann", ANN), sheet(tmp_path, "ben", BEN))
    text = run("audit", "report", *sheets, "--key", key).out.decode()
    assert "same_function, ann and ben: 2 of 4 (50.0 %" in text
    data = json.loads(run("audit", "report", *sheets, "--key", key, "--json").out)
    assert data["people"] == {"ann": 4, "ben": 4}


def test_what_is_no_sheet_is_refused(key: Path, tmp_path: Path) -> None:
    (tmp_path / "other.csv").write_text("a,b\n1,2\n")
    assert (
        "it has no column item"
        in run("audit", "report", tmp_path / "other.csv", "--key", key).error
    )
    file = sheet(tmp_path, "ann", ANN)
    assert "no key" in run("audit", "report", file, "--key", file).error


@pytest.mark.parametrize("word", ["--help", "-h", "--help-all"])
def test_help_of_half_a_command_has_a_line_for_each(word: str) -> None:
    found = run("audit", word)
    assert (found.status, found.err) == (0, "")
    every = found.out.decode().splitlines()
    lines = [line for line in every if line.startswith("  audit ")]
    assert [line.split()[1] for line in lines] == ["sample", "report"]
    assert max(map(len, every)) <= 96


def test_the_key_of_another_sheet_is_refused(key: Path, tmp_path: Path) -> None:
    file = sheet(tmp_path, "ann", ANN, sheet="sheet-2")
    done = run("audit", "report", file, "--key", key)
    assert done.status == 2
    assert f"{file}: it is of sheet-2, and the key of sheet-1" in done.error


def test_a_sheet_that_does_not_name_itself_is_read_with_a_warning(
    key: Path, tmp_path: Path
) -> None:
    file = sheet(tmp_path, "ann", ANN, sheet="")
    done = run("audit", "report", file, "--key", key)
    assert done.status == 0
    assert f"{file}: it does not name its sheet" in done.err


def test_an_empty_sheet_is_named(key: Path, tmp_path: Path) -> None:
    empty = sheet(tmp_path, "ben", dict.fromkeys("1234", ("", "", "", "")))
    done = run("audit", "report", sheet(tmp_path, "ann", ANN), empty, "--key", key)
    assert done.status == 2
    assert f"{empty}: it has no answers" in done.error


def test_half_a_command_is_told_the_rest() -> None:
    assert run("audit").error == "audit is no command alone; write audit sample or audit report"
