from __future__ import annotations

from pathlib import Path

import pytest
from slicefunc.driver.batch.journal import Journal, fingerprint
from slicefunc.slicer.errors import OptionError

KEY = {"schema": 1, "options": {"emit": "flat"}}


def test_rows_are_there_when_it_is_opened_again(tmp_path: Path) -> None:
    journal = Journal.open(tmp_path / "run/results.jsonl", KEY)
    journal.add({"n": 1})
    journal.add({"n": 2})
    assert Journal.open(tmp_path / "run/results.jsonl", KEY).rows == ({"n": 1}, {"n": 2})


def test_a_row_that_was_cut_off_is_dropped_for_good(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    journal = Journal.open(path, KEY)
    journal.add({"n": 1})
    with path.open("a") as file:
        file.write('{"n": ')
    again = Journal.open(path, KEY)
    again.add({"n": 2})
    assert Journal.open(path, KEY).rows == ({"n": 1}, {"n": 2})


@pytest.mark.parametrize("is_there", [False, True])
def test_who_is_stopped_while_it_is_opened_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_there: bool
) -> None:
    path = tmp_path / "results.jsonl"
    if is_there:
        Journal.open(path, KEY).add({"n": 1})

    def stop(*_given: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", stop)
        with pytest.raises(KeyboardInterrupt):
            Journal.open(path, KEY)
    assert Journal.open(path, KEY).rows == (({"n": 1},) if is_there else ())


@pytest.mark.parametrize("text", ["", "not JSON\n", '{"schema": 1}\n'])
def test_results_of_something_else_are_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "results.jsonl"
    path.write_text(text)
    with pytest.raises(OptionError, match="new folder"):
        Journal.open(path, KEY)
    assert path.read_text() == text


def test_the_fingerprint_changes_with_sources_and_options(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("x = 1\n")
    first = fingerprint(tmp_path, ["a.py"], {"emit": "flat"})
    assert fingerprint(tmp_path, ["a.py"], {"emit": "flat"}) == first
    assert fingerprint(tmp_path, ["a.py"], {"emit": "modules"}) != first
    (tmp_path / "a.py").write_text("x = 2\n")
    assert fingerprint(tmp_path, ["a.py"], {"emit": "flat"}) != first
