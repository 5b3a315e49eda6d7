"""Sheets that people have filled in, and the key."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ....slicer.errors import SliceFuncError
from .questions import QUESTIONS
from .sheets import KeyItem


class SheetError(SliceFuncError):
    """A sheet or key that cannot be read."""

    advice = "name CSV files that the page or a spreadsheet has saved"


@dataclass(frozen=True, slots=True)
class Key:
    """The key of one audit."""

    sheet: str
    """Name of the sheet that it is of."""
    items: Mapping[str, KeyItem]


@dataclass(frozen=True, slots=True)
class Response:
    """What one person said of one environment."""

    person: str
    item: str
    answers: Mapping[str, str]
    """Question → answer; questions left open are missing."""
    solution: str
    notes: str


def read_sheets(
    paths: Sequence[str | Path], sheet: str, report: Callable[[str], None]
) -> tuple[Response, ...]:
    """Return all responses, sorted by person and item; rows without an answer are left out.

    A row without a name belongs to the person after whom the file is named.

    Args:
        paths: the filled sheets.
        sheet: name of the sheet that the key is of.
        report: receives messages for people, line by line.

    Raises:
        SheetError: a file is no sheet, is of another audit or has no answers, an answer is none of
            those offered, or one person has two rows for one item.
        OSError: a file cannot be read.
    """
    found: dict[tuple[str, str], Response] = {}
    for path in map(Path, paths):
        number = len(found)
        rows = _rows(path)
        _check_sheet(path, (row for _, row in rows), sheet, report)
        for line, row in rows:
            response = _response(path, line, row)
            if not (response.answers or response.solution):
                continue
            key = (response.person, response.item)
            if key in found:
                raise SheetError(
                    f"{path}:{line}: {response.person} has answered item {response.item} before",
                    "name each sheet once, and give each person another name",
                )
            found[key] = response
        if len(found) == number:
            raise SheetError(f"{path}: it has no answers", "fill it in, or leave it out")
    return tuple(found[key] for key in sorted(found))


def _check_sheet(
    path: Path,
    rows: Iterable[Mapping[str, str]],
    sheet: str,
    report: Callable[[str], None],
) -> None:
    """Raise an error unless all rows that name their sheet name this one."""
    names = {row.get("sheet", "").strip() for row in rows} - {""}
    for name in sorted(names - {sheet}):
        raise SheetError(
            f"{path}: it is of {name}, and the key of {sheet}",
            "name the key that was written with this sheet",
        )
    if not names:
        report(f"{path}: it does not name its sheet, so the key may be of another one")


def read_key(path: str | Path) -> Key:
    """Return the key.

    Raises:
        SheetError: it is no key.
        OSError: it cannot be read.
    """
    advice = "name the key.json that slice-func audit sample has written"
    try:
        record: dict[str, Any] = json.loads(Path(path).read_text("utf-8"))
        items = [KeyItem(**each) for each in record["items"]]
        sheet = str(record["sheet"])
    except (ValueError, KeyError, TypeError) as error:
        raise SheetError(f"{path}: no key: {error}", advice) from error
    return Key(sheet, {each.item: each for each in items})


def _rows(path: Path) -> list[tuple[int, dict[str, str]]]:
    """Return the rows of a sheet with their lines; columns of other names are left out.

    Spreadsheets save with commas, semicolons or tabs.
    """
    try:
        text = path.read_text("utf-8-sig")
    except UnicodeDecodeError as error:
        raise SheetError(f"{path}: no UTF-8 text: {error}", "save it as CSV UTF-8") from error
    head = text.partition("\n")[0]
    separator = max(",;\t", key=head.count)
    csv.field_size_limit(1 << 24)
    reader = csv.DictReader(io.StringIO(text, newline=""), delimiter=separator)
    if "item" not in (reader.fieldnames or ()):
        raise SheetError(f"{path}: no sheet: it has no column item")
    return [
        (reader.line_num, {name: value or "" for name, value in row.items() if name})
        for row in reader
    ]


def _response(path: Path, line: int, row: Mapping[str, str]) -> Response:
    answers: dict[str, str] = {}
    for question in QUESTIONS:
        answer = row.get(question.name, "").strip().lower()
        if answer and answer not in question.answers:
            raise SheetError(
                f"{path}:{line}: {question.name} is {answer}",
                f"it takes {', '.join(question.answers)}, or nothing",
            )
        if answer:
            answers[question.name] = answer
    person = row.get("annotator", "").strip() or path.stem.removeprefix("audit-")
    item = row["item"].strip().lstrip("'")
    return Response(
        person, item, answers, row.get("solution", "").strip(), row.get("notes", "").strip()
    )


def with_known_items(
    responses: Sequence[Response], key: Mapping[str, KeyItem]
) -> tuple[Response, ...]:
    """Return the responses with items as the key writes them: spreadsheets drop leading zeros.

    Raises:
        SheetError: an item is not in the key.
    """
    names = {each.lstrip("0"): each for each in key}
    found: list[Response] = []
    for each in responses:
        item = names.get(each.item.lstrip("0"))
        if item is None:
            raise SheetError(
                f"{each.person} answers item {each.item}, which the key does not have",
                "name the key of these sheets",
            )
        found.append(Response(each.person, item, each.answers, each.solution, each.notes))
    return tuple(sorted(found, key=lambda each: (each.person, each.item)))
