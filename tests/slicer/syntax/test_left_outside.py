"""What lies in the repository and is not meant: environments, builds, other programs, texts."""

from __future__ import annotations

from pathlib import Path

import pytest
from slicefunc.slicer import Repository, slice_function
from slicefunc.slicer.syntax.import_time_code import aliases_in, surface_of_code

_APP = {"app.py": "import requests\ndef f(): return requests.get(1)\n"}
OUTSIDE = {
    "a package of the package that imports": (
        {
            "pkg/__init__.py": "",
            "pkg/requests/__init__.py": "X = 1\n",
            "app.py": "from pkg.web import f\n",
            "pkg/web.py": "from requests import get\ndef f(): return get(1)\n",
        },
        "pkg/web.py::f",
    ),
    "an environment": (
        {**_APP, "my/pyvenv.cfg": "", "my/src/requests/__init__.py": "", "my/src/setup.py": ""},
        "app.py::f",
    ),
    "a build": ({**_APP, "build/src/requests/__init__.py": ""}, "app.py::f"),
    "a module of another program": ({**_APP, "web/src/requests.py": ""}, "app.py::f"),
    "a file beside it that imports what has its own name": (
        {
            "cogs/requests.py": "import requests\n",
            "cogs/a.py": "import requests\ndef f(): requests.get\n",
        },
        "cogs/a.py::f",
    ),
    "that very file": (
        {"cogs/requests.py": "import requests\ndef f(): return requests.get(1)\n"},
        "cogs/requests.py::f",
    ),
    "a package of the package that imports what has its own name": (
        {
            "pkg/__init__.py": "",
            "pkg/requests/__init__.py": "import requests as _r\nX = _r.get\n",
            "pkg/web.py": "import requests as r\ndef f(): return r.get(1)\n",
        },
        "pkg/web.py::f",
    ),
    "a file beside it that is taken for a package": (
        {
            "cogs/requests.py": "X = 1\n",
            "cogs/a.py": "import requests\nfrom requests.api import get\n"
            "def f(): return requests.X\n",
        },
        "cogs/a.py::f",
    ),
    "an example": (
        {**_APP, "examples/a/setup.py": "", "examples/a/requests/__init__.py": ""},
        "app.py::f",
    ),
}


@pytest.mark.parametrize("title", OUTSIDE)
def test_the_distribution_is_meant(title: str, tmp_path: Path) -> None:
    files, target = OUTSIDE[title]
    made = slice_function(_repository(tmp_path, files), target).manifest
    assert [external.module for external in made.externals] == ["requests"]
    assert made.gaps == ()


def test_projects_that_have_the_same_package_are_both_left_out(tmp_path: Path) -> None:
    projects = {f"{name}/setup.py": "" for name in "ab"}
    projects |= {f"{name}/common/__init__.py": "import m\nm.L.append(1)\n" for name in "ab"}
    files = {**projects, "m.py": "import common\nL = []\ndef f(): return L\n"}
    made = slice_function(_repository(tmp_path, files), "m.py::f").manifest
    assert {definition.qualname for definition in made.definitions} == {"L", "f"}


def test_of_two_files_that_load_by_one_name_one_is_carried(tmp_path: Path) -> None:
    functions = "".join(f"def f{n}(): return {n}\n" for n in range(5))
    files = {f"{name}/utils.py": functions for name in "ab"}
    files |= {f"{name}/{name}.py": "from utils import f4\ndef f(): return f4()\n" for name in "ab"}
    files["b/utils.py"] = "def f4(): return 4\n"
    files["m.py"] = "from a.a import f\nfrom b.b import f as g\ndef h(): return f(), g()\n"
    made = slice_function(_repository(tmp_path, files), "m.py::h").manifest
    (gap,) = made.gaps
    assert (gap.kind, gap.detail) == ("unresolved-import", "a/utils.py is the module utils here")


def test_a_file_that_is_read_as_text_is_not_run(tmp_path: Path) -> None:
    reading = (
        "import importlib, os\nHERE = os.path.dirname(os.path.abspath(__file__))\n"
        "def f(n):\n    importlib.import_module(n)\n"
        "    return open(os.path.join(HERE, 'setup.py')).read()\n"
    )
    files = {"m.py": reading, "setup.py": "import m\nraise SystemExit\n"}
    made = slice_function(_repository(tmp_path, files), "m.py::f").manifest
    assert made.data_files == ("setup.py",)
    assert {definition.path for definition in made.definitions} == {"m.py"}


def test_a_word_with_a_dot_is_no_package(tmp_path: Path) -> None:
    files = {
        "utils/__init__.py": "",
        "utils/a.py": "A = 1\n",
        "m.py": "import importlib\ndef f(n):\n    print('utils.')\n"
        "    return importlib.import_module(n)\n",
    }
    made = slice_function(_repository(tmp_path, files), "m.py::f").manifest
    assert {definition.path for definition in made.definitions} == {"m.py"}


def test_a_star_import_from_outside_is_not_kept_for_a_class_s_own_names(tmp_path: Path) -> None:
    text = "from numpy import *\nclass K:\n    a = 1\n    b = a\ndef f(): return K.b\n"
    made = slice_function(_repository(tmp_path, {"m.py": text}), "m.py::f").manifest
    assert made.externals == ()


_LONG = (
    "a = b" + " " * 100_000 + "!", "for" + " " * 100_000 + "!", "lambda " * 14_000,
    "for " + "a," * 50_000, "a = " + "b." * 50_000, "for " + "(" * 50_000, "a," * 50_000 + "=",
    "lambda x" * 20_000 + ":", "a = b[" * 20_000, "for a in " + "b.c " * 30_000,
)  # fmt: skip


@pytest.mark.parametrize("number", range(len(_LONG)))
def test_long_lines_are_read_in_linear_time(number: int) -> None:
    line = _LONG[number]
    assert len(aliases_in(line)) <= 1
    assert surface_of_code(line).words <= {"a", "b", "c", "x", "for"}


def _repository(folder: Path, files: dict[str, str]) -> Repository:
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    return Repository(folder)
