"""Modules loaded with the target's that could change an object or set process state.

The scan reads text, not trees: most imports load whole packages, and nearly all of their files
never mention the object.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cached_property
from typing import TypeVar

from ..analysis.inference import Inference
from ..analysis.scopes.definitions import ClassInfo
from ..errors import SourceError
from ..repo.repository import STDLIB, Module, Repository
from ..repo.units import Unit
from ..syntax.import_names import ImportNames
from ..syntax.memo import memo
from .builtin_assignments import MAKING
from .external_registrations import READ_BY
from .imports.import_chain import import_chain
from .imports.import_closure import ImportClosure
from .imports.import_reach import Changes, ImportReach, ReachQuery
from .imports.import_texts import imports_of, outline_of
from .mutation.statement_effects import Object

_TABLE = re.compile(
    r"\b__tablename__\b|\bTable\(|^class\s[^\n]*(?:\.Model\b|\btable\s*=\s*True)", re.M
)
_STATE_SETTER = re.compile(
    r"^(?:    )?(?:(?:if|elif|else|for|with|while|try|except|finally)\b[^\n]*:[ \t]+)?"
    r"[\w.]*\b(?:environ\b|load_dotenv|putenv|seed\(|setlocale|basicConfig|dictConfig|"
    r"fileConfig|getLogger\([^()\n]*\)\.setLevel|filterwarnings|simplefilter|setdefaulttimeout|"
    r"set_option|seterr|manual_seed|set_printoptions|register_\w+\(|rcParams|add_type|"
    r"setrecursionlimit|install_\w+\(|set_event_loop_policy|[sg]etcontext|field_size_limit|"
    r"setLoggerClass|addLevelName|signal\.)", re.M,
)  # fmt: skip
_MEMBER_SET = re.compile(
    r"^[ \t]*+(\w++)(?:\.\w++|\(\))++(?:\[[^\]\n]*+\])?+[ \t]*+[-+*/|&]?+=(?!=)", re.M
)
"""A line that sets an attribute or item; the group is the name that it begins with."""
_CALLING = re.compile(
    r"^(?:(?: {4})?[^\W\d][\w.]*+(?:\([^()\n]*\)[\w.]*)?\(|@"
    r"|class[ \t]+\w+[ \t]*\([^)\n]*\b(?:YAMLObject|Schema|Task|\w*Document)\b)",
    re.M,
)
"""A line that contains a call, a top-level decorator, or a base class that registers subclasses."""
_LIMITS = ("sys.setrecursionlimit(", "sys.set_int_max_str_digits(")
"""Interpreter limits that affect every slice."""
_STATE_WORDS = frozenset(
    "environ load_dotenv putenv seed setlocale basicConfig dictConfig fileConfig filterwarnings "
    "simplefilter setdefaulttimeout set_option seterr manual_seed set_printoptions "
    "register_adapter register_converter register_dialect "
    "register_namespace register_unpack_format register_archive_format rcParams add_type "
    "setrecursionlimit setLevel install_opener set_event_loop_policy setcontext getcontext "
    "field_size_limit setLoggerClass addLevelName register_error signal".split()
)
_TOP_LINE = re.compile(r"^(?!def |from |import |async def |    [ \t#]|\s*$|#)[^\n]+", re.M)
_WORD = re.compile(r"\w+")


_T = TypeVar("_T")
_MAX_STARTS = 16
"""Maximum number of memoised import closures; consecutive targets share a module."""


class LoadedModules:
    """The import closure of some modules, found lazily and by text."""

    def __init__(self, inference: Inference, modules: Sequence[Module]) -> None:
        self.inference = inference
        self.repository = inference.repository
        self.start = list(modules)
        self._queried: dict[bool, set[Object]] = {True: set(), False: set()}
        self._watched: set[ClassInfo] = set()
        self.passed_over: dict[Module, None] = {}
        """Modules that set attributes of kept classes which nothing has accessed so far."""

    def changing(
        self,
        objects: Iterable[Object],
        watched: Iterable[ClassInfo],
        kept: Container[str],
        changes: Changes,
        *,
        are_read: bool = True,
    ) -> Iterator[Module]:
        """Yield loaded modules outside `kept` that may change an object or define a subclass.

        A module is yielded at most once for objects that are read, once for others, and once for a
        class.
        """
        queried = self._queried[are_read]
        fresh = ReachQuery(
            tuple(item for item in objects if item not in queried),
            tuple(cls for cls in watched if cls not in self._watched),
        )
        queried.update(fresh.objects)
        self._watched.update(fresh.watched)
        if all(name in kept for name in self._closure.texts):
            return
        for name in self._reach.changing(fresh, kept, changes):
            with suppress(SourceError):
                yield self.repository.module(self._closure.texts[name][0], name)

    @cached_property
    def _closure(self) -> ImportClosure:
        return self._shared("import closures", lambda: ImportClosure(self.inference, self.start))

    @cached_property
    def _reach(self) -> ImportReach:
        return self._shared(
            "import reaches", lambda: ImportReach(self.repository, self._closure.texts)
        )

    def _shared(self, table: str, make: Callable[[], _T]) -> _T:
        """Return a value shared by all targets with the same start; recent ones are memoised."""
        key = tuple(module.name for module in self.start)
        return self.repository.recent.get(table, key, make, _MAX_STARTS)

    def texts(self) -> Iterator[tuple[str, str, str]]:
        """Yield name, path and text of every loaded module."""
        return ((name, *found) for name, found in self._closure.texts.items())

    def setting_state(self, kept: Container[str]) -> Iterator[Module]:
        """Yield loaded modules outside `kept` with a top-level line that seems to set state."""
        for name, path, _ in self.texts():
            if name not in kept and _sets_state(self.repository, path):
                with suppress(SourceError):
                    yield self.repository.module(path, name)

    def setting_members(self, kept: Container[str]) -> Iterator[Module]:
        """Yield loaded modules outside `kept` that set attributes of the standard library."""
        for name, path, _ in self.texts():
            if name not in kept and _sets_members(self.repository, name, path):
                with suppress(SourceError):
                    yield self.repository.module(path, name)

    def registering(self, mentioned: Iterable[str]) -> Iterator[Module]:
        """Yield modules that import one of the libraries, and call or decorate at top level."""
        used = {name.partition(".")[0] for name in mentioned}
        used |= {
            top
            for top, readers in READ_BY.items()
            if not used.isdisjoint(reader.partition(".")[0] for reader in readers)
        }
        for name, path, _ in self.texts():
            if not used.isdisjoint(_called_tops(self.repository, name, path)):
                with suppress(SourceError):
                    yield self.repository.module(path, name)

    def making_builtins(self) -> Iterator[Module]:
        """Yield loaded modules whose text seems to add builtins."""
        for name, path, text in self.texts():
            if MAKING.search(text):
                with suppress(SourceError):
                    yield self.repository.module(path, name)

    def declaring_tables(self, kept: Container[str]) -> Iterator[Module]:
        """Yield loaded modules outside `kept` that seem to declare database tables."""
        for name, path, text in self.texts():
            if name not in kept and _TABLE.search(text):
                with suppress(SourceError):
                    yield self.repository.module(path, name)

    def extend(self, modules: Iterable[Module]) -> None:
        """Add the modules that importing these would load, because functions import them."""
        fresh = [module for module in modules if module.name not in self]
        if fresh:
            self.start += fresh
            for known in ("_closure", "_reach"):
                self.__dict__.pop(known, None)
            self._watched.clear()
            for queried in self._queried.values():
                queried.clear()

    def __contains__(self, name: str) -> bool:
        return name in self._closure.texts

    def imported_by(self, name: str) -> list[str]:
        """Return the loaded modules that a module imports in column 0, in order."""
        imported = self._closure.imported(name) if name in self else ()
        return [target for target, _ in imported]

    def chain(self, name: str) -> list[tuple[Module, Unit, str]]:
        """Return the import chain from the start to the module, as `import_chain` does."""
        return import_chain(self.repository, self._closure, self.start, name)


@memo
def _sets_state(repository: Repository, path: str) -> bool:
    """Whether a line with an indentation of at most four columns seems to set state."""
    text = repository.text(path)
    words = _WORD.findall("\n".join(_TOP_LINE.findall(text)))
    return not _STATE_WORDS.isdisjoint(words) and _STATE_SETTER.search(text) is not None


@memo
def _called_tops(repository: Repository, name: str, path: str) -> frozenset[str]:
    """Return the top-level names of the module's imports, if a line may register something."""
    if not _CALLING.search(repository.text(path)):
        return frozenset()
    names = imports_of(repository, name, path)
    every = (*names.modules, *names.stars, *(base for base, _ in names.bound))
    return frozenset(each.partition(".")[0] for each in every)


@memo
def _sets_members(repository: Repository, name: str, path: str) -> bool:
    """Whether the module sets attributes of the standard library."""
    words = sorted(set(_MEMBER_SET.findall(outline_of(repository, path).run)))
    if any(limit in repository.text(path) for limit in _LIMITS):
        return True
    return any(_is_standard(word, imports_of(repository, name, path)) for word in words)


def _is_standard(word: str, names: ImportNames) -> bool:
    """Whether a module with these imports has the name from the standard library."""
    origins = [base for base, _ in names.origins.get(word, ())]
    return any(base.partition(".")[0] in STDLIB for base in origins) or (
        not origins and word in STDLIB and any(
            each.partition(".")[0] == word for each in names.modules
        )
    )  # fmt: skip
