from __future__ import annotations

import json
from pathlib import Path
from typing import cast

import pytest

from tests.driver.conftest import run

NAMES = [
    ("shop/orders.py", "Order.__init__"),
    ("shop/orders.py", "Order.total"),
    ("shop/orders.py", "unrelated"),
    ("shop/tax.py", "add_tax"),
]


def _report(out: bytes) -> dict[str, object]:
    report = json.loads(out)
    for entry in report["entries"]:
        del entry["seconds"]
    return report


def test_every_function_has_an_entry(repo: Path) -> None:
    report = _report(run(repo, "--all", "--json").out)
    assert (report["functions"], report["sliced"], report["reasons"]) == (4, 4, {})
    assert [(e["path"], e["qualname"]) for e in report["entries"]] == NAMES
    assert set(report) == {"functions", "sliced", "reasons", "left_out", "entries"}
    assert report["left_out"] == []


def test_a_function_that_cannot_be_sliced_is_an_entry_with_its_reason(repo: Path) -> None:
    (repo / "shop/bad.py").write_text("def f(:\n")
    (repo / "uses.py").write_text("from shop.bad import f\n\n\ndef g():\n    return f()\n")
    done = run(repo, "--all", "--json")
    report = _report(done.out)
    assert done.status == 0
    assert (report["functions"], report["sliced"]) == (5, 4)
    (entry,) = [e for e in report["entries"] if not e["sliced"]]
    assert (entry["path"], entry["qualname"]) == ("uses.py", "g")
    assert [reason["code"] for reason in entry["reasons"]] == ["source"]
    assert "shop/bad.py:1" in entry["reasons"][0]["hint"]
    assert report["reasons"] == {"source": 1}
    (left_out,) = cast("list[str]", report["left_out"])
    assert left_out.startswith("shop/bad.py:1: does not parse")


def test_the_scripts_are_those_of_single_runs(repo: Path, tmp_path: Path) -> None:
    report = _report(run(repo, "--all", "--json", "-o", tmp_path / "run").out)
    for entry in report["entries"]:
        alone = run(repo, f"{entry['path']}::{entry['qualname']}").out
        assert (tmp_path / "run" / entry["output"]).read_bytes() == alone


def test_packages_are_folders(repo: Path, tmp_path: Path) -> None:
    run(repo, "--all", "--emit", "package", "-o", tmp_path / "run")
    assert (tmp_path / "run/slices/shop/tax.py/add_tax/shop/tax.py").is_file()


def test_several_processes_give_the_same_report(repo: Path, tmp_path: Path) -> None:
    text = "".join(f"def f{n}():\n    return {n}\n\n\n" for n in range(20))
    (repo / "many.py").write_text(text)
    alone = _report(run(repo, "--all", "--json", "-o", tmp_path / "1").out)
    several = _report(run(repo, "--all", "--json", "--jobs", "2", "-o", tmp_path / "2").out)
    assert alone == several
    assert alone["functions"] == 24


def test_a_limit_takes_the_first(repo: Path) -> None:
    report = _report(run(repo, "--all", "--json", "--limit", "2").out)
    assert [(e["path"], e["qualname"]) for e in report["entries"]] == NAMES[:2]


def test_a_stopped_run_goes_on_where_it_was(repo: Path, tmp_path: Path) -> None:
    out = tmp_path / "run"
    whole = _report(run(repo, "--all", "--json", "-o", tmp_path / "whole").out)
    run(repo, "--all", "--limit", "2", "-o", out)
    journal = out / "results.jsonl"
    rows = journal.read_text().splitlines(keepends=True)
    journal.write_text("".join(rows[:2]) + rows[2][:9])  # killed while the second was written
    marked = json.loads(rows[1])
    (out / marked["output"]).write_text("untouched")
    assert _report(run(repo, "--all", "--json", "-o", out, "--resume").out) == whole
    assert (out / marked["output"]).read_text() == "untouched"
    assert len(journal.read_text().splitlines()) == 1 + len(NAMES)


@pytest.mark.parametrize("change", ["source", "options"])
def test_results_of_other_sources_or_options_are_not_gone_on_with(
    repo: Path, tmp_path: Path, change: str
) -> None:
    run(repo, "--all", "-o", tmp_path / "run")
    words = ["--emit", "modules"] if change == "options" else []
    if change == "source":
        (repo / "shop/tax.py").write_text("def add_tax(net):\n    return net\n")
    done = run(repo, "--all", *words, "-o", tmp_path / "run", "--resume")
    assert done.status == 2
    assert "new folder" in done.error


def test_a_folder_that_is_in_use_is_left_alone(repo: Path) -> None:
    done = run(repo, "--all", "-o", repo)
    assert done.status == 2
    assert "not empty" in done.error


def test_the_summary_is_for_people(repo: Path) -> None:
    done = run(repo, "--all")
    assert done.out.decode().split("\n")[:2] == ["      4 functions", "      4 sliced"]


def test_that_no_script_is_kept_is_told_before_the_work(
    repo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("slicefunc.driver.batch.whole_repository.run_all", stopped)
    assert "no script is kept: name a folder with -o" in run(repo, "--all").err


def test_a_repository_without_functions_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("A = 1\n")
    done = run(tmp_path, "--all", "--json")
    report = _report(done.out)
    assert done.status == 0
    assert "holds no function" in done.err
    assert report == {"functions": 0, "sliced": 0, "reasons": {}, "left_out": [], "entries": []}


def test_a_folder_without_python_files_is_refused(tmp_path: Path) -> None:
    done = run(tmp_path, "--all")
    assert done.status == 2
    assert "holds no Python file" in done.error
