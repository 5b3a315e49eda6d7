"""What code of the tests, handed in with the arguments, asks of instances and is not there.

A slice keeps the members that its own code asks for. A handler or a subclass that a caller hands in
may ask for others: whoever slices for such a caller names them.
"""

from __future__ import annotations

import sys
import types
from collections.abc import Callable, Iterator


def asked_in_vain(
    error: BaseException,
    module_of: Callable[[type], str],
    is_of_tests: Callable[[types.FrameType], bool],
) -> list[str]:
    """Members that code of the tests asked for in vain, as `module:Class.name`.

    Of each member the classes that may define it are joined by `|`: which one does, cannot be seen
    where it is not.

    Args:
        error: What ended the call; what was being handled then counts as well.
        module_of: The true module of a class.
        is_of_tests: Whether a frame runs code of the tests.
    """
    found: list[str] = []
    for one in _chain(error):
        frame = _innermost(one)
        if isinstance(one, AttributeError) and frame is not None and is_of_tests(frame):
            holder = one.obj
            kind = holder if isinstance(holder, type) else type(holder)
            mine = (f"{module_of(k)}:{k.__qualname__}.{one.name}" for k in _bases(kind))
            found.append("|".join(mine))
    return found


def runs_carried_code(frame: types.FrameType) -> bool:
    """Whether the module of a frame's code is not here: then the code came with the arguments."""
    name = frame.f_globals.get("__name__")
    return isinstance(name, str) and name not in sys.modules


def _bases(kind: type) -> tuple[type, ...]:
    return type.__dict__["__mro__"].__get__(kind)[:-1]


def _chain(error: BaseException) -> Iterator[BaseException]:
    seen: set[int] = set()
    following: BaseException | None = error
    while following is not None and id(following) not in seen:
        seen.add(id(following))
        yield following
        following = following.__cause__ or following.__context__


def _innermost(error: BaseException) -> types.FrameType | None:
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return None if trace is None else trace.tb_frame
