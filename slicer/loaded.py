"""Which modules importing the target's module would load, and which of them could change an object.

A scan of text, not of trees: whole packages are behind most imports, and nearly all of their files
never mention the object. Only imports in column 0 count, because others do not run for sure.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Container, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cached_property

from .definitions import ClassInfo
from .effects import Object
from .errors import SourceError
from .import_names import relative_base
from .import_reach import Changes, ImportReach, Wanted
from .names import Names
from .repository import Module
from .surfaces import run_on_import
from .units import Unit

_IMPORT = re.compile(
    r"^(?:from\s+(\.*)([\w.]*)\s+import\s+\(?([^#\n]*)|import\s+([^#\n]+)"
    r"|__import__\(['\"]([\w.]+)['\"]\))", re.M,
)  # fmt: skip
_BARE_LOADS = re.compile(r"^__import__\([^\n]*", re.M)
"""A line that begins with bare loads, as in a pruned tree; an import may follow them."""


_BY_NAME = re.compile(r"\b(?:import_module|__import__)\(")
"""A call that imports what a text says."""
_LISTED = re.compile(r"\b(?:iter_modules|walk_packages)\(\s*(?:path\s*=\s*)?([\w.]+)\.__path__")
_INDENTED = re.compile(r"^[ \t]+(?:from|import)[ \t]", re.M)
_SPELLED = re.compile(r"['\"](\.?[^\W\d]\w*(?:\.\w+)*)['\"]")
_LISTS = re.compile(r"\b(?:iter_modules|walk_packages)\(")

_TABLE = re.compile(
    r"\b__tablename__\b|\bTable\(|^class\s[^\n]*(?:\.Model\b|\btable\s*=\s*True)", re.M
)
_STATE_SETTER = re.compile(
    r"^(?:    )?[\w.]*\b(?:environ\b|load_dotenv|putenv|seed\(|setlocale|basicConfig|dictConfig|"
    r"fileConfig|filterwarnings|simplefilter|setdefaulttimeout|set_option|seterr|manual_seed|"
    r"set_printoptions|register_\w+\(|rcParams|add_type|setrecursionlimit)", re.M,
)  # fmt: skip
_STATE_WORDS = frozenset(
    "environ load_dotenv putenv seed setlocale basicConfig dictConfig fileConfig filterwarnings "
    "simplefilter setdefaulttimeout set_option seterr manual_seed set_printoptions "
    "register_adapter register_converter register_dialect "
    "register_namespace register_unpack_format register_archive_format rcParams add_type "
    "setrecursionlimit".split()
)
_TOP_LINE = re.compile(r"^(?!def |from |import |async def |    [ \t#]|\s*$|#)[^\n]+", re.M)
_WORD = re.compile(r"\w+")


class LoadedModules:
    """The import closure of some modules, found lazily and by text."""

    def __init__(self, names: Names, modules: Sequence[Module]) -> None:
        self.names = names
        self.repository = names.repository
        self.start = modules
        self._asked: dict[bool, set[Object]] = {True: set(), False: set()}
        self._watched: set[ClassInfo] = set()

    def changing(
        self,
        objects: Iterable[Object],
        watched: Iterable[ClassInfo],
        kept: Container[str],
        changes: Changes,
        *,
        are_read: bool = True,
    ) -> Iterator[Module]:
        """Loaded modules outside `kept` that may change an object or derive from a class.

        A module is given once for an object that is read, once for one that is not, and once
        for a class.
        """
        asked = self._asked[are_read]
        fresh = Wanted(
            tuple(item for item in objects if item not in asked),
            tuple(cls for cls in watched if cls not in self._watched),
        )
        asked.update(fresh.objects)
        self._watched.update(fresh.watched)
        if all(name in kept for name in self._by_name):
            return
        for name in self._reach.changing(fresh, kept, changes):
            with suppress(SourceError):
                yield self.repository.module(self._by_name[name][0], name)

    @cached_property
    def _reach(self) -> ImportReach:
        key = tuple(module.name for module in self.start)
        table: dict[tuple[str, ...], ImportReach]
        table = self.repository.__dict__.setdefault("_reaches", {})
        if key not in table:
            table[key] = ImportReach(self.repository, self._texts)
        return table[key]

    def _top_words(self, path: str, text: str) -> frozenset[str]:
        """Words in the lines that begin at most four columns in, imports and `def`s left out."""
        table: dict[str, frozenset[str]] = self.repository.__dict__.setdefault("_top_words", {})
        words = table.get(path)
        if words is None:
            words = table[path] = frozenset(_WORD.findall("\n".join(_TOP_LINE.findall(text))))
        return words

    def setting_state(self, kept: Container[str]) -> Iterator[Module]:
        """Loaded modules outside `kept` with a top-level line that looks like setting a state."""
        table: dict[str, bool] = self.repository.__dict__.setdefault("_sets_state", {})
        for name, path, text in self._texts:
            if name in kept or _STATE_WORDS.isdisjoint(self._top_words(path, text)):
                continue
            if path not in table:
                table[path] = _STATE_SETTER.search(text) is not None
            if table[path]:
                with suppress(SourceError):
                    yield self.repository.module(path, name)

    def declaring_tables(self, kept: Container[str]) -> Iterator[Module]:
        """Loaded modules outside `kept` that look like declaring tables of a database."""
        for name, path, text in self._texts:
            if name not in kept and _TABLE.search(text):
                with suppress(SourceError):
                    yield self.repository.module(path, name)

    def __contains__(self, name: str) -> bool:
        return name in self._by_name

    def imported_by(self, name: str) -> list[str]:
        """Loaded modules that a module imports in column 0, in order."""
        path, text = self._by_name.get(name, ("", ""))
        return [target for target, _ in self._imported(name, path, text)] if path else []

    def chain(self, name: str) -> list[tuple[Module, Unit, str]]:
        """What leads from the start to the module: (importer, statement, name that it binds).

        The statement is an import, or one that imports what its texts say, and binds nothing.
        """
        previous: dict[str, str] = {}
        queue = [module.name for module in self.start]
        paths = {found: path for found, path, _ in self._texts}
        texts = {found: text for found, _, text in self._texts}
        while queue and name not in previous:
            current = queue.pop(0)
            for found, _ in self._imported(current, paths[current], texts[current]):
                if found in paths and found not in previous:
                    previous[found] = current
                    queue.append(found)
        steps: list[tuple[Module, Unit, str]] = []
        current = name
        starts = {module.name for module in self.start}
        while current in previous and current not in starts:
            importer = self.repository.module(paths[previous[current]], previous[current])
            step = self._import_of(importer, current)
            if step is not None:
                steps.append((importer, *step))
            current = previous[current]
        return steps[::-1]

    def _import_of(self, importer: Module, name: str) -> tuple[Unit, str] | None:
        for unit in importer.units:
            for node in unit.nodes if unit.kind == "import" else ():
                if not isinstance(node, (ast.Import, ast.ImportFrom)):
                    continue
                for alias in node.names:
                    bound = alias.asname or alias.name
                    if isinstance(node, ast.Import):
                        if alias.name == name or alias.name.startswith(name + "."):
                            return unit, bound
                        continue
                    base = importer.resolve_relative(node.level, node.module) or ""
                    if name in (f"{base}.{alias.name}", base) or base.startswith(name + "."):
                        return unit, bound
        text = importer.source.text
        if name.startswith(f"{importer.package}.") or "." not in name:
            units = [unit for unit in importer.units if _imports_by_name(importer, unit)]
            if units and name in self._named_in(importer.name, importer.path, text):
                return units[0], ""
        return None

    @cached_property
    def _texts(self) -> tuple[tuple[str, str, str], ...]:
        """(name, path, text) of every loaded module, in the order in which they are found."""
        key = tuple(module.name for module in self.start)
        table: dict[tuple[str, ...], tuple[tuple[str, str, str], ...]]
        table = self.repository.__dict__.setdefault("_loaded_texts", {})
        known = table.get(key)
        if known is None:
            known = table[key] = self._find_texts()
        return known

    @cached_property
    def _by_name(self) -> dict[str, tuple[str, str]]:
        return {name: (path, text) for name, path, text in self._texts}

    def _find_texts(self) -> tuple[tuple[str, str, str], ...]:
        found: dict[str, tuple[str, str, str]] = {}
        queue = [(module.name, module.path) for module in self.start]
        while queue:
            name, path = queue.pop(0)
            if name in found:
                continue
            try:
                text = self.repository.text(path)
            except SourceError:
                continue
            found[name] = (name, path, text)
            queue.extend(item for item in self._imported(name, path, text) if item[0] not in found)
        return tuple(found.values())

    def _imported(self, name: str, path: str, text: str) -> Iterable[tuple[str, str]]:
        table: dict[tuple[str, str], tuple[tuple[str, str], ...]]
        table = self.repository.__dict__.setdefault("_imported", {})
        known = table.get((name, path))
        if known is None:
            known = table[name, path] = tuple(dict.fromkeys(self._find_imported(name, path, text)))
        return known

    def _find_imported(self, name: str, path: str, text: str) -> Iterator[tuple[str, str]]:
        root = self._root(name, path)
        parent = name.rpartition(".")[0]
        wanted = [parent] if parent else []
        lines = _BARE_LOADS.sub(lambda found: found[0].replace("; ", "\n"), text)
        for dots, named, names, plain, bare in _IMPORT.findall(lines):
            if bare:
                wanted.append(bare)
                continue
            if plain:
                wanted += [part.split(" as ")[0].strip() for part in plain.split(",")]
                continue
            base = relative_base(name, path, dots, named)
            wanted.append(base)
            wanted += [f"{base}.{part.split(' as ')[0].strip()}" for part in names.split(",")]
        wanted += self._named_in(name, path, text)
        for item in wanted:
            found = self._locate(item, root)
            if found is not None:
                yield item, found

    def _named_in(self, name: str, path: str, text: str) -> Iterator[str]:
        """Modules that texts of what a module runs on import may name, where it imports these."""
        run = run_on_import(text) if _BY_NAME.search(text) else ""
        if not _BY_NAME.search(run):
            return
        is_package = path.endswith("/__init__.py")
        package = name if is_package else name.rpartition(".")[0]
        for spelled in dict.fromkeys(_SPELLED.findall(run)):
            yield spelled.lstrip(".")
            if package:
                yield f"{package}.{spelled.lstrip('.')}"
        if is_package and _LISTS.search(run):
            folder = path.removesuffix("/__init__.py")
            yield from self._modules_in(package, folder)
        for listed in dict.fromkeys(_LISTED.findall(run)):
            found = self._locate(listed, self._root(name, path)) or ""
            if found.endswith("/__init__.py"):
                yield from self._modules_in(listed, found.removesuffix("/__init__.py"))

    def _modules_in(self, package: str, folder: str) -> Iterator[str]:
        for entry in sorted(self.repository.listing(folder)):
            yield f"{package}.{entry.rstrip('/').removesuffix('.py')}"

    @staticmethod
    def _root(name: str, path: str) -> str:
        stem = path.removesuffix(".py").removesuffix("/__init__")
        suffix = name.replace(".", "/")
        return stem[: -len(suffix)].rstrip("/") if stem.endswith(suffix) else ""

    def _locate(self, name: str, root: str) -> str | None:
        if not name or not re.fullmatch(r"\w+(\.\w+)*", name):
            return None
        stem = f"{root}/{name.replace('.', '/')}".lstrip("/")
        if "__init__.py" in self.repository.listing(stem):
            return f"{stem}/__init__.py"
        if self.repository.is_file(f"{stem}.py"):
            return f"{stem}.py"
        return None


def _imports_by_name(module: Module, unit: Unit) -> bool:
    """Whether the statement imports modules whose names it computes."""
    if unit.kind in ("import", "main", "typing", "prelude", "function", "class"):
        return False
    text = "".join(module.source.lines[unit.first - 1 : unit.last])
    return _BY_NAME.search(text) is not None
