"""Modules that reach for their own object: to bind names in it, or to put another in its place."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.slicer.small_programs import check_files

_NAMES = "import lib\nfrom lib import y\ndef f(): return lib.x, y\n"

PROGRAMS = {
    "setattr": {
        "lib.py": "import sys\nthis = sys.modules[__name__]\nfor n in 'xy': setattr(this, n, n)\n",
        "m.py": _NAMES,
    },
    "setattr by a computed name": {
        "lib.py": "import sys\n_this = sys.modules[__name__]\ndef make(n): return lambda: n\n"
        "for n in ('a', 'b'): setattr(_this, 'get_' + n, make(n))\n",
        "m.py": "import lib\nfrom lib import get_a\ndef f(): return get_a(), lib.get_b()\n",
    },
    "a name for the namespace": {
        "lib.py": "here = globals()\nfor n in 'xy': here[n] = n\n",
        "m.py": _NAMES,
    },
    "another object": {
        "lib.py": "import sys\nclass Lib:\n    value = 3\n    def hello(self): return 'hello'\n"
        "    def __getattr__(self, name): return 'any ' + name\nsys.modules[__name__] = Lib()\n",
        "m.py": "import lib\nfrom lib import some\n"
        "def f(): return lib.hello(), lib.value, some, lib.other\n",
    },
    "another class": {
        "lib.py": "import sys, types\nclass Lib(types.ModuleType):\n    @property\n"
        "    def value(self): return 3\nsys.modules[__name__].__class__ = Lib\n",
        "m.py": "import lib\ndef f(): return lib.value\n",
    },
    "a star that brings a name only sometimes": {
        "lib/__init__.py": "import os, sys\nif len(sys.argv) > 9:\n    import time\n"
        "    from .more import *\n",
        "lib/more.py": "def more(): return 3\n",
        "lib/use.py": "from . import *\n"
        "def use(late=False): return (time.time(), more()) if late else os.sep\n",
        "m.py": "from lib.use import use\ndef f(): return use()\n",
    },
    "read by a class before it binds its own name": {
        "query.py": "class Number:\n    n = 3\n",
        "m.py": "import query\nclass A:\n    query = query.Number\n    n = query.n\n"
        "def f(): return A().query.n, A.n\n",
    },
    "listed in a package that is imported by its name": {
        "fake/__init__.py": "",
        "fake/given/__init__.py": "",
        "fake/given/color.py": "def give(): return 'red'\n",
        "fake/loading.py": "import pkgutil\nfrom pathlib import Path\n"
        "from importlib import import_module\nNAMES = ['fake.given']\n"
        "def listed(module):\n    path = Path(module.__file__).parent\n"
        "    return [n for _, n, _ in pkgutil.iter_modules([str(path)])]\n"
        "ALL = ['.'.join([m.__package__, n]) for m in map(import_module, NAMES) "
        "for n in listed(m)]\n",
        "m.py": "from importlib import import_module\nfrom fake.loading import ALL\n"
        "def f(): return [import_module(name).give() for name in ALL]\n",
    },
    "bases that hang on a class": {
        "lib/__init__.py": "",
        "lib/hub.py": "class hub: pass\n",
        "lib/layers/__init__.py": "from .first import *\nfrom .second import *\n"
        "from .third import *\n",
        "lib/layers/first.py": "from lib.hub import hub\nclass First:\n"
        "    def save(self): return 'saved'\nhub.First = First\n",
        "lib/layers/second.py": "from lib.hub import hub\nclass Second(hub.First): pass\n"
        "hub.Second = Second\n",
        "lib/layers/third.py": "from lib.hub import hub\nclass Third(hub.Second): pass\n",
        "m.py": "from lib.layers.third import Third\ndef f(): return Third().save()\n",
    },
    "imported by a test library": {
        "plug.py": "def answer(): return 42\n",
        "m.py": "import pytest\nplug = pytest.importorskip('plug')\n"
        "def f(): return plug.answer()\n",
    },
    "all of its names, where a file may be run that imports it": {
        "mm/__init__.py": "from .video import *\n",
        "mm/video/__init__.py": "from .flow import read, write\n__all__ = ['read', 'write']\n",
        "mm/video/flow.py": "def read(): return 'read'\ndef write(): return 'write'\n",
        "mm/other.py": "import mm\nmm.write()\n",
        "mm/hook.py": "import os, runpy\nfrom mm.video import read\n"
        "HERE = os.path.dirname(os.path.abspath(__file__))\n"
        "def go(name=None):\n    if name:\n"
        "        for found in os.listdir(HERE): runpy.run_path(os.path.join(HERE, found))\n"
        "    return read()\n",
        "m.py": "from mm.hook import go\ndef f(): return go()\n",
    },
    "imported by a prefix of the class": {
        "lang/__init__.py": "from importlib import import_module\nclass Finder:\n"
        "    packages = ('lang.', '')\n    package = 'lang'\n"
        "    def find(self, name):\n        for package in self.packages:\n"
        "            return import_module(package + name).WORD\n"
        "    def other(self, name): return import_module(f'{self.package}.{name}').WORD\n",
        "lang/de.py": "WORD = 'ja'\n",
        "m.py": "from lang import Finder\n"
        "def f(): return Finder().find('de'), Finder().other('de')\n",
    },
    "imported by a prefix with a name": {
        "lang/__init__.py": "",
        "lang/de.py": "WORD = 'ja'\n",
        "m.py": "from importlib import import_module\nP = 'lang'\n"
        "def f(n='de'):\n    return [import_module(text).WORD for text in (\n"
        "        f'{P}.{n}',)], import_module('%s.%s' % (P, n)).WORD, "
        "import_module('.'.join([P, n])).WORD, import_module('{}.{}'.format(P, n)).WORD\n",
    },
    "imported in a class": {
        "lib.py": "X = 3\n",
        "m.py": "class A:\n    import lib\n    def get(self): return self.lib.X\n"
        "def f(): return A().get(), A.lib.X\n",
    },
    "an item of its namespace": {
        "lib.py": "def x(): return 3\n",
        "m.py": "import lib\ndef f(): return lib.__dict__['x']()\n",
    },
    "patched by a text": {
        "lib.py": "def x(): return 3\n",
        "m.py": "import lib\nfrom unittest.mock import patch\nWHERE = 'lib'\n"
        "def f():\n    with patch(WHERE + '.x', return_value=4):\n        return lib.x()\n",
    },
    "patched by its own name": {
        "m.py": "from unittest.mock import patch\ndef x(): return 3\n"
        "def f():\n    with patch(f'{__name__}.x', return_value=4):\n        return x()\n",
    },
}


@pytest.mark.parametrize("title", sorted(PROGRAMS))
def test_names_are_found(title: str, tmp_path: Path) -> None:
    check_files(PROGRAMS[title], tmp_path)
