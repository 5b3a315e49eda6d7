"""Rehearsal: run fixed cases before any script, so that all runs share warmed-up code.

The interpreter specialises a function's code in its first calls. What the zygote has specialised,
no run has to specialise, nor to copy memory for it.
"""

from __future__ import annotations

import builtins
import linecache
import os
import sys

from .cases.case_runner import Loaded, load
from .state.determinism import Determinism

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .raw import Raw

__builtins__ = dict(vars(builtins))

_TIMES = 10
"""More calls than any interpreter needs before it specialises code."""
_NAME = "rehearsal"
_FOLDER = "/rehearsal"
"""A folder that does not exist: no file is written."""
_SOURCE = """
import re

_WORD = re.compile("[a-z]+")
_seen = {}
_LIMITS = [1, 2.5, None]


class _Point:
    def __init__(self, x, y=0):
        self.x = x
        self.y = y


def target(kind, *rest, **named):
    _seen[kind] = len(_seen)
    if kind == "raises":
        raise ValueError(kind)
    if kind == "prints":
        print(kind)
    if kind == "yields":
        return (each for each in rest)
    return {"point": _Point(kind, rest), "named": named, "words": {kind, "a"}, "rest": [*rest]}
"""
_CALLS = (
    "target('plain', 1, 2.5, b'three', None)",
    "target('held', [1, [2, 3]], {'a': (1, 2)}, more={'x'})",
    "target('raises')",
    "target('prints', True)",
    "target('yields', 1, 'two')",
)


def rehearse() -> None:
    """Run the cases as those of a script, and leave nothing behind but specialised code."""
    file = os.path.join(_FOLDER, f"{_NAME}.py")
    request: dict[str, Raw] = {"name": f"{_NAME}.py", "source": _SOURCE, "target": "target"}
    namespace = load(_SOURCE, _NAME, file)
    loaded = Loaded(request, Determinism(seed=None), namespace, _NAME)
    loaded.folder = _FOLDER
    for call in _CALLS:
        case: dict[str, str] = {"name": "case", "code": f"def case():\n    return {call}\n"}
        for _ in range(_TIMES):
            loaded.observed(case)
    del sys.modules[_NAME], linecache.cache[file]
