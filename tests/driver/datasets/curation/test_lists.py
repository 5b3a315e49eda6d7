from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from slicefunc.driver.datasets.curation.candidates import Candidate, Kept, Rejection
from slicefunc.driver.datasets.curation.sources import read_sources
from slicefunc.driver.datasets.curation.sources.source import Said, SourceOptions
from slicefunc.slicer.errors import SliceFuncError

from .clones import ADD, clone, commit, curated, git, only

HASH = "7c97400dc8ac42ef06146719c04197bdc5eeca0d"


def _said(*words: object) -> list[Said]:
    return list(read_sources([str(word) for word in words], SourceOptions()))


def test_list_of_addresses(tmp_path: Path) -> None:
    file = tmp_path / "list.txt"
    file.write_text(
        f"# a comment\n\nowner/one {HASH}\nhttps://host.org/group/two.git  # why\n"
        "git@host.org:owner/three.git\nssh://git@host.org/owner/four\n"
    )
    assert _said(file) == [
        Candidate("owner/one", "https://github.com/owner/one", HASH),
        Candidate("group/two", "https://host.org/group/two.git"),
        Candidate("owner/three", "git@host.org:owner/three.git"),
        Candidate("owner/four", "ssh://git@host.org/owner/four"),
    ]


WRONG_LINES = {
    "ext::sh -c touch% /tmp/x": "is no address",
    "--upload-pack=touch": "is no address",
    "owner/name abc": "abc is no whole hash of a commit",
    "https://token@host.org/owner/name": "the address has a password in it",
    "ssh://git:word@host.org/owner/name": "the address has a password in it",
}


@pytest.mark.parametrize("line", WRONG_LINES)
def test_line_that_is_no_address_is_rejected(line: str, tmp_path: Path) -> None:
    file = tmp_path / "list.txt"
    file.write_text(f"owner/name\n{line}\n")
    _, found = _said(file)
    assert isinstance(found, Rejection)
    assert WRONG_LINES[line] in found.reason
    assert "token" not in str(found)
    assert found.source == f"{file}:2"


@pytest.mark.parametrize("line", ["/srv/clones/a", "./a", "../a", "~/a"])
def test_a_list_of_folders_is_told_to_name_them_as_words(line: str, tmp_path: Path) -> None:
    file = tmp_path / "list.txt"
    file.write_text(f"{line}\n")
    with pytest.raises(SliceFuncError) as told:
        _said(file)
    assert told.value.advice == f"give folders as words: slice-func curate {line} …"
    file.write_text(f"owner/name\n{line}\n")
    _, found = _said(file)
    assert isinstance(found, Rejection)
    assert "give folders as words" in found.reason


@pytest.mark.parametrize("name", ["list.txt", "meta.jsonl", "meta.csv", "meta.json"])
@pytest.mark.parametrize("text", ["", "{}\n", "x\ny\n"])
def test_file_without_repositories_is_an_error(name: str, text: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(SliceFuncError, match="names no repository"):
        _said(tmp_path / name)


def test_address_is_fetched_at_its_commit_and_left_nowhere(tmp_path: Path) -> None:
    folder = clone(tmp_path / "owner/it", {"a.py": ADD})
    first = git(folder, "rev-parse", "HEAD")
    commit(folder, {"b.py": ADD}, "2025-01-01")
    (tmp_path / "list.txt").write_text(f"file://{folder} {first}\n")
    found = only(curated(tmp_path / "list.txt"))
    assert isinstance(found, Kept)
    assert found.candidate.source == f"file://{folder}"
    assert (found.candidate.commit, found.functions) == (first, (("a.py", "add"),))
    found = only(curated(f"file://{folder}"))
    assert isinstance(found, Kept)
    assert found.functions == (("a.py", "add"), ("b.py", "add"))


def test_address_that_leads_nowhere_is_rejected_with_the_words_of_git(tmp_path: Path) -> None:
    found = only(curated(f"file://{tmp_path}/owner/nowhere"))
    assert isinstance(found, Rejection)
    assert (found.rule, found.repo) == ("unreadable", "owner/nowhere")
    assert found.reason.startswith("fatal: ")
    assert "repository" in found.reason


def test_local_clone_takes_commit_and_facts_of_other_sources(tmp_path: Path) -> None:
    folder = clone(tmp_path / "clones/owner__it", {"a.py": ADD})
    first = git(folder, "rev-parse", "HEAD")
    commit(folder, {"b.py": ADD}, "2025-01-01")
    (tmp_path / "list.txt").write_text(f"owner/it {first}\n")
    (tmp_path / "meta.jsonl").write_text('{"full_name": "Owner/It", "created_at": "2020-01-01"}\n')
    found = only(curated(tmp_path / "list.txt", folder, tmp_path / "meta.jsonl"))
    assert isinstance(found, Kept)
    assert found.functions == (("a.py", "add"),)
    assert (found.candidate.commit, found.candidate.created) == (first, "2020-01-01")
    assert found.candidate.source == str(folder)


ROWS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "GitHub's API": (
        {
            "full_name": "o/n", "clone_url": "https://github.com/o/n.git", "fork": False,
            "archived": True, "size": 12, "license": {"key": "mit", "spdx_id": "MIT"},
            "created_at": "2013-05-01T23:00:00Z", "pushed_at": "2014-05-01T23:00:00Z",
            "stargazers_count": 3, "language": "Python",
        },
        {
            "licence": "MIT", "is_fork": False, "is_archived": True, "size_kb": 12,
            "created": "2013-05-01", "pushed": "2014-05-01",
            "metadata": {"language": "Python", "stars": 3},
            "source": "https://github.com/o/n.git",
        },
    ),
    "GitHub's GraphQL": (
        {
            "nameWithOwner": "o/n", "isFork": True, "isArchived": False, "diskUsage": 7,
            "licenseInfo": {"spdxId": "Apache-2.0"}, "createdAt": "2013-05-01T23:00:00Z",
            "pushedAt": "2014-05-01T23:00:00Z", "stargazerCount": 3,
            "primaryLanguage": {"name": "Python"},
        },
        {
            "licence": "Apache-2.0", "is_fork": True, "is_archived": False, "size_kb": 7,
            "created": "2013-05-01", "pushed": "2014-05-01",
            "metadata": {"language": "Python", "stars": 3},
        },
    ),
    "SEART": (
        {
            "name": "o/n", "isFork": "false", "license": 'BSD 3-Clause "New" or "Revised" License',
            "size": "512", "createdAt": "2013-05-01T10:00:00", "isArchived": "true",
            "stargazers": "5", "mainLanguage": "Python", "pushedAt": "2014-05-01T10:00:00",
        },
        {
            "licence": "BSD-3-Clause", "is_fork": False, "is_archived": True, "size_kb": 512,
            "created": "2013-05-01", "pushed": "2014-05-01",
            "metadata": {"language": "Python", "stars": "5"},
        },
    ),
    "BigQuery": (
        {"repo_name": "o/n", "license": "gpl-3.0", "created_at": "2013-05-01 10:00:00 UTC"},
        {"licence": "GPL-3.0", "created": "2013-05-01"},
    ),
    "The Stack": (
        {
            "max_stars_repo_name": "o/n", "max_stars_repo_head_hexsha": HASH,
            "max_stars_repo_licenses": ["MIT", "Apache-2.0"], "max_stars_count": 3,
        },
        {"commit": HASH, "licence": "Apache-2.0 AND MIT", "metadata": {"stars": 3}},
    ),
    "rows of curate itself": (
        {
            "repo": "o/n", "source": "https://host.org/o/n", "commit": HASH, "licence": "ISC",
            "created": "2013-05-01", "pushed": "2014-05-01", "size_kb": 3,
        },
        {
            "source": "https://host.org/o/n", "commit": HASH, "licence": "ISC",
            "created": "2013-05-01", "pushed": "2014-05-01", "size_kb": 3,
        },
    ),
    "an address alone": (
        {"url": "https://host.org/o/n"},
        {"source": "https://host.org/o/n"},
    ),
    "values that say nothing": (
        {"full_name": "o/n", "license": "NOASSERTION", "size": "big", "created_at": "?"},
        {},
    ),
    "seconds": ({"full_name": "o/n", "created_at": 1367400000}, {"created": "2013-05-01"}),
}  # fmt: skip


@pytest.mark.parametrize("dump", ROWS)
def test_fields_of_dumps(dump: str, tmp_path: Path) -> None:
    row, fields = ROWS[dump]
    expected = Candidate(**{"repo": "o/n", "source": "https://github.com/o/n", **fields})
    (tmp_path / "a.jsonl").write_text(json.dumps(row) + "\n")
    (tmp_path / "b.json").write_text(json.dumps({"total": 1, "items": [row]}))
    (tmp_path / "c.jsonl.gz").write_bytes(gzip.compress(json.dumps(row).encode()))
    for name in ("a.jsonl", "b.json", "c.jsonl.gz"):
        assert _said(tmp_path / name) == [expected]


def test_table(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text('full_name,license,size\n"o/n",mit,5\no/m,,\n')
    (tmp_path / "a.tsv").write_text("full_name\tlicense\tsize\no/n\tmit\t5\no/m\t\t\n")
    for name in ("a.csv", "a.tsv"):
        assert _said(tmp_path / name) == [
            Candidate("o/n", "https://github.com/o/n", licence="MIT", size_kb=5),
            Candidate("o/m", "https://github.com/o/m"),
        ]


def test_row_that_cannot_be_read_is_rejected_and_the_others_are_not(tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    file.write_text('{"full_name": "o/n"}\n{"full\n[]\n{"x": 1}\n')
    first, *others = _said(file)
    assert isinstance(first, Candidate)
    rows = [
        (each.repo, each.reason.partition(":")[0]) for each in others if isinstance(each, Rejection)
    ]
    assert rows == [
        (f"{file}:2", "it is no JSON"),
        (f"{file}:3", "it is no object"),
        (f"{file}:4", "it names no repository"),
    ]
