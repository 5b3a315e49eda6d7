"""Whether it is the slice that asks: its own code is on the stack."""

from __future__ import annotations

import functools
import os
import sys
from typing import Any


def _own_namespace() -> dict[str, Any]:
    """The namespace of the script that has loaded this."""
    frame: Any = sys._getframe()
    while frame is not None and "_slice_func_mocks" not in frame.f_globals:
        frame = frame.f_back
    return frame.f_globals if frame is not None else {}


_own_names: dict[str, Any] = _own_namespace()
_own_file = os.path.abspath(str(globals().get("__file__")))
_own_folder = (  # of a tree of files, beside which this lies as one more
    os.path.join(os.path.dirname(_own_file), "")
    if os.path.basename(_own_file) == "slice_func_mocks.py"
    else ""
)


def own_place() -> str:
    """The folder in which the slice lies; empty where it comes from no file."""
    file = _own_file if _own_folder else _own_names.get("__file__")
    return _folder_of(file) if isinstance(file, str) else ""


@functools.cache
def _folder_of(file: str) -> str:
    return os.path.dirname(os.path.realpath(file))


def is_own_frame(frame: Any) -> bool:
    """Whether a frame runs code of the slice: of its script, or of a module that it carries."""
    names = frame.f_globals
    if names is _own_names or hasattr(names.get("__loader__"), "slice_identity"):
        return True
    file = frame.f_code.co_filename
    is_inside = bool(_own_folder) and file != _own_file and file.startswith(_own_folder)
    return is_inside and "site-packages" not in file[len(_own_folder) :]


def asked_by_slice() -> bool:
    """Whether code of the slice is anywhere on this thread's stack."""
    frame: Any = sys._getframe(1)
    while frame is not None:
        if is_own_frame(frame):
            return True
        frame = frame.f_back
    return False
