"""The replay with mocks: the original under the mocks of a slice, and what is made of that."""

from __future__ import annotations

import os
import sys
import types
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.replay.beside_mocks import beside_table, compared
from benchmarks.replay.inside.nodes import packed
from benchmarks.replay.inside.under_mocks import mocks_of
from benchmarks.replay.inside.worker import Job, _forked, run  # pyright: ignore[reportPrivateUsage]
from benchmarks.replay.judge import Outcome, judge
from benchmarks.replay.replay import _is_left_alone  # pyright: ignore[reportPrivateUsage]
from benchmarks.replay.slices import Modules, Sliced, Slicer

ASKING = """\
import os
import random
import subprocess


def ask(word):
    name = os.environ["ACME_NAME"]
    told = subprocess.run(["acme", word], capture_output=True, text=True).stdout
    return name, told, random.random()


def tell(word):
    return word, os.environ["HOME"]


def share(word):
    return word, os.fork()


def hang(process):
    os.kill(process, 9)
    os.read(os.pipe()[0], 1)
"""
OWN = frozenset({"asking_package"})


@pytest.fixture
def slicer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Slicer:
    repository = tmp_path / "repository"
    repository.mkdir()
    (repository / "asking_package.py").write_text(ASKING)
    monkeypatch.syspath_prepend(str(repository))
    return Slicer(repository, tmp_path / "slices", mock=True)


def observed(job: Job) -> dict[str, dict[str, object]]:
    """What comes of the only call; in a fork, as the mocks take over the process."""
    result = _forked(lambda: run(job, OWN), 60)
    assert "calls" in result, result
    calls = result["calls"]
    assert isinstance(calls, list)
    return calls[0]


def test_the_original_under_the_mocks_of_a_slice_does_what_the_slice_does(slicer: Slicer) -> None:
    sliced = slicer.slice(0, "asking_package.py::ask", ())
    assert isinstance(sliced, Sliced)
    data = packed(((("str", "word"),), ["word"], []))
    job = Job(0, "asking_package", "ask", "", (data,), seconds=20.0)
    ours = observed(replace(job, script=str(sliced.script), flat={"ask": "asking_package"}))
    theirs = observed(replace(job, mocks=str(sliced.script)))
    alone = observed(job)
    assert theirs["observed"] == ours["observed"]
    assert theirs["effects"] == ours["effects"] == ["('command', 'acme word')"]
    assert alone["observed"] != ours["observed"]
    assert alone["effects"] == []
    assert "asking_package" not in sys.modules
    assert "ACME_NAME" not in os.environ


def test_calls_run_in_forks_of_their_own_where_the_mocks_fork_nothing(slicer: Slicer) -> None:
    sliced = slicer.slice(0, "asking_package.py::share", ())
    assert isinstance(sliced, Sliced)
    data = packed(((("str", "word"),), ["word"], []))
    job = Job(0, "asking_package", "share", "", (data,), seconds=20.0)
    for side in ({"script": str(sliced.script), "flat": {}}, {"mocks": str(sliced.script)}):
        assert observed(replace(job, **side))["effects"] == ["('command', 'fork')"]


def test_a_call_that_hangs_is_ended_where_the_mocks_end_nothing(slicer: Slicer) -> None:
    sliced = slicer.slice(0, "asking_package.py::hang", ())
    assert isinstance(sliced, Sliced)
    data = packed(((("int", 4243),), [4243], []))
    job = Job(0, "asking_package", "hang", "", (data,), str(sliced.script), flat={}, seconds=0.5)
    assert observed(job) == {"left": "time-out"}


def test_a_script_without_mocks_has_none(slicer: Slicer) -> None:
    sliced = slicer.slice(0, "asking_package.py::tell", ())
    assert isinstance(sliced, Sliced)
    assert mocks_of(sliced.script.read_text()) is None


@pytest.mark.parametrize(("function", "alone"), [("ask", False), ("tell", True)])
def test_only_a_slice_without_mocks_need_not_run_again(
    slicer: Slicer, function: str, alone: bool
) -> None:
    before = replace(judged(None, seen("1")), target=f"asking_package.py::{function}")
    assert _is_left_alone(slicer, before) == alone


def seen(value: str, *effects: str) -> dict[str, object]:
    return {"observed": {"value": value}, "effects": list(effects)}


def judged(
    mocked: dict[str, object] | None,
    *calls: dict[str, object],
    alone: tuple[str, str] = ("1", "1"),
) -> Outcome:
    """The outcome where the original alone gives that for each call, in its two runs."""
    function = types.SimpleNamespace(
        target="asking_package.py::ask", data=["", "", ""], tests=["a", "b", "c"], skipped={}
    )
    mocks = (types.SimpleNamespace(family="environment"),)
    targets = (types.SimpleNamespace(path="asking_package.py"),)
    manifest = types.SimpleNamespace(definitions=(), layout="", targets=targets, mocks=mocks)
    sliced = Sliced(Path("script.py"), manifest, ())  # pyright: ignore[reportArgumentType]
    originals = [{"calls": [seen(value)] * len(calls)} for value in alone]
    result = {"calls": list(calls)}
    modules = Modules(Path(), ".")
    return judge(function, originals, result, sliced, modules, {}, mocked)  # pyright: ignore[reportArgumentType]


def test_only_what_the_original_does_alike_under_the_mocks_is_answered() -> None:
    note = "('request', 'GET https://a.example/')"
    calls = (seen("1"), seen("2", note), seen("3"))
    alike = judged({"calls": list(calls)}, *calls)
    assert (alike.identical, alike.differing) == (1, 0)
    assert alike.answered == {"request": 1, "nothing noted, mocks of environment": 1}
    assert judged(None, *calls).differing == 2
    assert judged({"failed": "ImportError"}, *calls).differing == 2
    other_value = judged({"calls": [seen("1"), seen("9", note), seen("3")]}, *calls)
    assert (other_value.differing, len(other_value.differences)) == (1, 1)
    other_effect = judged({"calls": [seen("1"), seen("2"), seen("3")]}, *calls)
    assert other_effect.differing == 1


def test_numbers_that_the_original_gives_anew_it_gives_anew_under_the_mocks() -> None:
    alone = ("builtin at 70", "builtin at 80")
    calls = (seen("mock at 90"), seen("fault at 90"))
    found = judged({"calls": [seen("mock at 60"), seen("mock at 90")]}, *calls, alone=alone)
    assert (found.answered, found.differing) == ({"nothing noted, mocks of environment": 1}, 1)


def test_what_falls_is_named() -> None:
    good, answered = judged(None, seen("1")), judged({"calls": [seen("2")]}, seen("2"))
    bad, gone = judged(None, seen("2")), judged(None, {"left": "missing"})
    numbers = compared([good, good, good, bad], [answered, bad, gone, bad])
    assert numbers["fell"] == ["asking_package.py::ask"] * 2
    told = beside_table([{"package": "asking", "beside": numbers}])
    assert "| asking | 4 | 4 → 3 | 3 → 0 | 1 | 1 → 2 | 3: 0, 1, 2 | 2 |" in told
    assert beside_table([{"package": "asking"}]) == ""
