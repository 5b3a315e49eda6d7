"""Which modules importing the target's module would load, and which of them could change an object.

A scan of text, not of trees: whole packages are behind most imports, and nearly all of their files
never mention the object. Trees are looked at where imports may run that do not begin a line.
"""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cached_property
from typing import TypeVar

from .definitions import ClassInfo
from .effects import Object
from .errors import SourceError
from .import_names import spells_imports, top_imports
from .import_reach import Changes, ImportReach, Wanted, imports_of, run_text
from .infer import Inference
from .repository import STDLIB, Module
from .run_imports import IMPORTS_BY_NAME, RunImport, run_imports
from .surfaces import called_in, importing_functions
from .units import Unit

_INDENTED = re.compile(r"(?:^[ \t]++|[:;][ \t]*+)(?:from|import)[ \t]", re.M)
"""An import that does not begin a line."""

_BESIDE = re.compile(r"[:;][ \t]*+(?:from|import)[ \t]")
"""An import that may share its line with what stands before it."""

_TABLE = re.compile(
    r"\b__tablename__\b|\bTable\(|^class\s[^\n]*(?:\.Model\b|\btable\s*=\s*True)", re.M
)
_STATE_SETTER = re.compile(
    r"^(?:    )?[\w.]*\b(?:environ\b|load_dotenv|putenv|seed\(|setlocale|basicConfig|dictConfig|"
    r"fileConfig|getLogger\([^()\n]*\)\.setLevel|filterwarnings|simplefilter|setdefaulttimeout|set_option|seterr|manual_seed|"
    r"set_printoptions|register_\w+\(|rcParams|add_type|setrecursionlimit)", re.M,
)  # fmt: skip
_MEMBER_SET = re.compile(r"^(\w++)(?:\.\w++|\(\))++[ \t]*+=(?!=)", re.M)
_STATE_WORDS = frozenset(
    "environ load_dotenv putenv seed setlocale basicConfig dictConfig fileConfig filterwarnings "
    "simplefilter setdefaulttimeout set_option seterr manual_seed set_printoptions "
    "register_adapter register_converter register_dialect "
    "register_namespace register_unpack_format register_archive_format rcParams add_type "
    "setrecursionlimit setLevel".split()
)
_TOP_LINE = re.compile(r"^(?!def |from |import |async def |    [ \t#]|\s*$|#)[^\n]+", re.M)
_WORD = re.compile(r"\w+")


_T = TypeVar("_T")
_MAX_STARTS = 16
"""Targets of one module follow one another, so the import closures of few modules are kept."""


class LoadedModules:
    """The import closure of some modules, found lazily and by text."""

    def __init__(self, inference: Inference, modules: Sequence[Module]) -> None:
        self.inference = inference
        self.repository = inference.repository
        self.start = list(modules)
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
        return self._shared("_reaches", lambda: ImportReach(self.repository, self._texts))

    def _shared(self, table: str, make: Callable[[], _T]) -> _T:
        """What is the same for all targets with the same start; the last ones are kept."""
        known: dict[tuple[str, ...], _T] = self.repository.__dict__.setdefault(table, {})
        key = tuple(module.name for module in self.start)
        made = known.pop(key) if key in known else make()
        known[key] = made
        if len(known) > _MAX_STARTS:
            del known[next(iter(known))]
        return made

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

    def setting_members(self, kept: Container[str]) -> Iterator[Module]:
        """Loaded modules outside `kept` that set attributes of the standard library."""
        table: dict[str, bool] = self.repository.__dict__.setdefault("_sets_members", {})
        for name, path, text in self._texts:
            if name not in kept:
                if path not in table:
                    table[path] = any(
                        self._is_standard(word, name, path, text)
                        for word in _MEMBER_SET.findall(text)
                    )
                if table[path]:
                    with suppress(SourceError):
                        yield self.repository.module(path, name)

    def _is_standard(self, word: str, name: str, path: str, text: str) -> bool:
        """Whether the module has the name from the standard library."""
        names = imports_of(self.repository, name, path, text)
        origins = [base for base, _ in names.origins.get(word, ())]
        return any(base.partition(".")[0] in STDLIB for base in origins) or (
            not origins and word in STDLIB and any(
                each.partition(".")[0] == word for each in names.modules
            )
        )  # fmt: skip

    def declaring_tables(self, kept: Container[str]) -> Iterator[Module]:
        """Loaded modules outside `kept` that look like declaring tables of a database."""
        for name, path, text in self._texts:
            if name not in kept and _TABLE.search(text):
                with suppress(SourceError):
                    yield self.repository.module(path, name)

    def extend(self, modules: Iterable[Module]) -> None:
        """Count what importing these would load as well: functions import them."""
        fresh = [module for module in modules if module.name not in self]
        if fresh:
            self.start += fresh
            for known in ("_found", "_texts", "_by_name", "_reach"):
                self.__dict__.pop(known, None)
            self._watched.clear()
            for asked in self._asked.values():
                asked.clear()

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
        previous = self._importers(name, inside=False)
        if name not in previous:  # what a line begins with runs for sure
            previous = self._importers(name, inside=True)
        steps: list[tuple[Module, Unit, str]] = []
        current = name
        starts = {module.name for module in self.start}
        while current in previous and current not in starts:
            try:
                importer = self.repository.module(
                    self._by_name[previous[current]][0], previous[current]
                )
            except SourceError:
                return []  # it loads nothing
            step = self._import_of(importer, current)
            if step is not None:
                steps.append((importer, *step))
            current = previous[current]
        return steps[::-1]

    def _importers(self, name: str, *, inside: bool) -> dict[str, str]:
        """Loaded modules up to the named one, each with the one that imports it first."""
        previous: dict[str, str] = {}
        queue = [module.name for module in self.start]
        while queue and name not in previous:
            current = queue.pop(0)
            path, text = self._by_name[current]
            found = list(self._imported(current, path, text))
            if inside and current in self._found[1]:
                found += self._imported_inside(current, path)
            for item, _ in found:
                if item in self._by_name and item not in previous:
                    previous[item] = current
                    queue.append(item)
        return previous

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
        if importer.name not in self._found[1]:
            return None
        inside = self._run_inside(importer.name, importer.path)
        for item in inside:
            if item.name == name or (item.has_all and name.startswith(f"{item.name}.")):
                return item.unit, ""
        for item in inside:
            if item.name.startswith(f"{name}."):
                return item.unit, ""
        return None

    @cached_property
    def _found(self) -> tuple[dict[str, tuple[str, str, str]], frozenset[str]]:
        return self._shared("_loaded", self._find)

    @cached_property
    def _texts(self) -> tuple[tuple[str, str, str], ...]:
        """(name, path, text) of every loaded module, in the order in which they are found."""
        return tuple(self._found[0].values())

    @cached_property
    def _by_name(self) -> dict[str, tuple[str, str]]:
        return {name: (path, text) for name, path, text in self._texts}

    def _find(self) -> tuple[dict[str, tuple[str, str, str]], frozenset[str]]:
        """The loaded modules, and those of them that load more by what does not begin a line."""
        found: dict[str, tuple[str, str, str]] = {}
        met: set[tuple[str, int]] = set()
        self._load([(module.name, module.path) for module in self.start], found, met)
        followed: list[str] = []
        for name in (left := list(found)):  # it grows meanwhile
            _, path, text = found[name]
            if self._may_load_more(name, path, text, found):
                followed.append(name)
                before = len(found)
                self._load(list(self._imported_inside(name, path)), found, met)
                left += list(found)[before:]
        return found, frozenset(followed)

    def _load(
        self, queue: list[tuple[str, str]], found: dict[str, tuple[str, str, str]],
        met: set[tuple[str, int]],
    ) -> None:  # fmt: skip
        """Add modules, and what importing them loads by lines that begin with imports."""
        while queue:
            name, path = queue.pop(0)
            if name in found or (place := self._place(name, path)) in met:
                continue
            met.add(place)
            try:
                text = self.repository.text(path)
            except SourceError:
                continue
            found[name] = (name, path, text)
            queue.extend(item for item in self._imported(name, path, text) if item[0] not in found)

    def _are_loaded(self, name: str, path: str, found: Container[str]) -> bool:
        """Whether all is loaded that the module may import anywhere, by text."""
        table: dict[tuple[str, str], tuple[str, ...] | None]
        table = self.repository.__dict__.setdefault("_all_imported", {})
        if (name, path) not in table:
            table[name, path] = self._all_imported(name, path)
        known = table[name, path]
        return known is not None and all(each in found for each in known)

    def _all_imported(self, name: str, path: str) -> tuple[str, ...] | None:
        """Modules that lines of the module import, however deep; `None` where code names some."""
        try:
            text = self.repository.text(path)
        except SourceError:
            return ()
        if IMPORTS_BY_NAME.search(text) or _BESIDE.search(text):
            return None
        names = imports_of(self.repository, name, path, text)
        root = self._root(name, path)
        every = {*names.modules, *names.stars, *(base for base, _ in names.bound)}
        return tuple(each for each in sorted(every) if self._locate(each, root) is not None)

    def _place(self, name: str, path: str) -> tuple[str, int]:
        """The module itself; by way of links, which may go around, its file and a few depths."""
        real = os.path.realpath(self.repository.path / path)
        return (name, 0) if real.endswith(f"/{path}") else (real, min(name.count("."), 3))

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
        if spells_imports(text):
            text = self._without_texts(name, path, text)
        wanted += top_imports(name, path, text)
        for item in wanted:
            found = self._locate(item, root)
            if found is not None:
                yield item, found

    def _without_texts(self, name: str, path: str, text: str) -> str:
        """The lines of the module's imports alone."""
        try:
            module = self.repository.module(path, name)
        except SourceError:
            return text
        return "".join(
            module.text_of(unit)
            for unit in module.units
            if unit.kind in ("import", "prelude") or _is_bare_load(unit)
        )

    def _imported_inside(self, name: str, path: str) -> Iterator[tuple[str, str]]:
        """Modules that the module imports by what does not begin a line."""
        root = self._root(name, path)
        for item in self._run_inside(name, path):
            found = self._locate(item.name, root)
            if found is None:
                continue
            yield item.name, found
            if item.has_all and found.endswith("/__init__.py"):
                for inner in self._modules_in(item.name, found.removesuffix("/__init__.py")):
                    below = self._locate(inner, root)
                    if below is not None:
                        yield inner, below

    def _run_inside(self, name: str, path: str) -> tuple[RunImport, ...]:
        table: dict[tuple[str, str], tuple[RunImport, ...]]
        table = self.repository.__dict__.setdefault("_run_inside", {})
        known = table.get((name, path))
        if known is None:
            known = ()
            with suppress(SourceError):
                known = run_imports(self.repository.module(path, name), self.inference)
            table[name, path] = known
        return known

    def _may_load_more(self, name: str, path: str, text: str, found: Container[str]) -> bool:
        """Whether a block, or a function that is called, may import what is not loaded."""
        imports, calls = self._run(path, text)
        own = self._importing_functions(path, text)
        if (imports or any(chain[-1] in own for chain in calls)) and not self._are_loaded(
            name, path, found
        ):
            return True
        names = imports_of(self.repository, name, path, text)
        root = self._root(name, path)

        def loads_more(base: str, function: str) -> bool:
            place = self._locate(base, root)
            if place is None or self._are_loaded(base, place, found):
                return False
            with suppress(SourceError):
                text = self.repository.text(place)
                return function in self._importing_functions(place, text)
            return False

        for head, *rest in calls:
            last = rest[-1] if rest else head
            origins = names.origins.get(head, ())
            modules = names.modules if rest and not origins else ()
            if (
                any(loads_more(base, last if rest else imported) for base, imported in origins)
                or any(
                    rest and loads_more(f"{base}.{imported}", last) for base, imported in origins
                )
                or any(loads_more(module, last) for module in sorted({*modules, *names.stars}))
            ):
                return True
        return False

    def _run(self, path: str, text: str) -> tuple[bool, list[list[str]]]:
        """Whether what runs on import may import, and what it calls; read once for a file."""
        table: dict[str, tuple[bool, list[list[str]]]]
        table = self.repository.__dict__.setdefault("_run_calls", {})
        if path not in table:
            run = run_text(self.repository, path, text)
            imports = _INDENTED.search(run) or IMPORTS_BY_NAME.search(run)
            table[path] = imports is not None, [chain for chain in called_in(run) if chain]
        return table[path]

    def _importing_functions(self, path: str, text: str) -> frozenset[str]:
        table: dict[str, frozenset[str]]
        table = self.repository.__dict__.setdefault("_importing_functions", {})
        if path not in table:
            table[path] = importing_functions(text)
        return table[path]

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


def _is_bare_load(unit: Unit) -> bool:
    """Whether the statement is `__import__("a.b")`, as pruned trees have them."""
    return any(
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Call)
        and isinstance(node.value.func, ast.Name)
        and node.value.func.id == "__import__"
        for node in unit.nodes
    )
