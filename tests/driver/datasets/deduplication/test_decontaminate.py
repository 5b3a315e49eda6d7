"""`slice-func dataset decontaminate`, on a dataset of small rows."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from slicefunc.driver.datasets.deduplication.decontaminate import REPORT, decontaminate
from slicefunc.driver.datasets.deduplication.function import Options
from slicefunc.driver.datasets.deduplication.references import read_references
from slicefunc.driver.datasets.storage.columns import (
    EnvironmentRow,
    FileRef,
    FunctionRow,
    RepositoryRow,
)
from slicefunc.driver.datasets.storage.dataset import Dataset, StoredDataset, open_dataset
from slicefunc.driver.datasets.storage.digests import digest
from slicefunc.driver.datasets.storage.store import Store
from slicefunc.driver.datasets.storage.write_dataset import Content, write_dataset

from tests.driver.conftest import run

MEAN = "def mean(xs):\n    return round(sum(xs) / len(xs), 2) if xs else None\n"
WORDS = "def words(text):\n    return sorted({word.lower() for word in text.split()})\n"
LINES = "def lines(path):\n    with open(path) as file:\n        return list(file)\n"
DATED = {"owner/old": "2020-05-01", "owner/new": "2026-05-01"}


def _id(name: str) -> str:
    """Return an id for a name; ids sort as their names do."""
    return f"{name.encode().hex():0<64}"


def _row(name: str, repo: str, code: str, split: str = "train") -> EnvironmentRow:
    file = FileRef("script.py", digest(code.encode()))
    return EnvironmentRow(
        id=_id(name), repo=repo, commit="c", licence="MIT", created=DATED[repo], path="a.py",
        qualname=name, split=split, signature="", docstring=None, prompt="", code=code,
        layout="flat", python="3.11", requirements=(), mocks=(), branch_coverage=1.0, kill_rate=1.0,
        unseen_kill_rate=1.0, mutants=1, cases=1, hidden=0, compared=0, same=0, lines=1,
        tool_version="1", record=json.dumps({"id": _id(name)}), files=(file,),
    )  # fmt: skip


def _function(row: EnvironmentRow) -> FunctionRow:
    return FunctionRow(
        repo=row.repo, commit="c", path="a.py", qualname=row.qualname, split=row.split, sliced=True,
        layout="flat", lines=1, definitions=1, gaps=0, runs=True, called=True, stable=True,
        compared=0, same=0, branches=1.0, killed=1.0, unseen_killed=1.0, cases=1,
        environment=row.id, reasons=(), detail="", duplicate_of=None, similarity=None,
    )  # fmt: skip


def _repository(repo: str, environments: int) -> RepositoryRow:
    return RepositoryRow(
        repo, repo, "c", "MIT", DATED[repo], None, "train", environments, environments, None, "", ""
    )


@pytest.fixture
def dataset(tmp_path: Path) -> Path:
    """Two old functions and two new ones; `again` is `words`, and `mean` is a task elsewhere."""
    rows = [
        _row("again", "owner/new", WORDS.replace("word", "each")),
        _row("lines", "owner/new", LINES),
        _row("mean", "owner/old", MEAN),
        _row("words", "owner/old", WORDS),
    ]
    contents = {digest(row.code.encode()): row.code.encode() for row in rows}
    repositories = [_repository("owner/new", 2), _repository("owner/old", 2)]
    content = Content(
        rows, list(map(_function, rows)), repositories, contents.__getitem__, {"thresholds": {}}
    )
    write_dataset(Store.at(str(tmp_path / "dataset")), content)
    return tmp_path / "dataset"


@pytest.fixture
def tasks(tmp_path: Path) -> Path:
    """A reference set with `mean`."""
    record = {"task_id": "T/1", "repo": "owner/new", "code": MEAN.replace("xs", "values")}
    (tmp_path / "tasks.jsonl").write_text(json.dumps(record))
    return tmp_path / "tasks.jsonl"


def _decontaminated(
    dataset: Path, options: Options | None = None, tasks: Path | None = None
) -> StoredDataset:
    """Return what the command writes."""
    references = list(read_references([tasks] if tasks else []))
    out = dataset.with_name("out")
    store = Store.at(str(out))
    decontaminate(open_dataset(dataset), store, references, options or Options())
    left = open_dataset(out)
    assert isinstance(left, StoredDataset)
    return left


def _names(dataset: Dataset) -> dict[str, str]:
    return {row.qualname: row.split for row in dataset.rows()}


def test_what_resembles_a_task_or_an_earlier_function_falls(
    dataset: Path, tasks: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    done = run("dataset", "decontaminate", dataset, "--against", tasks, "-o", out)
    assert done.status == 0
    assert done.out.decode().splitlines() == [
        "4 functions, 2 left out; kept: 2 train",
        "        2  exact: the same syntax tree",
        "        1  resemble a reference set",
        "        1  resemble another training function",
        "owner/new a.py::again: exact 1.00 owner/old a.py::words",
        "owner/old a.py::mean: exact 1.00 tasks.jsonl:T/1::mean",
    ]
    assert _names(open_dataset(out)) == {"lines": "train", "words": "train"}


def test_functions_and_repositories_say_what_fell(
    dataset: Path, tasks: Path, tmp_path: Path
) -> None:
    left = _decontaminated(dataset, tasks=tasks)
    assert {
        row.qualname: (row.environment, row.duplicate_of, row.reasons) for row in left.functions()
    } == {
        "again": (None, _id("words"), ("duplicate",)),
        "lines": (_id("lines"), None, ()),
        "mean": (None, "tasks.jsonl:T/1::mean", ("in_reference_set",)),
        "words": (_id("words"), None, ()),
    }
    assert [row.environments for row in left.repositories()] == [1, 1]
    counts = left.manifest["counts"]
    assert (counts["duplicates"], counts["in_reference_sets"]) == (1, 1)
    assert "| left out, in a reference set | 1 |" in (tmp_path / "out" / "README.md").read_text()
    shown = run("dataset", "show", tmp_path / "out", "--rejected").out.decode()
    assert "in_reference_set  it is in a reference set, like tasks.jsonl:T/1::mean\n" in shown
    assert left.manifest["decontaminated"]["references"] == 1
    assert len(json.loads((tmp_path / "out" / REPORT).read_text())["rows"]) == 2


def test_files_of_kept_environments_come_along(dataset: Path, tasks: Path) -> None:
    left = _decontaminated(dataset, tasks=tasks)
    assert left.blobs.read(digest(WORDS.encode())) == WORDS.encode()
    with pytest.raises(Exception, match="missing"):
        left.blobs.read(digest(MEAN.encode()))


def test_new_repositories_evaluate_and_old_copies_of_them_fall(dataset: Path) -> None:
    left = _decontaminated(dataset, Options(eval_since="2026-01-01"))
    assert _names(left) == {"again": "eval", "lines": "eval", "mean": "train"}
    splits = {row.repo: row.split for row in left.repositories()}
    assert splits == {"owner/new": "eval", "owner/old": "train"}


def test_repositories_of_tasks_fall_if_asked(dataset: Path, tasks: Path) -> None:
    left = _decontaminated(dataset, Options(is_same_repository_out=True), tasks)
    assert left.manifest["decontaminated"]["rules"] == {"exact": 1, "repository": 2}
    assert _names(left) == {"words": "train"}


def test_the_dataset_itself_is_no_output(dataset: Path) -> None:
    done = run("dataset", "decontaminate", dataset, "--eval-since", "2026-01-01", "-o", dataset)
    assert done.status == 2
    assert "not empty" in done.error


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (("--similarity", "0.7"), "not a whole number"),
        (("--eval-since", "yesterday"), "'yesterday'"),
        (("--field", "code", "--eval-since", "2026-01-01"), "name one with --against"),
        ((), "--against FILE or --eval-since DATE says what must not be in it"),
    ],
)
def test_wrong_options_are_refused(
    dataset: Path, tmp_path: Path, words: tuple[str, ...], problem: str
) -> None:
    done = run("dataset", "decontaminate", dataset, *words, "-o", tmp_path / "out")
    assert done.status == 2
    assert problem in done.error
