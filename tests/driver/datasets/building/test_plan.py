"""Lists of repositories."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from slicefunc.driver.datasets.building.plan import PlanError, RepositoryPlan, read_plan, shard

from tests.driver.datasets.conftest import write_plan

NAMES = st.lists(st.from_regex(r"[a-z]{1,5}/[a-z]{1,5}", fullmatch=True), unique=True)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "no repository in it"),
        ('{"source": "x"}\n', ":1: no repository: it has no 'repo'"),
        ('{"repo": "a/b"}\n[1]\n', ":2: no repository"),
        ("{\n", ":1: no repository"),
        ('{"repo": "a/b"}\n{"repo": "a/b"}\n', ":2: a/b is in the list twice"),
        ('{"repo": "a/b", "split": "test"}\n', "'test' is neither train nor eval"),
        ('{"repo": "a/.."}\n', "repo 'a/..' is no name such as owner/name"),
        ('{"repo": "a/"}\n', "is no name"),
        ('{"repo": "/etc"}\n', "is no name"),
        ('{"repo": "a/.git"}\n', "is no name"),
        ('{"repo": "a/\\u202eb"}\n', "is no name"),
        ('{"repo": "a/\\u0000"}\n', "control characters"),
        (f'{{"repo": "a/{"x" * 300}"}}\n', "is no name"),
        ('{"repo": "a/b", "source": "--upload-pack=x ://"}\n', "begins with -"),
        ('{"repo": "a/b", "commit": "--output=x"}\n', "begins with -"),
        ('{"repo": "a/b", "commit": 7}\n', "commit is neither text nor null"),
        ('{"repo": "a/b", "licence": {}}\n', "licence is neither text nor null"),
        ('{"repo": ["a"]}\n', "repo is neither text nor null"),
        ('{"repo": "a/b", "functions": [{"path": 1, "qualname": "f"}]}\n', "no repository"),
    ],
)
def test_a_wrong_list_is_refused_with_its_line(tmp_path: Path, text: str, problem: str) -> None:
    (tmp_path / "repos.jsonl").write_text(text)
    with pytest.raises(PlanError, match=r"repos\.jsonl") as caught:
        read_plan(tmp_path / "repos.jsonl")
    assert problem in str(caught.value)


def test_a_folder_is_told_to_be_curated_first(tmp_path: Path) -> None:
    with pytest.raises(PlanError, match="it is a folder") as caught:
        read_plan(tmp_path)
    assert caught.value.advice.startswith(f"run slice-func curate {tmp_path} -o repos.jsonl first")


def test_a_list_of_another_editor_is_read(tmp_path: Path) -> None:
    text = '\ufeff{"repo": "a/b", "about": "one\u2028two"}\r\n\r\n{"repo": "c/d"}'
    (tmp_path / "repos.jsonl").write_bytes(text.encode())
    assert [plan.repo for plan in read_plan(tmp_path / "repos.jsonl")] == ["a/b", "c/d"]


def test_folders_are_looked_for_beside_the_list(tmp_path: Path) -> None:
    file = write_plan(
        tmp_path / "repos.jsonl",
        {"repo": "b/b", "source": "clones/b"},
        {"repo": "a/a", "source": "https://example.org/a.git"},
    )
    first, second = read_plan(file, split="eval")
    assert (first.source, first.split) == ("https://example.org/a.git", "eval")
    assert second.source == str(tmp_path / "clones/b")


@given(NAMES, st.integers(1, 5))
def test_each_repository_is_in_one_part(names: list[str], of: int) -> None:
    plans = [RepositoryPlan(name, name) for name in names]
    parts = [shard(plans, number, of) for number in range(1, of + 1)]
    assert sorted(plan.repo for part in parts for plan in part) == sorted(names)


@given(NAMES, st.from_regex(r"[a-z]{6}/new", fullmatch=True), st.integers(1, 5))
def test_a_repository_stays_in_its_part_when_another_joins(
    names: list[str], new: str, of: int
) -> None:
    plans = [RepositoryPlan(name, name) for name in names]
    for number in range(1, of + 1):
        before = shard(plans, number, of)
        after = shard([*plans, RepositoryPlan(new, new)], number, of)
        assert [plan for plan in after if plan.repo != new] == list(before)
