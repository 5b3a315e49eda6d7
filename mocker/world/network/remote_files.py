"""The files of other machines: the same little text everywhere, and what was written before."""

from __future__ import annotations

import posixpath
from typing import Any

from ..core.world import choices, chosen_name, record, restart_with
from .http_answers import shown_bytes

REMOTE_TEXT = b"id,name\r\n1,first\r\n"
"""What every file of another machine holds that nobody has written before."""
REMOTE_NAMES = ("file.txt", "table.csv")
_machines: dict[tuple[str, str], Any] = {}


class RemoteFiles:
    """The files of one other machine: what is written can be read again.

    Whatever nobody has touched is there, as a file or as a folder with two files, as it is asked for.
    What the slice has made or removed is exactly as it has left it. Paths begin with a slash.
    """

    def __init__(self, place: str, address: str) -> None:
        self.place = place
        self.address = address
        self.written: dict[str, bytes] = {}
        self.made: set[str] = set()
        self.gone: set[str] = set()
        self.facts: dict[str, Any] = {}
        self.links: dict[str, str] = {}

    def url(self, path: str) -> str:
        """How the log names a file."""
        return f"{self.place}://{self.address}/{path.lstrip('/')}"

    def kind(self, path: str) -> str:
        """`file`, `folder`, `any` where either may be there, or nothing."""
        if path in self.written:
            return "file"
        if path == "/" or path in self.made or self._below(path):
            return "folder"
        above = [path]
        while above[-1] != "/":
            above.append(posixpath.dirname(above[-1]))
        for each in above:
            # nothing else is in what the slice has made itself
            if each in self.gone or each in self.made or each in self.written:
                return ""
        return "" if choices.get(self.place) == "missing" else "any"

    def is_folder(self, path: str) -> bool:
        """Whether it is one, or most probably: its name has no suffix."""
        kind = self.kind(path)
        return kind == "folder" or (kind == "any" and not posixpath.splitext(path)[1])

    def is_writable(self, path: str) -> bool:
        """Whether the folder is there that a file or folder would be in."""
        folder = posixpath.dirname(path)
        return self.kind(folder) in ("folder", "any") or (
            choices.get(self.place) == "missing" and folder not in self.gone
        )

    def _below(self, path: str) -> list[str]:
        start = path.rstrip("/") + "/"
        return [each for each in (*self.written, *self.made) if each.startswith(start)]

    def names(self, path: str) -> list[str]:
        """What a folder holds."""
        start = path.rstrip("/") + "/"
        found = {each[len(start) :].partition("/")[0] for each in self._below(path)}
        if choices.get(self.place) not in ("empty", "missing"):
            found.update(name for name in REMOTE_NAMES if self.kind(start + name))
        return sorted(found)

    def content(self, path: str) -> bytes:
        """What a file holds, without a note of it."""
        return self.written.get(path, REMOTE_TEXT)

    def read(self, path: str) -> bytes:
        """The content of a file."""
        record("read", self.url(path))
        return self.content(path)

    def note_reading(self, path: str, *words: str) -> None:
        """Note that it is looked into a folder."""
        record("read", self.url(path), *words)

    def write(self, path: str, content: bytes) -> None:
        """Keep a file, and note it."""
        record("write", self.url(path), shown_bytes(content))
        self.keep(path, content)

    def keep(self, path: str, content: bytes) -> None:
        """Keep a file without a note of it."""
        self.written[path] = content
        self.gone.discard(path)

    def note(self, what: str, *words: str) -> None:
        """Note what else is done to a file or folder."""
        record("command", f"{self.place} {self.address}", " ".join([what, *words]))

    def remove(self, what: str, path: str) -> None:
        """A file or folder is no more; the command goes by this name."""
        self.note(what, path)
        self.written.pop(path, None)
        self.made.discard(path)
        self.facts.pop(path, None)
        self.gone.add(path)

    def make(self, what: str, path: str) -> None:
        """A folder that is empty."""
        self.note(what, path)
        self.made.add(path)
        self.gone.discard(path)

    def rename(self, what: str, path: str, to: str) -> None:
        """A file or folder has another name, with all that is in it."""
        self.note(what, path, to)
        if path not in self.made and not self._below(path):
            self.written[to] = self.content(path)
        for each in [each for each in self._below(path) if each in self.written]:
            self.written[to + each[len(path) :]] = self.written.pop(each)
        for each in [each for each in (path, *self._below(path)) if each in self.made]:
            self.made.remove(each)
            self.made.add(to + each[len(path) :])
        self.written.pop(path, None)
        self.gone.add(path)
        self.gone.discard(to)


def files_of(place: str, address: str) -> RemoteFiles:
    """The files of a machine, as earlier connections have left them."""
    return _machines.setdefault((place, address), RemoteFiles(place, address))


def forget_machines() -> None:
    """Have other machines begin anew with each restart."""
    restart_with(_machines.clear)


def full_path(folder: str, path: str) -> str:
    """A path as it is from the top."""
    found = posixpath.normpath(posixpath.join("/", folder, path))
    return "/" + found.lstrip("/")


def reach_machine(place: str, address: str) -> None:
    """Note a connection, unless the case wants none."""
    record("request", f"{place}://{address}")
    own = ("login", "empty", "missing", "connection", "timeout")
    variant = chosen_name(place, choices.get(place, "default"), "default", *own)
    if variant == "connection":
        raise ConnectionRefusedError(111, "Connection refused")
    if variant == "timeout":
        raise TimeoutError("timed out")
