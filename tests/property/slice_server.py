"""Slices what it is asked to, in a process with another hash seed and another working directory.

Reads one JSON request a line (`repository`, `target`, `emit`) and answers with the digest of what
came out, or with the error.
"""

from __future__ import annotations

import hashlib
import json
import sys
from typing import cast

from slicefunc.slicer import Emit, Repository, SliceFuncError, slice_function


def digest(repository: str, target: str, emit: Emit) -> str:
    """Digest of all files of one slice, with their paths."""
    try:
        made = slice_function(Repository(repository), target, emit=emit)
    except SliceFuncError as error:
        return f"{type(error).__name__}: {error}"
    whole = hashlib.sha256()
    for file in made.files:
        whole.update(file.path.encode() + b"\0" + file.content + b"\0")
    return whole.hexdigest()


def main() -> None:
    """Serve until standard input ends."""
    for line in sys.stdin:
        request = cast("dict[str, str]", json.loads(line))
        emit = cast("Emit", request["emit"])
        print(json.dumps(digest(request["repository"], request["target"], emit)), flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
