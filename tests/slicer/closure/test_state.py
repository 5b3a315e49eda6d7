"""State of the process that a module sets while it loads: set with what reads it, and only then."""

from __future__ import annotations

from pathlib import Path

import pytest
from slicefunc.slicer import Repository, slice_function

from tests.slicer.small_programs import check_files

_STATES = {
    "curses": ("curses.setupterm('dumb')", "curses.tigetnum('colors')"),
    "decimal": ("decimal.getcontext().prec = 3", "decimal.Decimal(1) / 3"),
    "locale": ("locale.setlocale(locale.LC_ALL, 'C')", "locale.getlocale()"),
}


@pytest.mark.parametrize("module", _STATES)
def test_it_is_kept_where_it_is_read(module: str, tmp_path: Path) -> None:
    sets, reads = _STATES[module]
    assert sets in _sliced(tmp_path, f"import {module}\n{sets}\ndef f(): return {reads}\n")


@pytest.mark.parametrize("module", _STATES)
def test_it_is_left_out_where_nothing_reads_it(module: str, tmp_path: Path) -> None:
    sets = _STATES[module][0]
    assert sets not in _sliced(tmp_path, f"import {module}\n{sets}\ndef f(): return 1\n")


def _sliced(folder: Path, text: str) -> str:
    (folder / "m.py").write_text(text)
    return slice_function(Repository(folder), "m.py::f").source


_FAKES = {
    "stored": "sys.modules['zzlib'] = fake\n",
    "where nothing is": "sys.modules.setdefault('zzlib', fake)\n",
    "several": "sys.modules.update({'zzlib': fake, 'other': fake})\n",
    "in a loop": "for name in ('zzlib', 'zzlib.sub'):\n    sys.modules[name] = fake\n",
    "by a function": "def put(name): sys.modules[name] = fake\nput('zzlib')\n",
}


@pytest.mark.parametrize("fakes", _FAKES.values(), ids=_FAKES)
@pytest.mark.parametrize("library", ["", "def go(): return 'real'\n"], ids=["outside", "ours"])
def test_what_is_put_in_the_place_of_a_module_is_imported(
    fakes: str, library: str, tmp_path: Path
) -> None:
    program = (
        "import sys, types\nfake = types.ModuleType('zzlib')\nfake.go = lambda: 'fake'\n"
        f"{fakes}import tool\ndef f(): return tool.answer()\n"
    )
    files = {"m.py": program, "tool.py": "import zzlib\ndef answer(): return zzlib.go()\n"}
    check_files(files | ({"zzlib.py": library} if library else {}), tmp_path)


_SETTERS = {
    "numbers drawn after a seed": (
        "import random\nrandom.seed(1)\nused_up = [random.random() for _ in range(3)]\n",
        "import random, boot\ndef f(): return random.random()\n",
    ),
    "a loop on one line": (
        "import os\nfor name in ('SF_A', 'SF_B'): os.environ[name] = name\n",
        "import os, boot\ndef f(): return os.environ['SF_A'], os.environ['SF_B']\n",
    ),
    "a handler on one line": (
        "import os\ntry: os.environ['SF_A']\nexcept KeyError: os.environ['SF_A'] = 'a'\n",
        "import os, boot\ndef f(): return os.environ['SF_A']\n",
    ),
}


@pytest.mark.parametrize("title", _SETTERS)
def test_what_another_module_does_to_a_state_is_kept(title: str, tmp_path: Path) -> None:
    boot, program = _SETTERS[title]
    check_files({"boot.py": boot, "m.py": program}, tmp_path)


_ALIASES = {
    "a text of the package's name": "import sys\nfrom . import _impl\n"
    "sys.modules[__name__ + '.compat'] = _impl\n",
    "a formatted text": "import sys\nimport pkg._impl as made\n"
    "sys.modules[f'{__name__}.compat'] = made\n",
    "the whole name": "from sys import modules\nimport sys\nfrom pkg import _impl as compat\n"
    "sys.modules['pkg.compat'] = compat\n",
}
_IMPORTS = {
    "a name of it": "from pkg.compat import helper\ndef f(): return helper()\n",
    "itself": "import pkg.compat as it\ndef f(): return it.helper()\n",
}


@pytest.mark.parametrize("imported", _IMPORTS)
@pytest.mark.parametrize("alias", _ALIASES)
def test_a_module_has_a_further_name(alias: str, imported: str, tmp_path: Path) -> None:
    files = {
        "pkg/__init__.py": _ALIASES[alias],
        "pkg/_impl.py": "def helper(): return inner()\ndef inner(): return 41\n",
        "m.py": _IMPORTS[imported],
    }
    check_files(files, tmp_path)


def test_a_table_that_a_block_imports_keeps_what_fills_it(tmp_path: Path) -> None:
    (tmp_path / "tables.py").write_text(
        "TABLE = {}\n\n\ndef put(key):\n    def add(function):\n        TABLE[key] = function\n"
        "        return function\n    return add\n\n\n@put('one')\ndef one(): return 1\n"
    )
    (tmp_path / "use.py").write_text(
        "import sys\n\nif sys.version_info >= (3,):\n    from tables import TABLE\n"
        "else:\n    TABLE = None\n\n\ndef used():\n    return [TABLE[k]() for k in sorted(TABLE)]\n"
    )
    sliced = slice_function(Repository(tmp_path), "use.py::used")
    assert "one" in {each.qualname for each in sliced.manifest.definitions}
