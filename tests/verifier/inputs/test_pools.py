"""What can be given to a target, on small programs."""

from __future__ import annotations

import ast
import textwrap
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from slicefunc.driver.pipeline.passes import Options, compile_slice
from slicefunc.slicer import Repository, slice_function
from slicefunc.verifier.inputs.argument_pools import Inputs, inputs_of
from slicefunc.verifier.inputs.arguments.fitting_arguments import sized
from slicefunc.verifier.inputs.statements import Statement, texts_of
from slicefunc.verifier.inputs.types.isinstance_classes import isinstance_classes
from slicefunc.verifier.search.drafts.drafts import case_of, first_draft

if TYPE_CHECKING:
    from pathlib import Path


def inputs(tmp_path: Path, source: str, target: str) -> Inputs:
    """Of a target in a repository of one file."""
    (tmp_path / "a.py").write_text(textwrap.dedent(source))
    repository = Repository(tmp_path)
    found = inputs_of(repository, compile_slice(repository, (f"a.py::{target}",)))
    assert found is not None
    return found


def texts(found: Inputs, name: str) -> tuple[str, ...]:
    """What one parameter can be."""
    return next(pool.texts for pool in found.pools if pool.name == name)


def test_a_function_that_is_made_and_returned_is_called(tmp_path: Path) -> None:
    source = """
        def repeat(times):
            def around(function):
                def inner(text, sign="!"):
                    return function(text + sign) * times
                return inner
            return around
    """
    found = inputs(tmp_path, source, "repeat")
    assert found.calls == 3
    assert [pool.name for pool in found.pools] == ["times", "1:function", "2:text", "2:sign"]
    code = case_of(found, first_draft(found), "case_a").code
    call = code.partition("return ")[2]
    made: list[object] = []
    exec(textwrap.dedent(source) + f"made.append({call.strip()})", {"made": made})
    assert made


def test_of_a_class_that_is_made_and_returned_instances_are_made(tmp_path: Path) -> None:
    source = """
        def filtering(function):
            class Filter:
                def __init__(self, table):
                    self.table = {**table, "call": function, "by": table["name"].upper()}
            Filter.__name__ = function.__name__
            return Filter
    """
    found = inputs(tmp_path, source, "filtering")
    assert [pool.name for pool in found.pools] == ["function", "1:table"]
    assert ")(table={'name': 'name-1'})" in case_of(found, first_draft(found), "case_1").code


def test_what_is_returned_beside_something_else_is_not_called(tmp_path: Path) -> None:
    source = """
        def maker(kind):
            def inner():
                return 1
            if kind:
                return None
            return inner
    """
    assert inputs(tmp_path, source, "maker").calls == 1


def test_classes_that_are_tested_for_are_given(tmp_path: Path) -> None:
    source = """
        class Point:
            def __init__(self, x):
                self.x = x

        def shown(value):
            if isinstance(value, (Point, bytes)):
                return "a"
            return "b"
    """
    found = texts(inputs(tmp_path, source, "shown"), "value")
    assert "Point.__new__(Point)" in found  # the slice has no constructor
    assert "b'bytes-1'" in found


def test_a_record_is_also_that_of_each_who_tries_to_read_it(tmp_path: Path) -> None:
    source = """
        class Circle:
            def __init__(self, radius):
                self.radius = radius

            @classmethod
            def of(cls, record):
                if record["kind"] != "circle":
                    raise ValueError(record["kind"])
                return cls(record["radius"] * 2)

        class Square:
            def __init__(self, side):
                self.side = side

            @classmethod
            def of(cls, record):
                if record["kind"] != "square":
                    raise ValueError(record["kind"])
                return cls(record["side"] + 1)

        def shape(data: object) -> Circle | Square:
            if not isinstance(data, dict):
                raise TypeError
            try:
                return Circle.of(data)
            except ValueError:
                pass
            return Square.of(data)

        def either(data: object) -> Circle | Square:
            if not isinstance(data, dict):
                return data
            try:
                return Circle.of(data)
            except ValueError:
                pass
            try:
                return Square.of(data)
            except KeyError:
                raise TypeError
    """
    records = [eval(text) for text in texts(inputs(tmp_path, source, "either"), "data")]
    assert {"kind", "radius", "side"} == set(records[0])
    assert [r["kind"] for r in records if set(r) == {"kind", "radius"}] == ["circle"]
    assert [r["kind"] for r in records if set(r) == {"kind", "side"}] == ["square"]
    only = [eval(text) for text in texts(inputs(tmp_path, source, "shape"), "data")]
    assert not any(set(r) == {"kind", "radius"} for r in only if isinstance(r, dict))


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ("if name in held:\n        del held[name]", dict),
        ("if name in held:\n        held[name] = 1", dict),
        ("held['name'] = name", dict),
        ("del held['name']", dict),
        ("del held[0]", list),
        ("held[-1] = name", list),
        ("return name in held", str),
    ],
)
def test_what_is_put_in_tells_what_it_is_put_into(tmp_path: Path, body: str, kind: type) -> None:
    found = inputs(tmp_path, f"def f(held, name):\n    {body}\n", "f")
    assert type(eval(texts(found, "held")[0])) is kind


def test_what_an_instance_registers_is_there_under_the_key_that_is_given(tmp_path: Path) -> None:
    source = """
        class Handlers:
            def __init__(self):
                self._known = {}

            def add(self, user, callback):
                if not user in self._known:
                    self._known[user] = [callback]
                else:
                    self._known[user].append(callback)
    """
    found = inputs(tmp_path, source, "Handlers.add")
    users = [eval(text) for text in texts(found, "user")]
    assert not isinstance(users[0], list)
    states = [eval(text.partition(" = ")[2]) for text in texts_of(found.receivers.states)]
    assert {} in states
    assert any(isinstance(state.get(users[0]), list) for state in states)


def test_values_that_belong_together_are_given_at_once(tmp_path: Path) -> None:
    source = """
        def effect(item, place):
            table = {("key", "door"): "opens", ("lamp", "cave"): "lights"}
            return table.get((item, place))
    """
    found = inputs(tmp_path, source, "effect")
    assert found.together == (
        (("item", "'key'"), ("place", "'door'")),
        (("item", "'lamp'"), ("place", "'cave'")),
    )


def test_an_abstract_class_is_completed(tmp_path: Path) -> None:
    source = """
        from abc import ABC, abstractmethod

        class Base(ABC):
            @abstractmethod
            def send(self, text): ...

            def shout(self, text):
                self.send(text)
                return text.upper()

        class Half(Base):
            @property
            @abstractmethod
            def size(self): ...

            def send(self, text):
                return text
    """
    (text, *_) = inputs(tmp_path, source, "Base.shout").receivers.texts
    assert text == "type('SomeBase', (Base,), {'send': lambda self, *args, **named: None})()"


@pytest.mark.parametrize(
    ("parameter", "body", "text"),
    [
        ("found", "found.add('a'); return len(found)", "{'found-1', 'found-2'}"),
        ("found: set[str]", "return len(found)", "{'found-1', 'found-2'}"),
        ("found: frozenset", "return sorted(found)", "{'found-1', 'found-2'}"),
        ("found: set[tuple[int, int]]", "return len(found)", "{(1, 2), (3, 4)}"),
        ("rows", "rows.add(1); rows.append(2)", "['row-1', 'row-2']"),
        ("last", "last.appendleft(1); return last.popleft()",
         '__import__("collections").deque([\'last-1\', \'last-2\'])'),
        ("seen: dict[str, set[str]]", "seen['a'].add('b')", "{'a': {'a-1', 'a-2'}}"),
    ],
)  # fmt: skip
def test_sets_and_deques(tmp_path: Path, parameter: str, body: str, text: str) -> None:
    (pool,) = inputs(tmp_path, f"def f({parameter}):\n    {body}\n", "f").pools
    assert pool.texts[0] == text


def test_what_subclasses_are_to_write_is_there(tmp_path: Path) -> None:
    source = """
        class Base:
            def check(self, name):
                "Subclasses say no."
                raise NotImplementedError(name)

            async def load(self):
                raise NotImplementedError

            def other(self):
                raise NotImplementedError

        class Half(Base):
            def route(self, rule):
                self.check(rule)
                return self.load, rule
    """
    texts = inputs(tmp_path, source, "Half.route").receivers.texts
    check = "'check': lambda self, *args, **named: None"
    load = "'load': lambda self, *args, **named: __import__(\"asyncio\").sleep(0, None)"
    assert texts == ("Half()", f"type('SomeHalf', (Half,), {{{check}, {load}}})()")
    assert inputs(tmp_path, source, "Base.other").receivers.texts == ("Base()",)


def test_a_constructor_that_the_slice_lacks_is_not_called(tmp_path: Path) -> None:
    source = """
        class Command:
            def __init__(self, name):
                self.name = name

        class Context:
            def __init__(self, command: Command):
                self.command = command

            def depth(self):
                return 0 if self.command else 1
    """
    assert inputs(tmp_path, source, "Context.depth").receivers.texts == (
        "Context(command=Command.__new__(Command))",
    )


def test_abstract_members_give_what_they_say(tmp_path: Path) -> None:
    source = """
        from abc import ABC, abstractmethod

        class Base(ABC):
            @abstractmethod
            def parse(self, text) -> tuple[str, list[str]]: ...

            @property
            @abstractmethod
            def parent(self) -> "Base": ...

            @abstractmethod
            def close(self) -> None: ...

            def first(self, text):
                name, rest = self.parse(text)
                return rest[0]
    """
    (text, *_) = inputs(tmp_path, source, "Base.first").receivers.texts
    assert "'parse': lambda self, *args, **named: ('parse-1', ['parse-" in text
    assert "'parent': type('SomeBase', (Base,)" in text
    assert "'close': lambda self, *args, **named: None" in text
    assert text.count("SomeBase") < 5  # no deeper than instances are made elsewhere


def test_the_constructor_of_an_abstract_class_is_called_on_an_instance_of_a_subclass(
    tmp_path: Path,
) -> None:
    source = """
        from abc import ABC, abstractmethod

        class Base(ABC):
            def __init__(self, size):
                self.size = size

            @abstractmethod
            def send(self, text): ...
    """
    found = inputs(tmp_path, source, "Base.__init__")
    made = "type('SomeBase', (Base,), {'send': lambda self, *args, **named: None})"
    assert found.kind == "method"
    assert found.receivers.texts == (f"object.__new__({made})",)


def test_a_class_is_given_where_the_annotation_asks_for_one(tmp_path: Path) -> None:
    source = """
        class Shape:
            sides = 4

        def sides(shape: type[Shape]) -> int:
            return shape.sides
    """
    assert texts(inputs(tmp_path, source, "sides"), "shape")[0] == "Shape"


def test_a_generic_class_of_the_repository_is_given_whatever_its_parameters_are(
    tmp_path: Path,
) -> None:
    source = """
        from typing import Generic, TypeVar

        T = TypeVar("T")

        class Box(Generic[T]):
            def __init__(self, size: int):
                self.size = size

        def total(box: Box[str], boxes: "list[Box[T]] | None" = None):
            return box.size + sum(each.size for each in boxes or ())
    """
    found = inputs(tmp_path, source, "total")
    assert texts(found, "box")[0].startswith("Box(size=")
    assert texts(found, "boxes")[0].startswith("[Box(size=")


def test_what_is_optional_is_something_else_than_its_default_at_first(tmp_path: Path) -> None:
    source = """
        def show(text, width=2, frame=True, colour=False, mark=None, *, end="!", times=3.0):
            if mark is not None:
                text = text.strip(mark)
            return f"{text:{width}}{end}", frame, not colour, times
    """
    found = inputs(tmp_path, source, "show")
    for name, default in [("width", "2"), ("mark", "None"), ("end", "'!'"), ("times", "3.0")]:
        assert texts(found, name)[0] != default
    assert texts(found, "frame")[0] == "False"
    assert texts(found, "colour")[0] == "True"


def test_an_instance_is_made_with_each_flag_the_other_way_round(tmp_path: Path) -> None:
    source = """
        class Editor:
            def __init__(self, name, save=True, quiet=False):
                self.name, self.save, self.quiet = name, save, quiet

            def edit(self):
                return self.name if self.save and not self.quiet else None
    """
    made = inputs(tmp_path, source, "Editor.edit").receivers.texts
    assert any("save=False" in text and "quiet" not in text for text in made)
    assert any("quiet=True" in text and "save" not in text for text in made)
    assert not any("save=True" in text or "quiet=False" in text for text in made)


def test_items_of_a_list_are_given_what_is_looked_at(tmp_path: Path) -> None:
    source = """
        from dataclasses import dataclass

        @dataclass
        class Task:
            title: str
            owner: str = ""
            place: str = ""

        def owned(tasks: list[Task]):
            return [each.title for each in tasks if each.owner]
    """
    found = texts(inputs(tmp_path, source, "owned"), "tasks")
    assert any(text.startswith("[") and "owner=" in text for text in found)
    assert not any("place=" in text for text in found)


def test_what_is_read_of_the_surroundings_is_an_input(tmp_path: Path) -> None:
    source = """
        import os
        import sys
        from os import environ

        PREFIX = "ACME_"
        OLD = os.environ.get("ACME_UNREAD_LATER", "")

        def level():
            def asked(name):
                return environ.get(name.upper())
            if sys.platform == "win32":
                return asked("acme_level")
            return int(os.getenv(PREFIX + "COUNT", "0")) + len(sys.argv)
    """
    made = texts_of(inputs(tmp_path, source, "level").surroundings)
    assert any("environ['ACME_LEVEL'] = " in each for each in made)
    assert any("environ['ACME_COUNT'] = '1'" in each for each in made)
    assert any(".platform = 'win32'" in each for each in made)
    assert any(".argv = [" in each for each in made)
    assert not any("UNREAD" in each for each in made)


@pytest.mark.parametrize("asked", ["time.time()", "datetime.now().hour", "date.today()"])
def test_it_is_later_where_something_asks_what_time_it_is(tmp_path: Path, asked: str) -> None:
    source = f"""
        import time
        from datetime import date, datetime

        def when():
            return {asked}

        def pause():
            time.sleep(1)
    """
    found = texts_of(inputs(tmp_path, source, "when").surroundings)
    later = [each for each in found if each.startswith('__import__("time").sleep(')]
    elsewhere = [each for each in found if "tzset" in each]
    assert later
    assert elsewhere
    earlier = [each for each in found if "clock_settime" in each]
    assert set(found) == {*later, *earlier, *elsewhere}
    assert texts_of(inputs(tmp_path, source, "pause").surroundings) == ()


def test_code_that_reads_none_has_no_surroundings(tmp_path: Path) -> None:
    source = """
        import os

        def joined(a, b):
            return os.path.join(a, b)
    """
    assert texts_of(inputs(tmp_path, source, "joined").surroundings) == ()


def test_state_of_modules_and_classes_is_an_input(tmp_path: Path) -> None:
    source = """
        import sys

        WINDOWS = sys.platform.startswith("win")
        LIMIT = 3
        names = {}
        quiet = False

        def register(name, value):
            names[name] = value

        def be_quiet():
            global quiet
            quiet = True

        class Chat:
            current = None
            size = 3

            @classmethod
            def get(cls):
                if cls.current is None:
                    cls.current = Chat()
                return cls.current

        def sorted_names(size):
            size[0] = 1

        size = 3

        def found(name):
            if quiet or size or WINDOWS or Chat.size > LIMIT:
                return None
            return names[name].lower()
    """
    made = texts_of(inputs(tmp_path, source, "found").surroundings)
    assert {"quiet = True", "WINDOWS = True", "WINDOWS = False"} <= set(made)
    assert any(each.startswith("names = {") for each in made)
    assert not any(each.startswith(("LIMIT", "Chat", "size")) for each in made)
    assert "Chat.current = Chat()" in texts_of(inputs(tmp_path, source, "Chat.get").surroundings)


def test_a_statement_that_binds_a_name_of_the_script_declares_it(tmp_path: Path) -> None:
    source = """
        quiet = False
        def be_quiet():
            global quiet
            quiet = True
        def said(text):
            return None if quiet else text
    """
    found = inputs(tmp_path, source, "said")
    draft = replace(first_draft(found), before=(Statement("quiet = True"),))
    made: dict[str, object] = {}
    exec(textwrap.dedent(source) + case_of(found, draft, "case_a").code, made)
    assert eval("case_a()", made) is None


def fits(found: Inputs) -> list[dict[str, str]]:
    """What parameters are given at once."""
    return [dict(pairs) for pairs in found.fitting]


def test_sequences_have_one_length_and_rise_and_fall(tmp_path: Path) -> None:
    source = """
        def peaks(xs, ys):
            return [xs[i] for i in range(1, len(ys) - 1) if ys[i - 1] < ys[i] > ys[i + 1]]
    """
    made = fits(inputs(tmp_path, source, "peaks"))
    assert made
    for each in made:
        found: list[list[int]] = []
        call = f"found.append(peaks({each['xs']}, {each['ys']}))"
        exec(textwrap.dedent(source) + call, {"found": found})
        assert len(found[0]) > 1


def test_labels_of_a_table_have_its_length(tmp_path: Path) -> None:
    source = """
        import pandas as pd

        def fit(df, y):
            return df[y > 1].iloc[0]
    """
    made = fits(inputs(tmp_path, source, "fit"))
    assert any("DataFrame" in each["df"] and ".Series(" in each["y"] for each in made)


def test_arrays_have_one_size_and_so_has_what_takes_them(tmp_path: Path) -> None:
    source = """
        import numpy as np

        class Layer:
            def __init__(self, size_in, size_out):
                self.weights = np.ones((size_in, size_out))

            def loss(self, output, data):
                return np.mean(data.reshape(-1, 2)) + np.sum(np.abs(output @ self.weights))
    """
    found = inputs(tmp_path, source, "Layer.loss")
    sizes = ".arange(1.0, 17.0).reshape(4, 4)"
    assert any(all(sizes in text for text in each.values()) for each in fits(found))
    assert sized(found.receivers.texts[0]) == "Layer(size_in=4, size_out=4)"


def test_a_dictionary_that_is_tested_for_holds_what_is_asked_of_it(tmp_path: Path) -> None:
    source = '''
        import numpy as np

        def distances(statistics):
            """
            Parameters
            ----------
            statistics : np.ndarray or dict
                All of them.
            """
            if not isinstance(statistics, dict):
                raise ValueError
            return statistics["means"] @ np.linalg.cholesky(statistics["covariances"])
    '''
    made = [each["statistics"] for each in fits(inputs(tmp_path, source, "distances"))]
    (text,) = [text for text in made if text.startswith("{")]
    assert "'means': " in text
    assert "reshape(4, 1, 1) * " in text.partition("'covariances': ")[2]


def test_pins_and_sensors_are_such_as_there_are(tmp_path: Path) -> None:
    source = """
        import Adafruit_DHT as DHT
        import RPi.GPIO as GPIO

        class Sensor:
            def __init__(self, out, kind):
                self.out = out
                self.kind = kind
                GPIO.setup(self.out, GPIO.IN)

            def read(self):
                value, _ = DHT.read_retry(self.kind, self.out)
                return value
    """
    found = inputs(tmp_path, source, "Sensor.read")
    assert found.receivers.texts[0] == "Sensor(out=17, kind=22)"


def test_what_is_asked_of_what_an_instance_holds_is_put_there(tmp_path: Path) -> None:
    source = """
        class Pairs:
            def __init__(self):
                self._known = set()

            def put(self, one, other):
                self._known.add((one, other))

            def has(self, one, other):
                return (one, other) in self._known

        class Board:
            def __init__(self, size):
                self.size = size
                self.ways = Pairs()
                self.clear()

            def clear(self):
                self.ways = Pairs()
                for x in range(self.size):
                    self.ways.put(x, 0)

            def is_won(self):
                return self.ways.has(1, self.size + 1)
    """
    states = texts_of(inputs(tmp_path, source, "Board.is_won").receivers.states)
    assert "{it}.ways.put(1, {it}.size + 1)" in states
    assert "{it}.ways.put(1, 0)" in states


def test_what_sql_finds_rows_by_is_what_the_rows_have(tmp_path: Path) -> None:
    source = """
        import sqlite3

        def make(path):
            sqlite3.connect(path).execute(
                "CREATE TABLE IF NOT EXISTS users (code VARCHAR(20), name TEXT, level INTEGER)"
            )

        def find(path, name, code, level, other):
            make(path)
            db = sqlite3.connect(path)
            db.execute("UPDATE users SET level = ? WHERE name LIKE ?", (other, name))
            return db.execute(
                "SELECT name FROM users WHERE code = :code AND level >= :level",
                {"code": code, "level": level},
            ).fetchone()
    """
    found = inputs(tmp_path, source, "find")
    assert texts(found, "name")[0] == "'name 1'"
    assert texts(found, "code")[0] == "'code 1'"
    assert texts(found, "level")[0] == "1"
    assert texts(found, "other")[:2] != ("1", "2")


def test_attributes_hold_what_their_annotation_says(tmp_path: Path) -> None:
    source = """
        from dataclasses import dataclass

        @dataclass
        class Task:
            title: str
            done: bool = False

        class Board:
            def __init__(self):
                self.tasks: dict[int, Task] = {}

            def complete(self, key):
                task = self.tasks.get(key)
                if task is None:
                    return False
                task.done = True
                return True
    """
    states = texts_of(inputs(tmp_path, source, "Board.complete").receivers.states)
    assert "{it}.tasks = {'key-1': Task(title='title-1')}" in states


READING = {
    "a table": (
        "import csv\n"
        "def read(path):\n"
        "    with open(path) as file:\n"
        "        rows = csv.DictReader(file)\n"
        "        return [int(r['id']) for r in rows if r.get('state') == 'open']\n",
        "id,state,column1\n1,open,1\n2,text2,2\n3,open,3\n",
    ),
    "JSON": (
        "import json\n"
        "from pathlib import Path\n"
        "def read(folder):\n"
        "    return json.loads((Path(folder) / 'a.json').read_text())['name'].upper()\n",
        '{"name": "name-1"}\n',
    ),
    "a file of an object": (
        "import json\n"
        "class Store:\n"
        "    def __init__(self, file):\n"
        "        self.file = file\n"
        "    def read(self):\n"
        "        with open(self.file) as stream:\n"
        "            return json.load(stream)['level'] + 1\n",
        '{"level": 1}\n',
    ),
}


@pytest.mark.parametrize(("source", "content"), READING.values(), ids=READING.keys())
def test_files_that_are_given_hold_what_is_read(tmp_path: Path, source: str, content: str) -> None:
    target = "Store.read" if "class" in source else "read"
    assert inputs(tmp_path, source, target).files[0] == content


def test_what_is_only_written_needs_no_content(tmp_path: Path) -> None:
    source = "def write(path, text):\n    with open(path, 'w') as file:\n        file.write(text)\n"
    assert inputs(tmp_path, source, "write").files == ()


def test_what_is_replaced_tells_dates_from_texts(tmp_path: Path) -> None:
    source = """
        from datetime import timezone

        def utc(when, name):
            return when.replace(tzinfo=timezone.utc), name.replace("a", "b")
    """
    found = inputs(tmp_path, source, "utc")
    assert texts(found, "when")[0].startswith('__import__("datetime").datetime(')
    assert texts(found, "name")[0] == "'name-1'"


def test_an_asynchronous_context_is_given_and_not_iterated_over(tmp_path: Path) -> None:
    source = """
        import contextlib

        @contextlib.asynccontextmanager
        async def opened(name):
            yield name

        async def names(name):
            yield name
    """
    context = inputs(tmp_path, source, "opened")
    assert case_of(context, first_draft(context), "case_a").code.startswith("def case_a():")
    iterated = inputs(tmp_path, source, "names")
    assert "async for" in case_of(iterated, first_draft(iterated), "case_a").code


MODELS = {
    "models/card.py": """
        from attrs import define as _define

        @_define
        class Card:
            number: str
            kind: str = "card"
    """,
    "models/cash.py": """
        class Cash:
            def __init__(self, amount):
                self.amount = amount
    """,
    "a.py": """
        class Payment:
            def __init__(self, means=None):
                self.means = means

            def told(self):
                from models.card import Card
                from models.cash import Cash

                if isinstance(self.means, Card):
                    return self.means.number
                elif isinstance(self.means, Cash):
                    return self.means.amount
                return None
    """,
}


def test_an_attribute_is_given_instances_of_the_classes_that_it_is_tested_for(
    tmp_path: Path,
) -> None:
    (tmp_path / "models").mkdir()
    for path, source in MODELS.items():
        (tmp_path / path).write_text(textwrap.dedent(source))
    repository = Repository(tmp_path)
    found = inputs_of(repository, compile_slice(repository, ("a.py::Payment.told",)))
    assert found is not None
    states = "\n".join(texts_of(found.receivers.states))
    assert "Card(number='number-1')" in states  # whatever attrs is called there
    assert ".Cash.__new__(" in states


@pytest.mark.parametrize("target", ["Panel.show", "Dialog.show", "App.show"])
def test_what_widgets_are_made_in_is_a_window(tmp_path: Path, target: str) -> None:
    source = """
        import tkinter as tk
        from tkinter import ttk

        class Panel(ttk.Frame):
            def __init__(self, parent):
                ttk.Frame.__init__(self, parent)

            def show(self):
                self.pack()

        class Dialog:
            def __init__(self, parent):
                self.top = tk.Toplevel(parent)

            def show(self):
                self.top.title("a")

        class App(tk.Frame):
            def __init__(self, parent):
                super().__init__(parent)

            def show(self):
                self.pack()
    """
    found = inputs(tmp_path, source, target)
    assert found.receivers.texts[0].endswith('(parent=__import__("tkinter").Tk())')


ARGUMENTS = """
    import argparse

    def parsed():
        parser = argparse.ArgumentParser(description="Convert tables")
        parser.add_argument("source", help="what is read")
        parser.add_argument(dest="target")
        parser.add_argument("-o", "--output", default="out.csv")
        parser.add_argument("--mode", choices=["fast", "slow"], default="fast")
        parser.add_argument("--verbose", action="store_true")
        parser.add_argument("--version", action="version", version="1")
        return parser.parse_args()

    def parsed_of(argv=None):
        parser = argparse.ArgumentParser()
        parser.add_argument("source")
        parser.add_argument("--limit", type=int)
        return parser.parse_args(argv)
"""


def test_programs_are_asked_for_help_and_given_every_option(tmp_path: Path) -> None:
    found = texts_of(inputs(tmp_path, ARGUMENTS, "parsed").surroundings)
    start = '__import__("sys").argv = '
    assert f"{start}['program', '--help']" in found
    whole = ["program", "--output", "text", "--mode", "slow", "--verbose", "text", "text"]
    assert f"{start}{whole!r}" in found


def test_what_a_parser_reads_is_a_list_of_arguments(tmp_path: Path) -> None:
    found = texts(inputs(tmp_path, ARGUMENTS, "parsed_of"), "argv")
    assert found == ("['--limit', '1', 'text']", "['text']", "['--help']", "[]")


def test_an_instance_is_also_given_what_the_target_looks_at(tmp_path: Path) -> None:
    source = """
        from dataclasses import dataclass, field

        @dataclass
        class Client:
            address: str
            is_strict: bool = field(default=False, kw_only=True)
            retries: int = 3

        def checked(client: Client, status):
            if client.is_strict:
                raise ValueError(status)
            return client.address
    """
    first, *others = texts(inputs(tmp_path, source, "checked"), "client")
    assert "is_strict" not in first
    assert any("is_strict=True" in text for text in others)
    assert not any("retries" in text for text in others)


def test_a_target_that_is_left_to_subclasses_runs_all_the_same(tmp_path: Path) -> None:
    source = """
        from abc import ABC, abstractmethod

        class Base(ABC):
            def __init__(self, unit):
                self.unit = unit

            @abstractmethod
            def told(self, size):
                return f"{size} {self.unit}"

            @property
            @abstractmethod
            def short(self):
                return self.unit[:1]

            @abstractmethod
            def close(self): ...
    """
    (told, *_) = inputs(tmp_path, source, "Base.told").receivers.texts
    assert "'told': lambda self, *args, **named: vars(Base)['told'](self, *args, **named)" in told
    assert "'short': None" in told
    (short, *_) = inputs(tmp_path, source, "Base.short").receivers.texts
    assert "'short': property(lambda self: vars(Base)['short'].fget(self))" in short
    assert "'told': lambda self, *args, **named: None" in short


def test_a_class_method_that_is_left_to_subclasses_is_no_member_to_run(tmp_path: Path) -> None:
    source = """
        from abc import ABC, abstractmethod

        class Base(ABC):
            @classmethod
            @abstractmethod
            def merged(cls, other: "Base"):
                return other.merged(other)
    """
    found = inputs(tmp_path, source, "Base.merged")
    assert found.receivers.texts == ("Base",)
    made = "type('SomeBase', (Base,), {'merged': lambda self, *args, **named: None})()"
    assert texts(found, "other")[0] == made


def test_instances_of_what_patterns_ask_for_are_given(tmp_path: Path) -> None:
    source = """
        class Agent:
            def __init__(self, name: str):
                self.name = name

        class Tool(Agent):
            pass

        class Other:
            pass

        def told(value):
            match value:
                case Agent() as agent if agent.name:
                    return agent.name
                case Other() | Tool(name="a"):
                    return 2
                case str() as text:
                    return text
                case [Agent()]:
                    return 3
            return None
    """
    found = texts(inputs(tmp_path, source, "told"), "value")
    assert {"Agent()", "Tool()", "Other()", "'text-1'"} <= set(found)
    repository = Repository(tmp_path)
    sliced = compile_slice(repository, ("a.py::told",))
    assert isinstance_classes(repository, sliced) == ("a.py::Agent", "a.py::Tool")
    kept = Options(keep=isinstance_classes(repository, sliced))
    whole = compile_slice(repository, ("a.py::told",), kept)
    assert isinstance_classes(repository, whole) == ()
    full = inputs_of(repository, whole)
    assert full is not None
    assert {"Agent(name='name-1')", "Tool(name='name-1')"} <= set(texts(full, "value"))


def test_lists_of_what_items_are_tested_for_are_given(tmp_path: Path) -> None:
    source = """
        class Round:
            radius = 1

        class Square:
            width = 2

        def areas(shapes, names):
            for number, shape in enumerate(shapes):
                if isinstance(shape, Round):
                    yield number, shape.radius
                elif isinstance(shape, (Square, int)):
                    yield number, shape
            return [n for n in names if isinstance(n, bytes)]
    """
    found = inputs(tmp_path, source, "areas")
    assert {"[Round()]", "[Square()]", "[1]"} <= set(texts(found, "shapes"))
    assert "[b'bytes-1']" in texts(found, "names")


def test_attributes_are_lists_of_what_their_items_are_tested_for(tmp_path: Path) -> None:
    source = """
        class First:
            def __init__(self, name: str):
                self.name = name

        class Group:
            def __init__(self, members):
                self.members = members
                self.leader = None

            def names(self):
                if isinstance(self.leader, First):
                    return [self.leader.name]
                return [m.name for m in self.members if isinstance(m, First)]
    """
    (tmp_path / "a.py").write_text(textwrap.dedent(source))
    repository = Repository(tmp_path)
    sliced = compile_slice(repository, ("a.py::Group.names",))
    asked = isinstance_classes(repository, sliced)
    assert asked == ("a.py::First",)
    found = inputs_of(
        repository, compile_slice(repository, ("a.py::Group.names",), Options(keep=asked))
    )
    assert found is not None
    states = texts_of(found.receivers.states)
    assert "{it}.members = [First(name='name-1')]" in states
    assert "{it}.leader = First(name='name-1')" in states


def test_what_is_only_copied_is_not_empty(tmp_path: Path) -> None:
    found = inputs(
        tmp_path, "def rows(found):\n    return [dict(row._mapping) for row in found]\n", "rows"
    )
    assert "'_mapping': {'key-1': 'mapping-1'" in texts(found, "found")[0]
    found = inputs(tmp_path, "def whole(config):\n    return {**config}\n", "whole")
    assert texts(found, "config")[:2] == ("{'key-1': 'config-1', 'key-2': 'config-2'}", "{}")


def test_predicates_of_the_library_are_given_what_they_say_yes_to(tmp_path: Path) -> None:
    source = """
        import inspect, math

        class Hook:
            def __init__(self):
                self.hook = None

            def is_set(self):
                return callable(self.hook)

        def told(value, number):
            return callable(value) and not inspect.isclass(value), math.isnan(number)
    """
    found = inputs(tmp_path, source, "told")
    assert {"(lambda *args, **named: args)", "object"} <= set(texts(found, "value"))
    assert "float('nan')" in texts(found, "number")
    states = texts_of(inputs(tmp_path, source, "Hook.is_set").receivers.states)
    assert "{it}.hook = (lambda *args, **named: args)" in states


@pytest.mark.parametrize(
    ("first", "other"),
    [
        ("[]", "['item-1', 'item-2']"), ("{}", "{'key-1': 'value-1'}"), ("None", "'held-1'"),
        ("''", "'held-1'"), ("0", "1"), ("True", "False"),
        ("[n for n in range(3)]", "['item-1', 'item-2']"),
    ],
)  # fmt: skip
def test_what_is_only_given_on_is_tried_as_something_else(
    tmp_path: Path, first: str, other: str
) -> None:
    source = f"""
        class Holder:
            def __init__(self):
                self.held = {first}

            def get(self):
                return self.held
    """
    falsy = ("0", "None") if first == "None" else ()  # what is unset may be set to what is false
    states = tuple(f"{{it}}.held = {text}" for text in (other, *falsy))
    assert texts_of(inputs(tmp_path, source, "Holder.get").receivers.states) == states


MAPPED = """
from django import forms
from django.db import models
from sqlalchemy import Column, DateTime, Integer, String
from sqlalchemy.orm import declarative_base

Base = declarative_base()

class City(models.Model):
    name = models.CharField(max_length=100)
    built = models.DateField(null=True)

    def __str__(self):
        return self.name

class Route(models.Model):
    start = models.ForeignKey(City, on_delete=models.CASCADE)
    end = models.ForeignKey("Elsewhere", on_delete=models.CASCADE)
    length = models.FloatField()

    def __str__(self):
        return f"{self.start.name} {self.length}"

class User(Base):
    __tablename__ = "users"
    id = Column("number", Integer, primary_key=True)
    name = Column(String(50), nullable=False)
    at = Column(DateTime)

    def told(self):
        return self.name

class Asked(forms.Form):
    name = forms.CharField()

    def told(self):
        return self.name

def upper(user: User):
    return user.name.upper()
"""


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ("City.__str__", "City(name='name-1', built=__import__(\"datetime\").date(2024, 1, 1))"),
        (
            "Route.__str__",
            "Route(start=City(name='name-1', built=__import__(\"datetime\").date(2024, 1, 1)), "
            "length=1)",
        ),
        (
            "User.told",
            "User(id=1, name='name-1', at=__import__(\"datetime\").datetime(2024, 1, 1, 10, 0))",
        ),
    ],
)
def test_instances_of_mapped_classes_have_values_in_their_columns(
    tmp_path: Path, target: str, expected: str
) -> None:
    found = inputs(tmp_path, MAPPED, target).receivers.texts
    assert found[:2] == (found[0].partition("(")[0] + "()", expected)


def test_fields_that_are_no_columns_are_not_given(tmp_path: Path) -> None:
    assert inputs(tmp_path, MAPPED, "Asked.told").receivers.texts == ("Asked()",)
    found = texts(inputs(tmp_path, MAPPED, "upper"), "user")
    assert found[:2] == ("User()", "User(name='name-1')")


def test_what_is_asked_for_any_key_has_one(tmp_path: Path) -> None:
    source = """
        from typing import Dict

        class Bag:
            def __init__(self, extra: Dict[str, int]):
                self.extra = extra

            def __getitem__(self, key: str):
                return self.extra[key]

            def keys(self):
                return list(self.extra.keys())
    """
    for target in ("Bag.keys", "Bag.__getitem__"):
        found = inputs(tmp_path, source, target)
        assert not any(
            "(any key)" in text
            for text in (*found.receivers.texts, *texts_of(found.receivers.states))
        )
        assert found.receivers.texts[0].startswith("Bag(extra={'key-")


@pytest.mark.parametrize(
    ("body", "is_needed"),
    [
        ("self.task = asyncio.create_task(self.work())", True),
        ("self.loop = asyncio.get_running_loop()", True),
        ("asyncio.get_event_loop().run_until_complete(self.work())", False),
        ("self.task = asyncio.create_task(self.work()); self.other = asyncio.run", True),
        ("asyncio.run(self.work()); asyncio.ensure_future(self.work())", False),
        ("self.name = name", False),
    ],
)
def test_what_starts_tasks_is_called_in_a_coroutine(
    tmp_path: Path, body: str, *, is_needed: bool
) -> None:
    source = f"""
        import asyncio

        class Client:
            def __init__(self, name):
                {body}

            async def work(self):
                asyncio.create_task(self.work())
    """
    found = inputs(tmp_path, source, "Client.__init__")
    assert found.needs_loop is is_needed
    code = case_of(found, first_draft(found), "case_a").code
    assert code.startswith("async def" if is_needed else "def")


def test_what_is_only_asked_for_its_truth_is_true_or_false(tmp_path: Path) -> None:
    source = """
        def pick(strict, name, keys):
            if not strict and keys:
                return name
            return [key for key in keys if strict]
    """
    found = inputs(tmp_path, source, "pick")
    assert texts(found, "strict") == ("True", "False")
    assert "True" not in texts(found, "name")


def test_nothing_is_a_table_where_its_library_is_not(tmp_path: Path) -> None:
    plain = "def label(frame):\n    return frame.code.name\n"
    assert not any("pandas" in text for text in texts(inputs(tmp_path, plain, "label"), "frame"))
    wants = "import pandas\n\ndef label(frame):\n    return pandas.concat([frame, frame])\n"
    assert "pandas" in texts(inputs(tmp_path, wants, "label"), "frame")[0]


def test_named_tuples_of_themselves_come_to_an_end(tmp_path: Path) -> None:
    source = """
        def build(kind, data):
            if callable(kind):
                return kind(data)
            return build(kind.inner, [build(kind.inner(data), each) for each in data(data)])
    """
    assert texts(inputs(tmp_path, source, "build"), "kind")


@pytest.mark.parametrize(
    ("reads", "is_path"),
    [
        ("given.glob('*.py')", True),
        ("given.suffix", True),
        ("given.is_file() and given.name", True),
        ("given.glob and given.format", False),
        ("given.resolve() or given.user", False),
    ],
)
def test_a_path_is_what_has_nothing_that_no_path_has(
    reads: str, is_path: bool, tmp_path: Path
) -> None:
    found = inputs(tmp_path, f"def f(given):\n    return {reads}\n", "f")
    assert any("Path(" in text for text in texts(found, "given")) == is_path


def test_members_of_an_enumeration_are_named_as_they_are_looked_for(tmp_path: Path) -> None:
    source = """
        import enum
        class Unit(enum.Enum):
            DAYS = "d"
            HOURS = "h"
            MINUTES = "m"
            SECONDS = "s"
            MILLISECONDS = "ms"
        def named(unit="days"):
            return Unit[unit.upper()].value
        def valued(sign):
            return Unit(sign).name
        def other(sign, names):
            return names[sign.upper()], Unit
    """
    names = texts(inputs(tmp_path, source, "named"), "unit")
    assert {"'days'", "'hours'", "'minutes'", "'seconds'", "'milliseconds'"} <= {*names}
    values = texts(inputs(tmp_path, source, "valued"), "sign")
    assert {"'d'", "'h'", "'m'", "'s'", "'ms'"} <= {*values}
    assert "'hours'" not in texts(inputs(tmp_path, source, "other"), "sign")


def test_what_a_place_is_called_elsewhere_is_tested_there(tmp_path: Path) -> None:
    source = """
        def sizes(field, form, limit=None):
            given = [field.data] if not isinstance(field.data, list) else field.data
            most = limit or form.limit
            if isinstance(most, range):
                return most.stop
            return [len(each) for each in given if isinstance(each, bytes)]
    """
    found = inputs(tmp_path, source, "sizes")
    states = texts_of(found.receivers.states)
    assert {"{field}.data = b'bytes-1'", "{field}.data = [b'bytes-1']"} <= set(states)
    assert "{form}.limit = range(2)" in states
    assert "range(2)" in texts(found, "limit")


def test_an_instance_of_a_class_of_a_library_is_made_by_that_class(tmp_path: Path) -> None:
    source = """
        from email.message import Message

        def subject(message: Message, other):
            if isinstance(other, Message):
                return other["subject"]
            return message["subject"]
    """
    found = inputs(tmp_path, source, "subject")
    made = "__import__('email.message', fromlist=['Message']).Message()"
    assert made in texts(found, "message")
    assert made in texts(found, "other")


@pytest.mark.parametrize("said", ["sqlite3.Connection", "sqlite3.Connection | None"])
def test_an_attribute_that_is_declared_as_a_known_class_is_a_real_instance(
    tmp_path: Path, said: str
) -> None:
    source = f"""
        import sqlite3

        class Store:
            def __init__(self, conn: {said}) -> None:
                self.conn = conn

            def names(self):
                cursor = self.conn.cursor()
                cursor.execute("SELECT name FROM users")
                return [name for (name,) in cursor.fetchall()]
    """
    found = inputs(tmp_path, source, "Store.names")
    set_to = [text for text in texts_of(found.receivers.states) if ".conn = " in text]
    assert any("connect(" in text for text in set_to)
    assert not any("type(" in text for text in set_to)
    assert any(text.endswith("= None") for text in set_to) == ("None" in said)


def test_names_of_durations_and_bounds_are_numbers(tmp_path: Path) -> None:
    source = """
        class Kept:
            def __init__(self, maxsize, ttl, default_timeout, retries):
                self.maxsize, self.ttl = maxsize, ttl
                self.timeout, self.retries = default_timeout, retries

            def held(self):
                return [self.maxsize, self.ttl, self.timeout, self.retries]
    """
    found = inputs(tmp_path, source, "Kept.held")
    there: dict[str, type[object]] = {}
    exec(textwrap.dedent(source), there)
    made = vars(eval(found.receivers.texts[0], {**there}))
    assert {type(each) for each in made.values()} <= {int, float}


@pytest.mark.parametrize(
    ("source", "forms"),
    [
        (
            "import re\n\nDAY = '[0-9]{2}'\nHEAD = re.compile('x (' + DAY + ' )?(.*)$')\n\n"
            "def f(text: str):\n    found = HEAD.match(text)\n    return found and found[1]\n",
            {"'x 10 a'", "'x a'", "'10'"},
        ),
        (
            "from urllib.parse import urlsplit\n\n"
            "def f(text: str):\n    return urlsplit(text).port\n",
            {"'http://[::1]:443/'", "'//host/path'"},
        ),
        ("def f(text: str):\n    return float(text) * 2\n", {"'-5'", "'1.5'", "'1e3'"}),
        ("def f(text: str):\n    return text.upper()\n", set[str]()),
    ],
)
def test_a_text_has_the_forms_that_patterns_and_formats_tell_apart(
    tmp_path: Path, source: str, forms: set[str]
) -> None:
    (pool,) = inputs(tmp_path, source, "f").pools
    assert forms <= {*pool.forms}
    assert bool(forms) == bool(pool.forms)


GIVEN_ON = """
from enum import Enum

class Kind(Enum):
    A = 0
    B = 1

def shown(value):
    if isinstance(value, list):
        return [shown(each) for each in value]
    if isinstance(value, int):
        return str(value)
    return "?"

def named(kind):
    if kind is not None:
        raise KeyError(kind)
    return "none"

class Page:
    def __init__(self, kind: Kind, size: int):
        if not isinstance(size, int):
            raise TypeError(size)
        self.kind = kind
        self.size = size

    def told(self):
        return shown(self.size) + named(self.kind)
"""


def test_what_is_declared_counts_more_than_what_others_give_to_who_is_given_it(
    tmp_path: Path,
) -> None:
    (tmp_path / "a.py").write_text(GIVEN_ON)
    repository = Repository(tmp_path)
    found = inputs_of(repository, slice_function(repository, "a.py::Page.told"))
    assert found is not None
    assert found.receivers.texts[0] == "Page(kind=Kind.A, size=1)"


def test_what_a_method_of_the_same_name_is_given_has_to_be_what_is_declared(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(
        "class Names:\n"
        "    def write(self, names: set[str], size: float = 0.5):\n"
        "        return sorted(names), size\n\n"
        "def saved(file):\n"
        "    file.write('text')\n"
        "    file.write({'a', 'b'}, 3)\n"
    )
    repository = Repository(tmp_path)
    found = inputs_of(repository, slice_function(repository, "a.py::Names.write"))
    assert found is not None
    names, size = found.pools
    assert names.texts[0] == "{'a', 'b'}"
    assert "'text'" not in names.texts
    assert "3" in size.texts


def test_a_number_or_bytes_that_are_declared_are_such_whatever_is_done_with_them(
    tmp_path: Path,
) -> None:
    (tmp_path / "a.py").write_text(
        "def total(data: bytes, start: int, ratio: float):\n"
        "    return sum(each for each in data) + start.bit_length() + ratio.hex().pop()\n"
    )
    repository = Repository(tmp_path)
    found = inputs_of(repository, slice_function(repository, "a.py::total"))
    assert found is not None
    assert [pool.texts[0] for pool in found.pools] == ["b'data-1'", "1", "1.5"]


def test_an_attribute_is_what_the_target_compares_it_with(tmp_path: Path) -> None:
    (tmp_path / "kinds.py").write_text("class Kinds:\n    SIGNED = object()\n")
    (tmp_path / "a.py").write_text(
        "import kinds\n\n"
        "class Record:\n"
        "    def __init__(self, value):\n"
        "        self.value = value\n\n"
        "    def told(self, of=None):\n"
        "        if self.value is NotImplemented or of is int:\n"
        "            return 'nothing'\n"
        "        return self.value == kinds.Kinds.SIGNED\n"
    )
    repository = Repository(tmp_path)
    found = inputs_of(repository, slice_function(repository, "a.py::Record.told"))
    assert found is not None
    states = texts_of(found.receivers.states)
    assert {"{it}.value = NotImplemented", "{it}.value = kinds.Kinds.SIGNED"} <= {*states}
    assert "int" in found.pools[0].texts


def test_a_target_that_takes_any_keyword_is_given_one(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(
        "def noted(**said):\n    kept = {}\n    kept.update(said)\n    return kept\n\n\n"
        "def noted_twice(text, **said):\n    return text, noted(**said)\n"
    )
    repository = Repository(tmp_path)
    found = inputs_of(repository, slice_function(repository, "a.py::noted_twice"))
    assert found is not None
    assert found.pools[-1].texts == ("{}", "{'key_1': 'value-1'}")


def test_keywords_that_are_passed_on_stand_in_the_order_of_the_parameters(tmp_path: Path) -> None:
    names = [f"{letter}_text" for letter in "qwertyuiop"]
    source = f"""
        class Form:
            def __init__(self, {", ".join(names)}):
                self.all = [{", ".join(f"{name}.upper()" for name in names)}]

            @classmethod
            def load(cls, **given):
                return cls(**given)
    """
    given = max(texts(inputs(tmp_path, source, "Form.load"), "given"), key=len)
    assert list(ast.literal_eval(given)) == names
