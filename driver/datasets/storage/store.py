"""Where a dataset is stored: a folder, or an object store of any kind that fsspec knows.

Writing is atomic: a file is there whole, or not at all. A call that fails for a passing reason is
tried again.
"""

from __future__ import annotations

import errno
import os
import posixpath
import random
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, Protocol, TypeVar, cast

from ....slicer.errors import SliceFuncError
from ...settings.extras import require

Result = TypeVar("Result")
_TRIES = 8
_FIRST_WAIT = 0.1
"""Seconds before the second try; each further wait is twice as long."""
_LASTING = frozenset(
    {errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES, errno.EPERM, errno.ENOENT}
    | {errno.EISDIR, errno.ENOTDIR, errno.EEXIST, errno.ENAMETOOLONG, errno.EINVAL}
)
"""Error numbers that another try does not mend."""


class FileSystem(Protocol):
    """What is used of fsspec, which has no types."""

    protocol: str | tuple[str, ...]

    def exists(self, path: str) -> bool:
        """Whether there is such a file or folder."""
        ...

    def find(self, path: str) -> list[str]:
        """Return the paths of all files below a folder."""
        ...

    def cat_file(self, path: str) -> bytes:
        """Return the content of a file."""
        ...

    def pipe_file(self, path: str, value: bytes) -> None:
        """Write a file."""
        ...

    def rm(self, path: str, recursive: bool) -> None:
        """Remove a file or folder."""
        ...

    def open(self, path: str, mode: str) -> BinaryIO:
        """Open a file."""
        ...

    def invalidate_cache(self) -> None:
        """Forget what folders held."""
        ...


class StoreError(SliceFuncError):
    """A location cannot be read or written."""

    advice = "check the address and the credentials, then run the same command with --resume"


class StoreFailedError(StoreError):
    """A store fails again and again; nothing says that the location is wrong."""

    exit_status = 4


@dataclass(frozen=True, slots=True)
class Store:
    """A folder of a file system."""

    location: str
    """As the user named it."""
    system: FileSystem
    root: str
    wait: Callable[[float], None] = field(default=time.sleep)

    @classmethod
    def at(cls, location: str) -> Store:
        """Return the store at a path or URL.

        Raises:
            SliceFuncError: the library for its protocol is not installed, or the URL is wrong.
        """
        require("datasets", "fsspec", "pyarrow")
        from fsspec.core import url_to_fs  # pyright: ignore[reportMissingTypeStubs, reportUnknownVariableType]

        try:
            system, root = cast("tuple[FileSystem, str]", url_to_fs(location))
        except ImportError as error:
            raise StoreError(f"{location}: {error}", "install what it names") from None
        except ValueError as error:
            raise StoreError(f"{location}: {error}", "name a folder or a URL") from None
        return cls(location, system, root)

    @property
    def is_local(self) -> bool:
        """Whether it is a folder of this machine."""
        protocol = self.system.protocol
        return "file" in ((protocol,) if isinstance(protocol, str) else protocol)

    def within(self, name: str) -> Store:
        """Return a folder in this one."""
        location = posixpath.join(self.location, name)
        return Store(location, self.system, self._path(name), self.wait)

    def _path(self, name: str) -> str:
        """Return the path of a file or folder in this one.

        Raises:
            StoreError: it would be elsewhere; the names may come from a manifest.
        """
        if name.startswith("/") or ".." in name.split("/") or "\0" in name:
            raise StoreError(f"{self.location}: it names a file elsewhere: {name}", "do not use it")
        return posixpath.join(self.root, name) if name else self.root

    def exists(self, name: str = "") -> bool:
        """Whether there is a file or folder of that name."""
        return self._try(lambda: self.system.exists(self._path(name)), name)

    def names(self, folder: str = "") -> list[str]:
        """Return the sorted names of all files below a folder, relative to this one."""

        def find() -> list[str]:
            self.system.invalidate_cache()
            return self.system.find(self._path(folder))

        start = len(self.root.rstrip("/")) + 1
        names = (each[start:] for each in self._try(find, folder))
        return sorted(name for name in names if ".tmp-" not in posixpath.basename(name))

    def read(self, name: str) -> bytes:
        """Return the content of a file.

        Raises:
            FileNotFoundError: there is none.
            StoreError: it cannot be read.
        """
        self._require_plain(name)
        return self._try(lambda: self.system.cat_file(self._path(name)), name)

    def write(self, name: str, content: bytes) -> None:
        """Write a file, whole or not at all.

        Raises:
            OSError: the disk is full or cannot be written.
            StoreError: the object store refuses.
        """
        self._try(lambda: self._write(self._path(name), content), name)

    def _write(self, path: str, content: bytes) -> None:
        if not self.is_local:
            self.system.pipe_file(path, content)
            return
        place = Path(path)
        place.parent.mkdir(parents=True, exist_ok=True)
        temporary = place.with_name(f"{place.name}.tmp-{os.getpid()}")
        try:
            with temporary.open("wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            temporary.replace(place)
        except OSError as error:  # that of a full disk names no file
            raise OSError(error.errno, error.strerror, str(place)) from error
        finally:
            temporary.unlink(missing_ok=True)

    def remove(self, name: str) -> None:
        """Remove a file or folder, if it is there."""
        if self.exists(name):
            self._try(lambda: self.system.rm(self._path(name), True), name)

    def open(self, name: str) -> BinaryIO:
        """Open a file for reading at any position."""
        self._require_plain(name)
        return self._try(lambda: self.system.open(self._path(name), "rb"), name)

    def _require_plain(self, name: str) -> None:
        """Refuse a pipe or a device, of which reading may never end.

        Raises:
            StoreError: the file is one.
        """
        place = Path(self._path(name))
        if self.is_local and place.exists() and not place.is_file() and not place.is_dir():
            raise StoreError(f"{place}: it is no plain file", "do not use it")

    @contextmanager
    def reading(self, name: str, errors: tuple[type[Exception], ...]) -> Generator[None]:
        """Turn what a reader raises of a damaged file into an error that names the file.

        Args:
            name: the file.
            errors: what the reader raises.

        Raises:
            StoreError: the file is damaged.
        """
        try:
            yield
        except SliceFuncError:
            raise
        except errors as error:
            first = str(error).partition("\n")[0]
            place = posixpath.join(self.location, name)
            raise StoreError(
                f"{place}: it is missing or damaged: {type(error).__name__}: {first}",
                "look with slice-func dataset verify, and copy the file again",
            ) from error

    def _try(self, call: Callable[[], Result], name: str) -> Result:
        """Return what a call gives, after several tries where it fails for a passing reason."""
        for tries in range(1, _TRIES + 1):
            try:
                return call()
            except FileNotFoundError:
                raise
            except Exception as error:
                if not _may_pass(error) or tries == _TRIES:
                    raise _as_store_error(error, posixpath.join(self.location, name)) from error
                # spread, so that many workers do not come back together
                self.wait(_FIRST_WAIT * 2**tries * random.uniform(0.5, 1.0))  # noqa: S311 - no secret
        raise AssertionError


def _may_pass(error: Exception) -> bool:
    """Whether another try may succeed."""
    if isinstance(error, OSError):
        return error.errno not in _LASTING
    return not isinstance(error, (ValueError, TypeError, ImportError))


def _as_store_error(error: Exception, place: str) -> Exception:
    if isinstance(error, OSError) and error.errno in _LASTING:
        return error
    kind = StoreFailedError if _may_pass(error) else StoreError
    return kind(f"{place}: {type(error).__name__}: {error}")


def new_store(location: str) -> Store:
    """Return the store at a path or URL at which nothing is.

    Raises:
        StoreError: something is there.
    """
    store = Store.at(location)
    if store.names():
        raise StoreError(f"{location} is not empty", "name a new place")
    return store
