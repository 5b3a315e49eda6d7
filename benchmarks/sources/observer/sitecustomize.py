"""Tells what a script has bound; imported at start-up where its folder is on the path.

`python script.py` is then run as it is, without a line added to the script: at its exit the names
of `__main__` are written to the file that the environment names.
"""  # noqa: INP001  # never imported as part of a package

from __future__ import annotations

import atexit
import json
import os
import pathlib
import sys


def observation(namespace: dict[str, object], run_name: str, qualname: str) -> dict[str, object]:
    """The bound names, and where the target says that it is from."""
    names = sorted(n for n in namespace if not (n.startswith("__") and n.endswith("__")))
    first, *parts = qualname.split(".")
    found: object = namespace.get(first)
    for part in parts:
        found = vars(found).get(part) if hasattr(found, "__dict__") else None
    for wrapper in ("fget", "__func__", "func"):
        found = getattr(found, wrapper, None) or found
    module = getattr(found, "__module__", None)
    return {
        "names": names,
        "type": type(found).__name__,
        # A visible function belongs to whatever the script is run as; that is the same everywhere.
        "module": "<script>" if module == run_name else str(module),
        "qualname": str(getattr(found, "__qualname__", None)),
    }


def _write(file: str, qualname: str) -> None:
    seen = observation(vars(sys.modules["__main__"]), "__main__", qualname)
    pathlib.Path(file).write_text(json.dumps(seen), encoding="utf-8")


if "OBSERVE_TO" in os.environ:
    atexit.register(_write, os.environ["OBSERVE_TO"], os.environ["OBSERVE_TARGET"])
