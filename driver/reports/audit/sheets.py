"""Blind sheets: which environments people see, which slices are altered, and the key to both.

A sheet tells neither figures nor verdicts of ours. The key alone says which slices are altered, and
what our checks say.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from ....slicer.errors import OptionError
from ...record.reader_context import context_of
from ..case_outcomes import outcome_lines
from .altered_slices import Altered, WrongOutcome, altered

if TYPE_CHECKING:
    from ...datasets.storage.columns import EnvironmentRow
    from ...datasets.storage.dataset import Dataset
    from ...record.environment_files import Environment


_NAME = re.compile(r"\bdef \w+\(")
"""The head of a case."""


@dataclass(frozen=True, slots=True)
class SampleOptions:
    """Options of `slice-func audit sample`."""

    number: int = 20
    """Number of environments."""
    seed: int = 0
    altered: int = 25
    """Share of altered slices, and of others with an altered test, in per cent."""
    split: str | None = None
    executor: str | None = None


@dataclass(frozen=True, slots=True)
class SheetItem:
    """What people see of one environment."""

    item: str
    """Its number in the sheet."""
    function: str
    context: str
    """What a model gets, with a hole for the function's body."""
    original: str
    """The function in its repository."""
    slice: str
    """The slice, altered or not."""
    tests: str


@dataclass(frozen=True, slots=True)
class KeyItem:
    """What people do not see."""

    item: str
    environment: str
    """Id of the environment."""
    is_altered: bool
    """Whether its slice is altered."""
    are_tests_altered: bool
    """Whether one of its tests says something else than the original does."""
    change: str
    """What was altered; empty for nothing."""
    same_function: str
    """What our checks say: `yes` or `no`."""
    tests_right: str


@dataclass(frozen=True, slots=True)
class Audit:
    """The sheets of an audit, and their key."""

    items: tuple[SheetItem, ...]
    key: tuple[KeyItem, ...]
    options: SampleOptions
    sheet: str
    """Name of the sheet, by its content."""

    def key_json(self) -> dict[str, Any]:
        """Return the key as JSON data."""
        return {
            "schema": 1,
            "sheet": self.sheet,
            "seed": self.options.seed,
            "items": [asdict(each) for each in self.key],
        }


def sample(dataset: Dataset, options: SampleOptions, report: Callable[[str], None]) -> Audit:
    """Return the sheets of a sample of environments.

    Args:
        dataset: the environments.
        options: how many, and which.
        report: receives messages for people, line by line.

    Raises:
        SliceFuncError: there are no environments, or no sandbox.
    """
    rows = [each for each in dataset.rows() if options.split in {None, each.split}]
    if not rows:
        raise OptionError(f"{dataset.location}: no environment to look at", "leave --split out")
    drawn = sorted(rows, key=lambda row: _rank(options.seed, "drawn", row))[: options.number]
    if len(drawn) < options.number:
        report(f"the dataset has {len(drawn)} environments, fewer than {options.number}")
    wanted = round(len(drawn) * options.altered / 100)
    changes = _altered_some(dataset, drawn, wanted, options, report)
    others = [row for row in drawn if row.id not in changes]
    wrong_tests = _wrong_tests(dataset, others, min(wanted, len(others)), options, report)
    items: list[SheetItem] = []
    key: list[KeyItem] = []
    for number, row in enumerate(drawn, 1):
        environment, change = dataset.environment(row.id), changes.get(row.id)
        tests, wrong = _tests(environment), wrong_tests.get(row.id)
        if wrong is not None:
            tests[wrong.case] = _with_wrong_value(tests[wrong.case], wrong)
        item = f"{number:0{len(str(len(drawn)))}}"
        items.append(_sheet_item(item, row, environment, change, tests))
        told = change.description if change else ""
        if wrong is not None:
            told = f"test {wrong.case + 1}: {wrong.expected} -> {wrong.observed}"
        same, right = ("no" if each else "yes" for each in (change, wrong))
        key.append(KeyItem(item, row.id, change is not None, wrong is not None, told, same, right))
    name = hashlib.sha256(repr(items).encode("utf-8", "backslashreplace")).hexdigest()[:12]
    # a spreadsheet would take 12e456789012 for a number
    return Audit(tuple(items), tuple(key), options, f"sheet-{name}")


def _rank(seed: int, purpose: str, row: EnvironmentRow) -> str:
    """Return the place of a row in a random order that other rows do not change."""
    return hashlib.sha256(f"{seed} {purpose} {row.id}".encode()).hexdigest()


def _altered_some(
    dataset: Dataset,
    drawn: Sequence[EnvironmentRow],
    wanted: int,
    options: SampleOptions,
    report: Callable[[str], None],
) -> dict[str, Altered]:
    """Return changes for as many of the rows as wanted, by the ids of their environments."""
    found: dict[str, Altered] = {}
    for row in sorted(drawn, key=lambda row: _rank(options.seed, "altered", row)):
        if len(found) == wanted:
            break
        change = altered(dataset.environment(row.id), row.code, options.seed, options.executor)
        if change is not None:
            found[row.id] = change
    if len(found) < wanted:
        report(f"{len(found)} slices are altered, fewer than {wanted}: no change shows in others")
    return found


def _wrong_tests(
    dataset: Dataset,
    rows: Sequence[EnvironmentRow],
    wanted: int,
    options: SampleOptions,
    report: Callable[[str], None],
) -> dict[str, WrongOutcome]:
    """Return wrong outcomes for as many of the rows as wanted, by ids of environments.

    What a test then says is what a fault makes of it: it is wrong, and could be right.
    """
    found: dict[str, WrongOutcome] = {}
    for row in sorted(rows, key=lambda row: _rank(options.seed, "tests", row)):
        if len(found) == wanted:
            break
        environment = dataset.environment(row.id)
        change = altered(
            environment, row.code, options.seed, options.executor, needs_wrong_value=True
        )
        wrong = change and change.wrong
        if wrong and _line_of(wrong) in _tests(environment)[wrong.case].split("\n"):
            found[row.id] = wrong
    if len(found) < wanted:
        report(f"{len(found)} items have an altered test, fewer than {wanted}")
    return found


def _line_of(wrong: WrongOutcome) -> str:
    return f"# returns {wrong.expected}"


def _with_wrong_value(test: str, wrong: WrongOutcome) -> str:
    lines = test.split("\n")
    lines[lines.index(_line_of(wrong))] = f"# returns {wrong.observed}"
    return "\n".join(lines)


def _tests(environment: Environment) -> list[str]:
    """Return the shown cases, each with what the original does.

    They are numbered: names such as `case_returns_true` would give away which test is altered.
    """
    return [
        "\n".join(
            [
                _NAME.sub(f"def case_{number}(", each.case.code.strip(), count=1),
                *(f"# {line}" for line in outcome_lines(each.observation)),
            ]
        )
        for number, each in enumerate(environment.oracle.recorded, 1)
    ]


def _sheet_item(
    item: str,
    row: EnvironmentRow,
    environment: Environment,
    change: Altered | None,
    tests: Sequence[str],
) -> SheetItem:
    script = change.script if change else environment.oracle.script
    data_files = [str(each) for each in environment.record.get("data_files", ())]
    return SheetItem(
        item,
        f"{row.path}::{row.qualname}",
        row.prompt,
        row.code,
        context_of(script, row.path, data_files),
        "\n\n".join(tests),
    )
