"""Instances are found again behind what they go through: libraries, closures, computed names."""

from __future__ import annotations

import pytest
from slicefunc.slicer import Repository, slice_function

MODULE = """\
import argparse
import asyncio
import cmd
import collections
import concurrent.futures
import contextlib
import contextvars
import copy
import functools
import heapq
import http.server
import importlib
import itertools
import json
import operator
import pickle
import queue
import random
import string
import threading
import types
import typing
import weakref

import click
from flask_sqlalchemy import SQLAlchemy
from pydantic import TypeAdapter
from sqlalchemy import create_engine
from sqlalchemy.orm import Session, sessionmaker

db = SQLAlchemy()
Maker = sessionmaker(bind=None)
VARIABLE = contextvars.ContextVar("info")
LOCAL = threading.local()


class Info:
    def __init__(self, n=1):
        self.n = n

    def __enter__(self):
        return self

    def __exit__(self, *error):
        pass

    def load(self):
        return self.n


def make(n=1):
    return Info(n)


async def make_later():
    return Info()


@contextlib.contextmanager
def entered():
    yield Info()


class Shell(cmd.Cmd):
    def do_load(self, text):
        return Info().load()


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        return Info().load()


class Loading(collections.UserDict):
    def __setitem__(self, key, value):
        self.data[key] = value.load()


class Formatter(string.Formatter):
    def get_value(self, key, given, named):
        return Info().load()


"""

BODIES = """\
(context: click.Context): return context.ensure_object(Info).load()
(context: click.Context): return context.find_object(Info).load()
(session: Session): return session.query(Info).first().load()
(session: Session): return [each.load() for each in session.query(Info).all()]
(session: Session): return session.get(Info, 1).load()
(): return db.session.query(Info).filter_by(n=1).first().load()
(): return Maker().query(Info).one().load()
(): return create_engine("x").connect().execute(Info).scalar().load()
(x): return TypeAdapter(Info).validate_python(x).load()
(q=queue.Queue()): return q.put(Info()), q.get().load()
(pool: concurrent.futures.Executor): return pool.submit(make).result().load()
(xs): return [x.load() for x in concurrent.futures.ThreadPoolExecutor().map(make, xs)]
(stack: contextlib.ExitStack): return stack.enter_context(Info()).load()
(): return weakref.ref(Info())().load()
(): return VARIABLE.set(Info()), VARIABLE.get().load()
(): LOCAL.info = Info(); return LOCAL.info.load()
(): return functools.partial(Info, 3)().load()
(): return collections.defaultdict(Info)["x"].load()
(xs): return [i.load() for i in itertools.chain([Info()], map(Info, xs))]
(xs): return [i.load() for i in itertools.starmap(Info, xs)]
(loop): return asyncio.run(loop.run_in_executor(None, make)).load()
(): return asyncio.run(make_later()).load()
(): return heapq.heappop([Info()]).load()
(d, k): return d.setdefault(k, Info()).load()
(xs): return max(map(Info, xs), key=lambda i: i.n).load()
(xs): return functools.reduce(lambda a, b: a, map(Info, xs)).load()
(): return copy.copy(Info()).load()
(): return pickle.loads(pickle.dumps(Info())).load()
(): return random.choice([Info(), Info(2)]).load()
(): return operator.methodcaller("load")(Info())
(): return operator.attrgetter("load")(Info())()
(): p = argparse.ArgumentParser(); p.set_defaults(i=Info()); return p.parse_args().i.load()
(): p = argparse.ArgumentParser(); p.add_argument("i", type=Info); return p.parse_args().i.load()
(s): return json.loads(s, object_hook=lambda d: Info()).load()
(): return types.SimpleNamespace(info=Info()).info.load()
(): return typing.cast("Info", LOCAL.thing).load()
(): return collections.deque([Info()]).popleft().load()
(xs): return [i.load() for _, group in itertools.groupby(map(Info, xs)) for i in group]
(xs): return next(filter(None, map(Info, xs))).load()
(): return collections.ChainMap({"a": Info()})["a"].load()
(): return collections.OrderedDict(a=Info()).popitem()[1].load()
(): return contextlib.closing(Info()).__enter__().load()
(): return importlib.import_module(__name__).make().load()
(): return Shell().cmdloop()
(): return http.server.HTTPServer(("", 1), Handler).serve_forever()
(): return Loading().update(a=Info())
(): return Formatter().format("{}", 1)
"""

NESTED = """\
def bound_inside():
    def bind():
        nonlocal info
        info = Info()

    info = None
    bind()
    return info.load()
"""


def _functions() -> str:
    lines = (f"def f{n}{body}" for n, body in enumerate(BODIES.splitlines()))
    return "\n\n".join((*lines, NESTED))


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Repository:
    folder = tmp_path_factory.mktemp("found_again")
    (folder / "mod.py").write_text(MODULE + _functions())
    return Repository(folder)


@pytest.mark.parametrize(
    "name",
    [pytest.param(f"f{n}", id=body) for n, body in enumerate(BODIES.splitlines())]
    + ["bound_inside"],
)
def test_what_is_asked_of_it_is_kept(repository: Repository, name: str) -> None:
    sliced = slice_function(repository, f"mod.py::{name}", constructors=False)
    assert "Info.load" in {d.qualname for d in sliced.manifest.definitions}


ARRAYS = {
    "of a comprehension": "numpy.array([Info(i) for i in range(3)])[1].load()",
    "of a list with a name": "numpy.array(MANY)[0].load()",
    "stored by an item": "put(numpy.empty(2, dtype=object))[1].load()",
}


@pytest.mark.parametrize("expression", ARRAYS.values(), ids=ARRAYS)
def test_what_is_asked_of_items_of_arrays_is_kept(
    expression: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("arrays")
    program = (
        "import numpy\nclass Info:\n    def __init__(self, n): self.n = n\n"
        "    def load(self): return self.n\n"
        "MANY = [Info(1)]\ndef put(array):\n    array[1] = Info(2)\n    return array\n"
    )
    (folder / "m.py").write_text(f"{program}def f():\n    return {expression}\n")
    sliced = slice_function(Repository(folder), "m.py::f")
    assert "Info.load" in {d.qualname for d in sliced.manifest.definitions}
