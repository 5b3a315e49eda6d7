"""Versions that a repository's lock files pin.

A lock file that cannot be read pins nothing. One with several versions of a distribution does not
pin that distribution.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Iterator
from typing import cast

from ..repo.repository import Repository
from ..syntax.memo import memo
from ..syntax.requirement import Requirement, normal, parse_requirement
from .declared_requirements import as_table, tables, text_of

_CONDA = re.compile(r"^\s*-\s*[\"']?(?:[\w-]+::)?(?P<name>[\w.-]+)\s*(?P<version>[<>=!~][^\"'#]*)?")
_PIP = re.compile(r"^(?P<indent>\s*)-\s*pip:\s*$")
_CONDA_NAMES = {
    "pytorch": "torch", "pytorch-cpu": "torch", "pytorch-gpu": "torch", "matplotlib-base":
    "matplotlib", "pytables": "tables", "msgpack-python": "msgpack", "opencv": "opencv-python",
    "py-opencv": "opencv-python", "python-graphviz": "graphviz", "pyqt": "PyQt5",
    "tensorflow-base": "tensorflow", "seaborn-base": "seaborn", "build": "build",
    "importlib_metadata": "importlib-metadata", "brotlipy": "brotlipy", "faiss-cpu": "faiss-cpu",
}  # fmt: skip
"""Conda name → name in the package index, where they differ."""


@memo
def locked_in(repository: Repository, folder: str) -> dict[str, Requirement]:
    """Return normal name → requirement, for distributions pinned in the folder's locks."""
    found: dict[str, Requirement] = {}
    for requirement in _locked(repository, folder):
        found.setdefault(normal(requirement.name), requirement)
    return found


def _locked(repository: Repository, folder: str) -> Iterator[Requirement]:
    names = repository.listing(folder)
    for file, read in _READERS:
        if file in names:
            try:
                yield from list(read(text_of(repository, folder, file)))
            except (ValueError, RecursionError):
                continue


def _from_packages(text: str) -> Iterator[Requirement]:
    """Yield the requirements in the `[[package]]` tables of uv, Poetry and PDM."""
    content: object = tomllib.loads(text)
    versions: dict[str, set[str]] = {}
    for listed in tables(content, "package"):
        for package in cast("list[object]", listed) if isinstance(listed, list) else ():
            table = as_table(package)
            name, version = table.get("name"), table.get("version")
            if isinstance(name, str) and isinstance(version, str) and _is_from_index(table):
                versions.setdefault(name, set()).add(version)
    for name, found in versions.items():
        if len(found) == 1:
            yield Requirement(name).pinned(found.pop())


def _is_from_index(package: dict[str, object]) -> bool:
    """Whether the package comes from an index, not from a folder, repository or address."""
    source = as_table(package.get("source"))
    if "type" in source:  # Poetry names the kind of a source
        return source["type"] in ("legacy", "registry")
    return not source.keys() & {"git", "path", "directory", "editable", "virtual", "url"}


def _from_pipenv(text: str) -> Iterator[Requirement]:
    content: object = json.loads(text)
    for section in ("default", "develop"):
        for name, entry in as_table(as_table(content).get(section)).items():
            version = as_table(entry).get("version")
            if isinstance(version, str) and version.startswith("=="):
                yield Requirement(name, specifier=version.replace(" ", ""))


def _from_conda(text: str) -> Iterator[Requirement]:
    """Yield the requirements in `dependencies` of a Conda environment file, read line by line."""
    lines = text.splitlines()
    starts = [n for n, line in enumerate(lines, 1) if re.match(r"dependencies:\s*$", line)]
    pip_indent = -1
    for line in lines[starts[0] :] if starts else ():
        if line.strip() and not line.startswith((" ", "-", "\t", "#")):
            return  # the next key
        indent = len(line) - len(line.lstrip())
        pip = _PIP.match(line)
        if pip:
            pip_indent = indent
        elif pip_indent >= 0 and indent > pip_indent:
            found = parse_requirement(line.strip().lstrip("- ").strip("\"'"))
            if found and found.specifier:
                yield found
        else:
            pip_indent = -1
            yield from _conda_line(line)


def _conda_line(line: str) -> Iterator[Requirement]:
    found = _CONDA.match(line)
    if not found or not found["version"] or found["name"] == "python":
        return
    version = found["version"].strip()
    exact = re.match(r"(={1,2})\s*([\w.]+)(=\S+)?$", version)
    name = _CONDA_NAMES.get(found["name"], found["name"])
    if exact is None:
        requirement = parse_requirement(name + version)
        if requirement:
            yield requirement
    elif exact[1] == "==" or exact[3]:
        yield Requirement(name).pinned(exact[2])
    else:
        yield Requirement(name, specifier=f"=={exact[2]}.*")  # `=1.2` means any 1.2


_READERS: tuple[tuple[str, Callable[[str], Iterator[Requirement]]], ...] = (
    ("uv.lock", _from_packages),
    ("poetry.lock", _from_packages),
    ("pdm.lock", _from_packages),
    ("Pipfile.lock", _from_pipenv),
    ("environment.yml", _from_conda),
    ("environment.yaml", _from_conda),
    ("conda.yml", _from_conda),
    ("conda.yaml", _from_conda),
)
