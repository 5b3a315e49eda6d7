"""Helpers in an eval script that call two versions of a function and compare the results."""

from __future__ import annotations

import itertools
from collections.abc import Collection

HELPERS = '''\
def _observed(call, given=dict):
    """What a call does with arguments that are made anew for it, in a folder of its own."""
    import asyncio
    import collections.abc
    import contextlib
    import inspect
    import io
    import itertools
    import os
    import pathlib
    import random
    import shutil
    import sys
    import tempfile
    import types

    world = sys.modules.get("slice_func_mocks")
    if world is not None:
        world.restart()
    random.seed(0)
    if "numpy" in sys.modules:
        sys.modules["numpy"].random.seed(0)
    seen = types.SimpleNamespace(value=None, error=None, arguments={}, printed="", effects=[])
    seen.files = {}
    effects = world.effects if world is not None else []
    printed = io.StringIO()

    async def in_a_loop():
        seen.arguments = await given()
        before = len(effects)
        value = call(**seen.arguments)
        if hasattr(value, "__aiter__"):
            seen.value = [item async for item in value]
        else:
            seen.value = await value if inspect.isawaitable(value) else value
        seen.effects = effects[before:]

    def at_once():
        seen.arguments = given()
        before = len(effects)
        value = call(**seen.arguments)
        if isinstance(value, collections.abc.Iterator) and not isinstance(value, io.IOBase):
            value = list(itertools.islice(value, 1000))
        seen.value = value
        seen.effects = effects[before:]

    before_it = os.getcwd()
    folder = pathlib.Path(tempfile.gettempdir(), f"eval-{os.getpid()}")  # the same for each call
    shutil.rmtree(folder, ignore_errors=True)  # of a process that was killed
    folder.mkdir()
    os.chdir(folder)
    try:
        with contextlib.redirect_stdout(printed):
            asyncio.run(in_a_loop()) if inspect.iscoroutinefunction(given) else at_once()
    except (Exception, SystemExit) as error:
        seen.error = type(error)
    finally:
        os.chdir(before_it)
        for file in folder.rglob("*"):
            is_read = file.is_file() and os.access(file, os.R_OK)
            content = file.read_bytes() if is_read else None
            seen.files[file.relative_to(folder).as_posix()] = content
        shutil.rmtree(folder, ignore_errors=True)
    seen.printed = printed.getvalue()
    return seen


def _alike(one, other, known=()):
    """Whether two values are the same, part by part; numbers within 1e-9."""
    import collections
    import math
    import types

    if one is other or (id(one), id(other)) in known:
        return True
    if type(one) is not type(other):
        is_named_so = type(one).__qualname__ == type(other).__qualname__
        return is_named_so and not isinstance(one, type) and (
            _alike(getattr(one, "__dict__", None), getattr(other, "__dict__", None), known)
        )
    known = (*known, (id(one), id(other)))
    if isinstance(one, float):
        return one == other or (one != one and other != other) or math.isclose(one, other)
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(_alike(one[k], other[k], known) for k in one)
    if isinstance(one, (list, tuple, collections.deque)):
        return len(one) == len(other) and all(_alike(a, b, known) for a, b in zip(one, other))
    if isinstance(one, (set, frozenset)):
        return len(one) == len(other) and all(any(_alike(a, b, known) for b in other) for a in one)
    for plain in ("tolist", "to_dict"):  # arrays and tables
        if callable(getattr(type(one), plain, None)):
            return _alike(getattr(one, plain)(), getattr(other, plain)(), known)
    if isinstance(one, BaseException):
        return _alike((one.args, vars(one)), (other.args, vars(other)), known)
    if isinstance(one, (types.FunctionType, types.LambdaType)):
        return one.__name__.replace("_new_implementation", "") == other.__name__
    slots = [slot for cls in type(one).__mro__ for slot in vars(cls).get("__slots__", ())]
    parts = [{**getattr(each, "__dict__", {}), **{s: getattr(each, s, None) for s in slots}}
             for each in (one, other)]
    if any(parts) or type(one).__eq__ is object.__eq__:
        return _alike(*parts, known)
    return bool(one == other)
'''


def free_helpers(used_names: Collection[str]) -> tuple[str, str, str]:
    """Return the helpers' text, and unused names for its two entry points."""
    observed, agree = (
        next(n for n in itertools.chain([name], (f"{name}_{i}" for i in itertools.count(2)))
             if n not in used_names)
        for name in ("_observed", "_alike")
    )  # fmt: skip
    text = HELPERS.replace("_observed", observed).replace("_alike", agree)
    return text, observed, agree
