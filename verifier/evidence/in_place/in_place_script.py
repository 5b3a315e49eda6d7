"""A script that runs a slice's cases in the repository itself.

It carries the slice's mocks, imports the target's module under its true name, and shares that
module's globals. So whatever runs cases of the slice can run them in the repository, too.
"""

from __future__ import annotations

import builtins
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from ....mocker.contacts import MOCKS_BEGIN
from ....slicer.emission.choose_layout import layout_of
from ....slicer.repo.file_tree import join
from ....slicer.repo.units import PRELUDE_END

if TYPE_CHECKING:
    from ....slicer import Repository
    from ....slicer.model import Manifest, Slice


@dataclass(frozen=True, slots=True)
class InPlace:
    """The script, and how to read its observations."""

    head: str
    """Its beginning: mocks, and the importer of the target's module."""
    call: str
    """The expression that imports the module."""
    folder: Path
    """The repository's files, which must be readable where it runs."""
    module: str
    """True name of the target's module."""
    modules: tuple[tuple[str, str], ...]
    """True name and path of each module with code in the slice."""
    is_merged: bool
    """Whether the slice's script merges all modules into one namespace."""
    elsewhere: tuple[tuple[str, str], ...]
    """Names that the target's module lacks at run time, each with its defining module."""
    imported: tuple[str, ...]
    """Qualified names that these modules only import."""

    @property
    def script(self) -> str:
        """Return the whole script."""
        return f"{self.head}{self.call}\n"

    @property
    def aliases(self) -> tuple[str, ...]:
        """Return the modules whose definitions the slice reports as the script's own."""
        return tuple(name for name, _ in self.modules) if self.is_merged else ()


def in_place(repository: Repository, sliced: Slice, folder: Path) -> InPlace:
    """Return the script that runs the cases of a slice in its repository.

    Args:
        repository: the slice's repository.
        sliced: the slice.
        folder: folder with the repository's files at run time.

    Raises:
        SourceError: a file of the slice cannot be read any more.
    """
    manifest = sliced.manifest
    (target, *_) = manifest.targets
    paths = dict.fromkeys((target.path, *(each.path for each in manifest.definitions)))
    modules = tuple((repository.module_name(path), path) for path in paths if _is_code(path))
    name = modules[0][0]
    before, after = (
        [join(str(folder), each) for each in folders]
        for folders in _search_path(repository, target.path, name)
    )
    file = str(folder / target.path)
    importer = (files(__package__ or "") / "module_in_place.py").read_text(encoding="utf-8")
    observed = [module for module, _ in modules]
    call = f"_import_in_place({name!r}, {file!r}, {before!r}, {after!r}, {observed!r})"
    head = f"{mocks_of(sliced.source)}{carried_function(importer)}\n\n"
    is_merged = layout_of(manifest).is_merged
    named = {path: module for module, path in modules}
    elsewhere = [
        (each, named[path]) for each, path in _elsewhere(repository, manifest) if path in named
    ]
    elsewhere += [(each, "builtins") for each in _shadowed(repository, manifest)]
    imported = [each for module, path in modules for each in _imported(repository, path, module)]
    return InPlace(
        head, call, folder, name, modules, is_merged,
        tuple(elsewhere), tuple(imported),
    )  # fmt: skip


def mocks_of(source: str) -> str:
    """Return the part of a script that mocks the outside world; empty if it has none."""
    lines = source.splitlines(keepends=True)
    begin = next((at for at, line in enumerate(lines) if line.startswith(MOCKS_BEGIN)), None)
    if begin is None:
        return ""
    end = next(at for at in range(begin, len(lines)) if lines[at].startswith(PRELUDE_END))
    return "".join(lines[begin : end + 1])


def _is_code(path: str) -> bool:
    return path.endswith((".py", ".pyw"))


def carried_function(text: str) -> str:
    """Return the part of a file that scripts carry: all from its first function on."""
    return text[text.index("\ndef ") + 1 :]


def _search_path(repository: Repository, path: str, name: str) -> tuple[list[str], list[str]]:
    """Return the folders for imports before the installed packages, and those after.

    Before them come the root of the target's module and the repository's folder, from which its
    programs and tests are run.
    """
    parts = path.removesuffix(".pyw").removesuffix(".py").removesuffix("/__init__").split("/")
    root = "/".join(parts[: max(len(parts) - name.count(".") - 1, 0)])
    first = list(dict.fromkeys((*repository.roots, root, "")))
    return first, [each for each in repository.import_roots(path) if each not in first]


def _imported(repository: Repository, path: str, module: str) -> Iterator[str]:
    for name, units in sorted(repository.module(path, module).bindings.items()):
        if all(unit.kind == "import" for unit in units):
            yield f"{module}.{name}"


def _shadowed(repository: Repository, manifest: Manifest) -> list[str]:
    """Return builtins that the target's module shadows and its slice does not."""
    bound = repository.module_at(manifest.targets[0].path).bindings
    kept = {name for name, _ in _top_level(manifest)}
    return sorted((bound.keys() & vars(builtins).keys()) - kept)


def _top_level(manifest: Manifest) -> list[tuple[str, str]]:
    """Return the top-level names of the slice, each with its defining file."""
    return [
        (name, each.path)
        for each in manifest.definitions
        if "." not in each.qualname
        for name in each.qualname.split(", ")
    ]


def _elsewhere(repository: Repository, manifest: Manifest) -> Iterator[tuple[str, str]]:
    """Yield top-level names that the target's module lacks at run time, with their files.

    A merged script has those of all files; any script has those imported for types alone.
    """
    path = manifest.targets[0].path
    bindings = repository.module_at(path).bindings
    named = _top_level(manifest)
    own = {
        name
        for name, where in named
        if where == path and any(unit.kind != "typing" for unit in bindings.get(name, ()))
    }
    is_merged = layout_of(manifest).is_merged
    for name, where in named:
        is_bound = any(unit.kind != "typing" for unit in bindings.get(name, ()))
        if where != path and name not in own and (is_merged or not is_bound):
            yield name, where
