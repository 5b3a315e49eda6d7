"""What once brought in whole packages, and is no reason to keep anything."""

from __future__ import annotations

from pathlib import Path

from slicefunc.slicer import Repository, slice_function


def kept(folder: Path, target: str, files: dict[str, str]) -> set[str]:
    """Names of what the slice of the target holds."""
    for name, text in files.items():
        place = folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
    found = slice_function(Repository(folder), target).manifest.definitions
    return {each.qualname for each in found}


def test_matching_a_compiled_pattern_does_not_change_it(tmp_path: Path) -> None:
    files = {
        "mod.py": "import re\nCOLOR = re.compile('x')\ndef parse(text): return COLOR.match(text)\n"
        "FIRST = parse('x')\ndef target(): return parse('y')\n",
    }
    assert kept(tmp_path, "mod.py::target", files) == {"re", "COLOR", "parse", "target"}


PLUGINS = """
from importlib.metadata import entry_points
def find():
    found = {}
    for each in entry_points(group="shop.plugins"):
        found[each.name] = each
    return found
plugins = find()
def plain(): return 1
def with_plugins(): return everything()
def everything(): return 2
call = with_plugins if plugins else plain
def target(): return call()
"""


def test_what_serves_entry_points_of_others_is_not_followed(tmp_path: Path) -> None:
    names = kept(tmp_path, "mod.py::target", {"mod.py": PLUGINS})
    assert "plain" in names
    assert not names & {"with_plugins", "everything"}


def test_of_a_class_the_method_that_an_entry_point_names_is_kept(tmp_path: Path) -> None:
    files = {
        "pyproject.toml": "[project]\nname = 'shop'\n[project.entry-points.'shop.plugins']\n"
        "one = 'mod:Plug.make'\n",
        "mod.py": "from importlib.metadata import entry_points\nclass Plug:\n"
        "    @classmethod\n    def make(cls): return 1\n"
        "    @classmethod\n    def unused(cls): return 2\n"
        "def target(): return [e.load()() for e in entry_points(group='shop.plugins')]\n",
    }
    names = kept(tmp_path, "mod.py::target", files)
    assert "Plug.make" in names
    assert "Plug.unused" not in names


def test_plugins_that_the_module_adds_itself_are_followed(tmp_path: Path) -> None:
    text = PLUGINS.replace("def plain", "plugins['own'] = None\ndef plain")
    assert "everything" in kept(tmp_path, "mod.py::target", {"mod.py": text})


STATE = """
class Base:
    __slots__ = ("a",)
    def names(self):
        return (name for cls in type(self).__mro__[:-1] for name in cls.__slots__)
    def shown(self):
        return {key: getattr(self, key, None) for key in self.names()}
    def heavy(self): return helper()
def helper(): return 1
def target(): return Base().shown()
"""


def test_names_of_slots_ask_for_no_methods(tmp_path: Path) -> None:
    names = kept(tmp_path, "mod.py::target", {"mod.py": STATE})
    assert "Base.names" in names
    assert not names & {"Base.heavy", "helper"}


def test_names_of_everything_that_a_class_has_ask_for_methods(tmp_path: Path) -> None:
    text = STATE.replace("cls.__slots__)", "dir(cls))")
    assert "Base.heavy" in kept(tmp_path, "mod.py::target", {"mod.py": text})


ITEMS = """
class Box:
    def __getitem__(self, name): return getattr(self, name)
    def heavy(self): return helper()
    def target(self): return 1
def helper(): return 1
"""


def test_a_name_that_only_the_caller_gives_to_an_operator_keeps_nothing(tmp_path: Path) -> None:
    names = kept(tmp_path, "mod.py::Box.target", {"mod.py": ITEMS})
    assert "Box.__getitem__" in names
    assert "Box.heavy" not in names


def test_a_name_that_the_slice_gives_to_the_operator_is_kept(tmp_path: Path) -> None:
    text = ITEMS.replace("return 1\ndef", "return self['heavy']()\ndef")
    assert "helper" in kept(tmp_path, "mod.py::Box.target", {"mod.py": text})


NESTED = """
def helper(): return 1
class Outer:
    class Inner:
        def f(self): return 2
    def other(self): return helper()
    class Unused:
        def g(self): return 3
def target(): return Outer.Inner().f()
"""


def test_a_nested_class_brings_in_what_it_stands_in_and_not_its_neighbours(tmp_path: Path) -> None:
    names = kept(tmp_path, "mod.py::target", {"mod.py": NESTED})
    assert {"Outer", "Outer.Inner"} <= names
    assert not names & {"helper", "Outer.other", "Outer.Unused"}


LISTED = """
class Made:
    def __init_subclass__(cls):
        cls.found = [name for name in dir(cls) if name.startswith(("do_", "undo_"))]
        cls.own = [each.__dict__.get("LABELS", ()) for each in reversed(cls.__mro__)]
class Command(Made):
    LABELS = ("a",)
    def do_it(self): return 1
    def undo_it(self): return 2
    def other(self): return 3
def target(): return Command.found, Command.own, Command()
"""


def test_a_listing_of_names_that_begin_so_needs_no_others(tmp_path: Path) -> None:
    names = kept(tmp_path, "mod.py::target", {"mod.py": LISTED})
    assert {"Command.do_it", "Command.undo_it", "Command.LABELS"} <= names
    assert "Command.other" not in names


BUILT_IN = """
SET = object.__setattr__
def configured(cls):
    made = [SET, cls]
    made[1].flag = True
    return cls
@configured
class Unrelated:
    pass
def target(value): return SET
"""


def test_what_python_is_built_with_is_changed_by_nothing(tmp_path: Path) -> None:
    assert "Unrelated" not in kept(tmp_path, "mod.py::target", {"mod.py": BUILT_IN})


HOOKED = """
class Device:
    def __init__(self, hook=None):
        self.hook = hook
    def reset(self): return everything()
    def run(self, value):
        return self.hook(self, value)
    def shown(self, library):
        return library.show(self)
def everything(): return 1
"""


def test_a_hook_that_the_caller_gives_asks_for_nothing(tmp_path: Path) -> None:
    names = kept(tmp_path, "mod.py::Device.run", {"mod.py": HOOKED})
    assert not names & {"Device.reset", "everything"}
    assert "everything" in kept(tmp_path, "mod.py::Device.shown", {"mod.py": HOOKED})


TESTED = """
class Base:
    def apply(self, given):
        for key in list(given):
            if isinstance(getattr(self.__class__, key, None), property):
                setattr(self, f"_{key}", given.pop(key))
            elif getattr(self, key, True) is None:
                setattr(self, key, given.pop(key))
    empty = None
    @property
    def shown(self): return None
    @wrapped
    def made(self): return 1
    def heavy(self): return helper()
    @staticmethod
    def still(): return helper()
def helper(): return 1
def target(given):
    made = Base()
    made.apply(given)
    return made
"""
WRAPPED = "def wrapped(function): return None\n"


def test_a_test_that_no_function_passes_asks_for_no_plain_methods(tmp_path: Path) -> None:
    names = kept(tmp_path, "mod.py::target", {"mod.py": WRAPPED + TESTED})
    assert {"Base.empty", "Base.shown", "Base.made"} <= names
    assert not names & {"Base.heavy", "Base.still", "helper"}


def test_a_plain_method_that_hides_a_property_is_kept(tmp_path: Path) -> None:
    text = WRAPPED + TESTED.replace("class Base:", "class Base(Root):")
    root = "class Root:\n    @property\n    def heavy(self): return None\n"
    assert "Base.heavy" in kept(tmp_path, "mod.py::target", {"mod.py": root + text})


def test_a_test_that_a_function_passes_asks_for_methods(tmp_path: Path) -> None:
    text = TESTED.replace("property):", "type(len)):").replace(", True) is None", ", None) is None")
    assert "Base.heavy" in kept(tmp_path, "mod.py::target", {"mod.py": WRAPPED + text})


FIELDS = """
class Field: pass
class Root:
    def __init_subclass__(cls):
        cls.fields = {}
        for base in reversed(cls.__mro__):
            cls.fields.update({k: v for k, v in base.__dict__.items() if isinstance(v, Field)})
def helper(): return 1
class Form(Root):
    size = Field()
    def heavy(self): return helper()
    @wrapped
    def made(self): return 1
def target(): return Form()
"""


def test_a_listing_of_values_of_a_class_asks_for_no_plain_methods(tmp_path: Path) -> None:
    names = kept(tmp_path, "mod.py::target", {"mod.py": WRAPPED + FIELDS})
    assert {"Form.size", "Form.made"} <= names
    assert not names & {"Form.heavy", "helper"}


def test_a_listing_of_values_of_a_protocol_asks_for_methods(tmp_path: Path) -> None:
    text = FIELDS.replace("class Field:", "class Field(Protocol):")
    text = f"from typing import Protocol\n{WRAPPED}{text}"
    assert "Form.heavy" in kept(tmp_path, "mod.py::target", {"mod.py": text})


NUMBERS = """
try:
    from fast_numbers import Number
except ImportError:
    Number = int
ZERO = Number(0)
PAIR = (1, 2)
class Context:
    def __init__(self):
        self.zero, self.pair = ZERO, PAIR
        self.zero.prepare()
        self.pair[1].prepare()
        self.named = everything()
def everything(): return 1
"""


def test_what_stands_in_for_a_number_is_changed_by_nothing(tmp_path: Path) -> None:
    text = NUMBERS + "CONTEXT = Context()\ndef target(): return ZERO, PAIR\n"
    names = kept(tmp_path, "mod.py::target", {"mod.py": text})
    assert {"ZERO", "PAIR"} <= names
    assert not names & {"Context", "everything"}


def test_what_stands_in_for_a_list_is_changed(tmp_path: Path) -> None:
    text = NUMBERS.replace("int\n", "list\n").replace("Number(0)", "Number()")
    text += "CONTEXT = Context()\ndef target(): return ZERO\n"
    assert "Context" in kept(tmp_path, "mod.py::target", {"mod.py": text})


ABSTRACT = """
import abc
class Meta(type):
    def __new__(cls, name, bases, namespace):
        namespace["found"] = sorted(key for key in namespace if key.startswith("run"))
        return super().__new__(cls, name, bases, namespace)
class Base(metaclass=abc.ABCMeta):
    pass
class Thing(Base):
    run = lambda self: everything()
    def one(self): return 1
def everything(): return 2
def target(): return Thing().one(), getattr(Thing, "found", None)
"""


def test_a_class_that_may_be_abstract_needs_no_assignments(tmp_path: Path) -> None:
    names = kept(tmp_path, "mod.py::target", {"mod.py": ABSTRACT})
    assert "Thing.one" in names
    assert not names & {"Thing.run", "everything"}


def test_a_metaclass_of_the_repository_is_given_assignments(tmp_path: Path) -> None:
    text = ABSTRACT.replace("abc.ABCMeta", "Meta")
    assert "everything" in kept(tmp_path, "mod.py::target", {"mod.py": text})


FETCHED = """
class Page:
    def __init__(self): self.read = False
    def __getattr__(self, name):
        if self.read:
            raise AttributeError(name)
        self.fetch()
        return getattr(self, name)
    def fetch(self): self.read, self.title = True, "x"
    def everything(self): return 1
def target(): return Page().title
"""


def test_a_fallback_that_asks_its_object_again_asks_for_nothing_new(tmp_path: Path) -> None:
    names = kept(tmp_path, "mod.py::target", {"mod.py": FETCHED})
    assert "Page.fetch" in names
    assert "Page.everything" not in names


def test_a_fallback_that_asks_for_another_name_asks_for_all(tmp_path: Path) -> None:
    text = FETCHED.replace("return getattr(self, name)", "return getattr(self, name[:0] or KEY)")
    assert "Page.everything" in kept(tmp_path, "mod.py::target", {"mod.py": text})


LAZY = """
import sys, types
TABLE = {"a": 1}
class Lazy(types.ModuleType):
    def __getattr__(self, name): return TABLE[name]
sys.modules[__name__] = Lazy(__name__)
"""
LOOKING = "import sys\ndef target(): return 'greenlet' in sys.modules\n"


def test_a_package_that_replaces_itself_is_left_where_nothing_of_it_is_asked(
    tmp_path: Path,
) -> None:
    files = {"pkg/__init__.py": LAZY, "pkg/mod.py": LOOKING}
    assert kept(tmp_path, "pkg/mod.py::target", files) == {"sys", "target"}


def test_a_package_that_replaces_itself_is_kept_where_something_of_it_is_asked(
    tmp_path: Path,
) -> None:
    text = LOOKING.replace("'greenlet' in sys.modules", "sys.modules['pkg'].a")
    assert "Lazy" in kept(
        tmp_path, "pkg/mod.py::target", {"pkg/__init__.py": LAZY, "pkg/mod.py": text}
    )
