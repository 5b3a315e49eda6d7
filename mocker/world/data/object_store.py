"""Objects in buckets or containers: there when they are asked for, until the script says otherwise."""

from __future__ import annotations

import hashlib
from typing import Any

from ..core.world import chosen, restart_with
from .file_contents import content_bytes

STORED_AT = "2026-01-01T12:00:00"
"""When everything was written."""


class StoredObject:
    """One object, with what is said of it."""

    def __init__(self, content: bytes, kind: str = "", metadata: Any = None) -> None:
        self.content = content
        self.kind = kind or "application/octet-stream"
        self.metadata = metadata
        self.generation = 1
        self.said: dict[str, Any] = {}

    @property
    def digest(self) -> bytes:
        """MD5 of the content."""
        return hashlib.md5(self.content, usedforsecurity=False).digest()


class ObjectStore:
    """The objects of one service.

    A name that nobody has written or deleted holds what the case has chosen for the place:
    a content, or nothing at all. What the script makes itself is empty.
    """

    def __init__(self, place: str, contents: dict[str, Any], names: list[str]) -> None:
        self.place = place
        self.variants = {**contents, "missing": None}
        self.names = names
        self.anew()
        restart_with(self.anew)

    def anew(self) -> None:
        """As nobody has written."""
        self.written: dict[tuple[str, str], StoredObject] = {}
        self.gone: set[tuple[str, str]] = set()
        self.made: set[str] = set()
        self.removed: set[str] = set()

    def has_bucket(self, bucket: str) -> bool:
        """Whether there is such a bucket."""
        there = {"default": True, "missing": False}
        known = bucket in self.made or any(b == bucket for b, _ in self.written)
        return bucket not in self.removed and (known or chosen(f"{self.place} bucket", there))

    def make_bucket(self, bucket: str) -> bool:
        """Make an empty one; whether the script had not done so before."""
        fresh = bucket not in self.made
        self.made.add(bucket)
        self.removed.discard(bucket)
        return fresh

    def remove_bucket(self, bucket: str) -> None:
        """Remove one with all that is in it."""
        self.made.discard(bucket)
        self.removed.add(bucket)
        for key in [key for key in self.written if key[0] == bucket]:
            del self.written[key]

    def get(self, bucket: str, name: str) -> StoredObject | None:
        """An object; `None` where there is none."""
        key = bucket, name
        if key in self.written or key in self.gone or bucket in self.made | self.removed:
            return self.written.get(key)
        content = chosen(self.place, self.variants)
        return None if content is None else StoredObject(content_bytes(content, name))

    def put(self, bucket: str, name: str, stored: StoredObject) -> StoredObject:
        """Keep an object."""
        before = self.written.get((bucket, name))
        stored.generation = before.generation + 1 if before else 1
        self.written[bucket, name] = stored
        self.gone.discard((bucket, name))
        return stored

    def delete(self, bucket: str, name: str) -> bool:
        """Remove an object; whether it was there."""
        there = self.get(bucket, name) is not None
        self.written.pop((bucket, name), None)
        self.gone.add((bucket, name))
        return there

    def listed(self, bucket: str, prefix: str = "") -> list[tuple[str, StoredObject]]:
        """The objects whose names begin so, by name."""
        found = {n: each for (b, n), each in self.written.items() if b == bucket}
        if not found and bucket not in self.made | self.removed:
            own = [n if n.startswith(prefix) else prefix + n for n in self.names]
            found = {n: each for n in own if (each := self.get(bucket, n)) is not None}
        return sorted((n, each) for n, each in found.items() if n.startswith(prefix))


def grouped_names(names: list[str], prefix: str, delimiter: str) -> tuple[list[str], list[str]]:
    """Names right below a prefix, and the common beginnings of the others up to a delimiter."""
    if not delimiter:
        return names, []
    own: list[str] = []
    folders: dict[str, None] = {}
    for name in names:
        head, found, _ = name[len(prefix) :].partition(delimiter)
        if found:
            folders[prefix + head + delimiter] = None
        else:
            own.append(name)
    return own, list(folders)
