from __future__ import annotations

from pathlib import Path

import pytest
from slicefunc.driver.datasets.curation.candidates import Kept, Rejection
from slicefunc.driver.datasets.curation.contents.checkout import is_inner_path
from slicefunc.slicer.errors import SliceFuncError

from .clones import ADD, clone, commit, curated, git, names, only, write


def _kept(*words: object) -> Kept:
    found = only(curated(*words))
    assert isinstance(found, Kept)
    return found


def test_clone_is_read_at_its_commit(tmp_path: Path) -> None:
    folder = clone(tmp_path / "it", {"a.py": ADD})
    commit(folder, {"b.py": ADD}, "2025-01-01")
    (folder / "untracked.py").write_text(ADD)
    (folder / "a.py").write_text("def changed(a):\n    return a + 1\n")
    found = _kept(folder)
    assert found.functions == (("a.py", "add"), ("b.py", "add"))
    about = found.candidate
    assert about.commit == git(folder, "rev-parse", "HEAD")
    assert (about.created, about.pushed) == ("2024-02-03", "2025-01-01")
    assert (about.licence, found.lines) == ("MIT", 6)


def test_bare_clone_gives_the_same_as_the_one_with_files(tmp_path: Path) -> None:
    folder = clone(tmp_path / "owner__it", {"a.py": ADD})
    git(tmp_path, "clone", "-q", "--bare", str(folder), str(tmp_path / "owner+it/repo"))
    first, second = _kept(folder), _kept(tmp_path / "owner+it")
    rows = [each.to_json() for each in (first, second)]
    assert [row.pop("source") for row in rows] == [str(folder), str(tmp_path / "owner+it/repo")]
    assert rows[0] == rows[1]
    assert rows[0]["repo"] == "owner/it"


def test_shallow_clone_knows_no_date_of_creation(tmp_path: Path) -> None:
    folder = clone(tmp_path / "it", {"a.py": ADD})
    commit(folder, {"b.py": ADD}, "2025-01-01")
    git(tmp_path, "clone", "-q", "--depth", "1", f"file://{folder}", "shallow")
    about = _kept(tmp_path / "shallow").candidate
    assert (about.created, about.pushed) == (None, "2025-01-01")


def test_name_comes_from_the_address_of_origin(tmp_path: Path) -> None:
    folder = clone(tmp_path / "it", {"a.py": ADD})
    git(folder, "remote", "add", "origin", "https://user:secret@github.com/owner/name.git")
    assert _kept(folder).candidate.repo == "owner/name"


def test_folder_of_repositories_is_walked(tmp_path: Path) -> None:
    clone(tmp_path / "group/one", {"a.py": ADD})
    write(tmp_path / "group/two", {"a.py": ADD, "pyproject.toml": "[project]"})
    (tmp_path / "group/no repository").mkdir()
    result = curated(tmp_path)
    assert [each.candidate.repo for each in result.kept] == ["one", "two"]


def test_configuration_of_a_clone_starts_nothing(tmp_path: Path) -> None:
    folder = clone(tmp_path / "it", {"a.py": ADD, ".gitattributes": "*.py filter=x diff=x\n"})
    mark = tmp_path / "started"
    for name in (
        "filter.x.smudge",
        "filter.x.clean",
        "diff.x.textconv",
        "core.fsmonitor",
        "core.pager",
    ):
        git(folder, "config", name, f"touch {mark}; cat")
    assert names(curated(folder)) == ["add"]
    assert not mark.exists()


def test_link_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "secret.py").write_text(ADD)
    folder = clone(tmp_path / "it", {"a.py": ADD})
    (folder / "b.py").symlink_to(tmp_path / "secret.py")
    commit(folder, {}, "2024-03-03")
    assert _kept(folder).functions == (("a.py", "add"),)


@pytest.mark.parametrize(
    "path", ["../a.py", "a/../../b.py", "/a.py", ".git/x.py", "a/.GIT/x.py", ""]
)
def test_path_that_leads_out_is_no_inner_one(path: str) -> None:
    assert not is_inner_path(path)


def test_clone_without_a_commit_is_rejected(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q", "it")
    found = only(curated(tmp_path / "it"))
    assert found == Rejection("it", str(tmp_path / "it"), "commit", "its HEAD names no commit")


def test_clone_whose_commit_is_gone_is_rejected(tmp_path: Path) -> None:
    folder = clone(tmp_path / "it", {"a.py": ADD})
    (folder / ".git/HEAD").write_text("1" * 40)
    found = only(curated(folder))
    assert isinstance(found, Rejection)
    assert found.rule == "unreadable"


def test_folder_without_python_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(SliceFuncError, match="holds no repository"):
        curated(tmp_path)
