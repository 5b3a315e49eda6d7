"""Relative imports that leave a folder: the folders that they climb are packages."""

from __future__ import annotations

from pathlib import Path

import pytest
from slicefunc.slicer import Repository, slice_function

_APP = {
    "app/ui/dialog/show.py": "from .dialog import Dialog\ndef f():\n    return Dialog().name\n",
    "app/ui/dialog/dialog.py": (
        "from ..names import NAME\nfrom ...settings import SIZE\n"
        "class Dialog:\n    name = NAME * SIZE\n"
    ),
    "app/ui/names.py": "NAME = 'n'\n",
    "app/settings.py": "SIZE = 3\n",
}


@pytest.mark.parametrize("initial", [{}, {"app/__init__.py": ""}], ids=["folders", "a package"])
def test_a_module_beside_it_climbs_further(initial: dict[str, str], tmp_path: Path) -> None:
    for path, text in {**_APP, **initial}.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    made = slice_function(Repository(tmp_path), "app/ui/dialog/show.py::f")
    scope: dict[str, object] = {"__name__": "sliced"}
    exec(made.source, scope)
    found = scope["f"]
    assert callable(found)
    assert found() == "nnn"


def test_a_folder_inside_of_a_package_is_one(tmp_path: Path) -> None:
    for path in ("app/__init__.py", "app/ui/dialog/other.py"):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text("")
    show = tmp_path / "app/ui/dialog/show.py"
    show.write_text("from .other import *\n")
    assert Repository(tmp_path).module_name("app/ui/dialog/show.py") == "app.ui.dialog.show"
