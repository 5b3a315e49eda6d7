"""Two imports of one file, of which the second one is for where the first does not work."""

from __future__ import annotations

from pathlib import Path

import pytest
from slicefunc.slicer import Repository, slice_function

from tests.slicer.small_programs import check_files

_FILES = {
    "pkg/__init__.py": "",
    "pkg/shapes.py": "MADE = []\nclass Shape:\n    def __init__(self): MADE.append(1)\n",
    "m.py": (
        "from pkg.shapes import MADE, Shape\nfrom pkg.draw import draw\n"
        "def f(): return isinstance(draw(), Shape), len(MADE)\n"
    ),
}
_BOTH = {
    "a dot in the name": (
        'if "." in __name__:\n    from .shapes import Shape\nelse:\n    from shapes import Shape\n'
    ),
    "no package": (
        "if not __package__:\n    from shapes import Shape\nelse:\n    from .shapes import Shape\n"
    ),
    "an error": (
        "try:\n    from .shapes import Shape\nexcept ImportError:\n    from shapes import Shape\n"
    ),
    "an error, by whole names": (
        "try:\n    from pkg.shapes import Shape\n"
        "except (ImportError, ValueError) as error:\n    # as a script\n\n"
        "    from shapes import Shape\n"
    ),
    "the module": (
        "try:\n    from . import shapes\nexcept ImportError:\n    import shapes\n"
        "Shape = shapes.Shape\n"
    ),
    "a star": ("try:\n    from .shapes import *\nexcept ImportError:\n    from shapes import *\n"),
}
_INSIDE = (
    "def draw():\n    try:\n        from .shapes import Shape\n"
    "    except ImportError:\n        from shapes import Shape\n    return Shape()\n"
)
_DRAW = {name: text + "def draw(): return Shape()\n" for name, text in _BOTH.items()}


@pytest.mark.parametrize("draw", [*_DRAW.values(), _INSIDE], ids=[*_DRAW, "inside a function"])
def test_the_file_is_carried_once(draw: str, tmp_path: Path) -> None:
    check_files({**_FILES, "pkg/draw.py": draw}, tmp_path)
    repository = Repository(tmp_path / "repository")
    definitions = slice_function(repository, "m.py::f").manifest.definitions
    labels = [(each.path, each.qualname) for each in definitions]
    assert labels.count(("pkg/shapes.py", "Shape")) == 1


_FAILING = {
    "what else is tried": "import not_installed_anywhere\n    from .shapes import Shape",
    "a name that is not there": "from .shapes import Square as Shape",
}


@pytest.mark.parametrize("tried", _FAILING.values(), ids=_FAILING)
def test_what_fails_leads_to_another_file(tried: str, tmp_path: Path) -> None:
    draw = (
        f"try:\n    {tried}\nexcept ImportError:\n    from .others import Shape\n"
        "def draw(): return Shape()\n"
    )
    others = "from .shapes import Shape as Base\nclass Shape(Base): pass\n"
    check_files({**_FILES, "pkg/draw.py": draw, "pkg/others.py": others}, tmp_path)


@pytest.mark.parametrize("test", ["TYPE_CHECKING", "os.environ.get('NOT_SET_ANYWHERE')"])
def test_what_another_test_leaves_to_run_is_carried(test: str, tmp_path: Path) -> None:
    draw = (
        f"import os, sys\nfrom typing import TYPE_CHECKING\nsys.path.append('pkg')\nif {test}:\n"
        "    from .shapes import Shape\nelse:\n    from shapes import Shape\n"
        "def draw(): return Shape()\n"
    )
    check_files({**_FILES, "pkg/draw.py": draw}, tmp_path)
