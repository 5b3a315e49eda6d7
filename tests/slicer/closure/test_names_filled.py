"""Names that other functions put into a module, and classes that note what is set on them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.slicer.small_programs import check_files

PROGRAMS = {
    "the namespace is handed to another module": {
        "make.py": "def build(names, space):\n    for name in names:\n"
        "        exec(f'def {name}(a): return {name!r}, a', space)\n",
        "m.py": "from make import build\nbuild(['plus'], globals())\ndef f(): return plus(1)\n",
    },
    "the name is computed": {
        "make.py": "def build(space): space.update(two=2)\n",
        "m.py": "from make import build\nbuild(globals())\n"
        "def f(): return [globals()[n] for n in ('t' + 'wo',)]\n",
    },
    "a star import brings them": {
        "made.py": "for n in ('one', 'two'): vars()[n + 's'] = n * 2\n",
        "again.py": "from made import *\n",
        "m.py": "from again import *\ndef f(): return ones\n",
    },
    "a metaclass notes attributes": {
        "base.py": "class Meta(type):\n    def __setattr__(cls, k, v):\n"
        "        super().__setattr__(k, v); cls.seen[k] = v\n"
        "class Base(metaclass=Meta):\n    seen = {}\n",
        "m.py": "from base import Base\nclass Kid(Base): pass\nKid.color = 'red'\n"
        "def f(): return Base.seen\n",
    },
}


@pytest.mark.parametrize("files", PROGRAMS.values(), ids=PROGRAMS)
def test_they_are_kept(files: dict[str, str], tmp_path: Path) -> None:
    check_files(files, tmp_path)
