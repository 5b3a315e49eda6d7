"""Programs inside of packages: what they import begins in a folder that is a package itself."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from slicefunc.slicer import Repository, slice_function

_VALUE = "def value(): return 1\n"
_GO = "\ndef go(): return value()\n"
INSIDE = {
    "a program beside the package": (
        {"dags/__init__.py": "", "dags/helpers/__init__.py": "", "dags/helpers/src/base.py": _VALUE,
         "dags/helpers/src/__init__.py": "", "dags/pipeline.py": "from helpers.src.use import go\n",
         "dags/helpers/src/use.py": f"from helpers.src.base import value\n{_GO}"},
        "dags/helpers/src/use.py",
    ),
    "a module of the folder": (
        {"app/__init__.py": "", "app/core/__init__.py": "", "app/config.py": _VALUE,
         "app/core/db.py": f"from config import value\n{_GO}"},
        "app/core/db.py",
    ),
    "a project of Django": (
        {"backend/__init__.py": "", "backend/manage.py": "", "backend/apps/__init__.py": "",
         "backend/apps/users/__init__.py": "", "backend/apps/users/models.py": _VALUE,
         "backend/apps/users/views.py": f"from apps.users.models import value\n{_GO}"},
        "backend/apps/users/views.py",
    ),
    "two packages further in": (
        {"a/__init__.py": "", "a/b/__init__.py": "", "a/b/c/__init__.py": "", "a/b/m.py": _VALUE,
         "a/b/c/x.py": f"from b.m import value\n{_GO}"},
        "a/b/c/x.py",
    ),
}  # fmt: skip


@pytest.mark.parametrize("title", INSIDE)
def test_what_it_imports_is_carried(title: str, tmp_path: Path) -> None:
    files, path = INSIDE[title]
    for name, text in files.items():
        (tmp_path / "repository" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "repository" / name).write_text(text)
    sliced = slice_function(Repository(tmp_path / "repository"), f"{path}::go")
    assert sliced.gaps == ()
    (tmp_path / "m.py").write_text(sliced.source)
    command = [sys.executable, "-c", "import m; print(m.go())"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout == "1\n"


def test_all_files_of_a_package_in_src_have_the_name_by_which_one_imports_it(
    tmp_path: Path,
) -> None:
    files = {
        "src/__init__.py": "", "src/pkg/__init__.py": "from .use import go\n",
        "src/pkg/base.py": _VALUE, "src/pkg/use.py": f"from pkg.base import value\n{_GO}",
    }  # fmt: skip
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    repository = Repository(tmp_path)
    assert [repository.module_name(name) for name in files] == [
        "src", "pkg", "pkg.base", "pkg.use",
    ]  # fmt: skip


def test_a_library_is_not_a_package_that_lies_deeper(tmp_path: Path) -> None:
    for name in ("pkg/__init__.py", "pkg/a/__init__.py", "pkg/a/x.py", "pkg/requests/__init__.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("")
    (tmp_path / "pkg/requests/__init__.py").write_text("import requests\n")
    (tmp_path / "pkg/a/x.py").write_text("from requests import get\ndef go(): return get(1)\n")
    found = slice_function(Repository(tmp_path), "pkg/a/x.py::go").manifest
    assert [each.module for each in found.externals] == ["requests"]


def test_a_package_that_lacks_what_is_asked_of_it_is_not_meant(tmp_path: Path) -> None:
    for name in ("pkg/__init__.py", "pkg/a/__init__.py", "pkg/numpy/__init__.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("")
    (tmp_path / "pkg/numpy/__init__.py").write_text("from .more import Registry\n")
    (tmp_path / "pkg/a/x.py").write_text("import numpy as np\ndef go(): return np.array([1])\n")
    found = slice_function(Repository(tmp_path), "pkg/a/x.py::go")
    assert [each.module for each in found.manifest.externals] == ["numpy"]
    assert found.gaps == ()


def test_a_file_of_a_package_named_like_a_library_imports_that(tmp_path: Path) -> None:
    for name in ("pkg/__init__.py", "pkg/a/__init__.py", "pkg/a/lark/__init__.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("")
    (tmp_path / "pkg/a/lark/__init__.py").write_text("from .tools import go\n")
    tools = "from lark import Tree\ndef go(): return Tree('a', [])\n"
    (tmp_path / "pkg/a/lark/tools.py").write_text(tools)
    repository = Repository(tmp_path)
    assert repository.module_name("pkg/a/lark/tools.py") == "pkg.a.lark.tools"
    found = slice_function(repository, "pkg/a/lark/tools.py::go").manifest
    assert [each.module for each in found.externals] == ["lark"]
