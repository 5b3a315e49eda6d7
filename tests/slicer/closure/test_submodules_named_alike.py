"""A submodule of the name that its package binds: which of the two an import means."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.slicer.small_programs import check_files

_CLASS = "class X:\n    def load(self): return 'class'\ndef make(): return 'module'\n"
_INITIALS = {
    "rebound": "from pkg import X\nX = X.X\n",
    "rebound, relative": "from . import X\nX = X.X\n",
    "rebound, renamed": "from . import X as r\nX = r.X\n",
    "rebound, by its path": "import pkg.X\nX = pkg.X.X\n",
    "taken out of it": "from .X import X\n",
    "a star": "from .X import *\n",
}
_TAKERS = {
    "a star": "from .core import *\n",
    "its names": "from .core import run, helpers\n",
    "a star over two modules": "from .other import *\n",
    "another name for it": "from .core import helpers as helpers, run\n",
}


@pytest.mark.parametrize("initial", _INITIALS.values(), ids=_INITIALS)
def test_others_get_what_the_package_binds(initial: str, tmp_path: Path) -> None:
    program = "from pkg import X\ndef f(): return X().load()\n"
    check_files({"pkg/__init__.py": initial, "pkg/X.py": _CLASS, "m.py": program}, tmp_path)


@pytest.mark.parametrize("initial", _INITIALS.values(), ids=_INITIALS)
def test_what_the_package_binds_is_there_for_annotations(initial: str, tmp_path: Path) -> None:
    program = "from pkg import X\ndef g(x: X): pass\ndef f(): return g(1)\n"
    check_files({"pkg/__init__.py": initial, "pkg/X.py": _CLASS, "m.py": program}, tmp_path)


@pytest.mark.parametrize("initial", _TAKERS.values(), ids=_TAKERS)
def test_what_the_package_takes_from_a_module_is_the_submodule_in_there(
    initial: str, tmp_path: Path
) -> None:
    files = {
        "app/__init__.py": initial,
        "app/core.py": "from . import helpers\ndef run(): return helpers.helper(2)\n",
        "app/other.py": "from .core import *\n",
        "app/helpers.py": "def helper(x): return x * 10\n",
        "m.py": "import app.core\ndef f(): return app.core.run()\n",
    }
    check_files(files, tmp_path)


def test_a_function_of_the_package_gets_what_it_binds(tmp_path: Path) -> None:
    initial = "from .X import X\ndef g():\n    from . import X\n    return X().load()\n"
    program = "import pkg\ndef f(): return pkg.g()\n"
    check_files({"pkg/__init__.py": initial, "pkg/X.py": _CLASS, "m.py": program}, tmp_path)


@pytest.mark.parametrize(
    "stars",
    [("plain", "api", "words"), ("api", "words"), ("api", "words", "more"), ("words", "more")],
    ids=" ".join,
)
def test_a_star_import_of_what_the_package_had_leaves_the_first_one(
    stars: tuple[str, ...], tmp_path: Path
) -> None:
    files = {
        "c/__init__.py": ("from c.api import Reader\n" if "api" not in stars else "")
        + "".join(f"from c.{name} import *\n" for name in stars),
        "c/plain.py": "from c.api import *\nclass Plain(Reader): pass\n",
        "c/api.py": "class Reader:\n    def __init__(self, root): self.root = root\n",
        "c/words.py": "from c import Reader\nclass Words(Reader): pass\n",
        "c/more.py": "from c.words import Reader, Words\n",
        "m.py": "from c import Words\ndef f(): return Words(1).root\n",
    }
    check_files(files, tmp_path)
