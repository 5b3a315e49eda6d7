"""The files of an image: an interpreter, its shared libraries, and the sandbox's own folder.

Installed packages are not among them: the container sees these at their own path. So there are as
many images as interpreters, not as environments.
"""

from __future__ import annotations

import hashlib
import io
import os
import re
import subprocess
import tarfile
from collections.abc import Iterable
from pathlib import Path
from typing import BinaryIO

from ..host.bubblewrap import PACKAGE, RUNNER, SANDBOXED, files_of_sandbox
from ..host.interpreters import Interpreter
from ..host.system_files import BIN, PROGRAMS, data, links, programs

_OFTEN_LOADED = (
    "libgcc_s.so.1", "libstdc++.so.6", "libm.so.6", "libdl.so.2", "librt.so.1", "libutil.so.1",
    "libpthread.so.0", "libresolv.so.2", "libnss_files.so.2", "libnss_dns.so.2",
)  # fmt: skip
"""System libraries that wheels may rely on, or that are loaded by name."""
_LIBRARY_FOLDERS = ("/lib", "/usr/lib", "/lib64", "/usr/lib64")
_EMPTY = ("box", "tmp", "store", "proc", "sys", "dev", "etc", "root", "var", "home", "mnt")
_SKIPPED = frozenset({"site-packages", "dist-packages", "test", "__phello__"})
_LIBRARY = re.compile(r"(?:=> |^\s*)(/\S+) \(0x", re.MULTILINE)


def tag_of(interpreter: Interpreter) -> str:
    """Return a tag that changes if a file of the image would."""
    state = hashlib.sha256(repr((interpreter.executable, interpreter.links)).encode())
    for path in (*_own_files(interpreter), *_walk(data())):
        facts = path.lstat()
        state.update(f"{path}\0{facts.st_mode}\0{facts.st_size}\0{facts.st_mtime_ns}\0".encode())
    for path in _walk([SANDBOXED]):
        state.update(f"{path.name}\0".encode() + path.read_bytes() + b"\0")
    state.update(repr((files_of_sandbox(), _EMPTY, PROGRAMS)).encode())
    return state.hexdigest()[:24]


def write_files(out: BinaryIO, interpreter: Interpreter) -> None:
    """Write the image's file system as a tar archive."""
    files = _own_files(interpreter)
    linked = [path for path in files if _is_program(path)]
    started = dict(programs())
    libraries = _libraries([*linked, *started])
    with tarfile.open(fileobj=out, mode="w", format=tarfile.PAX_FORMAT) as archive:
        written = _Archive(archive)
        for target, link in links():
            written.link(target, link)
        for name in _EMPTY:
            written.folder(Path("/", name))
        for path in _walk([SANDBOXED]):
            written.file(path, Path(RUNNER, PACKAGE, path.relative_to(SANDBOXED)))
        for place, text in files_of_sandbox().items():
            written.text(text, Path(place))
        for path in (*files, *_walk(data())):
            written.add(path)
        for path in libraries:
            written.file(path, path.parent.resolve() / path.name)
        for path, names in started.items():
            written.file(path, BIN / names[0])
            for name in names[1:]:
                written.link(names[0], BIN / name)
        for target, link in interpreter.links:
            written.link(target, Path(link))


def _own_files(interpreter: Interpreter) -> list[Path]:
    """Return the files of an interpreter, without installed packages."""
    covered = frozenset(interpreter.covered)
    return [*interpreter.programs, *_walk(interpreter.libraries, covered)]


def _walk(tops: Iterable[Path], covered: frozenset[Path] = frozenset()) -> Iterable[Path]:
    """Yield files and links below, without unneeded ones and covered folders."""
    for top in tops:
        if not top.is_dir() or top.is_symlink():
            yield top
            continue
        for folder, folders, names in os.walk(top):
            folders[:] = sorted(
                each
                for each in folders
                if not _is_skipped(each) and Path(folder, each) not in covered
            )
            links = [each for each in folders if Path(folder, each).is_symlink()]
            for name in sorted((*names, *links)):
                if not name.endswith(".a"):
                    yield Path(folder, name)


def _is_skipped(folder: str) -> bool:
    return folder in _SKIPPED or folder.startswith("config-")


def _is_program(path: Path) -> bool:
    """Whether a file is an ELF binary."""
    if path.is_symlink() or not (".so" in path.name or os.access(path, os.X_OK)):
        return False
    with path.open("rb") as file:
        return file.read(4) == b"\x7fELF"


def _libraries(programs: list[Path]) -> list[Path]:
    """Return all libraries that programs are linked with, and the loader, as `ldd` lists them."""
    found = {path for path in map(_often_loaded, _OFTEN_LOADED) if path}
    words = ["ldd", *map(str, programs), *map(str, found)]
    listed = subprocess.run(words, capture_output=True, check=False)  # noqa: S603 - files of the system
    found |= {Path(each) for each in _LIBRARY.findall(listed.stdout.decode("utf-8", "replace"))}
    return sorted(found)


def _often_loaded(name: str) -> Path | None:
    folders = (*map(Path, _LIBRARY_FOLDERS), *Path("/lib").glob("*-linux-*"))
    return next((each / name for each in folders if (each / name).exists()), None)


class _Archive:
    """An archive with each path once, the folders above it, and everything readable."""

    def __init__(self, archive: tarfile.TarFile) -> None:
        self._archive = archive
        self._written: set[Path] = {Path("/")}

    def add(self, path: Path) -> None:
        """Add a file or link at its own path; system folders under their real names."""
        place = path.parent.resolve() / path.name
        if path.is_symlink():
            self.link(str(path.readlink()), place)
        elif path.is_file():
            self.file(path, place)

    def file(self, path: Path, place: Path) -> None:
        """Add the content of a file."""
        facts = path.stat()
        with path.open("rb") as content:
            head = tarfile.TarInfo(str(place).lstrip("/"))
            head.size, head.mtime = facts.st_size, int(facts.st_mtime)
            head.mode = 0o755 if facts.st_mode & 0o111 else 0o644
            self._put(head, place, content)

    def text(self, text: str, place: Path) -> None:
        """Add a file with this text."""
        head = tarfile.TarInfo(str(place).lstrip("/"))
        head.size, head.mode = len(text.encode()), 0o644
        self._put(head, place, io.BytesIO(text.encode()))

    def link(self, target: str, place: Path) -> None:
        """Add a symbolic link."""
        head = tarfile.TarInfo(str(place).lstrip("/"))
        head.type, head.linkname, head.mode = tarfile.SYMTYPE, target, 0o777
        self._put(head, place, None)

    def folder(self, place: Path) -> None:
        """Add an empty folder."""
        head = tarfile.TarInfo(str(place).lstrip("/"))
        head.type, head.mode = tarfile.DIRTYPE, 0o755
        self._put(head, place, None)

    def _put(self, head: tarfile.TarInfo, place: Path, content: BinaryIO | None) -> None:
        if place in self._written:
            return
        if place.parent not in self._written:
            self.folder(place.parent)
        self._written.add(place)
        self._archive.addfile(head, content)
