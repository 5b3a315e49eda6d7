"""Checkouts: the files of a repository at one commit, on the disk of the machine that works on it.

A repository's own configuration can name programs that git then starts, so git never reads it:
objects are read through a repository made here. Large files and submodules are not fetched.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from ....slicer.errors import RepositoryError
from ...places.git_objects import TRANSFER, run_git
from ...settings.cache_folders import cache_folder
from .disk_room import full_disk
from .plan import RepositoryPlan

_SECONDS = 900
"""Time limit for a transfer."""
_WHOLE = "lacks"
"""Name of the file that is written last, with the number of files that a clone lacks."""
_CODE = (".py", ".pyi", ".pyx", ".ipynb")
_OPTIONS = ("-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false", "-c", "gc.auto=0")


class CheckoutError(RepositoryError):
    """A repository cannot be fetched, or its commit is not there."""

    advice = "check the address and the commit"


@dataclass(slots=True)
class Checkout:
    """A repository's files, which no other process removes while this is open."""

    folder: Path
    lacks: int
    """Number of files that its clone lacks, such as large ones; none is Python code."""
    _home: Path
    _used: IO[bytes]
    """Locked by all who use the files."""

    def close(self, *, removes: bool = False) -> None:
        """Release the files; with `removes`, delete them unless another process uses them."""
        if removes:
            with _changing(self._home):
                try:
                    fcntl.flock(self._used, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except OSError:
                    pass  # somebody else works on it
                else:  # what says that it is whole goes first: this process may be killed
                    (self._home / _WHOLE).unlink(missing_ok=True)
                    shutil.rmtree(self._home, ignore_errors=True)
        self._used.close()


def lacks_line(count: int) -> str:
    """Return a line that says how many files a clone lacks; empty if it lacks none."""
    if not count:
        return ""
    files = "1 data file" if count == 1 else f"{count} data files"
    return f"its clone lacks {files} (large files are often left out)"


def open_checkout(plan: RepositoryPlan) -> Checkout:
    """Return the files of a repository at its commit; without a commit, at its latest.

    Raises:
        CheckoutError: it cannot be fetched.
        OSError: the disk is full or cannot be written.
    """
    home = cache_folder() / "checkouts" / plan.key
    home.parent.mkdir(parents=True, exist_ok=True)
    folder = home / "files" / plan.repo.rpartition("/")[2]
    done = home / _WHOLE
    with _changing(home):
        if not done.exists():
            shutil.rmtree(home, ignore_errors=True)
            folder.mkdir(parents=True)
            try:
                lacks = _fill(folder, plan)
            except BaseException:
                shutil.rmtree(home, ignore_errors=True)
                raise
            done.write_text(str(lacks), encoding="ascii")
        used = home.with_suffix(".used").open("ab")
        fcntl.flock(used, fcntl.LOCK_SH)
    return Checkout(folder, int(done.read_text(encoding="ascii")), home, used)


@contextlib.contextmanager
def _changing(home: Path) -> Generator[None]:
    """Keep others from making or removing the files meanwhile."""
    with home.with_suffix(".lock").open("ab") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _fill(folder: Path, plan: RepositoryPlan) -> int:
    """Write the files of a repository; return how many its clone lacks."""
    source = Path(plan.source)
    objects = _objects(source)
    if objects is None and "://" not in plan.source and not plan.source.startswith("git@"):
        if not source.is_dir():
            raise CheckoutError(f"{plan.source}: no such folder")
        shutil.copytree(source, folder, symlinks=True, dirs_exist_ok=True)
        return 0
    (folder / ".git").mkdir()
    _git(folder, "init", "--quiet", "--template=")
    _git(folder, "config", "remote.origin.url", _address(plan))
    if objects is None:
        _git(folder, "fetch", "--quiet", "--depth=1", "--no-tags", "--no-recurse-submodules",
             "--end-of-options", plan.source, plan.commit or "HEAD")  # fmt: skip
        commit = _git(folder, "rev-parse", "FETCH_HEAD").strip()
    else:
        alternates = folder / ".git/objects/info/alternates"
        alternates.parent.mkdir(parents=True, exist_ok=True)
        alternates.write_bytes(os.fsencode(objects) + b"\n")
        commit = plan.commit or _head(objects.parent)
    _git(folder, "update-ref", "--no-deref", "HEAD", f"{commit}^{{commit}}")
    _git(folder, "read-tree", "HEAD")
    try:
        _git(folder, "checkout-index", "--quiet", "--all", "--force")
    except CheckoutError:
        if full_disk() is not None:
            raise
        lacks = _git(folder, "ls-files", "--deleted", "-z").split("\0")[:-1]
        if not lacks or any(name.endswith(_CODE) for name in lacks):
            raise
        return len(lacks)
    return 0


def _address(plan: RepositoryPlan) -> str:
    """Return the address that environments name: where the repository is known, if it is known."""
    if "://" in plan.source or plan.source.startswith("git@"):
        return plan.source
    return f"https://github.com/{plan.repo}" if plan.repo.count("/") == 1 else plan.repo


def _objects(source: Path) -> Path | None:
    """Return the folder with the objects of a local repository, bare or not."""
    for git in (source / ".git", source):
        if (git / "HEAD").is_file() and (git / "objects").is_dir():
            return (git / "objects").resolve()
    return None


def _head(git: Path) -> str:
    """Return the commit of a local repository's HEAD."""
    from ...places.repository_origin import commit_of

    commit = commit_of(git)
    if commit is None:
        raise CheckoutError(f"{git}: HEAD names no commit", "name a commit")
    return commit


def _git(folder: Path, *words: str) -> str:
    """Run git in a folder and return its output.

    Raises:
        CheckoutError: git fails, or is not installed.
    """
    tree = {} if words[0] == "init" else {"GIT_WORK_TREE": str(folder)}
    settings = {**TRANSFER, "LC_ALL": "C", **tree}
    git = str(folder / ".git")
    done = run_git(
        git, "-C", str(folder), *_OPTIONS, *words, given=b"", seconds=_SECONDS, **settings
    )
    if isinstance(done, str):
        raise CheckoutError(f"git {words[0]}: {done}")
    return done.decode("utf-8", "surrogateescape")
