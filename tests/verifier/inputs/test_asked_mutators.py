"""Methods that fill an instance are in the slice whose cases call them."""

from __future__ import annotations

from pathlib import Path

import pytest
from slicefunc.driver.pipeline.passes import compile_slice
from slicefunc.driver.settings.options import Options
from slicefunc.slicer import Repository
from slicefunc.verifier.inputs import missing_mutators
from slicefunc.verifier.inputs.argument_pools import Receivers, inputs_of
from slicefunc.verifier.inputs.statements import texts_of

LEDGER = """\
class Named:
    def rename(self, name):
        self.name = name


class Ledger(Named):
    def __init__(self, name="cash"):
        self.name = name
        self._entries = []
        self._hidden = 0

    def book(self, amount):
        self._entries.append(amount)

    def hide(self):
        self._hidden += 1

    def _forget(self):
        self._entries.clear()

    def balance(self):
        return self._sum()

    def _sum(self):
        return sum(self._entries)

    def title(self):
        return self.name.title()
"""
ASKED = {
    "Ledger.balance": ("a.py::Ledger.book",),
    "Ledger.title": ("a.py::Named.rename",),
    "Ledger.__init__": (),
    "Ledger.hide": (),
}


@pytest.mark.parametrize("target", ASKED)
def test_those_that_write_what_the_target_reads(target: str, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(LEDGER)
    repository = Repository(tmp_path)
    sliced = compile_slice(repository, (f"a.py::{target}",))
    assert missing_mutators(repository, sliced) == ASKED[target]


def _receivers(folder: Path, text: str, target: str, mutator: str) -> Receivers:
    (folder / "a.py").write_text(text)
    repository = Repository(folder)
    options = Options(keep=(f"a.py::{mutator}",))
    inputs = inputs_of(repository, compile_slice(repository, (f"a.py::{target}",), options))
    assert inputs is not None
    return inputs.receivers


def test_cases_call_them_once_and_several_times(tmp_path: Path) -> None:
    found = _receivers(tmp_path, LEDGER, "Ledger.balance", "Ledger.book")
    assert found.has_mutators
    counts = [each.count("{it}.book(") for each in texts_of(found.states)]
    assert [count for count in counts if count] == [1, 3, 3]


BOARD = """\
class Board:
    def __init__(self):
        self.pins = []

    def pin(self, item):
        self.pins.append((item.name, item.place))

    def told(self):
        return [name for name, _ in self.pins]
"""


def test_they_are_given_other_values_under_the_same_names(tmp_path: Path) -> None:
    states = texts_of(_receivers(tmp_path, BOARD, "Board.told", "Board.pin").states)
    several = next(each for each in states if "\n" in each).split("\n")
    assert len(set(several)) == len(several)
    assert all("'name': " in each and "'place': " in each for each in several)
