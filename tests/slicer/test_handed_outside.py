"""What code of the standard library is handed, keeps, calls, and gives back."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.slicer.small_programs import check, programs

SHAPE = """\
class Shape:
    def __init__(self, n=10): self.n = n
    def area(self): return self.n


"""
HANDED_BACK = programs(
    """\
# a choice of a generator that is seeded
import random
def f(): return random.Random(1).choice([Shape()]).area()

# samples of a parameter
import random
def pick(shapes, rng: random.Random): return [s.area() for s in rng.sample(shapes, 1)]
def f(): return pick([Shape()], random.Random(1))

# a queue without locks
import queue
def f():
    q = queue.SimpleQueue()
    q.put(Shape())
    return q.get().area()

# a priority queue of a loop
import asyncio
async def main():
    q = asyncio.PriorityQueue()
    await q.put((1, Shape()))
    _, shape = await q.get()
    return shape.area()
def f(): return asyncio.run(main())

# an order of a graph
from graphlib import TopologicalSorter
def f():
    sorter = TopologicalSorter()
    sorter.add(Shape())
    return [shape.area() for shape in sorter.static_order()]

# results of a pool, of a function that is partly applied
import functools
from multiprocessing.pool import ThreadPool
def make(n, _): return Shape(n)
def f():
    with ThreadPool(1) as pool: return pool.map(functools.partial(make, 3), [1])[0].area()

# the result of a call that is profiled
import cProfile
def f(): return cProfile.Profile().runcall(Shape).area()

# rows of a database
import sqlite3
def make(cursor, row): return Shape(*row)
def f():
    conn = sqlite3.connect(":memory:")
    conn.row_factory = make
    return [s.area() for s in conn.execute("select 1")], conn.execute("select 2").fetchone().area()

# values of a column
import sqlite3
sqlite3.register_converter("SHAPE", Shape)
def f():
    conn = sqlite3.connect(":memory:", detect_types=sqlite3.PARSE_COLNAMES)
    return conn.execute('select 5 as "s [SHAPE]"').fetchone()[0].area()

# a connection of another class
import sqlite3
class Conn(sqlite3.Connection):
    def column(self, text): return [row[0] for row in self.execute(text)]
def f(): return sqlite3.connect(":memory:", factory=Conn).column("select 1")

# a logger of another class
import logging
class Tracing(logging.Logger):
    def trace(self, text): return "T" + text
def f():
    logging.setLoggerClass(Tracing)
    try: return logging.getLogger("tracing").trace("x")
    finally: logging.setLoggerClass(logging.Logger)

# elements of another class
import xml.etree.ElementTree as ET
class Node(ET.Element):
    def words(self): return self.text.split()
def f():
    parser = ET.XMLParser(target=ET.TreeBuilder(element_factory=Node))
    return ET.fromstring("<a>x y</a>", parser).words()

# a message of another class
import email
from email.message import EmailMessage
class Mail(EmailMessage):
    def brief(self): return self["Subject"][:3]
def f(): return email.message_from_string("Subject: hello\\n\\n", _class=Mail).brief()

# a value that a parser of settings converts
import configparser
def f():
    parser = configparser.ConfigParser(converters={"shape": Shape})
    parser.read_string("[a]\\nb = 2\\n")
    return parser.getshape("a", "b").area()

# an attribute that is set from outside
import urllib.request
def f():
    request = urllib.request.Request("http://a/")
    request.shape = Shape()
    return request.shape.area()

# an attribute of what was handed in
from datetime import datetime, timedelta, tzinfo
class Zone(tzinfo):
    def utcoffset(self, when): return timedelta(0)
    def label(self): return "Z"
def f(): return datetime(2020, 1, 1, tzinfo=Zone()).tzinfo.label()

# what code that is handed on gives
import json
def f(): return json.JSONDecoder(object_hook=lambda d: Shape()).decode("{}").area()

# an option that a callback sets
import optparse
def note(option, text, value, parser): parser.values.shape = Shape()
def f():
    parser = optparse.OptionParser()
    parser.add_option("-s", action="callback", callback=note)
    return parser.parse_args(["-s"])[0].shape.area()
""",
    SHAPE,
)


@pytest.mark.parametrize("title", HANDED_BACK)
def test_what_standard_objects_give_back_has_its_members(title: str, tmp_path: Path) -> None:
    check(HANDED_BACK[title], tmp_path)


USER = """\
class User:
    @property
    def full(self): return "A B"
    @property
    def home(self): return {"city": "C"}


"""
FORMATTED = programs(
    """\
# a text that is passed
def render(text, user): return text.format(user)
def f(): return render("Dear {0.full}", User())

# a text in an attribute
class View:
    def __init__(self, text): self.text = text
    def render(self, **values): return self.text.format(**values)
def f(): return View("Dear {u.full!s:>5}").render(u=User())

# a text of a table
TEXTS = {"hi": "Dear {u.full}", "from": "{u.home[city]}"}
def f(): return [TEXTS[key].format(u=User()) for key in ("hi", "from")]

# a text that is chosen
SHORT, LONG = "{0}", "Dear {0.full}"
def f():
    text = SHORT
    for text in (SHORT, LONG): pass
    return text.format(User())

# a mapping
def f(): return "Dear {u.full}".format_map({"u": User()})

# a formatter
import string
def f(): return string.Formatter().format("Dear {u.full}", u=User())

# a formatter of ours
import string
class Upper(string.Formatter):
    def format_field(self, value, spec): return super().format_field(value, spec).upper()
def f(): return Upper().vformat("Dear {u.full}", (), {"u": User()})

# a style of logging
import logging
def f():
    formatter = logging.Formatter("{user.full}", style="{")
    return formatter.format(logging.makeLogRecord({"user": User()}))

# an attribute with a text of its own
class Name:
    def __init__(self, user): self.user = user
    def __str__(self): return self.user.full
class Page:
    @property
    def name(self): return Name(User())
def render(text, page): return text.format(p=page)
def f(): return render("<{p.name}>", Page())

# items of ours
class Table:
    def __getitem__(self, key): return key * 2
def render(text, *values): return text.format(*values)
def f(): return render("{0[ab]}", Table())

# a getter of a path in a variable
from operator import attrgetter
class Order:
    @property
    def user(self): return User()
def get(path, value): return attrgetter(path)(value)
def f(): return get("user.full", Order())

# a mapping with percent signs
class Row:
    def __getitem__(self, key): return key.upper()
def fill(text, row): return text % row
def f(): return fill("%(a)s", Row())
""",
    USER,
)


@pytest.mark.parametrize("title", FORMATTED)
def test_attributes_that_texts_spell_are_kept(title: str, tmp_path: Path) -> None:
    check(FORMATTED[title], tmp_path)
