"""Modules that are imported for their effects alone: what they do to objects that are live."""

from __future__ import annotations

from pathlib import Path

import pytest
from slicefunc.slicer.syntax.import_time_code import surface_of_code
from slicefunc.slicer.syntax.outline import Outline

from tests.slicer.small_programs import check_files

_ITEMS = "ITEMS = []\ndef put(item):\n    ITEMS.append(item)\n    return item\n"
_MAIN = "from store import ITEMS\nimport plugin\ndef f():\n    return [str(i) for i in ITEMS]\n"

PLUGINS = {
    "another name": "from store import ITEMS as there\nthere.append(1)\n",
    "a function by another name": "from store import put as _put\n_put(2)\n",
    "the module by another name": "import store as s\ns.ITEMS.append(1)\n",
    "a function that it calls": "import store\ndef setup():\n    store.put(1)\nsetup()\n",
    "a condition": "from store import ITEMS\nif True:\n    ITEMS.append(1)\n",
    "an attempt": "from store import put\ntry:\n    put(1)\nexcept ValueError:\n    pass\n",
    "a loop": "from store import ITEMS\nfor i in range(3):\n    ITEMS.append(i)\n",
    "a class body": "from store import put\nclass A:\n    for i in range(2):\n        put(i)\n",
    "names over several lines": "from store import (\n    put,  # puts\n    ITEMS as I,\n)\n"
    "I.append(1)\n",
}  # fmt: skip


@pytest.mark.parametrize("title", sorted(PLUGINS))
def test_changes_are_found(title: str, tmp_path: Path) -> None:
    files = {"store.py": _ITEMS, "plugin.py": PLUGINS[title], "m.py": _MAIN}
    check_files(files, tmp_path)


OTHERS = {
    "a name that a package hands on": {
        "pack/__init__.py": "from .core import put as register, ITEMS\n",
        "pack/core.py": _ITEMS,
        "plugin.py": "import pack\npack.register(1)\n",
        "m.py": "from pack import ITEMS\nimport plugin\ndef f(): return ITEMS\n",
    },
    "a method by a name of its own": {
        "store.py": "class Store:\n    def __init__(self): self.all = []\n"
        "    def put(self, x): self.all.append(x)\nstore = Store()\nput = store.put\n",
        "plugin.py": "from store import put\nput(1)\n",
        "m.py": "from store import store\nimport plugin\ndef f(): return store.all\n",
    },
    "an instance that notes itself": {
        "store.py": "ITEMS = []\nclass Base:\n    def __init__(self):\n"
        "        ITEMS.append(type(self).__name__)\n",
        "plugin.py": "from store import Base as B\nclass A(B): pass\nA()\n",
        "m.py": "from store import ITEMS\nimport plugin\ndef f(): return ITEMS\n",
    },
    "a class that notes what it is asked for": {
        "store.py": "ITEMS = {}\nclass Of:\n    def __class_getitem__(cls, key):\n"
        "        ITEMS[key] = len(ITEMS)\n        return cls\n",
        "plugin.py": "from store import Of\nOne = Of['one']\nclass Sub(Of['two']): pass\n",
        "m.py": "from store import ITEMS\nimport plugin\ndef f(): return ITEMS\n",
    },
    "another base": {
        "store.py": "class Base: pass\nclass Thing(Base): pass\n",
        "plugin.py": "import store\nclass Mixed:\n    def who(self): return 'mixed'\n"
        "store.Thing.__bases__ = (Mixed,)\n",
        "m.py": "from store import Thing\nimport plugin\ndef f(): return Thing().who()\n",
    },
    "names of a pattern": {
        "store.py": "class Point:\n    def __init__(self, x, y): self.x, self.y = x, y\n",
        "plugin.py": "import store\nstore.Point.__match_args__ = ('y', 'x')\n",
        "m.py": "from store import Point\nimport plugin\ndef f():\n    match Point(1, 2):\n"
        "        case Point(a, b): return a, b\n",
    },
    "a name that a package binds anew": {
        "pack/__init__.py": "from . import part\nfrom .other import part\n",
        "pack/part.py": "VALUE = 1\n",
        "pack/other.py": "class part:\n    VALUE = 2\n",
        "m.py": "import pack.part as p\ndef f(): return p.VALUE\n",
    },
    "single dispatch": {
        "shown.py": "from functools import singledispatch\n@singledispatch\n"
        "def show(x): return 'any'\n",
        "plugin.py": "from shown import show as s\n@s.register(int)\n"
        "def show_int(x): return 'int'\ns.register(str, lambda x: 'str')\n",
        "m.py": "from shown import show\nimport plugin\ndef f(): return show(1), show('')\n",
    },
    "a method that decorates by a name of its own": {
        "store.py": "class Store:\n    def __init__(self): self.all = {}\n"
        "    def at(self, p): return lambda g: self.all.setdefault(p, g)\nstore = Store()\n",
        "plugin.py": "from store import store\nat = store.at\n@at('/')\ndef index(): pass\n",
        "m.py": "from store import store\nimport plugin\ndef f(): return list(store.all)\n",
    },
    "a base that notes its subclasses elsewhere": {
        "store.py": _ITEMS,
        "plugin.py": "import store\nclass Base:\n    def __init_subclass__(cls):\n"
        "        store.ITEMS.append(cls.__name__)\nclass A(Base): pass\n",
        "m.py": "from store import ITEMS\nimport plugin\ndef f(): return ITEMS\n",
    },
    "a base of another module that notes its subclasses elsewhere": {
        "store.py": _ITEMS,
        "base.py": "import store\nclass Base:\n    def __init_subclass__(cls):\n"
        "        store.put(cls.__name__)\n",
        "plugin.py": "from base import Base\nclass A(Base): pass\n",
        "m.py": "from store import ITEMS\nimport plugin\ndef f(): return ITEMS\n",
    },
    "a metaclass that notes its classes elsewhere": {
        "store.py": _ITEMS,
        "plugin.py": "import store\nclass Meta(type):\n    def __init__(cls, *a):\n"
        "        super().__init__(*a)\n        store.put(cls.__name__)\n"
        "class A(metaclass=Meta): pass\n",
        "m.py": "from store import ITEMS\nimport plugin\ndef f(): return ITEMS\n",
    },
    "subclasses": {
        "base.py": "class Base: pass\n",
        "plugin.py": "import base\nclass A(base.Base):\n    def go(self): return 1\n",
        "m.py": "from base import Base\nimport plugin\n"
        "def f(): return [c().go() for c in Base.__subclasses__()]\n",
    },
    "subclasses of what an unknown name stands for": {
        "base.py": "class Base: pass\n",
        "plugin.py": "import base\nclass A(base.Base):\n    def go(self): return 1\n",
        "m.py": "from base import Base\nimport plugin\ndef f():\n    todo, found = [Base], []\n"
        "    while todo:\n        for made in todo.pop().__subclasses__():\n"
        "            found.append(made().go())\n            todo.append(made)\n"
        "    return found\n",
    },
    "a constant that is set": {
        "store.py": "hook = None\ndef run(): return hook()\n",
        "plugin.py": "import store\ndef one(): return 1\nstore.hook = one\n",
        "m.py": "from store import run\nimport plugin\ndef f(): return run()\n",
    },
}


@pytest.mark.parametrize("title", sorted(OTHERS))
def test_ways_to_an_object_are_found(title: str, tmp_path: Path) -> None:
    check_files(OTHERS[title], tmp_path)


def test_bodies_count_where_they_run() -> None:
    functions = "def idle():\n    A.add(1)\ndef setup():\n    B.add(1)\nsetup()\n"
    surface = surface_of_code(Outline(functions + "class C(D.E):\n    F.add(1)\n").run)
    assert surface.owners == {"B", "F"}
    assert surface.derived == {"D", "E"}


def test_reading_changes_nothing() -> None:
    surface = surface_of_code(Outline("x = A.b\ny = A == 1\nA\nfrom A import B\nA.b: int\n").run)
    assert not surface.words
