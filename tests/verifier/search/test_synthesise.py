"""Cases without a model: every branch, every mutant that can be killed, and few of them."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from slicefunc.driver.pipeline.case_synthesis import search_cases
from slicefunc.driver.pipeline.passes import compile_slice
from slicefunc.slicer import Repository
from slicefunc.verifier.search.corpus.search_result import Synthesis
from slicefunc.verifier.search.exploration import Budget

from tests.nightly import one_in
from tests.verifier.one_executor import one_executor

COMMANDS = (
    "class Command:\n"
    "    def __init__(self, callback):\n"
    "        self.callback = callback\n\n"
    "    def __call__(self, *args):\n"
    "        raise SystemExit(self.callback(*args[1:]))\n\n"
    "def only(function):\n"
    "    def around(key, *args):\n"
    "        if hash(key) != 20:\n"
    "            raise PermissionError\n"
    "        return function(*args)\n"
    "    around.__wrapped__ = function\n"
    "    return around\n\n"
    "@Command\n"
    "def greet(name, loud):\n"
    "    if loud:\n"
    "        return name.upper()\n"
    "    return f'hello {name}'\n\n"
    "class Page:\n"
    "    @Command\n"
    "    def title(self, text):\n"
    "        return text.upper()\n\n"
    "@only\n"
    "def secret(number):\n"
    "    return number + 1\n"
)
# the function of the command is given what stands before the arguments by another one around it
GIVEN_THE_CONTEXT = (
    "from functools import wraps\n\n"
    "class Command:\n"
    "    def __init__(self, callback):\n"
    "        self.callback = callback\n\n"
    "    def __call__(self, *args):\n"
    "        raise SystemExit(self.callback(*args[1:]))\n\n"
    "def pass_context(function):\n"
    "    @wraps(function)\n"
    "    def around(*args, **named):\n"
    "        return function(CURRENT[-1], *args, **named)\n"
    "    return around\n\n"
    "CURRENT = []\n\n"
    "@Command\n"
    "@pass_context\n"
    "def told(ctx, loud):\n"
    "    if loud:\n"
    "        return ctx.obj['name'].upper()\n"
    "    return 'hello ' + ctx.obj['name']\n"
)
# its decorator hides it from nobody, and whoever makes an instance runs it
VALIDATED = (
    "def checked(function):\n"
    "    function.is_check = True\n"
    "    return function\n\n"
    "class Order:\n"
    "    def __init__(self, size: int):\n"
    "        self.size = size\n"
    "        Order.is_whole(self, size)\n\n"
    "    @checked\n"
    "    def is_whole(self, number: int):\n"
    "        if number % 2:\n"
    "            return 'odd'\n"
    "        return 'even'\n"
)
LEFT_TO_SUBCLASSES = (
    "from abc import ABC, abstractmethod\n\n"
    "class Unit(ABC):\n"
    "    def __init__(self, name: str):\n"
    "        self.name = name\n\n"
    "    @abstractmethod\n"
    "    def told(self, size: int):\n"
    "        if size == 1:\n"
    "            return f'one {self.name}'\n"
    "        return f'{size} {self.name}s'\n\n"
    "    @property\n"
    "    @abstractmethod\n"
    "    def short(self):\n"
    "        return self.name[:1] + '.'\n"
)
LATER = """\
from collections.abc import AsyncIterator, Awaitable, Iterator


def first_even(it: Iterator[int]) -> int | None:
    while True:
        try:
            n = next(it)
        except StopIteration:
            return None
        if n % 2 == 0:
            return n


async def added(items: AsyncIterator[int]) -> int:
    found = 0
    async for n in items:
        if n > 1:
            found += n
    return found


async def doubled(c: Awaitable[int]) -> int:
    n = await c
    if n > 3:
        return n
    return 2 * n
"""
PROGRAMS = {
    "filtering": (
        "def filtering(function):\n"
        "    class Filter:\n"
        "        def __init__(self, table):\n"
        "            if 'name' in table:\n"
        "                self.name = table['name'].upper()\n"
        "            else:\n"
        "                self.name = function.__name__\n"
        "    return Filter\n",
        1,
    ),
    "first_even": (LATER, 1.0),
    "added": (LATER, 1.0),
    "doubled": (LATER, 1.0),
    "greet": (COMMANDS, 1.0),
    "told": (GIVEN_THE_CONTEXT, 1.0),
    "Page.title": (COMMANDS, 1.0),
    "secret": (COMMANDS, 1.0),
    "Order.is_whole": (VALIDATED, 1.0),
    "Unit.told": (LEFT_TO_SUBCLASSES, 1.0),
    "Unit.short": (LEFT_TO_SUBCLASSES, 1.0),
    "squares": (
        "import pytest\n\n"
        "@pytest.fixture\n"
        "def squares(size):\n"
        "    return [n * n for n in range(size)]\n",
        1.0,
    ),
    "grade": (
        "def grade(points):\n"
        "    if points < 0:\n"
        "        raise ValueError('negative')\n"
        "    if points >= 90:\n"
        "        return 'best'\n"
        "    return 'pass' if points > 49 else 'fail'\n",
        1.0,
    ),
    "settings": (
        "def settings(path):\n"
        "    found = {}\n"
        "    with open(path) as file:\n"
        "        for line in file.read().splitlines():\n"
        "            key, sign, value = line.partition('=')\n"
        "            if sign and len(value) > 3:\n"
        "                found[key] = value\n"
        "    return found\n",
        1.0,
    ),
    "parse": (
        "import re\n\n"
        "def parse(line):\n"
        "    found = re.match(r'(\\w+)=(\\d+)$', line)\n"
        "    if not found:\n"
        "        return None\n"
        "    if found[1] == 'limit':\n"
        "        return int(found[2]) * 2\n"
        "    return int(found[2])\n",
        1.0,
    ),
    "Stack.pop": (
        "class Stack:\n"
        "    def __init__(self):\n"
        "        self.items = []\n\n"
        "    def push(self, item):\n"
        "        self.items.append(item)\n\n"
        "    def pop(self):\n"
        "        if not self.items:\n"
        "            raise ValueError('empty')\n"
        "        return self.items.pop()\n",
        1.0,
    ),
    "load": (
        "import json\n\n"
        "def load(path):\n"
        "    with open(path) as stream:\n"
        "        data = json.load(stream)\n"
        "    if 'name' not in data:\n"
        "        return 'nobody'\n"
        "    return data['name'].upper()\n",
        1.0,
    ),
    "total": (
        "async def total(values):\n"
        "    result = 0\n"
        "    for value in values:\n"
        "        if value % 2:\n"
        "            result += value\n"
        "    return result\n",
        1.0,
    ),
    "Locks.release": (
        "class Locks:\n"
        "    def __init__(self):\n"
        "        self.held = set()\n"
        "        self.waiting = []\n"
        "        self.is_free = False\n\n"
        "    def release(self, lock):\n"
        "        self.held.remove(lock)\n"
        "        for _, other in self.waiting:\n"
        "            if other == lock:\n"
        "                self.is_free = True\n"
        "                break\n",
        0.8,
    ),
    "address": (
        "class Card:\n"
        "    def __init__(self, client):\n"
        "        raise ConnectionError(client)\n\n"
        "def address(card: Card, chapter):\n"
        "    return f'/manga/{card.number}/{chapter}'\n",
        1.0,
    ),
    "is_verbose": (
        "import os\nimport sys\n\n"
        "def is_verbose():\n"
        "    if sys.platform == 'win32':\n"
        "        return 'ACME_LOUD' in os.environ\n"
        "    value = os.environ.get('ACME_VERBOSE')\n"
        "    return bool(value and value.lower() not in {'0', 'no'})\n",
        0.9,
    ),
    "Chat.get": (
        "class Chat:\n"
        "    current = None\n\n"
        "    def __init__(self, size=3):\n"
        "        self.size = size\n\n"
        "    @classmethod\n"
        "    def get(cls):\n"
        "        if cls.current is None:\n"
        "            cls.current = Chat()\n"
        "        return cls.current\n",
        1.0,
    ),
    "Gate.enter": (  # what it reads of itself has another name outside of its class
        "class Base:\n"
        "    __limit = 3\n\n"
        "    def is_full(self, count):\n"
        "        return count > self.__limit\n\n"
        "class Gate(Base):\n"
        "    def __init__(self):\n"
        "        self.__open = False\n\n"
        "    def enter(self, name):\n"
        "        if self.__open:\n"
        "            return f'{name} is in'\n"
        "        return 'shut'\n",
        1.0,
    ),
    "Server.address": (  # a property and its setter are one target
        "class Server:\n"
        "    def __init__(self):\n"
        "        self._address = 'nowhere'\n\n"
        "    @property\n"
        "    def address(self):\n"
        "        return self._address\n\n"
        "    @address.setter\n"
        "    def address(self, value):\n"
        "        if isinstance(value, tuple) and value[0] in {'', None}:\n"
        "            value = 'anywhere'\n"
        "        self._address = value\n",
        1.0,
    ),
    "Orbit.size": (  # a decorator of the repository makes an attribute of it
        "class reify:\n"
        "    def __init__(self, method):\n"
        "        self.method = method\n\n"
        "    def __get__(self, instance, owner=None):\n"
        "        return self if instance is None else self.method(instance)\n\n"
        "class Orbit:\n"
        "    def __init__(self, axis, tilt):\n"
        "        self.axis = axis\n"
        "        self.tilt = tilt\n\n"
        "    @reify\n"
        "    def size(self):\n"
        "        if self.tilt > 1:\n"
        "            return self.axis * 2\n"
        "        return self.axis - self.tilt\n",
        1.0,
    ),
    "Kept.take": (  # no error names the file, and nobody else knows what it is called
        "import hashlib\nimport os\n\n"
        "class Kept:\n"
        "    def __init__(self, folder):\n"
        "        self.folder = folder\n\n"
        "    def place(self, key):\n"
        "        name = hashlib.md5(key.encode()).hexdigest()\n"
        "        return os.path.join(self.folder, name[:2], name[2:8])\n\n"
        "    def take(self, key):\n"
        "        place = self.place(key)\n"
        "        if not os.path.exists(place):\n"
        "            return 'nothing'\n"
        "        with open(place) as stream:\n"
        "            text = stream.read()\n"
        "        os.unlink(place)\n"
        "        return text\n",
        1.0,
    ),
    "Shell.past": (  # subclasses say where the file is
        "import os\n\n"
        "class Shell:\n"
        "    def file(self):\n"
        "        return ''\n\n"
        "    def past(self):\n"
        "        name = self.file()\n"
        "        if os.path.isfile(name):\n"
        "            with open(name) as stream:\n"
        "                return stream.read()\n"
        "        return 'nothing'\n",
        1.0,
    ),
    "Session.step": (  # nothing that can be given opens it
        "import hashlib\n\n"
        "class Session:\n"
        "    def __init__(self, key):\n"
        "        self.key = key\n\n"
        "    async def is_open(self):\n"
        "        return hashlib.sha256(self.key.encode()).hexdigest().startswith('0' * 12)\n\n"
        "    async def step(self, text):\n"
        "        if not await self.is_open():\n"
        "            return 'closed'\n"
        "        if not text:\n"
        "            return 'nothing'\n"
        "        return text.upper()\n",
        1.0,
    ),
    "Table.rows": (  # what is entered cannot be opened; what it is asked for then is seen
        "import hashlib\n"
        "from contextlib import contextmanager\n\n"
        "class Table:\n"
        "    def __init__(self, source):\n"
        "        self.source = source\n\n"
        "    @contextmanager\n"
        "    def opened(self):\n"
        "        if hashlib.sha256(self.source.encode()).hexdigest()[:12] != '0' * 12:\n"
        "            raise OSError(self.source)\n"
        "        with open(self.source) as stream:\n"
        "            yield stream.table\n\n"
        "    def rows(self, condition):\n"
        "        with self.opened() as table:\n"
        "            yield tuple(table.names)\n"
        "            if condition is not None:\n"
        "                found = table.where(condition, start=1)\n"
        "            else:\n"
        "                found = table.each(start=2)\n"
        "            for row in found:\n"
        "                yield row[:]\n",
        1.0,
    ),
    "evens": (
        "def evens(limit):\n"
        "    for number in range(limit):\n"
        "        if number % 2 == 0:\n"
        "            yield number\n",
        1.0,
    ),
    "level": (
        "from contextvars import ContextVar\n"
        "from threading import local\n\n"
        "class Machine:\n"
        "    def __init__(self):\n"
        "        raise OSError('no such machine')\n\n"
        "_request = ContextVar('request')\n"
        "_machine: ContextVar[Machine] = ContextVar('machine')\n"
        "_active = local()\n\n"
        "def level(name):\n"
        "    request = _request.get()\n"
        "    if name == 'machine':\n"
        "        return isinstance(_machine.get(), Machine)\n"
        "    if name in _active.names:\n"
        "        return request.level + 1\n"
        "    return request.level\n",
        1.0,
    ),
}


def searched(folder: Path, text: str, name: str, budget: Budget | None = None) -> Synthesis:
    """What a search for a target of that text finds."""
    (folder / "code.py").write_text(text)
    repository = Repository(folder)
    sliced = compile_slice(repository, (f"code.py::{name}",))
    return search_cases(repository, sliced, one_executor().run, budget)


@pytest.mark.parametrize("name", one_in(3, PROGRAMS))
def test_every_branch_is_taken_by_few_cases(name: str, tmp_path: Path) -> None:
    text, least = PROGRAMS[name]
    found = searched(tmp_path, text, name)
    assert found.coverage is not None, found.failure
    assert found.coverage.share >= least, found.coverage.missing
    assert found.kill_rate is not None
    assert found.kill_rate >= 0.8, [str(each) for each in found.survived]
    assert len(found.cases) <= 8


ASKING = {
    "slug": "def slug(name):\n    return '-'.join(name.split()).lower()\n",
    "smallest": (
        "def smallest(items):\n"
        "    found = 0\n"
        "    for place in range(1, len(items)):\n"
        "        if items[place] < items[found]:\n"
        "            found = place\n"
        "    return found\n"
    ),
    "plain": "def plain(name):\n    return name.lstrip('_').rstrip('-')\n",
    # only with the flag, which may be left out, does more than a whole text match
    "Matcher.match": (
        "import re\n\n"
        "class Matcher:\n"
        "    def __init__(self, pattern: str, caseless: bool = True, regexp: bool = False):\n"
        "        pattern = pattern if regexp else re.escape(pattern) + r'\\Z'\n"
        "        self.regexp = re.compile(pattern, re.IGNORECASE if caseless else 0)\n\n"
        "    def match(self, text: str) -> bool:\n"
        "        return self.regexp.match(text) is not None\n"
    ),
}


@pytest.mark.parametrize("name", one_in(2, ASKING))
def test_a_mutant_gets_the_input_on_which_it_shows(name: str, tmp_path: Path) -> None:
    found = searched(tmp_path, ASKING[name], name)
    assert not found.survived, [str(each) for each in found.survived]


def test_a_class_that_leaves_an_attribute_to_its_subclasses_is_completed(tmp_path: Path) -> None:
    text = (
        "class App:\n"
        "    def __init__(self):\n"
        "        self.made = self.default_config\n\n"
        "    def size(self):\n"
        "        if self.made:\n"
        "            return len(self.made)\n"
        "        return -1\n"
    )
    found = searched(tmp_path, text, "App.size")
    assert found.coverage is not None
    assert found.coverage.share == 1
    assert all("default_config" in case.code for case in found.cases)


# nothing says what `schema` and the results of its calls are but what fails on them; another
# function makes what the class draws with, and of its image no instance can be made
UNKNOWN = {
    "f": (
        "REGISTERED = []\n\n"
        "def f(schema, mode='a'):\n"
        "    found = REGISTERED[0](schema)\n"
        "    if found == mode:\n"
        "        return 1\n"
        "    return len(found)\n\n"
        "def first(given):\n"
        "    return given.fields.items() and given.state.db.get('x')\n\n"
        "REGISTERED.append(vars()['first'])\n"
    ),
    "Drawer.draw": (
        "class Image:\n"
        "    def __init__(self, border, width):\n"
        "        self.border = border + width.size\n"
        "        self.color = 'red'\n\n"
        "class Drawer:\n"
        "    image: Image\n\n"
        "    def draw(self, box, is_active: bool):\n"
        "        if is_active:\n"
        "            self.pen.rectangle(box, fill=self.image.color)\n"
    ),
    "Mixin.save": (
        "class Mixin:\n"
        "    def save(self, geometry):\n"
        "        context = self.get_context()\n"
        "        context['where'].update(geometry)\n"
    ),
}


@pytest.mark.parametrize("name", one_in(2, UNKNOWN))
def test_one_error_after_the_other_says_what_is_wanted(name: str, tmp_path: Path) -> None:
    found = searched(tmp_path, UNKNOWN[name], name)
    assert not found.failure
    assert found.coverage is not None
    assert found.coverage.share == 1
    assert all('"outcome":"returned"' in each for each in found.observations[:1])
    assert found.kill_rate is not None
    assert found.kill_rate >= 0.8


def test_a_line_that_only_raised_has_yet_to_return_something(tmp_path: Path) -> None:
    text = (
        "class Attributes(dict):\n"
        "    __slots__ = ()\n\n"
        "    def __getattr__(self, name):\n"
        "        try:\n"
        "            return self[name]\n"
        "        except KeyError:\n"
        "            raise AttributeError(name) from None\n"
    )
    found = searched(tmp_path, text, "Attributes.__getattr__")
    assert {each.startswith('{"outcome":"returned"') for each in found.observations} == {
        True,
        False,
    }


def test_an_attribute_is_what_a_flag_of_the_module_can_be(tmp_path: Path) -> None:
    text = (
        "try:\n"
        "    import json\n"
        "    has_json = True\n"
        "except ImportError:\n"
        "    has_json = False\n\n"
        "class Chart:\n"
        "    def __init__(self):\n"
        "        self.__is_there = has_json\n\n"
        "    @property\n"
        "    def is_there(self):\n"
        "        return self.__is_there\n"
    )
    found = searched(tmp_path, text, "Chart.is_there")
    ways = ("_Chart__is_there = False", "has_json = False")
    assert any(way in case.code for case in found.cases for way in ways)


def test_an_instance_of_a_class_of_a_library_is_made_without_its_constructor(
    tmp_path: Path,
) -> None:
    text = (
        "from wsgiref.simple_server import WSGIServer\n\n"
        "class Storage:\n"
        "    def __init__(self, app=None):\n"
        "        self.app = app\n\n"
        "    def validate(self):\n"
        "        if not isinstance(self.app, WSGIServer):\n"
        "            raise TypeError('no server')\n"
        "        return 'well'\n"
    )
    found = searched(tmp_path, text, "Storage.validate")
    assert found.coverage is not None
    assert found.coverage.share == 1
    assert any("object.__new__(WSGIServer)" in case.code for case in found.cases)


def test_who_only_hands_on_shows_what_is_handed_on(tmp_path: Path) -> None:
    text = (
        "class Rules:\n"
        "    def check(self, rule, level=1, *, strict=False):\n"
        "        rule.strip()\n\n"
        "    def check_all(self, rules):\n"
        "        for rule in rules:\n"
        "            self.check(rule=rule, strict=True)\n"
    )
    found = searched(tmp_path, text, "Rules.check_all")
    assert not found.survived, [str(each) for each in found.survived]
    assert any("def __call__(self, rule, level=1, *, strict=False)" in c.code for c in found.cases)


def test_what_is_replaced_records_no_calls(tmp_path: Path) -> None:
    text, _ = PROGRAMS["Session.step"]
    found = searched(tmp_path, text, "Session.step")
    assert any("is_open = lambda" in case.code for case in found.cases)
    assert not any("calls" in case.code for case in found.cases)


def test_what_is_wrapped_is_called_by_position(tmp_path: Path) -> None:
    text = (
        "def memo(function):\n"
        "    def called(*given):\n"
        "        return function(*given)\n"
        "    return called\n\n"
        "@memo\n"
        "def more(number, step=1):\n"
        "    return number + 1\n"
    )
    found = searched(tmp_path, text, "more")
    assert found.cases
    assert not found.survived


def test_what_simpler_cases_kill_is_counted(tmp_path: Path) -> None:
    text = (
        "def marks(names, edges):\n"
        "    found = [0] * len(names)\n"
        "    for edge in edges:\n"
        "        source = names.index(edge.source)\n"
        "        target = names.index(edge.target)\n"
        "        found[source] = edge.weight\n"
        "    return found\n"
    )
    found = searched(tmp_path, text, "marks")
    assert not [str(e) for e in found.survived if "edge.weight -> pass" in str(e)]


def test_the_same_cases_each_time(tmp_path: Path) -> None:
    text, _ = PROGRAMS["grade"]
    first, second = (searched(tmp_path, text, "grade") for _ in range(2))
    assert [case.code for case in first.cases] == [case.code for case in second.cases]


HINDERED = {
    "a lock": ("import threading\n\ndef f():\n    return threading.Lock()\n", "opaque", "lock"),
    "nothing": ('def f(x):\n    """Would read it."""\n', "shows_nothing", "return None"),
    "a number": (
        "def one(function):\n    return 1\n\n@one\ndef f(x):\n    return x\n",
        "not_reached", "@one",
    ),
    "another function": (
        "def f(x):\n    return x\n\ndef g(x):\n    return 2\n\nf = g\n",
        "not_reached", "do not run it: returned 2",
    ),
}  # fmt: skip


def test_a_search_whose_time_is_over_has_cases_and_says_that_it_was_cut(tmp_path: Path) -> None:
    bits = "".join(f"    if a == {n * 17}:\n        return {n}\n" for n in range(9))
    text = f"def f(a: int, b: int) -> int:\n{bits}    return b\n"
    found = searched(tmp_path, text, "f", Budget(ends=time.monotonic()))
    assert found.is_cut
    assert found.cases
    assert found.tried < 60 < searched(tmp_path, text, "f").tried


@pytest.mark.parametrize("name", one_in(2, HINDERED))
def test_what_cannot_be_seen_gets_no_case_and_it_is_said_why(name: str, tmp_path: Path) -> None:
    text, code, told = HINDERED[name]
    found = searched(tmp_path, text, "f", Budget(drafts=60, idle_rounds=1))
    assert not found.cases
    assert found.code == code
    assert told in found.failure
