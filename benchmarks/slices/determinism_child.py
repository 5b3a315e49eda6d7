"""Slices a list of targets under one variant and prints a digest of each; see `determinism`."""

from __future__ import annotations

import contextlib
import dataclasses
import hashlib
import importlib
import json
import os
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Any


class _Shuffled(contextlib.AbstractContextManager["_Shuffled"]):
    """What `os.scandir` returns, in another order."""

    def __init__(self, entries: list[os.DirEntry[str]]) -> None:
        self._entries = iter(entries)

    def __iter__(self) -> Iterator[os.DirEntry[str]]:
        return self._entries

    def __next__(self) -> os.DirEntry[str]:
        return next(self._entries)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Nothing is open any more."""


def shuffle_listings(seed: int) -> None:
    """Let `os.scandir` and `os.listdir`, and all that is built on them, list in another order."""
    draw = random.Random(seed)
    listdir, scandir = os.listdir, os.scandir

    def shuffled_listdir(path: str = ".") -> list[str]:
        names = sorted(listdir(path))
        draw.shuffle(names)
        return names

    def shuffled_scandir(path: str = ".") -> _Shuffled:
        with scandir(path) as opened:
            entries = sorted(opened, key=lambda entry: entry.name)
        draw.shuffle(entries)
        return _Shuffled(entries)

    os.listdir = shuffled_listdir  # type: ignore[assignment]
    os.scandir = shuffled_scandir  # type: ignore[assignment]


def main() -> int:
    """Read the request from standard input, print the digests by target."""
    request: dict[str, Any] = json.load(sys.stdin)
    targets: list[str] = list(request["targets"])
    if request["shuffled"]:
        random.Random(request["hash_seed"]).shuffle(targets)
        shuffle_listings(request["hash_seed"])
    # Only now, so that what it binds at import is the shuffled kind.
    slicer = importlib.import_module("slicefunc.slicer")
    folder = Path(request["folder"])
    repository = slicer.Repository(folder)
    digests: dict[str, str] = {}
    for target in targets:
        if request["fresh"]:
            repository = slicer.Repository(folder)
        try:
            made = slicer.slice_function(repository, target)
        except Exception as error:  # noqa: BLE001  # a failure must be the same one, too
            digests[target] = f"error: {type(error).__name__}: {error}"
            continue
        manifest = dataclasses.replace(made.manifest, seconds=0.0).to_json()
        digest = hashlib.sha256(made.source.encode())
        for file in made.files:
            digest.update(file.path.encode() + b"\0" + file.content)
        digest.update(json.dumps(manifest, sort_keys=True).encode())
        digests[target] = digest.hexdigest()
    print(json.dumps(digests))
    return 0


if __name__ == "__main__":
    sys.exit(main())
