"""Statements that change an object by another way than its name: what they change is kept so."""

from __future__ import annotations

from pathlib import Path

import pytest
from slicefunc.slicer import Repository, slice_function
from slicefunc.slicer.syntax.import_time_code import surface_of_code
from slicefunc.slicer.syntax.outline import Outline

from tests.slicer.small_programs import check_files

_REGISTRY = """
class Registry:
    def __init__(self):
        self.made = []
    def __call__(self, made):
        self.made.append(made)
        return made
    def __getitem__(self, key):
        return self
    def __rshift__(self, made):
        self.made.append(made)
        return self
    def __iadd__(self, made):
        self.made.append(made)
        return self
"""

_CALLED_BACK = "REG = Registry()\ndef configure(function): function(REG)\n"
_NOTED = "class Noted(Registry):\n    def note(self, made): self.made.append(made)\nREG = Noted()\n"

ONE_FILE = {
    "an item of a dictionary by its key": "REG, OTHER = Registry(), []\n"
    "ALL = {'reg': REG, 'other': OTHER}\nALL['reg'](1)\nALL['reg'].made.append(2)\n"
    "def f(): return REG.made\n",
    "an item of a dictionary by a method": "REG = Registry()\nALL = dict(reg=REG)\n"
    "ALL.get('reg').made.append(2)\nfor each in ALL.values(): each(3)\n"
    "def f(): return REG.made\n",
    "a function that a method has made": "class Noted(Registry):\n    def adder(self, name):\n"
    "        def note(made): self.made.append((name, made))\n        return note\n"
    "REG = Noted()\ndef put(made): REG.adder('a')(made)\nput(1)\nREG.adder('b')(2)\n"
    "def f(): return REG.made\n",
    "a class by its constructor": "class One:\n    def __new__(cls):\n"
    "        cls.instance = super().__new__(cls)\n        return cls.instance\n"
    "    def text(self): return 'text'\nOne()\ndef f(): return One.instance.text()\n",
    "an object that a function hands on": _CALLED_BACK + "def fill(r): r(1)\nconfigure(fill)\n"
    "def f(): return REG.made\n",
    "an object that a decorator hands on": _CALLED_BACK + "@configure\ndef fill(r):\n"
    "    r.made.append(1)\ndef f(): return REG.made\n",
    "an object that a lambda is handed": _CALLED_BACK + "configure(lambda r: r.made.append(1))\n"
    "def f(): return REG.made\n",
    "a method whose receiver is handed": _NOTED + "def configure(function): function(REG)\n"
    "configure(lambda r: r.note(1))\ndef f(): return REG.made\n",
    "functions in a list": _NOTED + "def fill(r): r.note(1)\nSTEPS = [fill]\n"
    "for step in STEPS: step(REG)\ndef f(): return REG.made\n",
    "methods of several": _NOTED + "class Step:\n    def go(self, r): r.note(1)\nstep = Step()\n"
    "STEPS = [step]\nfor each in STEPS: each.go(REG)\ndef f(): return REG.made\n",
    "an instance that decorates": "REG = Registry()\n@REG\ndef one(): return 1\n"
    "def f(): return [made() for made in REG.made]\n",
    "an instance by another name": "REG = Registry()\nadd = REG\n@add\ndef one(): return 1\n"
    "def f(): return [made() for made in REG.made]\n",
    "an item that decorates": "REG = Registry()\n@REG['x']\ndef one(): return 1\n"
    "def f(): return [made() for made in REG.made]\n",
    "an instance that is called": "REG = Registry()\nREG(1)\ndef f(): return REG.made\n",
    "an operator": "REG = Registry()\nREG >> 1 >> 2\ndef f(): return REG.made\n",
    "an operator in place": "REG = Registry()\nREG += 1\ndef f(): return REG.made\n",
    "a list handed to a function that extends it": "ITEMS = []\ndef put(target):\n"
    "    target += [1]\nput(ITEMS)\ndef f(): return ITEMS\n",
    "a function that gives the object": "ITEMS = []\ndef get(): return ITEMS\nget().append(1)\n"
    "def f(): return ITEMS\n",
    "what it gave, by a name": "ITEMS = []\ndef get(): return ITEMS\nthere = get()\n"
    "there.append(1)\ndef f(): return ITEMS\n",
    "a function that gives what another one gives": "ITEMS = []\ndef get(): return ITEMS\n"
    "def again(): return get()\nagain().append(1)\ndef f(): return ITEMS\n",
    "a function that gives an item": "POOL = {}\ndef get(key): return POOL.setdefault(key, [])\n"
    "get('a').append(1)\ndef f(): return get('a')\n",
    "a function that keeps its results": "from functools import lru_cache\n@lru_cache\n"
    "def get(): return Registry()\n@get()\ndef one(): return 1\n"
    "def f(): return [made() for made in get().made]\n",
    "a class of one instance": "class One(Registry):\n    one = None\n    def __new__(cls):\n"
    "        if cls.one is None:\n            cls.one = super().__new__(cls)\n"
    "            cls.one.made = []\n        return cls.one\n    def __init__(self): pass\n"
    "One()(1)\ndef f(): return One().made\n",
    "a class of one instance, by its metaclass": "class Meta(type):\n    kept = {}\n"
    "    def __call__(cls, *given):\n        if cls not in cls.kept:\n"
    "            cls.kept[cls] = super().__call__(*given)\n        return cls.kept[cls]\n"
    "class One(Registry, metaclass=Meta): pass\nOne().made.append(1)\ndef f(): return One().made\n",
    "a list of a class": "class Noted:\n    noted = []\n"
    "    def __init__(self, name): self.noted.append(name)\nNoted('a')\n"
    "def f(): return Noted.noted\n",
    "a dictionary of a class, by the type": "class Noted:\n    noted = {}\n"
    "    def __init__(self, name): type(self).noted[name] = self\na = Noted('a')\n"
    "def f(): return sorted(Noted.noted)\n",
    "a dictionary that a class inherits": "class Base:\n    noted = {}\n    def note(self, name):\n"
    "        self.__class__.noted[name] = self\nclass Noted(Base):\n"
    "    def __init__(self, name): self.note(name)\na = Noted('a')\n"
    "def f(): return sorted(Base.noted)\n",
    "a counter of a class": "class Counted:\n    count = 0\n"
    "    def __init__(self): type(self).count += 1\na = Counted()\n"
    "def f(): return Counted.count\n",
    "a class of one instance, by a decorator": "def single(cls):\n    kept = {}\n"
    "    def get():\n        if cls not in kept: kept[cls] = cls()\n        return kept[cls]\n"
    "    return get\n@single\nclass One(Registry): pass\nOne().made.append(1)\n"
    "def f(): return One().made\n",
    "functions that share what one around them holds": "def make():\n    held = []\n"
    "    def put(function):\n        held.append(function)\n        return function\n"
    "    def run(): return [function() for function in held]\n    return put, run\n"
    "put, run = make()\n@put\ndef one(): return 1\ndef f(): return run()\n",
    "a count that functions share": "def make():\n    count = 0\n    def put():\n"
    "        nonlocal count\n        count += 1\n    def get(): return count\n"
    "    return put, get\nput, get = make()\nput()\ndef f(): return get()\n",
    "a factory that shares what a function around it holds": "def make():\n    held = {}\n"
    "    def put(name):\n        def inner(function):\n            held[name] = function\n"
    "            return function\n        return inner\n    put.held = held\n    return put\n"
    "put = make()\n@put('a')\ndef one(): return 1\ndef f(): return put.held['a']()\n",
    "an object that is told its name": "NAMES = []\nclass Field:\n"
    "    def __set_name__(self, owner, name): NAMES.append(name)\nclass Form:\n"
    "    first = Field()\n"
    "def f(): return NAMES\n",
}  # fmt: skip


@pytest.mark.parametrize("title", sorted(ONE_FILE))
def test_the_slice_changes_the_object_too(title: str, tmp_path: Path) -> None:
    check_files({"m.py": _REGISTRY + ONE_FILE[title]}, tmp_path)


_STORE = "ITEMS = []\ndef get(): return ITEMS\n"

FILES = {
    "a function imports the object itself": {
        "store.py": _STORE,
        "m.py": "import store\ndef setup():\n    from store import ITEMS as items\n"
        "    items.append(1)\nsetup()\ndef f(): return store.ITEMS\n",
    },
    "a module gets the object from a function": {
        "store.py": _STORE,
        "plugin.py": "from store import get\nget().append(1)\n",
        "m.py": "from store import ITEMS\nimport plugin\ndef f(): return ITEMS\n",
    },
    "a loop shares its line with what it runs": {
        "store.py": "ITEMS = []\ndef put(*given):\n    for each in given: ITEMS.append(each)\n",
        "plugin.py": "from store import put\nput(1)\n",
        "m.py": "from store import ITEMS\nimport plugin\ndef f(): return ITEMS\n",
    },
    "a count that functions share, by an attribute of one": {
        "store.py": "def make():\n    count = 0\n    def get(): return count\n    def put():\n"
        "        nonlocal count\n        count += 1\n    get.put = put\n    return get\n"
        "get = make()\n",
        "plugin.py": "from store import get as g\ng.put()\n",
        "m.py": "from store import get\nimport plugin\ndef f(): return get()\n",
    },
    "a module has its functions on one line each": {
        "store.py": _STORE,
        "plugin.py": "from store import ITEMS\ndef setup(): ITEMS.append(1)\nsetup()\n",
        "m.py": "from store import ITEMS\nimport plugin\ndef f(): return ITEMS\n",
    },
    "a function on one line gives a dictionary": {
        "store.py": _STORE,
        "plugin.py": "from store import ITEMS\n"
        "def put(a): ITEMS.append(a); return {'k': (1), 'l': 2}\nput(1)\n",
        "m.py": "from store import ITEMS\nimport plugin\ndef f(): return ITEMS\n",
    },
    "a list is extended by a named one": {
        "store.py": _STORE,
        "m.py": "from store import ITEMS\nEXTRA = ['b']\ndef put(items):\n    items += EXTRA\n"
        "def more(items):\n    items += list(EXTRA)\nput(ITEMS)\nmore(ITEMS)\n"
        "def f(): return ITEMS\n",
    },
    "modules that are only imported when asked for": {
        "store.py": _STORE,
        "lazy/__init__.py": "import importlib\nMODULES = ['one']\ndef __getattr__(name):\n"
        "    if name in MODULES:\n        return importlib.import_module(f'.{name}', __name__)\n"
        "    raise AttributeError(name)\n",
        "lazy/one.py": "from store import ITEMS\nITEMS.append(1)\n",
        "m.py": "import lazy\nfrom store import ITEMS\ndef f(): return lazy.MODULES, ITEMS\n",
    },
    "a function that imports, and is not called": {
        "store.py": _STORE,
        "heavy.py": "from store import ITEMS\nITEMS.append(1)\n",
        "util.py": "import importlib\ndef load(name): return importlib.import_module(name)\n"
        "def kinds(): return {'heavy': 1}\n",
        "m.py": "import util\nfrom store import ITEMS\ndef f(): return ITEMS\n",
    },
    "a module gets what a function keeps": {
        "store.py": "from functools import cache\nclass Store:\n    def __init__(self):\n"
        "        self.items = []\n    def put(self, item): self.items.append(item)\n"
        "@cache\ndef get(): return Store()\n",
        "plugin.py": "from store import get\nstore = get()\nstore.put(1)\n",
        "m.py": "from store import get\nimport plugin\ndef f(): return get().items\n",
    },
    "a module makes an instance that its class notes": {
        "store.py": "class Noted:\n    noted = []\n"
        "    def __init__(self, name): self.noted.append(name)\n",
        "plugin.py": "from store import Noted\nNoted('a')\n",
        "m.py": "from store import Noted\nimport plugin\ndef f(): return Noted.noted\n",
    },
}  # fmt: skip


@pytest.mark.parametrize("title", sorted(FILES))
def test_other_modules_change_the_object_too(title: str, tmp_path: Path) -> None:
    check_files(FILES[title], tmp_path)


UNTOUCHED = {
    "what an unknown object is asked": "import os\ndef show(r): r.draw(1)\nhere = os.environ\n"
    "unused = show(here)\ndef f(): return here.get('x')\n",
    "an instance of its own list": "class Noted:\n    noted = []\n    def __init__(self, name):\n"
    "        self.noted = []\n        self.noted.append(name)\nunused = Noted('a')\n"
    "def f(): return Noted('b').noted\n",
    "a function that makes a new list": "ITEMS = []\ndef get(): return list(ITEMS)\n"
    "unused = get()\nunused.append(1)\ndef f(): return get()\n",
    "a local function of the same name": "def unused():\n    held = []\n"
    "    def f(): held.append(1)\n    f()\nunused()\ndef f(): return 1\n",
    "a parameter of the same name": "import functools\n@functools.lru_cache\n"
    "def job(): return {}\ndef unused(job): job().y = 1\nunused(len)\ndef f(): return job()\n",
    "a class that makes new instances": "class Plain:\n    def __init__(self): self.items = []\n"
    "    def put(self, item): self.items.append(item)\nunused = Plain()\nunused.put(1)\n"
    "def f(): return Plain().items\n",
}  # fmt: skip


@pytest.mark.parametrize("title", sorted(UNTOUCHED))
def test_objects_of_their_own_stay_away(title: str, tmp_path: Path) -> None:
    (tmp_path / "m.py").write_text(UNTOUCHED[title])
    assert "unused" not in slice_function(Repository(tmp_path), "m.py::f").source


def test_what_is_rebound_often_is_followed_once(tmp_path: Path) -> None:
    """Each rebinding was followed from each `return`, which took minutes."""
    steps = "".join("    held = held['a']\n    if x: return held\n" for _ in range(60))
    text = f"TABLE = {{}}\ndef get(x):\n    held = TABLE\n{steps}    return held\n"
    (tmp_path / "m.py").write_text(text + "get(1)['a'] = 2\ndef f(): return TABLE\n")
    assert "get(1)" in slice_function(Repository(tmp_path), "m.py::f").source


def test_heads_of_functions_are_read_in_linear_time() -> None:
    lines = (
        "def " + "a" * 100_000,
        "def f(" + "):" * 50_000,
        "def " + "a" * 50_000 + "(" + "x) " * 20_000,
    )
    for line in lines:
        assert len(surface_of_code(Outline(line).run).words) <= 1


def test_links_in_a_listed_package_go_around_once(tmp_path: Path) -> None:
    (tmp_path / "plugins").mkdir()
    (tmp_path / "plugins" / "__init__.py").write_text("")
    (tmp_path / "plugins" / "loop").symlink_to(".")
    (tmp_path / "m.py").write_text(
        "import pkgutil\nimport plugins\n"
        "def f(): return [name for _, name, _ in pkgutil.iter_modules(plugins.__path__)]\n"
    )
    assert "iter_modules" in slice_function(Repository(tmp_path), "m.py::f").source


_STORE = "class Store:\n    def __init__(self): self.part = ITEMS\n"
_STORE += "    def put(self, key): self.part[key] = 1\n"
HELD_ELSEWHERE = {
    "an instance that holds it, in another module": "Store().put('a')\n",
    "the same under a name": "store = Store()\nstore.put('a')\n",
    "a loop over a list of instances": "for each in [Store(), Store()]: each.put('a')\n",
    "a comprehension": "[each.put('a') for each in [Store()]]\n",
    "a method under a name": "put = Store().put\nput('a')\n",
    "an instance in a class": "class Front:\n    store = Store()\n"
    "    def put(self, key): self.store.put(key)\nFront().put('a')\n",
}


@pytest.mark.parametrize("title", HELD_ELSEWHERE)
def test_what_an_attribute_holds_is_changed_by_its_methods(title: str, tmp_path: Path) -> None:
    files = {
        "items.py": "ITEMS = {}\n",
        "stores.py": "from items import ITEMS\n" + _STORE + HELD_ELSEWHERE[title],
        "m.py": "import stores\nfrom items import ITEMS\ndef f(): return ITEMS\n",
    }
    check_files(files, tmp_path)


_DEEP = "ITEMS = [['a']]\nclass Store:\n    def __init__(self): self.items = list(ITEMS)\n"
COPIED = {
    "what a copy holds is shared": _DEEP + "    def put(self): self.items[0].append('b')\n"
    "Store().put()\ndef f(): return ITEMS\n",
    "another puts the thing itself there": "ITEMS = []\nclass Store:\n"
    "    def __init__(self): self.items = ITEMS.copy()\n"
    "    def put(self): self.items.append('b')\n"
    "store = Store()\nstore.items = ITEMS\nstore.put()\ndef f(): return ITEMS\n",
    "a copy of our own gives the same": "class Items(list):\n    def copy(self): return self\n"
    "ITEMS = Items()\nclass Store:\n    def __init__(self): self.items = ITEMS.copy()\n"
    "    def put(self): self.items.append('b')\nStore().put()\ndef f(): return ITEMS\n",
}


@pytest.mark.parametrize("title", COPIED)
def test_copies_share_what_they_hold(title: str, tmp_path: Path) -> None:
    check_files({"m.py": COPIED[title]}, tmp_path)


UNCHANGED = {
    "a copy that an instance fills": "class A:\n    ALL = {}\n    def __init__(self):\n"
    "        self.all = self.ALL.copy()\n        self.all['a'] = 1\nunasked = A()\n"
    "def f(): return A.ALL\n",
    "a list of what the class has": "class A:\n    ALL = []\n    def __init__(self):\n"
    "        self.all = list(self.ALL)\nclass B(A):\n    def __init__(self):\n"
    "        super().__init__()\n        self.all.append(1)\nunasked = B()\n"
    "def f(): return A.ALL\n",
    "a static method of the class": "class A:\n    @staticmethod\n    def fill(given):\n"
    "        given.append(1)\n        return A.fill(given) if len(given) < 2 else given\n"
    "unasked = A.fill([])\ndef f(): return A.fill([3])\n",
    "a library's class that nothing changes": "import datetime\nclass Date(datetime.date):\n"
    "    pass\nunasked = Date.fromordinal(700_000)\ndef f(): return Date(2020, 1, 2).year\n",
    "a default of None": "def f(given=None):\n    given = given or []\n    given.append(1)\n"
    "    return given\nunasked = f()\n",
    "what forks call": "import os\ndef before(): pass\n"
    "unasked = os.register_at_fork(before=before)\ndef f(): return os.sep\n",
}


@pytest.mark.parametrize("title", UNCHANGED)
def test_what_changes_nothing_is_left_out(title: str, tmp_path: Path) -> None:
    (tmp_path / "m.py").write_text(UNCHANGED[title])
    assert "unasked" not in slice_function(Repository(tmp_path), "m.py::f").source


def test_what_forks_call_is_there_where_something_forks(tmp_path: Path) -> None:
    text = "import os\ndef before(): pass\nos.register_at_fork(before=before)\n"
    (tmp_path / "m.py").write_text(text + "def f(): return os.fork()\ndef g(): return os.sep\n")
    repository = Repository(tmp_path)
    assert "register_at_fork" in slice_function(repository, "m.py::f").source
    assert "register_at_fork" not in slice_function(repository, "m.py::g").source


KEPT_BESIDE = {
    "a default of the function": "def f(given=1, seen=[]):\n    seen.append(given)\n"
    "    return list(seen)\nf(5)\n",
    "a default of a method": "class A:\n    def put(self, given, seen=[]):\n"
    "        seen.append(given)\n        return list(seen)\nA().put(5)\n"
    "def f(): return A().put(1)\n",
    "a metaclass that notes what is made": "MADE = []\nclass Meta(type):\n"
    "    def __call__(cls, *given):\n        MADE.append(cls.__name__)\n"
    "        return super().__call__(*given)\nclass A(metaclass=Meta):\n"
    "    def __init__(self, size): self.size = size\nDEFAULT = A(1)\ndef f(): return list(MADE)\n",
}


@pytest.mark.parametrize("title", KEPT_BESIDE)
def test_what_a_call_leaves_behind_is_kept(title: str, tmp_path: Path) -> None:
    check_files({"m.py": KEPT_BESIDE[title]}, tmp_path)
