"""The files of other machines: the same little text everywhere, and what was written before."""

from __future__ import annotations

from .http_answers import shown_bytes
from .world import choices, chosen_name, record

REMOTE_TEXT = b"id,name\r\n1,first\r\n"
"""What every file of another machine holds that nobody has written before."""
REMOTE_NAMES = ("file.txt", "table.csv")


class RemoteFiles:
    """The files of one other machine: what is written can be read again."""

    def __init__(self, place: str, address: str) -> None:
        self.place = place
        self.address = address
        self.written: dict[str, bytes] = {}
        self.gone: set[str] = set()

    def names(self) -> list[str]:
        """What a folder holds."""
        if choices.get(self.place) == "empty":
            return sorted(self.written)
        return sorted({*REMOTE_NAMES, *(path.rpartition("/")[2] for path in self.written)})

    def exists(self, path: str) -> bool:
        """Whether there is such a file."""
        return path not in self.gone and choices.get(self.place) != "missing"

    def read(self, path: str) -> bytes:
        """The content of a file."""
        record("read", f"{self.place}://{self.address}/{path.lstrip('/')}")
        return self.written.get(path, REMOTE_TEXT)

    def write(self, path: str, content: bytes) -> None:
        """Keep a file, and note it."""
        target = f"{self.place}://{self.address}/{path.lstrip('/')}"
        record("write", target, shown_bytes(content))
        self.written[path] = content
        self.gone.discard(path)

    def change(self, what: str, path: str, *more: str) -> None:
        """Note what else is done to a file or folder."""
        record("command", f"{self.place} {self.address}", " ".join([what, path, *more]))
        if what in ("DELE", "remove"):
            self.gone.add(path)
            self.written.pop(path, None)


def reach_machine(place: str, address: str) -> None:
    """Note a connection, unless the case wants none."""
    record("request", f"{place}://{address}")
    own = ("login", "empty", "missing", "connection", "timeout")
    variant = chosen_name(place, choices.get(place, "default"), "default", *own)
    if variant == "connection":
        raise ConnectionRefusedError(111, "Connection refused")
    if variant == "timeout":
        raise TimeoutError("timed out")
