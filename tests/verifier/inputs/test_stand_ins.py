"""Targets can be called with the arguments that stand in for real ones."""

from __future__ import annotations

import asyncio
import inspect
import sys
import types
from pathlib import Path

import pytest
from slicefunc.slicer import Repository, slice_function
from slicefunc.verifier.inputs import call_of, stand_ins

CALLS = {
    "annotations": (
        "def f(n: int, name: str, parts: list[str], rate: float = 2.0):\n"
        "    return [name * n for part in parts][: int(rate)]\n",
        "f",
        "['name-1', 'name-1']",
    ),
    "uses": (
        "def total(order):\n"
        "    if order['status'] != 'paid':\n        raise ValueError\n"
        "    return sum(line['price'] * line['quantity'] for line in order['lines'])\n",
        "total",
        "6.5",
    ),
    "an object with methods": (
        "def send(client, text):\n"
        "    reply = client.messages.create(body=text)\n"
        "    if reply.status == 'sent':\n        return reply.sid.upper()\n    raise OSError\n",
        "send",
        "'SID-1'",
    ),
    "a class and what it is made of": (
        "from dataclasses import dataclass\n\n"
        "@dataclass\nclass Point:\n    x: float\n    y: float\n\n"
        "class Path:\n    def __init__(self, points: list[Point], closed=False):\n"
        "        self.points = points\n        self.closed = closed\n\n"
        "    def length(self, scale):\n"
        "        first, *rest = self.points\n"
        "        return sum(p.x - first.x for p in rest) * scale\n",
        "Path.length",
        "0.0",
    ),
    "a class method and a static method": (
        "class Id:\n"
        "    @classmethod\n    def parse(cls, text):\n        return int(text.split('-')[1])\n",
        "Id.parse",
        "2",
    ),
    "a member of an enumeration": (
        "import enum\n\nclass Mode(enum.Enum):\n    READ = 'r'\n    WRITE = 'w'\n\n"
        "def label(mode: Mode):\n    return mode.value * 2\n",
        "label",
        "'rr'",
    ),
    "an example in the docstring": (
        'def hexed(x):\n    """In hexadecimal.\n\n    >>> hexed(b"ab")\n    \'6162\'\n    """\n'
        "    return x.hex()\n",
        "hexed",
        "'6162'",
    ),
    "a type in the docstring": (
        'def double(values):\n    """Twice.\n\n    Args:\n        values (dict): some.\n    """\n'
        "    return {**values, 'two': 2}['two']\n",
        "double",
        "2",
    ),
    "a literal at a call": (
        "def area(shape, size):\n    return {'square': size ** 2}[shape]\n\n"
        "def main():\n    return area('square', 3)\n",
        "area",
        "9",
    ),
    "a coroutine with an awaited method": (
        "async def load(session, url):\n"
        "    async with session.get(url) as reply:\n        return (await reply.json())['id']\n",
        "load",
        "1",
    ),
    "a callback": (
        "def each(items, callback):\n    return [callback(item) for item in items]\n",
        "each",
        "2 items",
    ),
    "a date": (
        "from datetime import datetime\n\n"
        "def shown(day: datetime):\n    return day.strftime('%Y') + str(day.month)\n",
        "shown",
        "'20241'",
    ),
    "a key that another argument holds": (
        "def pick(table, column):\n    return table[column]['width'] + 1\n",
        "pick",
        "2",
    ),
    "rest arguments": (
        "def best(*numbers, **options):\n    return max(numbers), options['unit'].upper()\n",
        "best",
        "2 items",
    ),
    "an array": (
        "import numpy as np\n\ndef spread(img):\n    rows, columns = img.shape\n"
        "    return float(np.mean(img[:, 0]) * 0 + columns)\n",
        "spread",
        "8.0",
    ),
    "a table": (
        "import pandas as pd\n\ndef mean(df):\n    df = df[df['kind'] == 'a']\n"
        "    return float(df['price'].mean())\n",
        "mean",
        "2.5",
    ),
    "a model with a validator": (
        "from pydantic import BaseModel, field_validator\n\n"
        "class Issue(BaseModel):\n    number: int\n    author: str\n\n"
        "    @field_validator('author', mode='before')\n    def login(cls, value):\n"
        "        return value['login']\n\n"
        "    def line(self):\n        return f'{self.number} {self.author}'\n",
        "Issue.line",
        "'1 login-1'",
    ),
}


@pytest.mark.parametrize("title", CALLS)
def test_the_call_returns(title: str, tmp_path: Path) -> None:
    source, target, gives = CALLS[title]
    (tmp_path / "program.py").write_text(source)
    repository = Repository(tmp_path)
    sliced = slice_function(repository, f"program.py::{target}")
    call = call_of(repository, sliced)
    module = sys.modules["program"] = types.ModuleType("program")
    try:
        exec(sliced.source, vars(module))
        value = eval(call.removeprefix("await "), vars(module))
        if inspect.iscoroutine(value):
            value = asyncio.run(value)
    finally:
        del sys.modules["program"]
    shown = f"{len(value)} items" if gives.endswith("items") else repr(value)
    assert shown == gives, call


def test_the_pairs_begin_with_the_receiver(tmp_path: Path) -> None:
    source, target, _ = CALLS["a class and what it is made of"]
    (tmp_path / "program.py").write_text(source)
    repository = Repository(tmp_path)
    pairs = stand_ins(repository, slice_function(repository, f"program.py::{target}"))
    assert [name for name, _ in pairs] == ["self", "scale"]
    assert pairs[0][1].startswith("Path(points=[Point(x=")


@pytest.mark.parametrize(
    ("closes", "enters"),
    [
        ("door = house.open()\n    door.close()", "with house.open(): pass"),
        ("house.cursor().execute('a')", "with house.cursor() as it: it.execute('a')"),
    ],
)
def test_what_is_closed_can_be_entered(tmp_path: Path, closes: str, enters: str) -> None:
    (tmp_path / "a.py").write_text(f"def f(house):\n    {closes}\n    return 1\n")
    repository = Repository(tmp_path)
    ((_, house),) = stand_ins(repository, slice_function(repository, "a.py::f"))
    given: dict[str, object] = {"house": eval(house)}
    exec(enters, given)
