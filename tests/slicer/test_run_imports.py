"""Modules imported for their effects by what does not begin a line, and by what is called."""

from __future__ import annotations

from pathlib import Path

import pytest
from slicefunc.slicer import Repository, slice_function

from .small_programs import check_files

_STORE = "R = []\ndef reg(f):\n    R.append(f.__name__)\n    return f\n"
_PLUGIN = "from store import reg\n@reg\ndef plugin(): return 1\n"
_FILES = {"store.py": _STORE, "plug.py": _PLUGIN}
_F = "from store import R\ndef f(): return R\n"
_DISCOVER = (
    "import pkgutil, importlib\ndef discover(pkg):\n"
    "    for info in pkgutil.iter_modules(pkg.__path__):\n"
    "        importlib.import_module(pkg.__name__ + '.' + info.name)\n"
)
_LOAD = "def load():\n    import plug\n"

PROGRAMS: dict[str, dict[str, str]] = {
    "an attempt": {"m.py": "try:\n    import plug\nexcept ImportError:\n    plug = None\n"},
    "an attempt of another module": {
        "app.py": "try:\n    import plug\nexcept ImportError:\n    plug = None\n",
        "m.py": "import app\n",
    },
    "an attempt of a package": {
        "pack/__init__.py": "try:\n    from . import inner\nexcept ImportError:\n    pass\n",
        "pack/inner.py": _PLUGIN,
        "m.py": "import pack\n",
    },
    "a condition": {"m.py": "import sys\nif sys.version_info > (3,):\n    import plug\n"},
    "the other branch": {"m.py": "if 0:\n    import missing\nelse:\n    import plug\n"},
    "a context": {
        "m.py": "import contextlib\nwith contextlib.suppress(ImportError):\n    import plug\n"
    },
    "a function of its own": {"m.py": f"{_LOAD}load()\n"},
    "a function of another module": {"app.py": _LOAD, "m.py": "import app\napp.load()\n"},
    "by another name": {"app.py": _LOAD, "m.py": "from app import load as go\ngo()\n"},
    "a method": {
        "app.py": "class App:\n    def setup(self):\n        import plug\napp = App()\n",
        "m.py": "from app import app\napp.setup()\n",
    },
    "a constructor": {
        "app.py": "class App:\n    def __init__(self):\n        import plug\n",
        "m.py": "from app import App\napp = App()\n",
    },
    "a decorator": {
        "app.py": "def plain(f):\n    import plug\n    return f\n",
        "m.py": "from app import plain\n@plain\ndef g(): pass\n",
    },
    "a factory": {
        "app.py": "def create():\n    from plug import plugin\n    return [plugin]\n",
        "wsgi.py": "from app import create\napplication = create()\n",
        "m.py": "import wsgi\n",
    },
    "names in a list": {
        "m.py": "import importlib\nNAMES = ['plug']\ndef load():\n"
        "    for n in NAMES: importlib.import_module(n)\nload()\n"
    },
    "names in the settings": {
        "settings.py": "NAMES = ['plug']\n",
        "m.py": "import importlib, settings\ndef load():\n"
        "    for n in settings.NAMES: importlib.import_module(n)\nload()\n",
    },
    "names that are imported": {
        "settings.py": "NAMES = ['plug']\n",
        "m.py": "import importlib\nfrom settings import NAMES\n"
        "for n in NAMES: importlib.import_module(n)\n",
    },
    "a package that is handed over": {
        "finder.py": _DISCOVER,
        "pack/__init__.py": "",
        "pack/inner.py": _PLUGIN,
        "m.py": "import finder, pack\nfinder.discover(pack)\n",
    },
    "a package that is named": {
        "finder.py": "import pkgutil, importlib\ndef discover(name):\n"
        "    pkg = importlib.import_module(name)\n"
        "    for info in pkgutil.iter_modules(pkg.__path__):\n"
        "        importlib.import_module(name + '.' + info.name)\n",
        "pack/__init__.py": "",
        "pack/inner.py": _PLUGIN,
        "m.py": "import finder\nfinder.discover('pack')\n",
    },
    "a package that hands itself over": {
        "finder.py": "import pkgutil, importlib\ndef discover(name, path):\n"
        "    for info in pkgutil.iter_modules(path):\n"
        "        importlib.import_module(name + '.' + info.name)\n",
        "pack/__init__.py": "from finder import discover\ndiscover(__name__, __path__)\n",
        "pack/inner.py": _PLUGIN,
        "m.py": "import pack\n",
    },
    "names over several lines": {
        "pack/__init__.py": "from . import (  # both\n    other,\n    inner,  # this one\n)\n",
        "pack/other.py": "",
        "pack/inner.py": _PLUGIN,
        "m.py": "import pack\n",
    },
    "a line that goes on": {"o.py": "", "m.py": "import o, \\\n    plug\n"},
    "behind another statement": {"o.py": "", "m.py": "import o; import plug\n"},
}  # fmt: skip


@pytest.mark.parametrize("title", sorted(PROGRAMS))
def test_effects_are_those_of_the_original(title: str, tmp_path: Path) -> None:
    files = {**_FILES, **PROGRAMS[title]}
    files["m.py"] += _F
    check_files(files, tmp_path)


def test_a_package_that_the_target_looks_through(tmp_path: Path) -> None:
    files = {
        **_FILES,
        "finder.py": _DISCOVER,
        "pack/__init__.py": "",
        "pack/inner.py": _PLUGIN,
        "m.py": "import finder, pack\nfrom store import R\n"
        "def f():\n    finder.discover(pack)\n    return R\n",
    }
    check_files(files, tmp_path)


IDLE = {
    "for type checkers": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import plug\n",
    "in a program": "if __name__ == '__main__':\n    import plug\n",
    "in a function that nothing calls": _LOAD,
    "in a text": "TEXT = '''\nimport plug\n'''\n",
}


@pytest.mark.parametrize("title", sorted(IDLE))
def test_what_does_not_run_is_left_out(title: str, tmp_path: Path) -> None:
    files = {**_FILES, "m.py": IDLE[title] + _F}
    for path, text in files.items():
        (tmp_path / path).write_text(text)
    made = slice_function(Repository(tmp_path), "m.py::f")
    assert "plugin" not in made.source
