"""Reads RepoST-Eval: its examples, and where the repository of each one lies.

The public set is a file of one JSON object a line. Its `orig_context` is what another slicer found
for the function: fragments of the files of the repository, each in a code fence of its own.
"""

from __future__ import annotations

import ast
import json
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Iterator

FRAGMENT = re.compile(
    r"^```python\n## (?P<path>[^\n]+)\n(?P<text>.*?)\n```\s*(?=^```python\n## |\Z)",
    re.DOTALL | re.MULTILINE,
)
Origin = Literal["repository", "context"]
FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


@dataclass(frozen=True, slots=True)
class Example:
    """One line of the data set."""

    number: str
    repository: str
    """Owner and name with a slash."""
    commit: str
    path: str
    qualname: str
    published: str
    """The function as the set gives it: unparsed, so only its tree can be compared."""
    context: str
    eval_script: str

    @property
    def target(self) -> str:
        """The target as the slicer takes it."""
        return f"{self.path}::{self.qualname}"

    @property
    def name(self) -> str:
        """The top-level name that a script for this target must bind."""
        return self.qualname.partition(".")[0]

    def fragments(self) -> dict[str, str]:
        """The files of the context: path to text."""
        files: dict[str, str] = {}
        for found in FRAGMENT.finditer(self.context.strip() + "\n"):
            path = found["path"].strip()
            files[path] = files.get(path, "") + found["text"] + "\n"
        return files


@dataclass(frozen=True, slots=True)
class Home:
    """Where an example is sliced."""

    folder: Path
    origin: Origin
    as_published: bool
    """Whether the target there has the tree of the published one."""


def read_examples(data: Path) -> tuple[Example, ...]:
    """All examples of the file, in its order."""
    return tuple(_example(json.loads(line)) for line in data.read_text("utf-8").splitlines())


def find_home(example: Example, repositories: Path | None, contexts: Path) -> Home:
    """The whole repository where it can be had and holds the target; else the context as files."""
    for folder in _checkouts(example, repositories):
        nodes = definitions(read_text(folder / example.path), example.qualname)
        if nodes:
            return Home(folder, "repository", _same(nodes, example.published))
    folder = contexts / example.number
    folder.mkdir(parents=True, exist_ok=True)
    for path, text in example.fragments().items():
        file = folder / PurePosixPath(path)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
    nodes = definitions(read_text(folder / example.path), example.qualname)
    return Home(folder, "context", _same(nodes, example.published))


def local_names(example: Example, home: Home) -> frozenset[str]:
    """Top-level module names that are the repository's own, seen from the target's file.

    Such a module must never be stubbed: that it is missing is a fault of the script.
    """
    roots = (home.folder / part for part in (*ancestors(example.path), "src"))
    return frozenset(name for root in roots for name in module_names(root))


def ancestors(path: str) -> tuple[str, ...]:
    """The folders above a file, from the repository's root (`.`) inwards."""
    return tuple(str(parent) for parent in reversed(PurePosixPath(path).parents))


def definitions(text: str, qualname: str) -> tuple[FunctionNode, ...]:
    """Every definition of that qualified name, those under `if` and `try` included."""
    try:
        body = ast.parse(text).body
    except (SyntaxError, ValueError):
        return ()
    return tuple(_named(body, qualname.split(".")))


def read_text(file: Path) -> str:
    """The text of a file, empty where there is none."""
    return file.read_text("utf-8-sig", "replace") if file.is_file() else ""


def _example(record: dict[str, str]) -> Example:
    return Example(
        number=record["idx"],
        repository=record["repo_name"].replace("___", "/", 1),
        commit=record["commit_id"],
        path=record["func_path"],
        qualname=record["func_name"],
        published=record["orig_func"],
        context=record["orig_context"],
        eval_script=record["eval_script"],
    )


def _checkouts(example: Example, repositories: Path | None) -> tuple[Path, ...]:
    if repositories is None:
        return ()
    names = (example.repository, example.repository.replace("/", "___", 1))
    return tuple(repositories / name for name in names if (repositories / name).is_dir())


def _same(nodes: tuple[FunctionNode, ...], published: str) -> bool:
    tree = ast.dump(ast.parse(published).body[0])
    return any(ast.dump(node) == tree for node in nodes)


def _named(body: list[ast.stmt], names: list[str]) -> Iterator[FunctionNode]:
    first, *rest = names
    for statement in body:
        match statement:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                if statement.name != first:
                    continue
                if rest:
                    yield from _named(statement.body, rest)
                else:
                    yield statement
            case _:
                inner = [n for n in ast.walk(statement) if isinstance(n, ast.stmt)][1:]
                yield from _named([n for n in inner if isinstance(n, FunctionNode)], names)


@cache
def module_names(root: Path) -> frozenset[str]:
    """Names of what may be modules in a folder."""
    if not root.is_dir():
        return frozenset()
    files = {file.stem for file in root.glob("*.py")}
    folders = {folder.name for folder in root.iterdir() if any(folder.rglob("*.py"))}
    return frozenset(files | folders)
