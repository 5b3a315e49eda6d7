"""A trial of whole repositories tells slices that fail from originals that do."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.repost.repositories import Trial, fault, summarise
from benchmarks.repost.run_scripts import Failure, Job, Outcome, Runner

GOOD = "def good():\n    return 1\n\n\ndef other():\n    return good()\n"
BAD = "import nothing_of_that_name\n\n\ndef bad():\n    return 1\n"
NOT_THERE = Failure("ModuleNotFoundError", "No module named 'nothing_of_that_name'")


@dataclass
class Scripted(Runner):
    """Knows what comes of each module, and of every script that holds a text."""

    python: Path = field(default_factory=Path)
    cache: Path = field(default_factory=Path)
    failing: str = "no script has this"
    asked: list[Job] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.fingerprint = ""

    def run(self, job: Job) -> Outcome:
        self.asked.append(job)
        if job.way == "module":
            names = ("good", "other") if job.entry == "good" else ()
            return Outcome(None if names else NOT_THERE, names)
        failed = any(self.failing.encode() in content for _, content in job.files)
        return Outcome(NOT_THERE if failed else None, (job.name,))


def trial(folder: Path, runner: Runner) -> Trial:
    (folder / "good.py").write_text(GOOD)
    (folder / "bad.py").write_text(BAD)
    return Trial(folder, runner, None)


def test_what_loads_nowhere_is_left_out_with_its_reason(tmp_path: Path) -> None:
    runner = Scripted()
    found = list(trial(tmp_path, runner).functions(10, 0))
    assert not any(map(fault, found))
    summary = summarise(found)
    assert summary["functions"] == 3
    assert summary["as it is"]["sliced"] == summary["mocked"]["sliced"] == 3
    assert summary["as it is"]["load"] == summary["mocked"]["load"] == "2 of 2 (100 %)"
    assert summary["left_out"] == {"ModuleNotFoundError: No module named <name>": 1}
    assert {job.name for job in runner.asked if job.way == "import"} == {"good", "other"}


def test_a_slice_that_fails_alone_is_at_fault(tmp_path: Path) -> None:
    found = list(trial(tmp_path, Scripted(failing="def other")).functions(10, 0))
    at_fault = [function["target"] for function in found if fault(function)]
    assert at_fault == ["good.py::other"]
    assert summarise(found)["as it is"]["load"] == "1 of 2 (50.0 %)"


def test_the_sample_is_the_same_for_a_seed(tmp_path: Path) -> None:
    drawn = [
        [function["target"] for function in trial(tmp_path, Scripted()).functions(2, seed)]
        for seed in (0, 0, 1, 2, 3, 4)
    ]
    assert drawn[0] == drawn[1]
    assert all(len(targets) == 2 for targets in drawn)
    assert len({tuple(targets) for targets in drawn}) > 1
