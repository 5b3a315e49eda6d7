"""Names that a package's own `__getattr__` finds by a table are kept where the table says."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.slicer.small_programs import check_files

THING = {
    "lib/thing.py": "class Thing:\n    def go(self): return self.h()\n    def h(self): return 1\n"
}
OTHER = {"lib/other.py": "class Other: pass\n"}
IMPORTED = "from lib import Thing\ndef f(): return Thing().go()\n"
PACKAGES = {
    "the whole path": """\
import importlib
_LAZY = {"Thing": "lib.thing", "Other": "lib.other"}
def __getattr__(name):
    if name in _LAZY: return getattr(importlib.import_module(_LAZY[name]), name)
    raise AttributeError(name)
""",
    "relative": """\
import importlib
_LAZY = {"Thing": ".thing", "Other": ".other"}
def __getattr__(name):
    if name in _LAZY: return getattr(importlib.import_module(_LAZY[name], __name__), name)
    raise AttributeError(name)
""",
    "a bare module": """\
import importlib
_LAZY = {"Thing": "thing", "Other": "other"}
def __getattr__(name):
    if name in _LAZY: return getattr(importlib.import_module("." + _LAZY[name], __name__), name)
    raise AttributeError(name)
""",
    "modules and their names": """\
from importlib import import_module
_STRUCTURE = {"thing": ["Thing"], "other": ["Other"]}
_WHERE = {name: module for module, names in _STRUCTURE.items() for name in names}
def __getattr__(name):
    try:
        module = import_module(f"{__name__}.{_WHERE[name]}")
    except KeyError:
        raise AttributeError(name) from None
    globals()[name] = value = getattr(module, name)
    return value
""",
    "a module and a name": """\
import importlib
_LAZY = {"Thing": (".thing", "Thing"), "Other": (".other", "Other")}
def __getattr__(name):
    try: where, attribute = _LAZY[name]
    except KeyError: raise AttributeError(name) from None
    return getattr(importlib.import_module(where, __package__), attribute)
""",
    "an entry point": """\
import importlib
_LAZY = {"Thing": "lib.thing:Thing"}
def __getattr__(name):
    if name not in _LAZY: raise AttributeError(name)
    where, attribute = _LAZY[name].split(":")
    return getattr(importlib.import_module(where), attribute)
""",
    "a dotted name": """\
import importlib
_LAZY = {"Thing": "lib.thing.Thing"}
def __getattr__(name):
    if name not in _LAZY: raise AttributeError(name)
    where, _, attribute = _LAZY[name].rpartition(".")
    return getattr(importlib.import_module(where), attribute)
""",
}


@pytest.mark.parametrize("title", PACKAGES)
def test_what_a_table_says_is_kept(title: str, tmp_path: Path) -> None:
    check_files({"m.py": IMPORTED, "lib/__init__.py": PACKAGES[title], **THING, **OTHER}, tmp_path)
