"""A repository on disk: what belongs to it, and by which names its files import one another."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from slicefunc.slicer import Repository, slice_function
from slicefunc.slicer.errors import SourceError, TargetError
from slicefunc.slicer.repo.repository import Namespace

if TYPE_CHECKING:
    from pathlib import Path


def written(folder: Path, files: dict[str, str]) -> Path:
    for path, text in files.items():
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
    return folder


def called(tmp_path: Path, source: str, call: str) -> str:
    script = written(tmp_path / "alone", {"script.py": f"{source}\nprint({call})\n"})
    command = (sys.executable, "-I", str(script / "script.py"))
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


ITSELF_A_PACKAGE = {
    "types.py": "class Score:\n    def __init__(self, value):\n        self.value = value\n",
    "common.py": (
        "from . import types\nfrom .sampler.plain import draw\n\n"
        "def best(values):\n    return max(types.Score(v).value for v in draw(values))\n"
    ),
    "sampler/plain.py": (
        "from ..types import Score\n\ndef draw(v):\n    return [Score(x).value for x in v]\n"
    ),
}


@pytest.mark.parametrize("initial", [{}, {"__init__.py": ""}], ids=["namespace", "regular"])
@pytest.mark.parametrize("name", ["evals", "simple-evals"])
def test_the_folder_itself_may_be_the_package(
    tmp_path: Path, name: str, initial: dict[str, str]
) -> None:
    folder = written(tmp_path / name, {**ITSELF_A_PACKAGE, **initial})
    found = slice_function(Repository(folder), "common.py::best")
    assert not found.gaps
    assert called(tmp_path, found.source, "best([1.5, 3.0])") == "3.0\n"


def test_a_link_to_itself_hides_nothing_beside_it(tmp_path: Path) -> None:
    folder = written(tmp_path / "repo", {"a.py": "def f():\n    return 1\n"})
    (folder / "loop.py").symlink_to("loop.py")
    assert [str(target) for target in Repository(folder).targets()] == ["a.py::f"]


@pytest.mark.parametrize("link", ["link.py", "pkg"])
def test_what_a_link_shows_outside_is_not_of_the_repository(tmp_path: Path, link: str) -> None:
    outside = written(tmp_path / "outside", {"secret.py": "def key():\n    return 1\n"})
    folder = written(tmp_path / "repo", {"a.py": "def f():\n    return 1\n"})
    (folder / link).symlink_to(outside / "secret.py" if link == "link.py" else outside)
    repository = Repository(folder)
    assert [str(target) for target in repository.targets()] == ["a.py::f"]
    path = "link.py" if link == "link.py" else "pkg/secret.py"
    with pytest.raises(TargetError, match="a link to something outside the repository"):
        slice_function(repository, f"{path}::key")


def test_an_import_does_not_follow_a_link_outside(tmp_path: Path) -> None:
    outside = written(tmp_path / "outside", {"secret.py": "KEY = 'canary'\n"})
    text = "from pkg.secret import KEY\n\ndef f():\n    return KEY\n"
    folder = written(tmp_path / "repo", {"a.py": text})
    (folder / "pkg").symlink_to(outside)
    assert "canary" not in slice_function(Repository(folder), "a.py::f").source


def test_a_link_inside_is_followed(tmp_path: Path) -> None:
    folder = written(tmp_path / "repo", {"lib/a.py": "def f():\n    return 1\n"})
    (folder / "b.py").symlink_to("lib/a.py")
    assert called(tmp_path, slice_function(Repository(folder), "b.py::f").source, "f()") == "1\n"


def test_a_package_called_env_is_no_virtual_environment(tmp_path: Path) -> None:
    function = "def f():\n    return 1\n"
    files = {"env/gym.py": function, "env2/pyvenv.cfg": "", "env2/lib.py": function}
    folder = written(tmp_path / "repo", files)
    assert [str(target) for target in Repository(folder).targets()] == ["env/gym.py::f"]


def test_files_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    folder = written(tmp_path / "repo", {"a.py": "def f():\n    return 1\n", "b.py": "print 1\n"})
    ((path, error),) = Repository(folder).unreadable()
    assert path == "b.py"
    assert str(error).startswith("b.py:1: does not parse")


def test_a_package_around_a_module_is_the_folder_for_all_files(tmp_path: Path) -> None:
    files = {
        "app.py": "from tools.text import shout\n",
        "tools/text.py": "def shout():\n    return 1\n",
        "tools/tools.py": "def twice():\n    return 2\n",
    }
    repository = Repository(written(tmp_path / "repo", files))
    inner = repository.module("tools/text.py", "tools.text")
    assert repository.find_module("tools", inner) == Namespace("tools", "tools")
    app = repository.module_at("app.py")
    assert repository.find_module("tools", app) == Namespace("tools", "tools")


def test_a_program_that_is_imported_by_what_it_imports_can_be_loaded(tmp_path: Path) -> None:
    files = {
        "main.py": (
            "import display\n\n\nclass Controller:\n    def show(self):\n"
            "        return display.Window(self).draw()\n\n\n"
            'if __name__ == "__main__":\n    Controller().show()\n'
        ),
        "display.py": (
            "from main import Controller\n\n\nclass Window:\n"
            "    def __init__(self, owner: Controller):\n        self.owner = owner\n\n"
            "    def draw(self):\n        return type(self.owner).__name__\n"
        ),
    }
    repository = Repository(written(tmp_path / "repo", files))
    found = slice_function(repository, "main.py::Controller.show")
    assert called(tmp_path, found.source, "Controller().show()") == "Controller\n"


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="that Python is the newer one")
@pytest.mark.parametrize(
    ("text", "version"),
    [
        ("def f(row):\n    return f'{row['t']}'\n", "3.12 (quotes inside f-strings)"),
        ("a = f'{1}'\nb = t'{a}'\n", "3.14 (template strings)"),
        ("a = f'{1}'\ntype Pair = tuple[int, int]\n", "3.12 (type statement)"),
        (
            '"""Like `twice`.\n\n    print twice\n"""\ndef f[T](x: T): pass\n',
            "3.12 (type parameters)",
        ),
        (
            "# print twice\ntry:\n    f()\nexcept KeyError, OSError:\n    pass\n",
            "3.14 (except without parentheses)",
        ),
    ],
)
def test_a_newer_python_is_named(tmp_path: Path, text: str, version: str) -> None:
    (tmp_path / "a.py").write_text(text)
    with pytest.raises(SourceError) as error:
        Repository(tmp_path).source("a.py")
    assert f"may need Python {version}" in str(error.value)


@pytest.mark.parametrize(
    "text", ["f = lambda (a, b): a\n", "def h((a, b)):\n    return a\n", "print 'x'\n"]
)
def test_python_2_is_named(tmp_path: Path, text: str) -> None:
    (tmp_path / "a.py").write_text(f'"""One a.k.a. t."""\n{text}')
    with pytest.raises(SourceError, match="looks like Python 2"):
        Repository(tmp_path).source("a.py")


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="parses there")
def test_quotes_inside_of_an_f_string_are_no_python_2(tmp_path: Path) -> None:
    said = '"""Add\n    print a particle."""\nx = f"{y.split("/")[-1]}"\n'
    (tmp_path / "a.py").write_text(said)
    with pytest.raises(SourceError, match=r"may need Python 3\.12"):
        Repository(tmp_path).source("a.py")


def test_a_module_of_a_package_is_not_the_library_that_it_wraps(tmp_path: Path) -> None:
    package = tmp_path / "app" / "utils"
    package.mkdir(parents=True)
    for folder in (package, package.parent):
        (folder / "__init__.py").write_text("")
    (package / "pydantic.py").write_text("from pydantic import BaseModel\n\ndef fields(): ...\n")
    (package / "redis.py").write_text("def connect(): ...\n")
    (package / "helpers.py").write_text("def clean(): ...\n")
    (package / "misc.py").write_text(
        "from pydantic import BaseModel\nfrom redis import Redis\nfrom helpers import clean\n"
    )
    repository = Repository(tmp_path)
    importer = repository.module_at("app/utils/misc.py")
    assert repository.find_module("pydantic", importer) is None
    assert repository.find_module("redis", importer) is None
    found = repository.find_module("helpers", importer)
    assert found is not None
    assert found.path == "app/utils/helpers.py"


def test_a_package_that_one_file_imports_by_a_longer_name_has_it_in_all_files(
    tmp_path: Path,
) -> None:
    """Or its modules would be loaded twice, once by each name."""
    package = tmp_path / "components/lamp"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text(
        "from .api import Client\n\n\ndef setup(entry):\n    return Client(entry).name\n"
    )
    (package / "api.py").write_text(
        "from components.lamp.const import NAME\n\n\n"
        "class Client:\n    def __init__(self, entry):\n        self.name = NAME + entry\n"
    )
    (package / "const.py").write_text('NAME = "a"\n')
    (package / "torn.py").write_bytes(b"# \xff components.lamp\n")
    beside = tmp_path / "components/other"
    beside.mkdir()
    (beside / "__init__.py").write_text("from .api import Client\n")
    (beside / "api.py").write_text("class Client:\n    pass\n")
    repository = Repository(tmp_path)
    paths = ("lamp/__init__.py", "lamp/api.py", "lamp/const.py", "other/__init__.py")
    names = [repository.module_name(f"components/{path}") for path in paths]
    assert names == ["components.lamp", "components.lamp.api", "components.lamp.const", "other"]
    sliced = slice_function(repository, "components/lamp/__init__.py::setup", emit="modules")
    script = tmp_path / "slice.py"
    script.write_text(f"{sliced.source}\nprint(setup('b'))\n")
    done = subprocess.run(
        [sys.executable, "-I", script], capture_output=True, text=True, check=True, cwd="/"
    )
    assert done.stdout == "ab\n"
