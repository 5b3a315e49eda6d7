"""A repository on disk: its files, its parsed modules, and the meaning of imports inside it.

Files are read on demand. Import roots are tried in the order in which Python would try them for the
importing file.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from pathlib import Path

from ..errors import OptionError, RepositoryError, SourceError
from ..model import Target
from ..syntax.memo import memo
from .file_tree import FileTree, join
from .import_roots import (
    STDLIB,
    absolute_imports,
    could_provide,
    import_roots,
    may_mean,
    module_name,
    needs_a_package,
    root_package,
)
from .module import Module, Namespace
from .project_roots import member_roots
from .recent_answers import RecentAnswers
from .source import Source, decode, read_bytes, read_source
from .target_paths import normal_path, walk_definitions

_COMPILED = (".so", ".pyd", ".pyx", ".c", ".cpp", ".pyi", ".rs")


class Repository(FileTree):
    """One repository, read lazily; serves any number of targets.

    Args:
        path: the repository's folder.
        roots: extra import roots inside it, tried first.

    Raises:
        RepositoryError: the folder does not exist.
        OptionError: a root does not exist inside it.
    """

    def __init__(self, path: str | Path, roots: Sequence[str] = ()) -> None:
        folder = Path(path)
        if not folder.exists():
            raise RepositoryError(f"no such repository: {path}", "name the folder of a checkout")
        if not folder.is_dir():
            raise RepositoryError(
                f"not a repository (not a folder): {path}",
                "name the folder that it is in; an archive has to be unpacked",
            )
        super().__init__(folder.resolve())
        self.roots = tuple(self._checked_root(root) for root in roots)
        self.recent = RecentAnswers()
        """Answers that only the latest targets share."""
        self._sources: dict[str, Source] = {}
        self._texts: dict[str, str] = {}
        self._modules: dict[tuple[str, str], Module] = {}
        self._found: dict[tuple[str, str, str | None], Module | Namespace | None] = {}
        self._names: dict[str, str] = {}
        self._package_texts: dict[str, tuple[str, ...]] = {}

    def _checked_root(self, root: str) -> str:
        full = (self.path / root).resolve()
        if not full.is_dir() or not full.is_relative_to(self.path):
            raise OptionError(
                f"--root {root}: no such folder inside the repository",
                "name a folder below it, as src",
            )
        path = full.relative_to(self.path).as_posix()
        return "" if path == "." else path

    # ------------------------------------------------------------------ files

    def source(self, path: str) -> Source:
        """Return a parsed file.

        Raises:
            SourceError: it cannot be read, decoded or parsed.
        """
        source = self._sources.get(path)
        if source is None:
            source = read_source(self.path / path, path)
            self._sources[path] = source
        return source

    def text(self, path: str) -> str:
        """Return a file's text, which need not parse.

        Raises:
            SourceError: it cannot be read or decoded.
        """
        text = self._texts.get(path)
        if text is None:
            text = self._texts[path] = decode(self.read_data(path), path)
        return text

    def read_data(self, path: str) -> bytes:
        """Return the bytes of any file of the repository."""
        return read_bytes(self.path / path, path)

    # ---------------------------------------------------------------- modules

    def module(self, path: str, name: str) -> Module:
        """Return the file as the module with that name."""
        module = self._modules.get((path, name))
        if module is None:
            is_package = path.rpartition("/")[2] == "__init__.py"
            module = Module(name, self.source(path), is_package)
            self._modules[path, name] = module
        return module

    def module_at(self, path: str) -> Module:
        """Return the file as a module, under the name by which the repository imports it."""
        return self.module(path, self.module_name(path))

    def module_name(self, path: str) -> str:
        """Return the dotted name by which the repository imports a file."""
        name = self._names.get(path)
        if name is None:
            name = module_name(
                self, self.roots, path, lambda: self.source(path).text, self._texts_of_package,
                self._texts_in,
            )  # fmt: skip
            self._names[path] = name
        return name

    def _texts_of_package(self, package: str) -> tuple[str, ...]:
        """Return the texts of a package's files that name it, other than by relative imports."""
        known = self._package_texts.get(package)
        if known is None:
            top = package.rpartition("/")[2]
            texts = map(self._text_or_none, self.files(".py", package))
            known = tuple(t for t in texts if t and (f".{top}" in t or f" {top}." in t))
            self._package_texts[package] = known
        return known

    def _texts_in(self, folder: str) -> dict[str, str]:
        """Return the texts of the Python files in a folder, keyed by file name."""
        names = (name for name in sorted(self.listing(folder)) if name.endswith(".py"))
        found = {name: self._text_or_none(join(folder, name)) for name in names}
        return {name: text for name, text in found.items() if text}

    def _text_or_none(self, path: str) -> str | None:
        try:
            return self.text(path)
        except SourceError:
            return None

    def import_roots(self, path: str) -> tuple[str, ...]:
        """Return the folders in which an absolute import of the file is searched, in order."""
        return import_roots(self, self.roots, path)

    def find_module(self, name: str, importer: Module) -> Module | Namespace | None:
        """Return what `import name` in that module loads; `None` if it is not in the repository.

        Raises:
            SourceError: the file exists and does not parse.
        """
        root = importer.root
        # the folder is part of the key: its modules are not found from elsewhere
        folder = importer.path.rpartition("/")[0]
        key = (name, folder if root is not None else importer.path, root)
        if key not in self._found:
            self._found[key] = self._find_module(name, importer, root)
        return self._found[key]

    def _find_module(
        self, name: str, importer: Module, root: str | None
    ) -> Module | Namespace | None:
        parts = name.split(".")
        if parts[0] == "__main__":
            return None  # the running program, even if a file has that name
        # a clone often has the name of the package in it, which is below the folder
        if root is None and parts[0] == root_package(self) == importer.name.split(".")[0]:
            found = self._in_root_package(parts)
            if found is not None:
                return found
        roots = self.import_roots(importer.path)
        if root is not None and importer.name.startswith(f"{name}."):
            path = join(root, *parts)  # a package around the importer is the folder itself
            return self._in_root(root, parts) or Namespace(name, path)
        if root is not None:
            roots = tuple(dict.fromkeys((*self.roots, root, *roots)))
        nearest = roots[: len(self.roots) + 1]
        if parts[0] in STDLIB:
            roots = nearest
        found = self._in_roots(roots, parts, importer)
        if found is not None or parts[0] in STDLIB:
            return found
        regular = self._regular_top(roots, parts[0])
        if regular is not None:
            path = join(regular, *parts)  # a package may hold folders without `__init__.py`
            is_root = "__init__.py" not in self.listing(regular)
            is_bare = len(parts) > 1 and "__init__.py" not in self.listing(path)
            return (
                Namespace(name, path) if is_root and is_bare and self.holds_python(path) else None
            )
        for folder in roots:
            path = join(folder, *parts)
            if self.is_folder(path) and self.holds_python(path):
                if len(parts) == 1 and not may_mean(self, path, importer.source.text):
                    return None  # an installed package precedes folders without `__init__.py`
                return Namespace(name, path)
        found = self._in_member(parts)
        if found is not None:
            return found
        if "sys.path" in importer.source.text or "PYTHONPATH" in importer.source.text:
            return self._anywhere(parts, importer)
        return None

    def _in_roots(
        self, roots: Sequence[str], parts: Sequence[str], importer: Module
    ) -> Module | None:
        """Return the first module below an import root that the importer may mean."""
        for folder in roots:
            found = self._in_root(folder, parts)
            if found is None or (found.path == importer.path and found.name != importer.name):
                continue
            if found.name == parts[0] and _is_other_module(found, importer):
                continue
            is_inside = "__init__.py" in self.listing(folder)
            if not is_inside or (
                _loads_as(found, parts) and self._could_import(folder, parts, importer)
            ):
                return found
        return None

    def _in_member(self, parts: Sequence[str]) -> Module | Namespace | None:
        """Return the module of that name in the projects inside the repository, if it is unique."""
        roots = member_roots(self).get(parts[0], ())
        found = {each.path: each for root in roots if (each := self._in_root(root, parts))}
        if not found:
            paths = [path for root in roots if self.is_folder(path := join(root, *parts))]
            found = {path: Namespace(".".join(parts), path) for path in paths[:1]}
        return next(iter(found.values())) if len(found) == 1 else None

    def _regular_top(self, roots: Sequence[str], top: str) -> str | None:
        """Return the first root that contains the module or package."""
        for root in roots:
            if f"{top}.py" in self.listing(root) or "__init__.py" in self.listing(join(root, top)):
                return root
        return None

    def _in_root(self, root: str, parts: Sequence[str]) -> Module | None:
        path = join(root, *parts)
        name = ".".join(parts)
        if "__init__.py" in self.listing(path):
            return self.module(f"{path}/__init__.py", name)
        if self.is_file(f"{path}.py"):
            return self.module(f"{path}.py", name)
        return None

    def _in_root_package(self, parts: Sequence[str]) -> Module | Namespace | None:
        """Return a module of the package that the repository's own folder forms."""
        name = ".".join(parts)
        path = join(*parts[1:])
        initial = join(path, "__init__.py")
        if self.is_file(initial):
            return self.module(initial, name)
        if path and self.is_file(f"{path}.py"):
            return self.module(f"{path}.py", name)
        return Namespace(name, path) if self.is_folder(path) and self.holds_python(path) else None

    def _could_import(self, folder: str, parts: Sequence[str], importer: Module) -> bool:
        """Whether the importer could mean a module in a package's folder, no import root."""
        top = self._in_root(folder, parts[:1])
        if top is None:
            return True  # a folder without `__init__.py`
        inside = self.listing(top.path.rpartition("/")[0]) if top.is_package else ()
        submodules = frozenset(name.rstrip("/").removesuffix(".py") for name in inside)
        if top.is_package and any(
            _leads_out(name, parts[0], submodules) for name in _imported(top)
        ):
            return False
        texts = top.source.text, parts[0], importer.source.text
        return could_provide(*texts, submodules if top.is_package else None)

    def _anywhere(self, parts: Sequence[str], importer: Module) -> Module | None:
        # a `sys.path` hack: take the one folder in which the whole name exists
        found = [
            module
            for folder in self.python_folders
            if (module := self._in_root(folder, parts)) and _loads_as(module, parts)
            if "__init__.py" not in self.listing(folder)
            or self._could_import(folder, parts, importer)
        ]
        return found[0] if len({m.path for m in found}) == 1 else None

    def submodule(self, package: str, name: str, importer: Module) -> Module | Namespace | None:
        """Return the module `package.name`, looked up as `find_module` does."""
        return self.find_module(f"{package}.{name}", importer)

    def modules_like(self, prefix: str, suffix: str, importer: Module) -> list[str]:
        """Return the sorted names of a package's modules with this prefix and suffix; only those
        that parse.

        A suffix with a dot is looked up inside each package: `plugins.*.main`.
        """
        package, _, stem = prefix.rpartition(".")
        suffix, dot, inside = suffix.partition(".")
        found = self.find_module(package, importer)
        if found is None:
            return []
        names = {
            name.rstrip("/").removesuffix(".py")
            for folder in self._portions(found, importer)
            for name in self.listing(folder)
            if name.endswith(".py") or "__init__.py" in self.listing(f"{folder}/{name.rstrip('/')}")
        }
        wanted = (n for n in names - {"__init__"} if n.startswith(stem) and n.endswith(suffix))
        paths = sorted(f"{package}.{name}{dot}{inside}" for name in wanted)
        return [path for path in paths if self._imports(path, importer)]

    def _portions(self, package: Module | Namespace, importer: Module) -> tuple[str, ...]:
        """Return the folders of a package; a namespace package has one below each import root."""
        if isinstance(package, Module):
            return (package.path.rpartition("/")[0],)
        parts = package.name.split(".")
        roots = (*self.import_roots(importer.path), *member_roots(self).get(parts[0], ()))
        below = (join(root, *parts) for root in roots)
        return tuple(dict.fromkeys((package.path, *below)))

    def _imports(self, module: str, importer: Module) -> bool:
        try:
            return self.find_module(module, importer) is not None
        except SourceError:
            return False  # an importer of it fails as well

    def compiled_sibling(self, module: str, importer: Module) -> str | None:
        """Return the path of an extension source or binary for this module, if there is one."""
        *package, last = module.split(".")
        for root in self.import_roots(importer.path):
            folder = join(root, *package)
            for name in sorted(self.listing(folder)):
                stem, dot, _ = name.partition(".")
                if stem == last and dot and name.endswith(_COMPILED):
                    return join(folder, name)
        return None

    # ---------------------------------------------------------------- targets

    def targets(self) -> Iterator[Target]:
        """Yield every function and method of the repository, sorted by path, in source order.

        Files that do not parse are skipped. Functions nested in functions are not targets.
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

    def unreadable(self) -> Iterator[tuple[str, SourceError]]:
        """Yield each Python file that cannot be read, with the error, sorted by path."""
        for path in self.python_files():
            try:
                self.source(path)
            except SourceError as error:
                yield path, error

    def normal_path(self, path: str) -> str:
        """Return a target's path in the repository's own spelling.

        Raises:
            TargetError: it lies outside, or there is no such file.
        """
        return normal_path(self, path)


def _is_other_module(sibling: Module, importer: Module) -> bool:
    """Whether an import of the name cannot mean the file, such as `discord.py` in the folder of a
    bot.

    The file imports from a module of its own name, or the importer uses the name as a package.
    """
    if sibling.is_package or sibling.path == importer.path:
        return False
    own, named = sibling.name, f"{sibling.name}."
    return any(name == own or name.startswith(named) for name in _imported(sibling)) or any(
        name.startswith(named) for name in _imported(importer)
    )


def _leads_out(imported: str, package: str, submodules: frozenset[str]) -> bool:
    """Whether a nested package imports a module of its own name that it does not contain."""
    top, _, rest = imported.partition(".")
    return top == package and rest.partition(".")[0] not in submodules


@memo
def _imported(module: Module) -> tuple[str, ...]:
    """Return the modules that a module's top-level imports name absolutely."""
    return tuple(absolute_imports(module.source.tree.body))


def _loads_as(module: Module, parts: Sequence[str]) -> bool:
    """Whether the module can load under that name.

    `printing/numpy.py` with relative imports cannot be what `import numpy` means. In a package, or
    as `printing.numpy`, it could be.
    """
    return len(parts) > 1 or module.is_package or not needs_a_package(module.source.text)


__all__ = ["STDLIB", "Module", "Namespace", "Repository", "walk_definitions"]
