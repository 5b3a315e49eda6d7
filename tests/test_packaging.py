"""The wheel holds every folder and its data, and what is built installs and runs."""

from __future__ import annotations

import subprocess
import sys
import tomllib
import zipfile
from itertools import chain
from pathlib import Path

import pytest
from slicefunc.verifier.execution.environments.installer.uv_process import find_uv

ROOT = Path(__file__).parent.parent
BUILT_FROM = ("pyproject.toml", "setup.py", "README.md", "LICENSE", "LICENSES/Apache-2.0.txt")
FOLDERS = ("slicer", "mocker", "verifier", "llm", "driver")
DATA = {
    "llm.prompts": ["*.md"],
    "driver.record": ["environment.schema.json"],
    "driver.reports.audit": ["page.*"],
    "driver.reports.dataset_page": ["assets/*"],
    "mocker.core": ["*.tsv"],
    "slicer.packaging": ["*.tsv"],
}
"""What is installed beside modules, by package."""
EVERYWHERE = ("names.txt", "*.py.txt", "*.yaml.txt")
"""The same for every package that has it."""
SETUPTOOLS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"][
    "setuptools"
]
PIECES = {"runtime", "modules", "world"}
"""Folders of what scripts carry: it loads in a script alone."""


def _packages_on_disk() -> dict[str, str]:
    """Every folder that has Python files, by the name it is installed under."""
    folders = {file.parent for name in FOLDERS for file in (ROOT / name).rglob("*.py")}
    relative = sorted(folder.relative_to(ROOT).as_posix() for folder in folders)
    return {f"slicefunc.{folder.replace('/', '.')}": folder for folder in relative}


def test_every_package_is_typed_and_has_an_init() -> None:
    for name, folder in _packages_on_disk().items():
        assert (ROOT / folder / "__init__.py").is_file(), name
    for folder in FOLDERS:
        assert (ROOT / folder / "py.typed").is_file(), folder
    expected = {f"slicefunc.{folder}": ["py.typed"] for folder in FOLDERS}
    expected |= {f"slicefunc.{package}": files for package, files in DATA.items()}
    expected["*"] = [*EVERYWHERE]
    assert SETUPTOOLS["package-data"] == expected


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from the source distribution of a copy of the tracked kind of files."""
    place = tmp_path_factory.mktemp("wheel")
    copy = place / "copy"
    for name in (*BUILT_FROM, *_sources()):
        (copy / name).parent.mkdir(parents=True, exist_ok=True)
        (copy / name).write_bytes((ROOT / name).read_bytes())
    subprocess.run([find_uv(), "build", "-q", "-p", sys.executable, "-o", place, copy], check=True)
    (found,) = place.glob("*.whl")
    return found


def _sources() -> list[str]:
    files = (
        file
        for folder in _packages_on_disk().values()
        for kind in ("*.py", "py.typed", *EVERYWHERE, *chain(*DATA.values()))
        for file in (ROOT / folder).glob(kind)
    )
    return sorted(file.relative_to(ROOT).as_posix() for file in files)


def test_the_wheel_holds_every_module_and_nothing_else(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if ".dist-info/" not in name}
    assert names == {f"slicefunc/{name}" for name in _sources()}


def test_the_wheel_installs_and_runs(wheel: Path, tmp_path: Path) -> None:
    """With the packages that it names, and no others."""
    (tmp_path / "repo").mkdir()
    (tmp_path / "repo/m.py").write_text("def f():\n    return 1\n")
    command = [find_uv(), "tool", "run", "-q", "--isolated", "-p", sys.executable, "--from", wheel]
    done = subprocess.run(
        [*command, "slice-func", "repo", "m.py::f"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert "def f():\n    return 1\n" in done.stdout


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_module_can_be_loaded(folder: str) -> None:
    """Many load others only when they are called: a name that has moved would show late."""
    names = [
        ".".join(("slicefunc", *path.relative_to(ROOT).with_suffix("").parts))
        for path in sorted((ROOT / folder).rglob("*.py"))
        if PIECES.isdisjoint(path.parts)
    ]
    code = f"import importlib\nfor name in {names}: importlib.import_module(name)"
    subprocess.run((sys.executable, "-c", code), check=True)
