"""Modules that code imports by names in texts, or finds by listing a package."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.slicer.small_programs import check_files

_REGISTER = "from store import ITEMS\nITEMS.append(__name__)\n"

PROGRAMS = {
    "a module and a class, in a table": {
        "m.py": """\
import importlib
PATHS = {'mem': ('backends.mem', 'Backend')}
def load(kind):
    module, name = PATHS[kind]
    return getattr(importlib.import_module(module), name)()
def f(): return load('mem').get()
""",
        "backends/__init__.py": "",
        "backends/mem.py": "class Backend:\n    def get(self): return 3\n",
    },
    "a module and a function, as arguments": {
        "m.py": """\
from importlib import import_module
def load(module, name): return getattr(import_module(module), f"make_{name}")
def f(): return load('plugs.a', 'one')()
""",
        "plugs/__init__.py": "",
        "plugs/a.py": "def make_one(): return 1\n",
    },
    "a module of another package": {
        "m.py": """\
from importlib import import_module
def load(kind): return import_module(f'.{kind}', package='backends').get()
def f(): return load('mem')
""",
        "backends/__init__.py": "",
        "backends/mem.py": "def get(): return 3\n",
    },
    "modules that are imported for their effects, in a loop": {
        "m.py": """\
import importlib
from store import ITEMS
for name in ('one', 'two'):
    importlib.import_module(name)
def f(): return ITEMS
""",
        "store.py": "ITEMS = []\n",
        "one.py": _REGISTER,
        "two.py": _REGISTER,
    },
    "modules that a package imports for their effects": {
        "m.py": "import plugs\nfrom store import ITEMS\ndef f(): return ITEMS\n",
        "store.py": "ITEMS = []\n",
        "plugs/__init__.py": """\
from importlib import import_module
for name in ['one', 'two']:
    import_module('.' + name, __name__)
""",
        "plugs/one.py": _REGISTER,
        "plugs/two.py": _REGISTER,
    },
    "modules that a package finds for their effects": {
        "m.py": "import plugs\nfrom store import ITEMS\ndef f(): return sorted(ITEMS)\n",
        "store.py": "ITEMS = []\n",
        "plugs/__init__.py": """\
import importlib
import pkgutil
for _, name, _ in pkgutil.iter_modules(__path__):
    importlib.import_module(f'{__name__}.{name}')
""",
        "plugs/one.py": _REGISTER,
        "plugs/two.py": _REGISTER,
    },
    "names in a table": {
        "m.py": """\
from importlib import import_module
TABLE = {"a": "pa", "b": "pb.Thing"}
def load(k):
    mod, _, name = TABLE[k].partition(".")
    m = import_module(mod)
    return getattr(m, name) if name else m
def f(): return load("a").go(), load("b")().go()
""",
        "pa.py": """\
def go(): return 1
""",
        "pb.py": """\
class Thing:
    def go(self): return 2
""",
    },
    "the path of a class": {
        "m.py": """\
from conf import DEFAULT
from util import import_string
def f(): return import_string(DEFAULT)().go()
""",
        "conf.py": """\
DEFAULT = 'pb.Thing'
""",
        "util.py": """\
import importlib
def import_string(dotted):
    mod, name = dotted.rsplit(".", 1)
    return getattr(importlib.import_module(mod), name)
""",
        "pb.py": """\
class Thing:
    def go(self): return 2
""",
    },
    "paths in settings": {
        "m.py": """\
from util import import_string
from conf import SETTINGS
class App:
    def __init__(self, s): self.mw = [import_string(x) for x in s["MIDDLEWARE"]]
    def run(self):
        r = []
        for m in self.mw: r.append(m().go())
        return r
def f(): return App(SETTINGS).run()
""",
        "conf.py": """\
SETTINGS = {'MIDDLEWARE': ['mw.A', 'mw.B']}
""",
        "util.py": """\
import importlib
def import_string(dotted):
    mod, name = dotted.rsplit(".", 1)
    return getattr(importlib.import_module(mod), name)
""",
        "mw.py": """\
class A:
    def go(self): return 1
class B:
    def go(self): return 2
""",
    },
    "listed, a formatted name": {
        "m.py": """\
from plugins import load
def f(): return load()
""",
        "plugins/one.py": """\
def go(): return 1
""",
        "plugins/two/__init__.py": """\
from .x import go
""",
        "plugins/two/x.py": """\
def go(): return 2
""",
        "plugins/__init__.py": """\
import pkgutil, importlib
def load():
    found = pkgutil.iter_modules(__path__)
    return sorted(importlib.import_module(f"{__name__}.{i.name}").go() for i in found)
""",
    },
    "listed, a relative name": {
        "m.py": """\
from plugins import load
def f(): return load()
""",
        "plugins/one.py": """\
def go(): return 1
""",
        "plugins/two/__init__.py": """\
from .x import go
""",
        "plugins/two/x.py": """\
def go(): return 2
""",
        "plugins/__init__.py": """\
import pkgutil, importlib
def load():
    found = pkgutil.iter_modules(__path__)
    return sorted(importlib.import_module("." + i.name, __package__).go() for i in found)
""",
    },
    "listed, a sum": {
        "m.py": """\
from plugins import load
def f(): return load()
""",
        "plugins/one.py": """\
def go(): return 1
""",
        "plugins/two/__init__.py": """\
from .x import go
""",
        "plugins/two/x.py": """\
def go(): return 2
""",
        "plugins/__init__.py": """\
import pkgutil, importlib
def load():
    found = pkgutil.iter_modules(__path__)
    return sorted(importlib.import_module(__name__ + "." + i.name).go() for i in found)
""",
    },
    "walked with a prefix": {
        "m.py": """\
from plugins import load
def f(): return load()
""",
        "plugins/one.py": """\
def go(): return 1
""",
        "plugins/two/__init__.py": """\
from .x import go
""",
        "plugins/two/x.py": """\
def go(): return 2
""",
        "plugins/__init__.py": """\
import pkgutil, importlib
def load():
    found = pkgutil.walk_packages(__path__, __name__ + ".")
    return sorted(importlib.import_module(i.name).go() for i in found)
""",
    },
    "listed by the folder of a file": {
        "m.py": """\
from plugins import load
def f(): return load()
""",
        "plugins/one.py": """\
def go(): return 1
""",
        "plugins/two/__init__.py": """\
from .x import go
""",
        "plugins/two/x.py": """\
def go(): return 2
""",
        "plugins/__init__.py": """\
import os, pkgutil, importlib
def load():
    found = pkgutil.iter_modules([os.path.dirname(__file__)])
    return sorted(importlib.import_module(f"{__name__}.{i.name}").go() for i in found)
""",
    },
    "listed while the package is imported": {
        "m.py": """\
import plugins
def f(): return {k: m.go() for k, m in sorted(plugins.PLUGINS.items())}
""",
        "plugins/one.py": """\
def go(): return 1
""",
        "plugins/two/__init__.py": """\
from .x import go
""",
        "plugins/two/x.py": """\
def go(): return 2
""",
        "plugins/__init__.py": """\
import pkgutil, importlib
PLUGINS = {}
for info in pkgutil.iter_modules(__path__):
    PLUGINS[info.name] = importlib.import_module("." + info.name, __name__)
""",
    },
    "a word that is a file which does not parse": {
        "m.py": """\
import importlib
def load(n): return importlib.import_module(n)
def f(): return load("good").X, "bad"
""",
        "good.py": """\
X = 1
""",
        "bad.py": """\
def (:
""",
    },
    "classes that a configuration of logging names": {
        "m.py": """\
import io, logging, logging.config
SHOWN = io.StringIO()
def f():
    logging.config.dictConfig({
        "version": 1,
        "formatters": {"short": {"()": "logs.Short"}},
        "handlers": {"shown": {"class": "logs.Handler", "formatter": "short", "stream": SHOWN}},
        "root": {"handlers": ["shown"]},
    })
    logging.warning("x")
    return SHOWN.getvalue()
""",
        "logs.py": """\
import logging
class Short(logging.Formatter):
    def format(self, record): return "<" + record.getMessage() + ">"
class Handler(logging.StreamHandler):
    def emit(self, record): super().emit(record); self.stream.write("!")
""",
    },
    "classes that a configuration names in the module that reads it": {
        "m.py": """\
import setup_logs
import logging
setup_logs.configure("list")
def f():
    logging.getLogger("jobs.daily").warning("left")
    return setup_logs.Kept.lines
""",
        "setup_logs.py": """\
import logging.config
class Kept(logging.Handler):
    lines = []
    def emit(self, record): self.lines.append(self.format(record))
class Upper(logging.Filter):
    def filter(self, record):
        record.msg = record.msg.upper()
        return True
HANDLERS = {"list": {"class": "setup_logs.Kept", "filters": ["upper"]}}
def configure(name):
    logging.config.dictConfig({
        "version": 1,
        "filters": {"upper": {"()": "setup_logs.Upper"}},
        "handlers": HANDLERS,
        "root": {"handlers": [name]},
    })
""",
    },
    "a name that `pkgutil` resolves": {
        "m.py": """\
import pkgutil
def f(): return pkgutil.resolve_name("plugins:Plugin.go")()
""",
        "plugins.py": """\
class Plugin:
    @staticmethod
    def go(): return 1
""",
    },
    "a name in a data file that `pydoc` looks for": {
        "m.py": """\
import json, pydoc
from pathlib import Path
NAMES = json.loads(Path(__file__).with_name("names.json").read_text())
def f(): return pydoc.locate(NAMES["it"])().go()
""",
        "names.json": '{"it": "plugins.Plugin"}',
        "plugins.py": """\
class Plugin:
    def go(self): return 1
""",
    },
    "all of another package, by its path": {
        "m.py": """\
import importlib, pkgutil
import plugins
def f():
    found = pkgutil.walk_packages(plugins.__path__, "plugins.")
    return [importlib.import_module(each.name).go() for each in found if not each.ispkg]
""",
        "plugins/__init__.py": "",
        "plugins/first.py": """\
def go(): return 1
""",
        "plugins/more/__init__.py": "",
        "plugins/more/second.py": """\
def go(): return 2
""",
    },
    "another package with a module that does not parse": {
        "m.py": """\
import importlib, pkgutil
import plugins
def f():
    names = [each.name for each in pkgutil.iter_modules(plugins.__path__)]
    return importlib.import_module("plugins." + names[-1]).go()
""",
        "plugins/__init__.py": "",
        "plugins/bad.py": "def (:\n",
        "plugins/good.py": """\
def go(): return 1
""",
    },
}


def test_a_package_that_loads_the_targets_module_when_it_is_imported(tmp_path: Path) -> None:
    check_files(_PLUGINS, tmp_path, "app.plugins.notes")


_PLUGINS = {
    "app/__init__.py": """\
from .core import Base
from .loading import load
def make(name):
    Base.rules.append(load(name))
    return Base()
DEFAULT = make("notes")
""",
    "app/core.py": "class Base:\n    rules = []\n",
    "app/loading.py": """\
from importlib import import_module
PLUGINS = {"notes": "app.plugins.notes.notes"}
def load(name):
    module, attribute = PLUGINS[name].rsplit(".", 1)
    return getattr(import_module(module), attribute)
""",
    "app/plugins/__init__.py": "",
    "app/plugins/notes.py": """\
from ..core import Base
def f(): return [rule() for rule in Base.rules]
def notes(): return "noted"
""",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_slice_does_the_same(name: str, tmp_path: Path) -> None:
    check_files(PROGRAMS[name], tmp_path)
