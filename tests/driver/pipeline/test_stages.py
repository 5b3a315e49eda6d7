"""What people see while one target is worked on."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest
from slicefunc.driver.console import progress
from slicefunc.driver.pipeline.stage_progress import watched
from slicefunc.verifier.execution.executors.choose_executor import Choice
from slicefunc.verifier.execution.executors.interface import (
    Capabilities,
    Case,
    Job,
    Mutant,
    Outcome,
    Profile,
)

from tests.driver.conftest import run
from tests.driver.little_search import DRAFTS
from tests.driver.record.test_environment import CASES, TARGET, needs_sandbox


class Idle:
    """An executor that runs nothing."""

    def start(self, profile: Profile) -> None:
        pass

    def run(self, job: Job) -> Outcome:
        return Outcome("exited", 0, detail=job.task)

    def capabilities(self) -> Capabilities:
        return Capabilities("idle", (), ())

    def close(self) -> None:
        pass


def test_executors_together_count_what_is_tried() -> None:
    stages: list[str] = []
    choice = watched(Choice("idle", Idle, Idle().capabilities(), ()), stages.append)
    first, second = choice.make(), choice.make()
    two = (Case("a", ""), Case("b", ""))
    assert first.run(Job("", cases=two[:1], task="cases")).detail == "cases"
    first.run(Job("", task="trials", cases=two))
    second.run(Job("", task="trials", cases=two * 20))
    second.run(Job("", task="trials", cases=two, instrumented="text"))
    second.run(Job("", task="trials", cases=two, mutants=(Mutant("m", ""),) * 3))
    second.run(Job("", task="trials", cases=two * 300))
    first.run(Job("", task="cases", cases=two))
    first.run(Job("", task="cases"))
    assert stages == [
        "running 1 case",
        f"searching for cases: 2 of at most {DRAFTS} drafts",
        f"searching for cases: 42 of at most {DRAFTS} drafts",
        "trying 3 mutants on 2 cases",
        "searching for cases: 642 drafts",
        "recording 2 cases",
        "running the script",
    ]


def _on_terminal(*words: str | Path) -> tuple[int, str]:
    """Status, and what a terminal got as standard error."""
    ours, theirs = os.openpty()
    done = subprocess.Popen(
        [sys.executable, "-m", "slicefunc.driver.cli.command", *map(str, words)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=theirs,
    )
    os.close(theirs)
    parts: list[bytes] = []
    try:
        while part := os.read(ours, 4096):
            parts.append(part)
    except OSError:  # the other side is closed
        pass
    os.close(ours)
    return done.wait(), b"".join(parts).decode()


def _screen(text: str) -> list[str]:
    """The lines that are seen in the end."""
    return [line.rpartition("\x1b[2K\r")[2] for line in text.replace("\r\n", "\n").split("\n")]


@needs_sandbox
def test_a_terminal_shows_stages_and_none_is_left(repo: Path, tmp_path: Path) -> None:
    cases = tmp_path / "cases.py"
    cases.write_text(CASES)
    words = (repo, TARGET, "--cases", cases, "--verify", "--no-install")
    status, text = _on_terminal(*words)
    assert status == 0
    stages = ["slicing", "looking for a sandbox", "running the script", "running 2 cases"]
    places = [text.index(f"\x1b[2K\rslice-func: {stage}\x1b") for stage in stages]
    assert places == sorted(places)
    plain = run(*words).err
    assert "\x1b" not in plain
    lines = [line for line in plain.split("\n") if not line.endswith(" ...")]  # after a while
    assert [line[:30] for line in _screen(text)] == [line[:30] for line in lines]


def test_without_a_terminal_a_stage_is_told_after_a_while(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    stage = progress.Stage()
    begun = time.monotonic()
    seconds = iter([begun + 1, begun + 7, begun + 7, begun + 8])
    monkeypatch.setattr(time, "monotonic", lambda: next(seconds))
    with stage:
        stage.at("slicing")
        stage.at("running the script")
        stage.at("running 2 cases")
    assert capsys.readouterr().err == "slice-func: running the script ...\n"


def test_an_error_stands_alone(repo: Path) -> None:
    status, text = _on_terminal(repo, "shop/orders.py::absent", "--verify")
    assert status == 2
    assert _screen(text)[0].startswith("slice-func: error: shop/orders.py: no function or class")


# what the line says


class Screen(io.StringIO):
    """A terminal, as far as progress asks."""

    def isatty(self) -> bool:
        return True


def _shown(monkeypatch: pytest.MonkeyPatch) -> Screen:
    """What takes the place of standard error until the test ends."""
    screen = Screen()
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys, "stderr", screen)
    return screen


def test_a_stage_that_counts_says_how_long_it_may_take(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1000.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    stage = progress.Stage()
    stage.at("searching for cases: 20 of at most 100 drafts")
    now += 10
    stage.at("searching for cases: 50 of at most 100 drafts")
    assert stage.line() == (
        "slice-func: searching for cases: 50 of at most 100 drafts, 10 s, at most 10 s left"
    )
    stage.at("running the script")
    now += 0.5
    assert stage.line() == "slice-func: running the script"


def test_the_line_goes_on_while_a_stage_takes_long(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = _shown(monkeypatch)
    with progress.Stage() as stage:
        stage.at("running the script")
        time.sleep(2.5)
        stage.say("done")
    text = screen.getvalue()
    assert re.search(r"running the script, [12] s\x1b", text)
    assert text.endswith("\x1b[2K\rslice-func: done\n\x1b[2K\r")


def test_nothing_is_left_of_the_line_after_an_interrupt(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = _shown(monkeypatch)

    def work() -> None:
        with progress.Stage() as stage:
            stage.at("slicing")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        work()
    assert screen.getvalue().endswith("\x1b[2K\r")


def test_a_narrow_terminal_has_no_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = _shown(monkeypatch)
    with progress.Progress(10) as run_of_ten:
        monkeypatch.setattr(progress, "_columns", lambda: 30)
        run_of_ten.add(is_good=True)
    assert "[" not in screen.getvalue().replace("\x1b[2K", "")
    assert max(map(len, screen.getvalue().split("\x1b[2K\r"))) < 30


def test_a_terminal_without_that_gets_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = _shown(monkeypatch)
    monkeypatch.setenv("TERM", "dumb")
    with progress.Stage() as stage:
        stage.at("slicing")
        stage.say("done")
    assert screen.getvalue() == "slice-func: done\n"


@pytest.mark.parametrize(
    ("seconds", "text"), [(0.4, "0 s"), (99, "99 s"), (720, "12 min"), (12_000, "3 h 20 min")]
)
def test_times_are_short(seconds: float, text: str) -> None:
    assert progress.duration(seconds) == text


def test_quiet_says_nothing_but_errors(repo: Path) -> None:
    assert run(repo, "shop/tax.py::add_tax", "--quiet").err == ""
    assert run(repo, "--all", "-q").err == ""
    assert "no function or class absent" in run(repo, "shop/tax.py::absent", "-q").error
    assert _on_terminal(repo, "--all", "-q") == (0, "")
    assert "layout flat" in run(repo, "shop/tax.py::add_tax").err
