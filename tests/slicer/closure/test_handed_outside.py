"""What code of the standard library is handed, keeps, calls, and gives back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from slicefunc.slicer import Repository, slice_function

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


ASKED = programs(
    """\
# a filter of a logger
import logging
class Odd:
    def filter(self, record): return record.levelno % 20 == 10
def f():
    logger = logging.Logger("x")
    logger.addFilter(Odd())
    return [logger.filter(logging.makeLogRecord({"levelno": n})) for n in (10, 20)]

# a handler that derives from nothing
import logging
class Sink:
    level = 0
    def __init__(self): self.seen = []
    def handle(self, record): self.seen.append(record.getMessage())
def f():
    sink = Sink()
    logger = logging.Logger("x")
    logger.addHandler(sink)
    logger.warning("a %s", 1)
    return sink.seen

# a formatter that derives from nothing
import io, logging
class Short:
    def format(self, record): return self.shown(record)
    def shown(self, record): return "W " + record.getMessage()
def f():
    out = io.StringIO()
    handler = logging.StreamHandler(out)
    handler.setFormatter(Short())
    handler.handle(logging.makeLogRecord({"msg": "a"}))
    return out.getvalue()

# a formatter that is set as an attribute
import io, logging
class Short:
    def format(self, record): return "W " + record.getMessage()
def f():
    out = io.StringIO()
    handler = logging.StreamHandler(out)
    handler.formatter = Short()
    handler.handle(logging.makeLogRecord({"msg": "a"}))
    return out.getvalue()

# settings of logging that name a class
import io, logging.config
OUT = io.StringIO()
class Drop:
    def filter(self, record): return "secret" not in record.getMessage()
def f():
    logging.config.dictConfig({"version": 1, "filters": {"d": {"()": Drop}},
        "handlers": {"h": {"class": "logging.StreamHandler", "filters": ["d"], "stream": OUT}},
        "loggers": {"own": {"handlers": ["h"]}}})
    logging.getLogger("own").warning("secret")
    logging.getLogger("own").warning("x")
    return OUT.getvalue()

# a record of another class
import logging
class Record(logging.LogRecord):
    def getMessage(self): return self.msg.format(*self.args)
def f():
    logging.setLogRecordFactory(Record)
    try: return logging.Logger("x").makeRecord("x", 10, "", 1, "{}!", (1,), None).getMessage()
    finally: logging.setLogRecordFactory(logging.LogRecord)

# an adapter of a logger
import logging
class Log:
    def __init__(self): self.seen = []
    def isEnabledFor(self, level): return True
    def log(self, level, text, *args, **extra): self.seen.append(text)
def f():
    log = Log()
    logging.LoggerAdapter(log, {}).info("a")
    return log.seen

# compressed to an object
import bz2, lzma
class Sink:
    def __init__(self): self.data = b""
    def write(self, data):
        self.data += data
        return len(data)
def f():
    one, two = Sink(), Sink()
    with bz2.BZ2File(one, "w") as file: file.write(b"a")
    with lzma.LZMAFile(two, "w") as file: file.write(b"b")
    return bz2.decompress(one.data), lzma.decompress(two.data)

# a digest of an object
import hashlib
class Source:
    data = b"abc"
    def readable(self): return True
    def readinto(self, buffer):
        count = len(self.data)
        buffer[:count] = self.data
        self.data = b""
        return count
def f(): return hashlib.file_digest(Source(), "md5").hexdigest()

# an exception printed to an object
import traceback
class Sink:
    count = 0
    def write(self, text): self.count += 1
def f():
    sink = Sink()
    traceback.print_exception(KeyError("a"), file=sink)
    traceback.print_stack(file=sink)
    return sink.count > 2

# a mapping for a query
from urllib.parse import urlencode
class Query:
    def items(self): return [("a", 1)]
def f(): return urlencode(Query())

# what is left out of a copy
import os, shutil, tempfile
class Nothing:
    def __call__(self, folder, names): return names
def f():
    with tempfile.TemporaryDirectory() as folder:
        os.makedirs(folder + "/a/b")
        shutil.copytree(folder + "/a", folder + "/c", ignore=Nothing())
        return os.listdir(folder + "/c")

# items of a dictionary of ours
import json
class Sorted(dict):
    def items(self): return sorted(super().items())
def f(): return json.dumps(Sorted(b=1, a=2))

# a class whose methods are called by name
from xmlrpc.server import SimpleXMLRPCDispatcher
class Api:
    def add(self, a, b): return a + b
def f():
    dispatcher = SimpleXMLRPCDispatcher()
    dispatcher.register_instance(Api())
    return dispatcher._dispatch("add", (1, 2))

# what an application gives
import io
from wsgiref.handlers import SimpleHandler
closed = []
class Body:
    def __iter__(self): return iter([b"x"])
    def close(self): closed.append(1)
def app(environ, start):
    start("200 OK", [])
    return Body()
def f():
    SimpleHandler(io.BytesIO(), io.BytesIO(), io.StringIO(), {}).run(app)
    return closed

# a handler of errors of a parser
import xml.sax
class Errors:
    def __init__(self): self.seen = []
    def fatalError(self, error): self.seen.append(error.getMessage())
def f():
    errors = Errors()
    xml.sax.parseString(b"<a>", xml.sax.ContentHandler(), errors)
    return errors.seen

# a target of a parser
from xml.etree.ElementTree import XMLParser
class Depth:
    count = 0
    def start(self, tag, attributes): self.count += 1
    def close(self): return self.count
def f():
    parser = XMLParser(target=Depth())
    parser.feed("<a><b/></a>")
    return parser.close()

# functions of a database
import sqlite3
class Mean:
    def __init__(self): self.seen = []
    def step(self, value): self.seen.append(value)
    def finalize(self): return self.total()
    def total(self): return sum(self.seen)
def f():
    conn = sqlite3.connect(":memory:")
    conn.create_aggregate("mean", 1, Mean)
    return conn.execute("select mean(3)").fetchone()

# a protocol of a connection
import asyncio, socket
seen = []
class Reader:
    def connection_made(self, transport): self.transport = transport
    def data_received(self, data): self.note(data)
    def connection_lost(self, error): pass
    def note(self, data): seen.append(data)
async def main(make):
    one, two = socket.socketpair()
    await asyncio.get_running_loop().create_connection(make, sock=one)
    two.send(b"q")
    await asyncio.sleep(0.01)
def f():
    asyncio.run(main(Reader))
    asyncio.run(main(lambda: Reader()))
    return seen

# a target of a handler
import logging, logging.handlers
class Target:
    def __init__(self): self.seen = []
    def handle(self, record): self.seen.append(record.msg)
def f():
    target = Target()
    handler = logging.handlers.MemoryHandler(9, target=None)
    handler.setTarget(target)
    handler.handle(logging.makeLogRecord({"msg": "a", "levelno": 10}))
    handler.flush()
    return target.seen

# a mail box with a factory
import mailbox, tempfile
class Mail:
    def __init__(self, file): self.text = file.read()
    def show(self): return self.text.strip()
def f():
    with tempfile.TemporaryDirectory() as folder:
        box = mailbox.Maildir(folder + "/a", factory=Mail)
        box.add("x: y\\n\\nz")
        return [mail.show() for mail in box]

# statistics of objects
import statistics
class Length:
    def __init__(self, n): self.n = n
    def __lt__(self, other): return self.n < other.n
    def show(self): return self.n
def f(): return statistics.median_low([Length(3), Length(1)]).show()

# a choice with names of the module
import random
class Dice:
    def choice(self): return 6
    def seed(self): return 1
def f():
    dice = random.Random(1).choice([Dice()])
    return dice.choice(), dice.seed()

# types and actions of arguments
import argparse
class Range:
    def __init__(self, text): self.text = text
    def show(self): return self.text
class Upper(argparse.Action):
    def __call__(self, parser, given, value, option=None): setattr(given, self.dest, value.upper())
class Even:
    def __call__(self, text): return int(text) * 2
def f():
    parser = argparse.ArgumentParser()
    parser.add_argument("--r", type=Range)
    parser.add_argument("--u", action=Upper)
    parser.add_argument("--e", type=Even())
    given = parser.parse_intermixed_args(["--r", "1", "--u", "a", "--e", "3"])
    return given.r.show(), given.u, given.e

# a handler that a function gets
import logging
class Sink:
    level = 0
    def __init__(self): self.seen = []
    def handle(self, record): self.seen.append(record.getMessage())
def attach(logger, sink): logger.addHandler(sink)
def f():
    sink, logger = Sink(), logging.Logger("x")
    attach(logger, sink)
    logger.warning("a")
    return sink.seen

# a filter of a logger in settings
import logging.config
class Drop:
    def filter(self, record): return False
def f():
    logging.config.dictConfig({"version": 1, "filters": {"d": {"()": Drop}},
        "loggers": {"own2": {"filters": ["d"]}}})
    return logging.getLogger("own2").filter(logging.makeLogRecord({}))

# a factory that makes one of two
import sqlite3
class Point:
    def __init__(self, *row): self.row = row
    def norm(self): return sum(self.row)
def factory(cursor, row):
    if len(row) > 1: return Point(*row)
    return row
def opened(make):
    conn = sqlite3.connect(":memory:")
    conn.row_factory = make
    return conn
def f(): return opened(factory).execute("select 1, 2").fetchone().norm()

# an iterator that a queue gives
import queue
class Task:
    def __init__(self, n): self.n = n
    def perform(self): return self.n
class Worker:
    def __init__(self): self.queue = queue.SimpleQueue()
    def add(self, n): self.queue.put(Task(n))
    def run(self):
        while not self.queue.empty():
            yield self.queue.get().perform()
def f():
    worker = Worker()
    worker.add(3)
    return list(worker.run())

# a tuple of a queue unpacked
import queue
class Task:
    def perform(self, n): return n
def f():
    q = queue.SimpleQueue()
    q.put((2, Task()))
    n, task = q.get()
    return task.perform(n)

# a profiler in a with
import cProfile
class Task:
    def perform(self): return 1
def f():
    with cProfile.Profile() as profile: return profile.runcall(Task).perform()

# a test suite with a result of ours
import unittest
class Result:
    shouldStop = False
    def __init__(self): self.seen = []
    def startTest(self, test): self.seen.append("start")
    def stopTest(self, test): self.seen.append("stop")
    def addSuccess(self, test): self.seen.append("ok")
class T(unittest.TestCase):
    def test_a(self): pass
def f():
    result = Result()
    unittest.TestSuite([T("test_a")]).run(result)
    return result.seen

# a connection with a socket of ours
import http.client
class Sock:
    def __init__(self): self.sent = b""
    def sendall(self, data): self.sent += data
    def close(self): pass
def f():
    conn = http.client.HTTPConnection("a")
    conn.sock = Sock()
    conn.request("GET", "/x")
    return conn.sock.sent[:8]

# an opener of a file
import os
class Opener:
    def __call__(self, path, flags): return os.open("/dev/null", flags)
def f():
    with open("x", opener=Opener()) as file: return file.read()

# a getter of logging records
import logging
class Factory:
    def __call__(self, *args, **options):
        record = logging.LogRecord(*args, **options)
        record.extra = 1
        return record
def f():
    before = logging.getLogRecordFactory()
    logging.setLogRecordFactory(Factory())
    record = logging.getLogger("x").makeRecord("x", 10, "", 1, "m", (), None)
    logging.setLogRecordFactory(before)
    return record.extra

# methods of an argument that is a default
import logging
class Filter:
    def filter(self, record): return False
def add(handler, which=Filter()): handler.addFilter(which)
def f():
    handler = logging.NullHandler()
    add(handler)
    return handler.filter(logging.makeLogRecord({}))

# an unknown filter
import logging
class Filter:
    def filter(self, record): return False
FILTERS = []
def register(x): FILTERS.append(x)
def f():
    register(Filter())
    handler = logging.NullHandler()
    for each in FILTERS: handler.addFilter(each)
    return handler.filter(logging.makeLogRecord({}))

# an attribute that is set by its name
import io, logging
class Short:
    def format(self, record): return "short"
def f():
    out = io.StringIO()
    handler = logging.StreamHandler(out)
    setattr(handler, "formatter", Short())
    handler.handle(logging.makeLogRecord({}))
    return out.getvalue()

# options that a name holds
import logging
class Out:
    def __init__(self): self.text = ""
    def write(self, text): self.text += text
    def flush(self): pass
def f():
    out = Out()
    options = {"stream": out}
    logging.StreamHandler(**options).handle(logging.makeLogRecord({"msg": "x"}))
    return out.text

# handlers of a list of the module
import urllib.request
class Memory(urllib.request.BaseHandler):
    def mem_open(self, request): return request.host
HANDLERS = [Memory]
def f(): return urllib.request.build_opener(*HANDLERS).open("mem://a")
"""
)


@pytest.mark.parametrize("title", ASKED)
def test_what_standard_code_asks_of_what_it_gets_is_kept(title: str, tmp_path: Path) -> None:
    check(ASKED[title], tmp_path)


INHERITED = programs(
    """\
# what a test compares
import unittest
class Point:
    def __init__(self, x): self.x = x
    def __eq__(self, other): return self.x == other.x
class Case(unittest.TestCase):
    def test(self): self.assertEqual(Point(1), Point(1))
def f():
    result = unittest.TestResult()
    Case("test").run(result)
    return result.wasSuccessful()

# what a handler runs
import io
from wsgiref.handlers import SimpleHandler
class App:
    def __call__(self, environ, start):
        start("200 OK", [])
        return [b"hi"]
class Handler(SimpleHandler):
    def get_stderr(self): return io.StringIO()
def f():
    out = io.BytesIO()
    handler = Handler(io.BytesIO(), out, io.StringIO(), {"SERVER_PROTOCOL": "HTTP/1.0"})
    handler.run(App())
    return out.getvalue()[-2:]

# what is written to
import configparser
class Out:
    def __init__(self): self.text = ""
    def write(self, text): self.text += text
class Settings(configparser.ConfigParser): pass
def f():
    settings, out = Settings(), Out()
    settings.read_string("[a]\\nb = 1")
    settings.write(out)
    return out.text

# what a constructor gets
import pickle
class Out:
    def __init__(self): self.text = b""
    def write(self, text): self.text += text
class Pickler(pickle.Pickler): pass
def f():
    out = Out()
    Pickler(out).dump(1)
    return pickle.loads(out.text)

# what a constructor hands on to that of its base
import logging
class Out:
    def __init__(self): self.text = ""
    def write(self, text): self.text += text
    def flush(self): pass
class Handler(logging.StreamHandler):
    def __init__(self, out): super().__init__(out)
def f():
    out = Out()
    Handler(out).handle(logging.makeLogRecord({"msg": "x"}))
    return out.text

# what a function gives that is handed on
import io
from wsgiref.handlers import SimpleHandler
class Body:
    def __iter__(self): return iter([b"x"])
    def __len__(self): return 1
def app(environ, start):
    start("200 OK", [])
    return Body()
def f():
    out = io.BytesIO()
    SimpleHandler(io.BytesIO(), out, io.StringIO(), {"SERVER_PROTOCOL": "HTTP/1.0"}).run(app)
    return out.getvalue()[-1:]
"""
)


@pytest.mark.parametrize("title", INHERITED)
def test_what_inherited_members_ask_of_what_they_get_is_kept(title: str, tmp_path: Path) -> None:
    check(INHERITED[title], tmp_path)


def test_what_bases_outside_call_is_kept_of_what_a_constructor_outside_gets(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    outside, inside = tmp_path / "outside", tmp_path / "inside"
    outside.mkdir()
    inside.mkdir()
    (outside / "updates_outside.py").write_text("""\
class Source:
    def refresh(self): return self._update()
class Entity:
    def __init__(self, source): self.value = source.refresh()
""")
    monkeypatch.syspath_prepend(outside)
    (inside / "program.py").write_text("""\
from updates_outside import Entity, Source
class Prices(Source):
    def _update(self): return 1
class Price(Entity):
    def __init__(self, prices: Prices): super().__init__(prices)
    def show(self): return self.value
""")
    space: dict[str, Any] = {}
    exec(slice_function(Repository(inside), "program.py::Price.show").source, space)
    assert space["Price"](space["Prices"]()).show() == 1
