"""What runs while a class is made or a function defined: values, defaults, annotations."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.slicer.small_programs import check, check_files, programs

_LOG = "seen = []\ndef note(what):\n    seen.append(what)\n    return what\n"

ONE_FILE = programs(
    """
# a default of a method that nobody calls
class Form:
    note("body")
    def draw(self, size=note("default"), *, pen=note("pen")): return size
def f(): return seen
# an annotation in a class
class Form:
    width: note("annotation") = 3
def f(): return seen
# a value in a class
class Form:
    label = note("label")
    first, second = note("pair"), 2
def f(): return seen
# annotations of a function
def draw(size: note("size"), *rest: note("rest")) -> note("returned"): return size
def f(): return seen
# a table that a method's default fills
TABLE = {}
class Form:
    def draw(self, kind=TABLE.setdefault("kind", "plain")): return kind
def f(): return TABLE
# the class that `__class__` means
class Form:
    width = 4
    makers = [lambda: __class__.height for _ in range(1)]
    height = 5
    def area(self): return __class__.width * __class__.makers[0]()
def f(): return Form().area()
# the class that `__class__` means, inside of a function of a method
class Base:
    kind = "base"
    def told(self):
        def inner(): return __class__.kind, __class__.named()
        return inner()
    @classmethod
    def named(cls): return cls.__name__
class Form(Base):
    kind = "form"
def f(): return Form().told()
""",
    _LOG,
)


@pytest.mark.parametrize("title", ONE_FILE)
def test_what_runs_is_kept(title: str, tmp_path: Path) -> None:
    check(ONE_FILE[title], tmp_path)


def test_what_a_class_of_another_module_notes_is_kept(tmp_path: Path) -> None:
    files = {
        "log.py": _LOG,
        "forms.py": "from log import note\n"
        "class Form:\n    def draw(self, size=note('default')): return size\n",
        "m.py": "import forms\nfrom log import seen\ndef f(): return seen\n",
    }
    check_files(files, tmp_path)
