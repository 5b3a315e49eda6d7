from __future__ import annotations

import json
import os
import signal
from pathlib import Path

import pytest
from slicefunc.driver.cli.command import main
from slicefunc.driver.datasets.curation.candidates import Candidate, Kept, Rejection
from slicefunc.driver.datasets.curation.judging import Outcome, in_processes

from .clones import ADD, clone, curated, write

TEXT = ADD + "def one():\n    return 1\n"


@pytest.fixture
def group(tmp_path: Path) -> Path:
    for name in ("a__one", "b__two"):
        clone(tmp_path / "group" / name, {"a.py": TEXT})
    write(tmp_path / "group/c__three", {"a.py": ADD, "LICENSE": "", "setup.cfg": "[x]"})
    return tmp_path / "group"


def test_rows_and_rejections(group: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = group.parent / "repos.jsonl"
    assert main(["curate", str(group), "-o", str(out), "--jobs", "2"]) == 0
    rows = [json.loads(line) for line in out.read_text().splitlines()]
    assert [row["repo"] for row in rows] == ["a/one", "b/two"]
    assert rows[0]["functions"] == [{"path": "a.py", "qualname": "add"}]
    assert list(rows[0]) == (
        "repo source commit licence created pushed size_kb lines functions split metadata".split()
    )
    left_out = out.with_name("repos.rejected.jsonl").read_text().splitlines()
    trivial = {"path": "a.py", "qualname": "one", "rule": "trivial"}
    assert [json.loads(line) for line in left_out] == [
        {
            "repo": "c/three",
            "source": str(group / "c__three"),
            "rule": "licence",
            "reason": "no known licence; --licence any takes it",
        },
        *({"repo": r, **trivial, "reason": "it returns a constant"} for r in ("a/one", "b/two")),
    ]
    said = capsys.readouterr().err
    assert "2 of 3 repositories are kept; left out by licence 1" in said
    assert "2 of 4 functions in them are kept; left out by trivial 2" in said


def test_order_of_sources_makes_no_difference(group: Path) -> None:
    folders = sorted(group.iterdir())
    one, other = curated(*folders, max_functions=1), curated(*reversed(folders), max_functions=1)
    assert one == other


def test_number_of_processes_makes_no_difference(
    group: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    printed: list[bytes] = []
    for jobs in ("1", "2"):
        main(["curate", str(group), "-q", "--jobs", jobs])
        printed.append(capfdbinary.readouterr().out)
    assert printed[0] == printed[1] != b""


def test_repository_of_two_sources_is_taken_once(group: Path) -> None:
    clone(group.parent / "other/a+one", {"a.py": ADD})
    result = curated(group, group.parent / "other")
    assert [each.candidate.repo for each in result.kept] == ["a/one", "b/two"]
    (double,) = [each for each in result.rejected if each.rule == "double"]
    assert double.reason == f"it is also taken from {group / 'a__one'}"


def test_folders_of_one_name_get_that_of_the_folder_above(tmp_path: Path) -> None:
    for group in ("a", "b"):
        write(tmp_path / group / "it", {"a.py": ADD, "setup.cfg": "[x]"})
    kept = curated(tmp_path).kept
    assert [each.candidate.repo for each in kept] == ["a/it", "b/it"]


def test_source_is_absolute(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clone(tmp_path / "it", {"a.py": ADD})
    monkeypatch.chdir(tmp_path)
    assert [each.candidate.source for each in curated("it").kept] == [str(tmp_path / "it")]


def _killed_by_name(candidate: Candidate) -> Outcome:
    if candidate.repo == "large":
        os.kill(os.getpid(), signal.SIGKILL)
    return Kept(candidate)


def test_killed_process_costs_one_repository() -> None:
    candidates = [Candidate(name, "x") for name in ("a", "b", "large", "c", "d")]
    found = list(in_processes(_killed_by_name, candidates, 2))
    assert [each.repo for each in found if isinstance(each, Rejection)] == ["large"]
    assert [each.candidate.repo for each in found if isinstance(each, Kept)] == [*"abcd"]


def test_all_functions_are_null(tmp_path: Path) -> None:
    (kept,) = curated(write(tmp_path / "it", {"a.py": ADD})).kept
    assert kept.to_json()["functions"] is None


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["nowhere"], "nowhere: no such file, folder or address"),
        ([".", "--licence", "nonsense"], "--licence nonsense: no SPDX identifier"),
        ([".", "--created-after", "2024"], "'2024' is no date like 2024-08-31"),
        ([".", "--sample-by", "example"], "--sample-by is for --sample"),
    ],
)
def test_wrong_words(words: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["curate", *words]) == 2
    assert said in capsys.readouterr().err


def test_nothing_left_is_a_failed_check(tmp_path: Path) -> None:
    folder = write(tmp_path / "it", {"a.py": ADD, "LICENSE": ""})
    assert main(["curate", str(folder), "-q"]) == 1
