"""Modules imported for their effects by what does not begin a line, and by what is called."""

from __future__ import annotations

from pathlib import Path

import pytest
from slicefunc.slicer import Repository, slice_function

from tests.nightly import one_in
from tests.slicer.small_programs import check_files

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
    "an attempt on one line": {"m.py": "try: import plug\nexcept ImportError: pass\n"},
    "a condition on one line": {"m.py": "if True: import plug\n"},
    "what is not for type checkers": {
        "o.py": "",
        "m.py": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import o\n"
        "else:\n    import plug\n",
    },
    "a comment with brackets": {
        "pack/__init__.py": "",
        "pack/inner.py": _PLUGIN,
        "m.py": "from pack import (  # all (of it)\n    inner,\n)\n",
    },
    "names with something behind them": {
        "settings.py": "APPS = ['pack', 'other']\n",
        "pack/__init__.py": "",
        "pack/inner.py": _PLUGIN,
        "m.py": "from importlib import import_module\nfrom settings import APPS\n"
        "for app in APPS:\n    try:\n        import_module(f'{app}.inner')\n"
        "    except ImportError:\n        pass\n",
    },
    "names with something around them": {
        "pack/__init__.py": "",
        "pack/a/__init__.py": "",
        "pack/a/inner.py": _PLUGIN,
        "inner.py": "from store import reg\n@reg\ndef other(): return 1\n",
        "m.py": "from importlib import import_module\nfor n in ('a',):\n"
        "    import_module(f'pack.{n}.inner')\n",
    },
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
    "in the text of the module": '"""Use:\n\nimport plug\n"""\n',
    "in a text": "TEXT = '''\nimport plug\n'''\n",
}


@pytest.mark.parametrize("title", sorted(IDLE))
def test_what_does_not_run_is_left_out(title: str, tmp_path: Path) -> None:
    files = {**_FILES, "m.py": IDLE[title] + _F}
    for path, text in files.items():
        (tmp_path / path).write_text(text)
    made = slice_function(Repository(tmp_path), "m.py::f")
    assert "plugin" not in made.source


WHOLE = {
    "a text that begins with a dot is of the package": {
        "pack/__init__.py": "import importlib\nR = []\n"
        "importlib.import_module('.a', __package__)\n",
        "pack/a.py": "from . import R\nR.append(1)\n",
        "a.py": "import pack\npack.R.append(9)\n",
        "m.py": "import pack\ndef f(): return pack.R\n",
    },
    "what functions of the slice import": {
        "app/__init__.py": "def create():\n    from app.pages import R\n    return R\n",
        "app/pages/__init__.py": "R = []\nfrom app.pages import home\n",
        "app/pages/home.py": "from app.pages import R\nR.append('home')\n",
        "m.py": "from app import create\ndef f(): return create()\n",
    },
}


@pytest.mark.parametrize("title", sorted(WHOLE))
def test_whole_programs_do_the_same(title: str, tmp_path: Path) -> None:
    check_files(WHOLE[title], tmp_path)


def test_a_loaded_file_that_does_not_parse_is_let_be(tmp_path: Path) -> None:
    files = {
        "conf.py": "R = []\n",
        "broken.py": "import other\nx = = 1\n",
        "other.py": "import conf\nconf.R.append(1)\n",
        "m.py": "import conf\ntry:\n    import broken\nexcept SyntaxError:\n    pass\n"
        "def f(): return conf.R\n",
    }
    for path, text in files.items():
        (tmp_path / path).write_text(text)
    assert "R = []" in slice_function(Repository(tmp_path), "m.py::f").source


def test_links_go_around_once(tmp_path: Path) -> None:
    (tmp_path / "pack").mkdir()
    (tmp_path / "pack" / "__init__.py").write_text("X = []\nfrom . import one, two\n")
    for name in ("one", "two"):
        (tmp_path / "pack" / name).symlink_to(".")
    (tmp_path / "m.py").write_text("import pack\ndef f(): return pack.X\n")
    assert "X = []" in slice_function(Repository(tmp_path), "m.py::f").source


_RELATIVE = [f".a{number}" for number in range(40)]
LONG = {
    "relative names": f"import importlib\nX = []\nfor n in {_RELATIVE}:\n"
    "    importlib.import_module(n, __package__)\n",
    "a long word": 'X = []\nD = """\n' + "ab12" * 20_000 + '\n"""\n',
    "spaces": "X = []\nD = 'setattr(" + " " * 80_000 + "x'\n",
    "a name among its own": f"X = []\nh = [print]\nh = [{'h, ' * 200}]\nfor h in h: h()\n",
    "loops over one list": f"X = []\nh = [{'lambda: X.append(0), ' * 200}]\n"
    + "for g in h: g()\n" * 200,
    "brackets that nothing closes": 'X = []\nD = """\n' + "from x import (\n" * 5_000 + '"""\n',
}


@pytest.mark.parametrize("title", one_in(3, sorted(LONG)))
def test_long_texts_are_read_in_their_own_time(title: str, tmp_path: Path) -> None:
    """Each of these once took minutes."""
    (tmp_path / "pack").mkdir()
    (tmp_path / "pack" / "__init__.py").write_text(LONG[title])
    for number in range(40):
        (tmp_path / "pack" / f"a{number}.py").write_text("from . import X\nX.append(1)\n")
    (tmp_path / "m.py").write_text("import pack\ndef f(): return pack.X\n")
    assert "X = []" in slice_function(Repository(tmp_path), "m.py::f").source
