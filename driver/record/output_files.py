"""Output files that are written atomically: whole or not at all."""

from __future__ import annotations

import os
import shutil
import tempfile
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from ...slicer.errors import SliceFuncError

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable

    from ...slicer.model import EmittedFile


class OutputError(SliceFuncError):
    """The output cannot be written."""

    advice = "name another place for it"


def write_file(path: str | Path, content: bytes) -> None:
    """Write a file atomically; a pipe or a device is written directly.

    Raises:
        OutputError: the folder is missing, or the place cannot be written.
    """
    with _reported(path):
        given = Path(path)
        if given.exists() and not given.is_file() and not given.is_dir():
            given.write_bytes(content)
            return
        place = Path(os.path.realpath(path))  # replace the file behind a link
        require_parent(place)
        require_file(place)
        draft = _draft(place)
        try:
            draft.write_bytes(content)
            if place.exists():
                shutil.copymode(place, draft)
            draft.replace(place)
        finally:
            draft.unlink(missing_ok=True)


def write_tree(folder: str | Path, files: Iterable[EmittedFile]) -> None:
    """Write files into a folder atomically; the folder must be new or empty.

    Raises:
        OutputError: the folder is not empty, or cannot be written.
    """
    with _reported(folder):
        place = Path(os.path.realpath(folder))
        require_parent(place)
        require_empty(place)
        draft = _draft(place)
        try:
            draft.mkdir()
            for file in files:
                _write_below(draft, file)
            if place.exists():
                place.rmdir()
            draft.rename(place)
        finally:
            shutil.rmtree(draft, ignore_errors=True)


def write_or_keep(place: str | Path, write: Callable[[str | Path], None]) -> None:
    """Write what took long to make; keep it in a temporary folder if its place is gone by now.

    Args:
        place: where it belongs.
        write: writes it to a place.

    Raises:
        OutputError: it is not in its place; the error says where it is.
    """
    try:
        write(place)
    except OutputError as error:
        kept = Path(tempfile.mkdtemp(prefix="slice-func-"), Path(place).name)
        try:
            write(kept)
        except (OutputError, OSError):
            raise error from None
        raise OutputError(error.problem, f"the result is kept: move {kept} to its place") from error


def require_file(place: Path) -> None:
    """Refuse a folder as the place for a file.

    Raises:
        OutputError: the place is a folder.
    """
    if place.is_dir():
        raise OutputError(f"{place} is a folder", "name a file with -o")


def require_empty(folder: Path) -> None:
    """Refuse a folder that is not empty: old files must not mix with a new result.

    Raises:
        OutputError: the path is a file, or a folder that is not empty.
    """
    if not os.path.lexists(folder):
        return
    if not folder.is_dir():
        raise OutputError(f"{folder} is a file", "name a new or an empty folder")
    if any(folder.iterdir()):
        raise OutputError(f"{folder} is not empty", "name a new or an empty folder")


def refuse_sources(output: str, root: str, files: Iterable[str]) -> None:
    """Refuse an output that is one of the slice's source files in the repository.

    Raises:
        OutputError: the output would replace a source.
    """
    place = os.path.realpath(output)
    for file in files:
        if os.path.realpath(Path(root, file)) == place:
            raise OutputError(f"{output} is a source of the slice", "name another file with -o")


def _write_below(folder: Path, file: EmittedFile) -> None:
    inner = PurePosixPath(file.path)
    if inner.is_absolute() or ".." in inner.parts:
        raise OutputError(f"{file.path} would be written outside the output folder")
    place = folder / inner
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(file.content)


def _draft(place: Path) -> Path:
    """Return a path beside `place`, so that the last step is a rename within one file system."""
    return place.with_name(f"{place.name[:200]}.{os.getpid()}.part")


def require_parent(place: Path) -> None:
    """Refuse a place in a folder that does not exist.

    Raises:
        OutputError: the folder does not exist.
    """
    if not place.parent.is_dir():
        raise OutputError(f"folder {place.parent} does not exist", "make it first")


def require_writable(place: Path) -> None:
    """Refuse a place in a folder that cannot be written, before any work for it is done.

    Raises:
        OutputError: there is no such folder, or it cannot be written.
    """
    require_parent(place)
    with _reported(place):
        draft = _draft(Path(os.path.realpath(place)))
        draft.mkdir()
        draft.rmdir()


@contextmanager
def _reported(path: str | Path) -> Generator[None]:
    """Turn errors of the operating system into `OutputError`, with the path that the user gave."""
    try:
        yield
    except BrokenPipeError:
        raise
    except (OSError, ValueError) as error:  # ValueError: a null byte in the path
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise OutputError(f"cannot write {path}: {reason}") from error
