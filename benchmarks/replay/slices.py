"""Slices the functions that were called, keeping the classes that their arguments need."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from slicefunc.mocker import mock_slice
from slicefunc.slicer import Repository, SliceFuncError, slice_function
from slicefunc.slicer.model import Definition, Manifest


@dataclass(frozen=True, slots=True)
class Sliced:
    """A slice as the replay needs it."""

    script: Path
    manifest: Manifest
    keep: tuple[str, ...]
    """What it was told to keep besides the target."""

    def names(self) -> set[str]:
        """All kept definitions, as `path::qualname`."""
        return {f"{d.path}::{d.qualname}" for d in self.manifest.definitions}

    def flat_names(self, modules: Modules) -> dict[str, str]:
        """Of a flat script: the true module of each top-level name."""
        if self.manifest.layout != "flat":
            return {}
        definitions = [d for d in self.manifest.definitions if d.kind != "import"]
        # a block under `if TYPE_CHECKING:` is named after what it imports
        definitions.sort(key=lambda d: d.kind in ("class", "function", "method"))
        return {d.qualname: modules.name_of(d.path) for d in definitions}

    def functions(self, modules: Modules) -> set[tuple[str, str]]:
        """The kept functions and methods, as module and qualified name."""
        return {
            (modules.name_of(d.path), d.qualname)
            for d in self.manifest.definitions
            if d.kind in ("function", "method")
        }


class Modules:
    """The package's modules and what their files define."""

    def __init__(self, repository: Path, root: str) -> None:
        self._repository = repository
        self._prefix = "" if root == "." else f"{root}/"
        self._defined: dict[str, dict[str, str]] = {}
        self._imported: dict[str, frozenset[str]] = {}

    def name_of(self, path: str) -> str:
        """The dotted name of a file."""
        dotted = path.removeprefix(self._prefix).removesuffix(".py").replace("/", ".")
        return dotted.removesuffix(".__init__")

    def path_of(self, module: str) -> str | None:
        """The file of a module."""
        stem = self._prefix + module.replace(".", "/")
        for path in (f"{stem}.py", f"{stem}/__init__.py"):
            if (self._repository / path).is_file():
                return path
        return None

    def target(self, module: str, qualname: str) -> str | None:
        """`path::qualname`, where the file defines such a name."""
        path = self.path_of(module)
        if path is None:
            return None
        defined = self._names(path)
        while qualname and qualname not in defined:
            qualname = qualname.rpartition(".")[0]
        return f"{path}::{qualname}" if qualname else None

    def bound(self, module: str, qualname: str) -> str | None:
        """`path::qualname`, where the file defines just that name, or imports it."""
        path = self.path_of(module)
        if path is None:
            return None
        is_bound = qualname in self._names(path) or qualname in self._imports(path)
        return f"{path}::{qualname}" if is_bound else None

    def is_class(self, target: str) -> bool:
        """Whether `path::qualname` names a class."""
        path, _, qualname = target.partition("::")
        return self._names(path).get(qualname) == "class"

    def _imports(self, path: str) -> frozenset[str]:
        if path not in self._imported:
            tree = ast.parse((self._repository / path).read_bytes())
            aliases = [
                alias
                for statement in tree.body
                if isinstance(statement, (ast.Import, ast.ImportFrom))
                for alias in statement.names
            ]
            self._imported[path] = frozenset(a.asname or a.name.partition(".")[0] for a in aliases)
        return self._imported[path]

    def _names(self, path: str) -> dict[str, str]:
        if path not in self._defined:
            tree = ast.parse((self._repository / path).read_bytes())
            self._defined[path] = dict(_defined(tree.body, ""))
        return self._defined[path]


def _defined(body: Iterable[ast.stmt], prefix: str) -> Iterable[tuple[str, str]]:
    """Names that statements define, with their kind; imports do not count."""
    for statement in body:
        match statement:
            case ast.ClassDef():
                yield prefix + statement.name, "class"
                yield from _defined(statement.body, f"{prefix}{statement.name}.")
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                yield prefix + statement.name, "function"
            case ast.Assign() | ast.AnnAssign() | ast.AugAssign():
                for node in ast.walk(statement):
                    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                        yield prefix + node.id, "variable"
            case ast.If() | ast.Try() | ast.With() | ast.For() | ast.While():
                yield from _defined(_nested(statement), prefix)
            case _:
                pass


def _nested(statement: ast.stmt) -> Iterable[ast.stmt]:
    for name in ("body", "orelse", "finalbody"):
        yield from getattr(statement, name, ())
    for handler in getattr(statement, "handlers", ()):
        yield from handler.body


class Slicer:
    """Slices into a folder of scripts."""

    def __init__(self, repository: Path, folder: Path, *, mock: bool = False) -> None:
        self._repository = Repository(repository)
        self._mock = mock
        self._folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    def slice(
        self,
        number: int,
        target: str,
        keep: Collection[str],
        instances: Collection[str] = (),
    ) -> Sliced | str:
        """The slice, or what the slicer said; of what is kept, some are classes of instances."""
        try:
            made = slice_function(
                self._repository,
                target,
                emit="script",
                keep=tuple(name for name in keep if name not in instances),
                instances=tuple(name for name in keep if name in instances),
                constructors=False,
            )
            if self._mock:
                made = mock_slice(self._repository, made)
        except SliceFuncError as error:
            return f"{type(error).__name__}: {error}"
        except Exception as error:  # noqa: BLE001 - a fault of the slicer is a result here
            return f"fault: {type(error).__name__}: {error}"
        # Named as the module is: log lines and warnings say from which file they come.
        script = self._folder / f"f{number:05}" / PurePosixPath(target.partition("::")[0]).name
        script.parent.mkdir(exist_ok=True)
        script.write_bytes(made.files[0].content)
        return Sliced(script, made.manifest, tuple(keep))


def found_without(needed: Iterable[str], plain: Manifest) -> dict[str, str]:
    """For each class that arguments need, whether the slice finds it unasked: `slice`,
    `suggested` or `missing`.
    """
    held = {f"{d.path}::{d.qualname}" for d in plain.definitions if _is_class(d)}
    suggested = {f"{s.path}::{s.qualname}" for s in plain.suggested_types}
    return {
        name: "slice" if name in held else "suggested" if name in suggested else "missing"
        for name in needed
    }


def _is_class(definition: Definition) -> bool:
    return definition.kind == "class"
