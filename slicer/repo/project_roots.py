"""Import roots of the projects inside a repository, such as a workspace or monorepo.

When the projects are installed, or run by `uv` or `poetry`, they import one another by package
name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..syntax.memo import memo
from .file_tree import FileTree, is_skipped, join

_BUILD_FILES = frozenset({"pyproject.toml", "setup.cfg", "setup.py"})
_INNER = ("src", "lib", "python")
"""Subfolders of a project that contain only its packages."""
_NO_PROJECTS = re.compile(
    r"\.|_|.*[{]|(?:build|dist|out|docs?|examples?|fixtures?|samples?|templates?|tests?|testing|"
    r"vendor(?:ed)?|third[_-]?party|extern(?:al)?|site-packages|node_modules)$"
)
"""Folders with examples, tests or copies of projects."""
_NO_PACKAGES = re.compile(r"docs?$|examples?$|scripts?$|tests?$|tools$|benchmarks?$")
_WHERE = re.compile(r"^[ \t]*where[ \t]*=[ \t]*\[([^\]]*,[^\]]*)\]", re.M)
_PLACE = re.compile(r"[\w./-]*\w")
_DEEPEST = 4
"""Maximum depth of folders that are searched for projects."""


def build_files(tree: FileTree, path: str) -> Iterator[str]:
    """Yield the build files of the nested project that contains the file."""
    folder = path.rpartition("/")[0]
    while folder:
        found = sorted(_BUILD_FILES & tree.listing(folder))
        if found:
            yield from (f"{folder}/{name}" for name in found)
            return
        folder = folder.rpartition("/")[0]


@memo
def member_roots(tree: FileTree) -> dict[str, tuple[str, ...]]:
    """Top-level packages and modules of projects below the root → the roots that have them."""
    found: dict[str, dict[str, None]] = {}
    for folder in _folders(tree, "", 0):
        if folder.endswith("/src"):  # a project without a build file
            for name in _tops(tree, folder, is_flat=True):
                found.setdefault(name, {}).setdefault(folder)
        for root in _listed(tree, folder):
            for name in _tops(tree, root, is_flat=False):
                found.setdefault(name, {}).setdefault(root)
        if folder and not _BUILD_FILES.isdisjoint(tree.listing(folder)):
            for root in (*(join(folder, inner) for inner in _INNER), folder):
                for name in _tops(tree, root, is_flat=root == folder):
                    found.setdefault(name, {}).setdefault(root)
    return {name: tuple(roots) for name, roots in found.items()}


def _listed(tree: FileTree, folder: str) -> Iterator[str]:
    """Yield the package folders that the build files of a folder declare, if they declare any."""
    for name in sorted(_BUILD_FILES & tree.listing(folder)):
        for places in _WHERE.findall(_text(tree, join(folder, name))):
            yield from (join(folder, *place.split("/")) for place in _PLACE.findall(places))


def _text(tree: FileTree, path: str) -> str:
    return (tree.path / path).read_text(encoding="utf-8", errors="replace")


def _folders(tree: FileTree, folder: str, depth: int) -> Iterator[str]:
    names = tree.listing(folder)
    if "pyvenv.cfg" in names:
        return
    yield folder
    for name in sorted(names) if depth < _DEEPEST else ():
        path, own = join(folder, name.rstrip("/")), name.rstrip("/")
        is_left_out = _NO_PROJECTS.match(own) or is_skipped(own) or tree.is_link(path)
        if name.endswith("/") and not is_left_out:
            yield from _folders(tree, path, depth + 1)


def _tops(tree: FileTree, root: str, *, is_flat: bool) -> Iterator[str]:
    """Yield the names importable from the root; beside a build file, packages and its own
    module.
    """
    own = re.sub(r"\W", "_", root.rpartition("/")[2])
    for name in sorted(tree.listing(root)):
        folder, is_folder = name.rstrip("/"), name.endswith("/")
        if is_folder and folder.isidentifier() and not _NO_PACKAGES.match(folder):
            below = join(root, folder)
            if "__init__.py" in tree.listing(below) or (not is_flat and tree.holds_python(below)):
                yield folder
        elif name.endswith(".py") and (
            name == f"{own}.py" or (not is_flat and name not in _BUILD_FILES)
        ):
            yield name.removesuffix(".py")
