"""Effects of external functions on arguments: they change the first, or call callbacks."""

from __future__ import annotations

import ast
import re

from ...analysis.inference import Inference
from ...analysis.points_to.call_targets import Arguments, BoundArgument, Callee
from ...analysis.values.abstract_values import External
from ...syntax.builtin_models import MUTATORS

ARGUMENT_MUTATORS = frozenset(
    {"builtins.setattr", "builtins.delattr", "builtins.next", "random.shuffle", "heapq.heapify",
     "heapq.heappush", "heapq.heappop", "heapq.heapreplace", "heapq.heappushpop", "bisect.insort",
     "functools.update_wrapper", "operator.setitem", "operator.delitem", "operator.iadd"}
)  # fmt: skip
"""Functions that change their first argument."""
_PATH_CHANGERS = {
    **dict.fromkeys(
        ("os.makedirs", "os.mkdir", "os.remove", "os.unlink", "os.rmdir", "shutil.rmtree",
         "sqlite3.connect", "shelve.open", "dbm.open"), 0),
    **dict.fromkeys(
        ("os.rename", "os.replace", "os.symlink", "os.link", "shutil.copy", "shutil.copy2",
         "shutil.copyfile", "shutil.copytree", "shutil.move"), 1),
}  # fmt: skip
"""Functions that create or change the file at a path → position of the path argument."""
_OPENERS = ("builtins.open", "io.open")
_WRITES = frozenset("wax+")
_CLASSES = ("builtins.", "collections.")
"""Prefixes of classes whose methods may be called with the receiver as an argument."""
CALLERS = frozenset(
    {"builtins.map", "builtins.filter", "builtins.sorted", "builtins.min", "builtins.max",
     "functools.reduce", "itertools.starmap", "itertools.accumulate", "itertools.takewhile",
     "itertools.dropwhile", "itertools.filterfalse", "itertools.groupby"}
)  # fmt: skip
"""Functions that call their arguments; if the result is lazy, it is consumed as well."""

STARTERS = frozenset(
    {"start", "run", "join", "result", "__enter__", "send", "throw", "asend", "athrow"}
)
"""Methods that run code their object was created with, as those of a thread or a generator."""
_NOTES = re.compile(
    r"(?:\w*_)?(?:add|register|connect|listens?|subscribe|hook|install|on|route|bind|partial|wraps"
    r"|signal|set|field|property|decorator)(?:_\w+)?"
)


def only_registers(name: str) -> bool:
    """Whether an external function only stores the functions that it receives, for later."""
    base, _, last = name.rpartition(".")
    return base == "builtins" or _NOTES.fullmatch(last) is not None


def changed_path(name: str, arguments: Arguments) -> BoundArgument | None:
    """Return the path argument of a call that creates, changes or opens a file for writing."""
    given = arguments.positional
    if name in _OPENERS:
        mode = given[1] if len(given) > 1 else dict(arguments.named).get("mode")
        match mode:
            case BoundArgument(value=ast.Constant(value=str(text))) if _WRITES.intersection(text):
                return given[0] if given else None
            case _:
                return None
    position = _PATH_CHANGERS.get(name, len(given))
    return given[position] if position < len(given) else None


def is_called_through_class(name: str, callee: Callee, inference: Inference) -> bool:
    """Whether a mutating method is called through its class, as `dict.update(x, a=1)`."""
    base, _, method = name.rpartition(".")
    if method not in MUTATORS or not base.startswith(_CLASSES):
        return False
    match callee.node:
        case ast.Attribute(value=value):
            return inference.evaluate(value, callee.scope) == frozenset({External(base)})
        case _:
            return False
