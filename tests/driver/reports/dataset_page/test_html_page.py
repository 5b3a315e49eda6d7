"""The report of a dataset, as a browser's parser reads it."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import re
import shutil
import subprocess
import zlib
from pathlib import Path
from typing import Any

import pytest
from slicefunc.driver.datasets.storage.dataset import StoredDataset, open_dataset
from slicefunc.driver.reports.dataset_page.html_page import report_page

from tests.driver.conftest import run
from tests.driver.record.test_environment import needs_sandbox

from .conftest import EVIL, SHOUT, Page

pytestmark = needs_sandbox


@pytest.fixture(scope="module")
def text(hostile: StoredDataset) -> str:
    return report_page(hostile, EVIL)


@pytest.fixture(scope="module")
def page(text: str) -> Page:
    return Page(text)


@pytest.fixture(scope="module")
def data(page: Page) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(page.scripts["data"])
    return found


@pytest.fixture(scope="module")
def detail(page: Page) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(zlib.decompress(base64.b64decode(page.scripts["page-0"])))
    return found


def test_texts_of_repositories_make_no_elements(page: Page) -> None:
    assert "img" not in {tag for tag, _ in page.elements}
    assert list(page.scripts) == ["data", "page-0", "code"]
    assert not [name for _, found in page.elements for name in found if name.startswith("on")]


def test_texts_of_repositories_come_back_whole(data: dict[str, Any]) -> None:
    assert data["title"] == EVIL
    assert data["environments"]["rows"][0][1] == EVIL


def test_only_the_page_s_own_code_and_style_may_run(page: Page) -> None:
    [policy] = [
        found["content"] or ""
        for tag, found in page.elements
        if tag == "meta" and found.get("http-equiv") == "Content-Security-Policy"
    ]
    sources = [
        f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
        for text in ("".join(page.styles), page.scripts["code"])
    ]
    assert policy.split("; ") == [
        "default-src 'none'", f"style-src {sources[0]}", f"script-src {sources[1]}",
        "base-uri 'none'", "form-action 'none'",
    ]  # fmt: skip


def test_code_sets_no_html_and_loads_nothing(page: Page) -> None:
    forbidden = (
        r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|\bfetch\(|import\("
    )
    assert re.findall(forbidden, page.scripts["code"]) == []


def test_each_function_is_lost_once_at_its_first_stage(data: dict[str, Any]) -> None:
    assert [(each["stage"], each["count"], each["lost"]) for each in data["waterfall"]] == [
        ("repositories tried", 2, []),
        ("repositories that could be built", 1, [["size", 1]]),
        ("functions tried", 6, []),
        ("sliced", 5, [["too_deep", 1]]),
        ("run alone", 4, [["does_not_run", 1]]),
        ("called by a case", 4, []),
        ("same outcome each time", 4, []),
        ("same as in the repository", 4, []),
        ("80 % of branches taken", 3, [["few_branches", 1]]),
        ("80 % of mutants killed", 2, [["few_mutants", 1]]),
        ("80 % of unseen mutants killed", 2, []),
        ("environments", 1, [["duplicate", 1]]),
    ]


def test_yields_are_counted_by_repository_licence_and_size(data: dict[str, Any]) -> None:
    by_repository, by_licence, by_size = data["yields"]
    assert by_repository["rows"][0][4:7] == [6, 1, 0.166667]
    assert by_repository["rows"][1][4:] == [0, 0, None, f"size: {EVIL}"]
    assert by_licence["rows"] == [[EVIL, 6, 1, 0.166667]]
    assert by_size["rows"] == [["1 to 10", 4, 1, 0.25], ["201 to 500", 1, 0, 0.0]]


def test_a_distribution_counts_every_environment(data: dict[str, Any]) -> None:
    for each in data["distributions"]:
        assert sum(each["bins"]) + each["unknown"] == 1


def test_a_duplicate_names_what_it_repeats(data: dict[str, Any]) -> None:
    assert data["duplicates"]["rows"] == [[EVIL, "loud.py", "f1", 0, 0.9]]


def test_costs_are_those_of_the_build(data: dict[str, Any]) -> None:
    assert data["cost"]["functions"]["rows"] == [["a", "b", "c", "unknown", 3.5]]


def test_an_environment_s_page_holds_what_people_judge(detail: dict[str, Any]) -> None:
    assert detail["code"].strip() in SHOUT
    assert detail["cases"][0][0] == "case_1"
    assert detail["cases"][0][2].startswith("returns '</script>")
    assert detail["mutants"]["survived"]
    assert detail["faithful"]["same"] == detail["faithful"]["compared"]


def test_pieces_say_what_names_them(detail: dict[str, Any]) -> None:
    assert [(piece[0], piece[1], piece[4]) for piece in detail["pieces"]] == [
        ("MARK", "value", "shout"),
        ("shout", "function", "the target"),
    ]


def test_the_same_dataset_gives_the_same_bytes(hostile: StoredDataset, text: str) -> None:
    assert report_page(open_dataset(hostile.location), EVIL) == text


def test_beyond_the_limit_environments_are_rows_alone(environment_folder: Path) -> None:
    page = Page(report_page(open_dataset(environment_folder), "one", pages=0))
    data = json.loads(page.scripts["data"])
    assert (data["pages"], len(data["environments"]["rows"])) == (0, 1)
    assert "page-0" not in page.scripts


def test_the_command_writes_a_page_about_one_environment(
    environment_folder: Path, tmp_path: Path
) -> None:
    done = run("report", environment_folder, "-o", tmp_path / "page.html")
    assert done.status == 0, done.err
    data = json.loads(Page((tmp_path / "page.html").read_text()).scripts["data"])
    assert "waterfall" not in data
    assert data["environments"]["names"] == ["shout"]


def test_no_dataset_is_one_line(tmp_path: Path) -> None:
    done = run("report", tmp_path, "-o", tmp_path / "page.html")
    assert done.status == 2
    assert "no dataset" in done.err


@pytest.mark.skipif(not shutil.which("node"), reason="node parses the page's code")
def test_the_code_of_the_page_parses(page: Page, tmp_path: Path) -> None:
    (tmp_path / "page.js").write_text(page.scripts["code"])
    subprocess.run(["node", "--check", tmp_path / "page.js"], check=True)


@pytest.mark.parametrize(
    "content",
    [b"no gzip", gzip.compress(b"[1]\n"), gzip.compress(b"0" * 9)],
    ids=["no gzip", "no rows", "numbers"],
)
def test_a_damaged_file_of_costs_is_named(
    hostile: StoredDataset, tmp_path: Path, content: bytes
) -> None:
    copy = Path(shutil.copytree(hostile.location, tmp_path / "copy"))
    (copy / "costs.jsonl.gz").write_bytes(content)
    done = run("report", copy, "-o", tmp_path / "report.html")
    assert (done.status, done.err.count("costs.jsonl.gz: it is missing or damaged")) == (2, 1)
