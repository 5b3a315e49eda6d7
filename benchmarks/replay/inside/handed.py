"""What code that is handed in with the arguments asks for, and is not there.

A slice keeps what its own code asks for. A handler, a subclass, a lambda or a begun generator that
a caller hands in may ask for more: whoever slices for such a caller names it.
"""

from __future__ import annotations

import builtins
import re
import sys
import types
from collections.abc import Callable, Iterator

_NO_ARGUMENTS = re.compile(r"(\w+)\(\) takes no arguments")
"""What Python says where the constructor of a class is not there."""


def asked_in_vain(
    error: BaseException,
    module_of: Callable[[type], str],
    home_of: Callable[[types.FrameType], str | None],
    is_of_slice: Callable[[types.FrameType], bool],
) -> list[str]:
    """What code that was handed in asked for in vain, as `module:name` or `module:Class.name`.

    Of each member the classes that may define it are joined by `|`: which one does, cannot be seen
    where it is not.

    Args:
        error: What ended the call; what was being handled then counts as well.
        module_of: The true module of a class.
        home_of: The module whose names the code of a frame reads, if that code was handed in.
        is_of_slice: Whether a frame runs code of the slice; what is neither is a library's, and
            asks for the one that called it.
    """
    found: list[str] = []
    for one in _chain(error):
        asking = (f for f in _innermost_first(one) if home_of(f) is not None or is_of_slice(f))
        frame = next(asking, None)
        home = None if frame is None else home_of(frame)
        if frame is None or home is None:
            continue
        if isinstance(one, AttributeError):
            holder = one.obj
            kind = holder if isinstance(holder, type) else type(holder)
            found.append(_members(kind, (one.name,), module_of))
        elif isinstance(one, NameError):
            found += [f"{home}:{name}" for name in _unbound(frame)]
        elif isinstance(one, TypeError) and (made := _NO_ARGUMENTS.fullmatch(str(one))):
            kinds = [kind for kind in _classes(frame) if kind.__name__ == made[1]]
            found += [_members(kind, ("__init__", "__new__"), module_of) for kind in kinds[:1]]
    return found


def home_of_carried(frame: types.FrameType, homes: dict[types.CodeType, str]) -> str | None:
    """Where the code of a frame finds its names, if it came with the arguments; else nothing.

    Args:
        frame: The frame that runs it.
        homes: Code of the package that came by value, with its module.
    """
    name = frame.f_globals.get("__name__")
    if isinstance(name, str) and name not in sys.modules:
        return name
    return homes.get(frame.f_code)  # text that the slice itself has compiled may have no name


def _members(kind: type, names: tuple[str, ...], module_of: Callable[[type], str]) -> str:
    mine = (f"{module_of(k)}:{k.__qualname__}.{name}" for k in _bases(kind) for name in names)
    return "|".join(mine)


def _unbound(frame: types.FrameType) -> list[str]:
    """All global names that the code of a frame mentions and that are not there."""
    there = frame.f_globals.keys() | vars(builtins).keys()
    return [name for name in dict.fromkeys(frame.f_code.co_names) if name not in there]


def _classes(frame: types.FrameType) -> Iterator[type]:
    for space in (frame.f_locals, frame.f_globals):
        yield from [held for held in space.values() if isinstance(held, type)]


def _bases(kind: type) -> tuple[type, ...]:
    return type.__dict__["__mro__"].__get__(kind)[:-1]


def _chain(error: BaseException) -> Iterator[BaseException]:
    """An error, what led to it, and what is grouped in it."""
    seen: set[int] = set()
    waiting: list[BaseException | None] = [error]
    while waiting:
        one = waiting.pop()
        if one is None or id(one) in seen:
            continue
        seen.add(id(one))
        yield one
        grouped = one.exceptions if isinstance(one, BaseExceptionGroup) else ()
        waiting += [*grouped, one.__context__, one.__cause__]


def _innermost_first(error: BaseException) -> Iterator[types.FrameType]:
    frames: list[types.FrameType] = []
    trace = error.__traceback__
    while trace is not None:
        frames.append(trace.tb_frame)
        trace = trace.tb_next
    yield from reversed(frames)
