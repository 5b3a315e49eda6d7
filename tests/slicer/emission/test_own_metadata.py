"""Calls that ask for the repository's own distribution are gaps; calls for others are not."""

from __future__ import annotations

from pathlib import Path

import pytest
from slicefunc.slicer import Repository, slice_function
from slicefunc.slicer.packaging.build_metadata import own_distributions

BUILD_FILES = {
    "pyproject.toml": (
        '[project]\nname = "My.Tool"\n[project.entry-points."tool.plugins"]\na = "b"\n'
    ),
    "setup.cfg": "[metadata]\nname = my_tool\n[options.entry_points]\ntool.plugins =\n    a = b\n",
    "setup.py": "from setuptools import setup\n"
    "setup(name='my-tool', entry_points={'tool.plugins': ['a = b']})\n",
}
OWN = [
    "metadata.version(__name__)",
    "metadata.version(__package__)",
    "metadata.version(__name__.split('.')[0])",
    "metadata.version('my-tool')",
    "metadata.version(distribution_name='MY_TOOL')",
    "metadata.metadata('my-tool')",
    "metadata.distribution(NAME)",
    "metadata.files('my.tool')",
    "metadata.requires('pkg')",
    "version('my-tool')",
    "metadata.entry_points(group='tool.plugins')",
    "metadata.entry_points(group='my_tool.other')",
    "pkg_resources.get_distribution('my-tool>=1')",
    "pkg_resources.iter_entry_points('tool.plugins')",
]
OTHERS = [
    "metadata.version('requests')",
    "metadata.version(unknown)",
    "metadata.entry_points(group='pytest11')",
    "metadata.packages_distributions()",
    "pkg_resources.get_distribution('requests')",
    "open('my-tool')",
]


def gaps(folder: Path, build_file: str, expression: str) -> list[str]:
    """Kinds of the gaps of a function that evaluates the expression."""
    (folder / "pkg").mkdir()
    (folder / "pkg/__init__.py").touch()
    (folder / build_file).write_text(BUILD_FILES[build_file])
    (folder / "pkg/mod.py").write_text(
        "from importlib import metadata\nfrom importlib.metadata import version\n"
        "import pkg_resources\n"
        f"NAME = 'my-tool'\ndef target(unknown):\n    return {expression}\n"
    )
    found = slice_function(Repository(folder), "pkg/mod.py::target")
    assert all((gap.path, gap.line) == ("pkg/mod.py", 6) for gap in found.gaps)
    return [gap.kind for gap in found.gaps]


@pytest.mark.parametrize("build_file", BUILD_FILES)
@pytest.mark.parametrize("expression", OWN)
def test_own_distribution(tmp_path: Path, build_file: str, expression: str) -> None:
    assert gaps(tmp_path, build_file, expression) == ["own-metadata"]


@pytest.mark.parametrize("expression", OTHERS)
def test_other_distributions(tmp_path: Path, expression: str) -> None:
    assert gaps(tmp_path, "pyproject.toml", expression) == []


@pytest.mark.parametrize("text", ["[project", "[project]\nname = 3\n", "\0", "project = 1\n"])
def test_a_broken_build_file_names_nothing(tmp_path: Path, text: str) -> None:
    (tmp_path / "pyproject.toml").write_text(text)
    (tmp_path / "mod.py").write_text(
        "from importlib.metadata import version\ndef target():\n"
        "    return version('tool'), version('mod')\n"
    )
    found = slice_function(Repository(tmp_path), "mod.py::target")
    assert [gap.kind for gap in found.gaps] == ["own-metadata"]
    assert "'mod'" in found.gaps[0].detail


def test_colons_separate_in_a_setup_file_as_signs_of_equality_do(tmp_path: Path) -> None:
    (tmp_path / "setup.cfg").write_text("[metadata]\nname: my_tool\nversion: 1.2\n")
    (tmp_path / "mod.py").write_text("")
    assert own_distributions(Repository(tmp_path), "mod.py") == {"my-tool": "1.2"}
