"""The Python files of a repository, laid out for reading: of a clone at its commit, of a folder as
it stands.

Nothing of a clone's configuration takes part: git only lists and prints objects.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Generator, Iterable, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from ....places.git_objects import GitObjects, git_objects
from ..candidates import Candidate

READ_ENDINGS = (".py", ".pyi", ".toml", ".cfg", ".txt", ".in", ".ini")
"""Endings of files that are laid out; of others only names and sizes are known."""
MOST_BYTES = 4_000_000
"""Files above this size are not laid out; a parser would take minutes for one."""
_SECONDS = 600


@dataclass(frozen=True, slots=True)
class Checkout:
    """The files of a repository."""

    folder: Path
    """Where the files that can be read lie."""
    sizes: Mapping[str, int]
    """Path of every file → its bytes, sorted by path."""
    created: str | None = None
    """Date of the first commit, if the history is whole."""
    pushed: str | None = None
    """Date of the commit."""


class UnreadableError(Exception):
    """A repository whose files cannot be read, with the reason."""


@contextmanager
def checkout(candidate: Candidate, most_kb: int = 0) -> Generator[Checkout]:
    """Lay out the files of a local candidate.

    Args:
        candidate: the repository.
        most_kb: nothing is laid out of a larger one; 0 is no limit.

    Raises:
        UnreadableError: git does not find the commit or its files.
    """
    if candidate.git is None or candidate.commit is None:
        assert candidate.folder is not None
        yield Checkout(candidate.folder, _sizes(candidate.folder))
        return
    with git_objects(candidate.git, candidate.commit) as objects:
        if objects is None:
            raise UnreadableError("git is not installed, or cannot read this repository")
        entries = _entries(objects, candidate.commit)
        with tempfile.TemporaryDirectory() as folder:
            if not most_kb or sum(size for _, size in entries.values()) <= 1024 * most_kb:
                _lay_out(objects, entries, Path(folder))
            yield Checkout(
                Path(folder),
                {path: size for path, (_, size) in entries.items()},
                _created(objects, candidate),
                _date(objects, "-1", candidate.commit),
            )


def _sizes(folder: Path) -> dict[str, int]:
    found: dict[str, int] = {}
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(set(folders) - {".git", "__pycache__"})
        for name in names:
            file = Path(place) / name
            if file.is_file() and not file.is_symlink():
                found[file.relative_to(folder).as_posix()] = file.stat().st_size
    return dict(sorted(found.items()))


def _entries(objects: GitObjects, commit: str) -> dict[str, tuple[str, int]]:
    """Return the regular files of a commit: path → hash and size, sorted by path."""
    listing = objects.run("ls-tree", "-r", "-l", "-z", "--full-tree", commit, seconds=_SECONDS)
    if listing is None:
        raise UnreadableError(f"git finds no commit {commit} with whole trees in it")
    found: dict[str, tuple[str, int]] = {}
    for line in listing.split(b"\0"):
        about, _, name = line.partition(b"\t")
        mode, _, rest = about.partition(b" ")
        path = os.fsdecode(name)
        if mode.startswith(b"100") and is_inner_path(path):
            _, key, size = rest.split()
            found[path] = key.decode(), int(size) if size.isdigit() else 0
    return dict(sorted(found.items()))


def is_inner_path(path: str) -> bool:
    """Whether a path from a tree object stays inside the folder that it is laid out in."""
    parts = path.split("/")
    return all(part not in ("", ".", "..") and part.lower() != ".git" for part in parts)


def is_licence_file(path: str) -> bool:
    """Whether a file of the top folder, or of `LICENSES/` (REUSE), holds a licence's text."""
    folder, _, name = path.lower().rpartition("/")
    is_named = name.startswith(("licence", "license", "copying", "unlicense", "unlicence"))
    is_code = name.endswith((".py", ".pyi", ".pyc"))
    return folder == "licenses" or (not folder and is_named and not is_code)


def _lay_out(objects: GitObjects, entries: Mapping[str, tuple[str, int]], folder: Path) -> None:
    wanted = [
        (path, key)
        for path, (key, size) in entries.items()
        if size <= MOST_BYTES and (path.endswith(READ_ENDINGS) or is_licence_file(path))
    ]
    asked = "".join(f"{key}\n" for _, key in wanted).encode()
    printed = objects.run("cat-file", "--batch", given=asked, seconds=_SECONDS)
    if printed is None:
        raise UnreadableError("git cannot print the files of the commit")
    for (path, _), content in zip(wanted, _blobs(printed), strict=True):
        if content is not None:
            _write(folder / PurePosixPath(path), content)


def _blobs(printed: bytes) -> Iterable[bytes | None]:
    """Yield the contents that `cat-file --batch` printed; `None` for a missing one."""
    at = 0
    while at < len(printed):
        end = printed.index(b"\n", at)
        head = printed[at:end].split()
        if head[1:] == [b"missing"]:
            yield None
            at = end + 1
            continue
        size = int(head[2])
        yield printed[end + 1 : end + 1 + size]
        at = end + size + 2


def _write(file: Path, content: bytes) -> None:
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
    except (FileExistsError, NotADirectoryError, ValueError):
        return  # a name that this file system does not tell from another, or does not take


def _created(objects: GitObjects, candidate: Candidate) -> str | None:
    """Return the date of the earliest first commit; `None` where the history is cut off."""
    assert candidate.git is not None
    if (candidate.git / "shallow").exists() or candidate.commit is None:
        return None
    return _date(objects, "--max-parents=0", candidate.commit)


def _date(objects: GitObjects, *words: str) -> str | None:
    """Return the earliest date of the commits that `git log` lists."""
    printed = objects.run("log", "--format=%cd", "--date=format-local:%Y-%m-%d", *words)
    return min((printed or b"").decode().split(), default=None)
