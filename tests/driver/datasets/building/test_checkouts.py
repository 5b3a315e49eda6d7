"""Checkouts of clones that are whole, and of clones that lack objects."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from slicefunc.driver.datasets.building.checkouts import CheckoutError, lacks_line, open_checkout
from slicefunc.driver.datasets.building.plan import RepositoryPlan

_FILES = {"code.py": "def one() -> int:\n    return 1\n", "data.bin": "much\n"}


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SLICE_FUNC_CACHE", str(tmp_path / "cache"))
    folder = tmp_path / "repository"
    folder.mkdir()
    for name, text in _FILES.items():
        (folder / name).write_text(text)
    _git(folder, "init", "--quiet")
    _git(folder, "add", ".")
    _git(folder, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "--quiet", "-m", "all")
    return folder


def _git(folder: Path, *words: str) -> str:
    done = subprocess.run(
        ["git", *words], cwd=folder, check=True, capture_output=True, encoding="utf-8"
    )
    return done.stdout.strip()


def _lose(folder: Path, name: str) -> None:
    blob = _git(folder, "rev-parse", f"HEAD:{name}")
    (folder / ".git/objects" / blob[:2] / blob[2:]).unlink()


@pytest.mark.parametrize("form", ["{}", "file://{}"], ids=["a folder", "an address"])
def test_all_files_are_there(repository: Path, form: str) -> None:
    commit = _git(repository, "rev-parse", "HEAD")
    found = open_checkout(RepositoryPlan("shop/whole", form.format(repository), commit))
    assert {each.name: each.read_text() for each in found.folder.glob("[a-z]*.*")} == _FILES
    assert found.lacks == 0
    found.close(removes=True)
    assert not found.folder.exists()


def test_data_that_a_clone_lacks_is_counted(repository: Path) -> None:
    _lose(repository, "data.bin")
    for _ in range(2):  # the second time it is there already
        found = open_checkout(RepositoryPlan("shop/partial", str(repository)))
        assert [each.name for each in found.folder.glob("[a-z]*.*")] == ["code.py"]
        assert found.lacks == 1
        found.close()


def test_it_is_said_that_data_files_are_lacking() -> None:
    assert lacks_line(0) == ""
    assert lacks_line(1) == "its clone lacks 1 data file (large files are often left out)"
    assert lacks_line(2) == "its clone lacks 2 data files (large files are often left out)"


def test_a_checkout_whose_removal_was_cut_short_is_made_anew(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = RepositoryPlan("shop/whole", str(repository))
    found = open_checkout(plan)

    def killed(_folder: Path, *, ignore_errors: bool) -> None:
        assert ignore_errors
        (found.folder / "code.py").unlink()

    with monkeypatch.context() as patch:
        patch.setattr(shutil, "rmtree", killed)
        found.close(removes=True)
    again = open_checkout(plan)
    assert (again.folder / "code.py").read_text() == _FILES["code.py"]
    again.close()


def test_a_clone_that_lacks_code_is_no_repository(repository: Path) -> None:
    _lose(repository, "code.py")
    with pytest.raises(CheckoutError, match="unable to read"):
        open_checkout(RepositoryPlan("shop/corrupt", str(repository)))


@pytest.mark.parametrize("name", ["lacks", "a/lacks"])
def test_a_repository_may_be_called_anything(repository: Path, name: str) -> None:
    plan = RepositoryPlan(name, str(repository))
    for _ in range(2):
        found = open_checkout(plan)
        assert (found.folder.name, found.lacks) == ("lacks", 0)
        found.close()
