"""A repository on disk: its Python files, what an import means inside it, and parsed modules.

Files are read when somebody asks for them, never before. Import roots are tried in the order in
which Python would try them for the importing file (see `Repository.import_roots`).
"""

from __future__ import annotations

import ast
import os
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePosixPath

from .errors import OptionError, RepositoryError, SourceError, TargetError
from .model import Target
from .source import Source, read_bytes, read_source
from .units import Unit, split_units

_SKIPPED_FOLDERS = frozenset(
    {"__pycache__", "node_modules", "site-packages", "dist-packages", "venv", "env", "virtualenv"}
)
_COMPILED = (".so", ".pyd", ".pyx", ".c", ".cpp", ".pyi", ".rs")
STDLIB = sys.stdlib_module_names


@dataclass(frozen=True)
class Module:
    """A file of the repository under the name by which it is imported."""

    name: str
    """True `__name__`, as `pkg.sub.mod`."""
    source: Source
    is_package: bool
    """Whether it is an `__init__.py`."""

    @property
    def path(self) -> str:
        """Path inside the repository."""
        return self.source.path

    @property
    def package(self) -> str:
        """The `__package__` against which relative imports are resolved."""
        return self.name if self.is_package else self.name.rpartition(".")[0]

    @cached_property
    def units(self) -> tuple[Unit, ...]:
        """Top-level statements in order."""
        return split_units(self.source.tree.body, self.source)

    @cached_property
    def bindings(self) -> dict[str, tuple[Unit, ...]]:
        """Name → the units that bind it when the module runs, in order.

        Names bound for type checkers only come last, and only where nothing else binds them.
        """
        found: dict[str, list[Unit]] = {}
        typing_only: dict[str, list[Unit]] = {}
        for unit in self.units:
            if unit.kind != "main":
                table = typing_only if unit.kind == "typing" and not _has_else(unit) else found
                for name in unit.binds:
                    table.setdefault(name, []).append(unit)
        return {name: tuple(units) for name, units in {**typing_only, **found}.items()}

    @cached_property
    def stars(self) -> tuple[tuple[Unit, ast.ImportFrom], ...]:
        """Star imports at the top level, in order."""
        if "*" not in self.source.text:
            return ()
        return tuple(
            (unit, node)
            for unit in self.units
            if unit.kind not in ("function", "class", "main")
            for top in unit.nodes
            for node in ast.walk(top)
            if isinstance(node, ast.ImportFrom) and node.names[0].name == "*"
        )

    def resolve_relative(self, level: int, module: str | None) -> str | None:
        """Absolute name of `from ..module import`; `None` beyond the top-level package."""
        if level == 0:
            return module
        parts = self.package.split(".") if self.package else []
        if level - 1 > len(parts) or not parts:
            return None
        base = parts[: len(parts) - (level - 1)]
        return ".".join([*base, *([module] if module else [])]) or None


@dataclass(frozen=True, slots=True)
class Namespace:
    """A folder without `__init__.py` that is imported as a package."""

    name: str
    path: str


def _has_else(unit: Unit) -> bool:
    return any(isinstance(node, ast.If) and node.orelse for node in unit.nodes)


class Repository:
    """One repository, read lazily; serves any number of targets.

    Args:
        path: the repository's folder.
        roots: extra import roots inside it, tried first.

    Raises:
        RepositoryError: the folder does not exist.
        OptionError: a root does not exist inside it.
    """

    def __init__(self, path: str | Path, roots: Sequence[str] = ()) -> None:
        self.path = Path(path)
        if not self.path.exists():
            raise RepositoryError(f"no such repository: {path}")
        if not self.path.is_dir():
            raise RepositoryError(f"not a repository (not a folder): {path}")
        self.path = self.path.resolve()
        self.roots = tuple(self._checked_root(root) for root in roots)
        self._sources: dict[str, Source] = {}
        self._modules: dict[tuple[str, str], Module] = {}
        self._listings: dict[str, frozenset[str]] = {}
        self._found: dict[tuple[str, str], Module | Namespace | None] = {}
        self._names: dict[str, str] = {}

    def _checked_root(self, root: str) -> str:
        full = (self.path / root).resolve()
        if not full.is_dir() or not full.is_relative_to(self.path):
            raise OptionError(f"--root {root}: no such folder inside the repository")
        return _normal(full.relative_to(self.path).as_posix())

    # ------------------------------------------------------------------ files

    def listing(self, folder: str) -> frozenset[str]:
        """Names in a folder, with `/` after folders; empty where there is no such folder."""
        known = self._listings.get(folder)
        if known is None:
            try:
                with os.scandir(self.path / folder) as entries:
                    known = frozenset(e.name + "/" if e.is_dir() else e.name for e in entries)
            except OSError:
                known = frozenset[str]()
            self._listings[folder] = known
        return known

    def is_file(self, path: str) -> bool:
        """Whether the repository has this file (spelled with the very case)."""
        folder, _, name = path.rpartition("/")
        return name in self.listing(folder)

    def python_files(self) -> Iterator[str]:
        """Paths of all Python files, sorted; virtual environments and hidden folders left out."""
        yield from self._walk("", frozenset({os.path.realpath(self.path)}))

    def _walk(self, folder: str, above: frozenset[str]) -> Iterator[str]:
        names = self.listing(folder)
        if "pyvenv.cfg" in names:
            return
        for name in sorted(names):
            path = f"{folder}/{name}" if folder else name
            if name.endswith(".py"):
                yield path
            elif name.endswith("/") and not _is_skipped(name[:-1]):
                real = os.path.realpath(self.path / path)
                if real not in above and not os.path.islink(self.path / path.rstrip("/")):
                    yield from self._walk(path[:-1], above | {real})

    def source(self, path: str) -> Source:
        """A parsed file.

        Raises:
            SourceError: it cannot be read, decoded or parsed.
        """
        source = self._sources.get(path)
        if source is None:
            source = read_source(self.path / path, path)
            self._sources[path] = source
        return source

    def read_data(self, path: str) -> bytes:
        """Bytes of any file of the repository."""
        return read_bytes(self.path / path, path)

    # ---------------------------------------------------------------- modules

    def module(self, path: str, name: str) -> Module:
        """The file as the module of that name."""
        module = self._modules.get((path, name))
        if module is None:
            is_package = path.rpartition("/")[2] == "__init__.py"
            module = Module(name, self.source(path), is_package)
            self._modules[path, name] = module
        return module

    def module_at(self, path: str) -> Module:
        """The file under the name by which its repository imports it."""
        return self.module(path, self.module_name(path))

    def module_name(self, path: str) -> str:
        """Dotted name of a file.

        The import root is the folder above its topmost regular package, or a folder further
        up where the file itself imports by the longer name (namespace packages), or imports
        relatively.
        """
        name = self._names.get(path)
        if name is None:
            name = self._names[path] = self._module_name(path)
        return name

    def _module_name(self, path: str) -> str:
        parts = list(PurePosixPath(path).with_suffix("").parts)
        if parts[-1] == "__init__" and len(parts) > 1:
            parts.pop()
        top = self._package_root(path)
        shortest = len(top.split("/")) if top else 0
        for root in self.roots:
            depth = len(root.split("/")) if root else 0
            if (not root or path.startswith(root + "/")) and depth <= shortest:
                return ".".join(parts[depth:])
        text = self.source(path).text
        for depth in range(shortest):
            prefix = ".".join(parts[depth : shortest + 1])
            if re.search(rf"^[ \t]*(?:from|import)\s+{re.escape(prefix)}\b", text, re.M):
                return ".".join(parts[depth:])
            first = re.escape(parts[depth]) + r"\b"
            if parts[depth] not in ("src", *STDLIB) and re.search(
                rf"^[ \t]*(?:from|import)\s+{first}", text, re.M
            ):
                return ".".join(parts[depth:])
        dots = max(map(len, re.findall(r"^[ \t]*from[ \t]+(\.+)", text, re.M)), default=0)
        is_package = path.endswith("__init__.py")
        depth = shortest
        while depth and dots > len(parts) - depth - (not is_package):
            depth -= 1  # a relative import proves that the folders it climbs are packages
        return ".".join(parts[depth:])

    def _package_root(self, path: str) -> str:
        """Folder above the topmost regular package that holds the file; else its own folder."""
        folder = path.rpartition("/")[0]
        while folder and "__init__.py" in self.listing(folder):
            folder = folder.rpartition("/")[0]
        return folder

    def import_roots(self, path: str) -> tuple[str, ...]:
        """Folders in which an absolute import of the file is looked up, in order.

        The user's roots; the root of the file's own package, or its own folder; then every folder
        above it up to the repository's root, each with its `src` and `lib`; last the file's own
        folder, for programs that lie inside a package.
        """
        own = path.rpartition("/")[0]
        folder = self._package_root(path)
        roots = [*self.roots, folder]
        while True:
            roots += [folder, _join(folder, "src"), _join(folder, "lib")]
            if not folder:
                break
            folder = folder.rpartition("/")[0]
        roots.append(own)
        return tuple(dict.fromkeys(r for r in roots if not r or self._is_folder(r)))

    def _is_folder(self, path: str) -> bool:
        folder, _, name = path.rpartition("/")
        return f"{name}/" in self.listing(folder)

    def find_module(self, name: str, importer: Module) -> Module | Namespace | None:
        """What `import name` in that module loads; `None` where it is not of the repository.

        Raises:
            SourceError: the file is there and does not parse.
        """
        root = self._importer_root(importer)
        key = (name, root if root is not None else importer.path)
        if key not in self._found:
            self._found[key] = self._find_module(name, importer, root)
        return self._found[key]

    @staticmethod
    def _importer_root(importer: Module) -> str | None:
        """The folder against which the importer's own name is complete."""
        if "_root" not in importer.__dict__:
            importer.__dict__["_root"] = Repository._find_importer_root(importer)
        return importer.__dict__["_root"]

    @staticmethod
    def _find_importer_root(importer: Module) -> str | None:
        parts = importer.name.split(".")
        path = importer.path.removesuffix(".py").removesuffix("/__init__").split("/")
        if path[-len(parts) :] != parts:
            return None
        return "/".join(path[: -len(parts)])

    def _find_module(
        self, name: str, importer: Module, root: str | None
    ) -> Module | Namespace | None:
        parts = name.split(".")
        roots = self.import_roots(importer.path)
        if root is not None:
            roots = tuple(dict.fromkeys((*self.roots, root, *roots)))
        nearest = roots[: len(self.roots) + 1]
        if parts[0] in STDLIB:
            roots = nearest
        for folder in roots:
            found = self._in_root(folder, parts)
            if found is not None and (found.path != importer.path or found.name == importer.name):
                return found
        if parts[0] in STDLIB or self._regular_top(roots, parts[0]):
            return None
        for folder in roots:
            path = _join(folder, *parts)
            if self._is_folder(path) and self._holds_python(path):
                return Namespace(name, path)
        if "sys.path" in importer.source.text or "PYTHONPATH" in importer.source.text:
            return self._anywhere(parts)
        return None

    def _regular_top(self, roots: Sequence[str], top: str) -> bool:
        return any(
            f"{top}.py" in self.listing(root) or "__init__.py" in self.listing(_join(root, top))
            for root in roots
        )

    def _in_root(self, root: str, parts: Sequence[str]) -> Module | None:
        path = _join(root, *parts)
        name = ".".join(parts)
        if "__init__.py" in self.listing(path):
            return self.module(f"{path}/__init__.py", name)
        if self.is_file(f"{path}.py"):
            return self.module(f"{path}.py", name)
        return None

    def _holds_python(self, folder: str) -> bool:
        names = self.listing(folder)
        if any(name.endswith(".py") for name in names):
            return True
        return any(
            self._holds_python(f"{folder}/{name[:-1]}")
            for name in sorted(names)
            if name.endswith("/")
            and not _is_skipped(name[:-1])
            and not os.path.islink(self.path / folder / name[:-1])
        )

    @cached_property
    def _all_folders(self) -> tuple[str, ...]:
        folders = {path.rpartition("/")[0] for path in self.python_files()}
        return tuple(sorted(folders, key=lambda folder: (folder.count("/"), folder)))

    def _anywhere(self, parts: Sequence[str]) -> Module | None:
        # a `sys.path` hack: take the one folder in which the whole name exists
        found = [m for folder in self._all_folders if (m := self._in_root(folder, parts))]
        return found[0] if len({m.path for m in found}) == 1 else None

    def submodule(self, package: str, name: str, importer: Module) -> Module | Namespace | None:
        """The module `package.name`, looked up as `find_module` does."""
        return self.find_module(f"{package}.{name}", importer)

    def modules_like(self, prefix: str, suffix: str, importer: Module) -> list[str]:
        """Names of modules in one package that begin and end so, sorted."""
        package, _, stem = prefix.rpartition(".")
        found = self.find_module(package, importer)
        if found is None:
            return []
        folder = found.path.rpartition("/")[0] if isinstance(found, Module) else found.path
        names = {
            name.rstrip("/").removesuffix(".py")
            for name in self.listing(folder)
            if name.endswith(".py") or "__init__.py" in self.listing(f"{folder}/{name.rstrip('/')}")
        }
        wanted = (n for n in names - {"__init__"} if n.startswith(stem) and n.endswith(suffix))
        return sorted(f"{package}.{name}" for name in wanted)

    def compiled_sibling(self, module: str, importer: Module) -> str | None:
        """Path of the extension source or binary that would be this module, where there is one."""
        *package, last = module.split(".")
        for root in self.import_roots(importer.path):
            folder = _join(root, *package)
            for name in sorted(self.listing(folder)):
                stem, dot, _ = name.partition(".")
                if stem == last and dot and name.endswith(_COMPILED):
                    return _join(folder, name)
        return None

    # ---------------------------------------------------------------- targets

    def targets(self) -> Iterator[Target]:
        """Every function and method of the repository, sorted by path, in source order.

        Files that do not parse are passed over; functions nested in functions are not targets.
        """
        for path in self.python_files():
            try:
                tree = self.source(path).tree
            except SourceError:
                continue
            seen: dict[str, None] = {}
            for qualname, node in walk_definitions(tree.body):
                if not isinstance(node, ast.ClassDef):
                    seen.setdefault(qualname)
            for qualname in seen:
                yield Target(path, qualname)

    def normal_path(self, path: str) -> str:
        """A target's path in the repository's own spelling.

        Raises:
            TargetError: it lies outside, or there is no such file.
        """
        given = Path(path)
        full = given if given.is_absolute() else self.path / given
        if ".." in given.parts or given.is_absolute():
            full = Path(os.path.normpath(full))
        if not full.is_relative_to(self.path):
            raise TargetError(f"{path}: outside the repository {self.path}")
        if not full.exists():
            raise TargetError(f"{path}: no such file in the repository{self._nearest(path)}")
        if not full.is_file():
            raise TargetError(f"{path}: not a file")
        return full.relative_to(self.path).as_posix()

    def _nearest(self, path: str) -> str:
        import difflib

        files = list(self.python_files())
        close = difflib.get_close_matches(path, files, n=3, cutoff=0.6)
        name = path.rpartition("/")[2]
        same = [file for file in files if file.rpartition("/")[2] == name]
        names = list(dict.fromkeys([*same[:3], *close]))[:3]
        return f"; did you mean {', '.join(names)}?" if names else ""


def walk_definitions(
    body: Sequence[ast.stmt], prefix: str = ""
) -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef]]:
    """Functions, classes and methods with their qualified names; not those inside functions."""
    for node in body:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                yield prefix + node.name, node
            case ast.ClassDef():
                yield prefix + node.name, node
                yield from walk_definitions(node.body, f"{prefix}{node.name}.")
            case ast.If() if is_program(node):
                continue
            case ast.If() | ast.Try() | ast.TryStar() | ast.With() | ast.For() | ast.While():
                for field in ("body", "handlers", "orelse", "finalbody"):
                    for child in getattr(node, field, ()):
                        inner = child.body if isinstance(child, ast.ExceptHandler) else [child]
                        yield from walk_definitions(inner, prefix)
            case _:
                continue


def is_program(node: ast.If) -> bool:
    """Whether the statement only runs when the file is the program."""
    from .units import is_main_test

    return not node.orelse and is_main_test(node.test)


def _is_skipped(name: str) -> bool:
    return name.startswith(".") or name in _SKIPPED_FOLDERS or name.endswith(".egg-info")


def _join(*parts: str) -> str:
    return "/".join(part for part in parts if part)


def _normal(path: str) -> str:
    return "" if path == "." else path
