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


def test_a_file_that_another_one_imports_from_beside_it_is_in_the_same_package(
    tmp_path: Path,
) -> None:
    files = {
        "app/__init__.py": "",
        "app/cache/base.py": "class Base: pass\n",
        "app/cache/kept.py": "from .base import Base\nclass Kept(Base): pass\n",
        "app/cache/other.py": "from . import base as b\n",
        "app/cache/lone.py": "import base64\n",
    }
    for path, text in files.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    repository = Repository(tmp_path)
    names = [repository.module_name(f"app/cache/{name}.py") for name in ("base", "kept", "lone")]
    assert names == ["app.cache.base", "app.cache.kept", "lone"]


def test_files_beside_and_at_the_root_say_what_a_module_is_called(tmp_path: Path) -> None:
    texts = {
        "app/kinds.py": "class Kind: ...\n",
        "app/tools.py": "def tool(): ...\n",
        "app/alone.py": "x = 1\n",
        "app/use.py": "from app.kinds import Kind\n",
        "main.py": "from app import tools\n",
    }
    (tmp_path / "app").mkdir()
    for path, text in texts.items():
        (tmp_path / path).write_text(text)
    repository = Repository(tmp_path)
    names = [repository.module_name(f"app/{name}.py") for name in ("kinds", "tools", "alone")]
    assert names == ["app.kinds", "app.tools", "alone"]
