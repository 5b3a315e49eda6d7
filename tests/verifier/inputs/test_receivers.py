"""What methods are called on, where making an instance takes more than its constructor says."""

from __future__ import annotations

from pathlib import Path

import pytest
from slicefunc.slicer import Repository, slice_function
from slicefunc.verifier.inputs.argument_pools import Inputs, inputs_of
from slicefunc.verifier.inputs.statements import texts_of


def inputs(folder: Path, files: dict[str, str], target: str) -> Inputs:
    for path, text in files.items():
        (folder / path).parent.mkdir(exist_ok=True)
        (folder / path).write_text(text)
    repository = Repository(folder)
    found = inputs_of(repository, slice_function(repository, target))
    assert found is not None
    return found


FIELDS = """
class Field:
    code = None
    size = None

    def __init__(self, name):
        assert self.code is not None
        self.name = name.upper()
        self.size = self.__class__.size or 1

    def told(self):
        return f"{self.code}{self.name}"


class Text(Field):
    code = "T"


class Day(Field):
    code = "D"
    size = 8


class Made(Field):
    code = str(1)
"""
TEXT = "type('SomeField', (Field,), {'code': 'T'})"
DAY = "type('SomeField', (Field,), {'code': 'D', 'size': 8})"


def test_what_a_class_leaves_to_its_subclasses_is_as_they_have_it(tmp_path: Path) -> None:
    made = inputs(tmp_path, {"a.py": FIELDS}, "a.py::Field.__init__").receivers.texts
    assert made == tuple(f"object.__new__({each})" for each in ("Field", TEXT, DAY))


def test_so_are_receivers_of_methods(tmp_path: Path) -> None:
    made = inputs(tmp_path, {"a.py": FIELDS}, "a.py::Field.told").receivers.texts
    assert f"{TEXT}(name='name-1')" in made


SET_BY_A_METHOD = """
class Job:
    status = None

    def start(self):
        self.status = "new"

    def told(self):
        return self.status


class Done(Job):
    status = "done"
"""


def test_what_methods_set_is_left_to_nobody(tmp_path: Path) -> None:
    found = inputs(tmp_path, {"a.py": SET_BY_A_METHOD}, "a.py::Job.told")
    assert found.receivers.texts == ("Job()",)


@pytest.mark.parametrize(
    ("base", "made"),
    [
        ("datetime.datetime", "Own(2024, 1, 1, 10, 0)"),
        ("decimal.Decimal", "Own('1.5')"),
        ("type", "Own('Some', (), {})"),
        ("collections.deque", "Own([1, 2])"),
    ],
)
def test_a_class_of_the_library_says_what_its_subclass_takes(
    tmp_path: Path, base: str, made: str
) -> None:
    text = f"import collections, datetime, decimal\n\n\nclass Own({base}):\n"
    text += "    def told(self):\n        return repr(self)\n"
    found = inputs(tmp_path, {"a.py": text}, "a.py::Own.told")
    assert found.receivers.texts[0] == made


FROZEN = """
class Proxy:
    def __init__(self, made):
        object.__setattr__(self, "_Proxy__made", made)

    def told(self):
        return self.__made()["name"].upper()
"""


def test_what_is_set_by_its_name_is_what_the_constructor_was_given(tmp_path: Path) -> None:
    made = inputs(tmp_path, {"a.py": FROZEN}, "a.py::Proxy.told").receivers.texts
    assert made[0].startswith("Proxy(made=(lambda *args, **named: {'name': ")


GENERIC = """
def plain(value):
    if hasattr(value, "to_dict"):
        return plain(value.to_dict())
    return [plain(each) for each in value.items()] if isinstance(value, dict) else value


class Page:
    def __init__(self, title: "str | None"):
        self.title = title

    def told(self):
        return plain(self.title)
"""


def test_what_is_declared_a_text_is_one_whatever_is_asked_of_it(tmp_path: Path) -> None:
    made = inputs(tmp_path, {"a.py": GENERIC}, "a.py::Page.told").receivers.texts
    assert made[0] == "Page(title='title-1')"


EITHER = """
class Revision:
    def __init__(self, name):
        self.name = name

def name_of(revision):
    if isinstance(revision, Revision):
        return revision.name
    return revision

class Step:
    def __init__(self, revisions: str | tuple[str, ...]):
        self.name = name_of(revisions)

    def shown(self):
        return self.name
"""


def test_what_is_declared_as_texts_is_no_instance_that_it_is_tested_for(tmp_path: Path) -> None:
    made = inputs(tmp_path, {"a.py": EITHER}, "a.py::Step.shown").receivers.texts
    assert "Revision" not in made[0]


def test_names_of_a_module_that_the_script_carries_are_asked_of_it(tmp_path: Path) -> None:
    # the other module needs the target's while it loads, so that this one is carried, too
    files = {
        "pkg/__init__.py": "",
        "pkg/a.py": (
            "import sys\n\nBASE = 1\nfrom .b import LIMIT\n\n\ndef f(stream):\n"
            "    return LIMIT if stream is sys.stdout else 0\n"
        ),
        "pkg/b.py": "from . import a\n\nLIMIT = a.BASE + 1\n",
    }
    pools = inputs(tmp_path, files, "pkg/a.py::f").pools
    assert "__import__(\"importlib\").import_module('pkg.a').sys.stdout" in pools[0].texts


def test_names_that_the_script_binds_are_used_as_they_are(tmp_path: Path) -> None:
    text = "import sys\n\n\ndef f(stream):\n    return stream is sys.stdout\n"
    assert "sys.stdout" in inputs(tmp_path, {"a.py": text}, "a.py::f").pools[0].texts


HANDED_ON = """
def plain(value):
    if hasattr(value, "to_dict"):
        return plain(value.to_dict())
    return [plain(each) for each in value.items()] if isinstance(value, dict) else value


def checked(block):
    zones = block.properties.get("Zones")
    if zones is not None and len(zones) > 1 and block.properties.get("Mode") != "cross":
        raise ValueError("one zone")


class Block:
    properties: "dict[str, object]"

    def __init__(self):
        self.properties = {}

    def told(self):
        return plain(self.properties)

    def validate(self):
        checked(self)
        return self.told()
"""


def test_what_functions_read_of_the_instance_that_they_are_handed_is_set(tmp_path: Path) -> None:
    states = texts_of(
        inputs(tmp_path, {"a.py": HANDED_ON}, "a.py::Block.validate").receivers.states
    )
    assert "{it}.properties = {'Zones': ['zone-1', 'zone-2'], 'Mode': 'cross'}" in states


def test_a_member_of_what_the_target_looks_in_is_given(tmp_path: Path) -> None:
    text = "STATES = list(range(3, 7))\n\n\ndef f(state):\n    return state in STATES\n"
    assert "[*STATES][0]" in inputs(tmp_path, {"a.py": text}, "a.py::f").pools[0].texts


def test_exceptions_have_messages_of_several_lines_and_others_in_them(tmp_path: Path) -> None:
    text = "def f(error: Exception):\n    return str(error)\n"
    texts = inputs(tmp_path, {"a.py": text}, "a.py::f").pools[0].texts
    assert texts[0] == 'Exception("error-1")'
    assert any(each.startswith("ExceptionGroup(") for each in texts)
    assert any("\\n" in each for each in texts)


def test_what_goes_to_a_function_of_its_own_is_no_command_line(tmp_path: Path) -> None:
    text = (
        "class Queue:\n    @staticmethod\n    def parse_args(f, *args):\n        return f, args\n\n"
        "    def put(self, f, *args):\n        return Queue.parse_args(f, *args)\n"
    )
    found = inputs(tmp_path, {"a.py": text}, "a.py::Queue.put").pools[0].texts
    assert "['--help']" not in found


FORMS = """
import re

FREQUENCY = re.compile(r"every (day|week)")


def size(text: str):
    found = re.fullmatch(r"([-+.0-9]+) ?(k|m)b", text.strip())
    return float(found[1]) if found else None


def f(limit):
    if isinstance(limit, str):
        known = size(limit)
        return FREQUENCY.match(limit) if known is None else known
    return limit
"""


def test_each_form_that_a_text_is_tried_as_is_given(tmp_path: Path) -> None:
    texts = inputs(tmp_path, {"a.py": FORMS}, "a.py::f").pools[0].texts
    assert {"'1 kb'", "'every day'"} <= {*texts}


def test_the_other_operand_may_be_of_the_same_class(tmp_path: Path) -> None:
    text = (
        "class Token:\n    def __init__(self, value):\n        self.value = value\n\n"
        "    def __eq__(self, other):\n        return self.value == other or self is other\n"
    )
    found = inputs(tmp_path, {"a.py": text}, "a.py::Token.__eq__")
    assert found.receivers.texts[0] in found.pools[0].texts


LEFT_WHOLLY = """
class Record:
    def __init__(self):
        for name in self.__slots__:
            setattr(self, name, None)


class Reader:
    class Found(Record):
        __slots__ = ["year", "month"]
"""


def test_what_only_subclasses_have_is_theirs_also_inside_of_other_classes(tmp_path: Path) -> None:
    made = inputs(tmp_path, {"a.py": LEFT_WHOLLY}, "a.py::Record.__init__").receivers.texts
    cls = "type('SomeRecord', (Record,), {'__slots__': ['year', 'month']})"
    assert made == ("object.__new__(Record)", f"object.__new__({cls})")


ATTRS = """
import attrs
import attr


@attrs.define
class Trigger:
    days: int
    _zone: str
    _at: int = attrs.field(init=False)

    def told(self):
        return f"{self.days} {self._zone} {self._at}"

    def __setstate__(self, state):
        self.days, self._zone = state["parts"]


@attr.s
class Old:
    _name = attr.ib(type=str)
    size = attr.ib(default=1)

    def told(self):
        return self._name * self.size
"""


def test_attrs_is_given_the_fields_that_it_takes_by_the_names_that_it_knows(tmp_path: Path) -> None:
    made = inputs(tmp_path, {"a.py": ATTRS}, "a.py::Trigger.told").receivers.texts
    assert made[0] == "Trigger(days=1, zone='zone-1')"
    assert not any("at=" in text for text in made)
    old = inputs(tmp_path, {"a.py": ATTRS}, "a.py::Old.told").receivers.texts
    assert old[0].startswith("Old(name=")


def test_what_is_restored_was_not_called(tmp_path: Path) -> None:
    made = inputs(tmp_path, {"a.py": ATTRS}, "a.py::Trigger.__setstate__").receivers.texts
    assert made[0] == "Trigger.__new__(Trigger)"


WRAPPED_BY_A_METACLASS = """
class Checking(type):
    def __init__(cls, name, bases, members):
        super().__init__(name, bases, members)
        kept = cls.save

        def wrapper(self, system, *rest):
            return kept(self, system, *rest)

        cls.save = wrapper


class Store(metaclass=Checking):
    def save(self, service, secret):
        return f"{service}:{secret}"

    def load(self, service):
        return service
"""


def test_what_a_metaclass_puts_in_place_of_a_method_may_know_no_names(tmp_path: Path) -> None:
    files = {"a.py": WRAPPED_BY_A_METACLASS}
    assert {p.how for p in inputs(tmp_path, files, "a.py::Store.save").pools} == {"position"}
    assert {p.how for p in inputs(tmp_path, files, "a.py::Store.load").pools} == {"keyword"}


@pytest.mark.parametrize("base", ["dict", "threading.Thread", "list"])
def test_methods_of_pythons_own_classes_are_not_replaced(tmp_path: Path, base: str) -> None:
    text = f"""
import threading

class Limit({base}):
    def __init__(self, step):
        self.step = step

    def told(self):
        return self.get("a"), self.start(), self.append(1), self.step + 1
"""
    states = texts_of(inputs(tmp_path, {"a.py": text}, "a.py::Limit.told").receivers.states)
    own = {"dict": "get", "threading.Thread": "start", "list": "append"}[base]
    set_ones = {each.partition(" = ")[0] for each in states}
    assert f"{{it}}.{own}" not in set_ones
    assert "{it}.step" in set_ones


CLASS_ASKED_FOR = """
class Size:
    def __init__(self, width):
        self.width = width

    def told(self):
        return f"{self.__class__.__name__}({self.width!r})"

    def other(self):
        return type(self)(self.width + 1)

    def plain(self):
        return self.width

    @classmethod
    def square(cls, width):
        return cls(width)
"""
DERIVED = "type('SomeSize', (Size,), {})"


@pytest.mark.parametrize("name", ["told", "other"])
def test_who_asks_for_its_class_is_of_a_derived_one_as_well(tmp_path: Path, name: str) -> None:
    made = inputs(tmp_path, {"a.py": CLASS_ASKED_FOR}, f"a.py::Size.{name}").receivers.texts
    assert [each.startswith(f"{DERIVED}(width=") for each in made] == [False, True]


def test_a_class_method_is_called_on_a_derived_class_as_well(tmp_path: Path) -> None:
    made = inputs(tmp_path, {"a.py": CLASS_ASKED_FOR}, "a.py::Size.square").receivers.texts
    assert made == ("Size", DERIVED)


def test_who_does_not_ask_is_of_its_own_class(tmp_path: Path) -> None:
    made = inputs(tmp_path, {"a.py": CLASS_ASKED_FOR}, "a.py::Size.plain").receivers.texts
    assert not any(DERIVED in each for each in made)
