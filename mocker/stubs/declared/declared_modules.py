"""Declarations of stubbed modules, as far as a slice uses them; uses take precedence."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from ...contacts import is_below
from ..external_usage import Usage
from ..interfaces import Answers, Found, Member, Reader, is_exception, line_of, members_of
from ..interfaces.declared_members import bases_of
from ..interfaces.declared_signatures import short_literal
from .declared_classes import class_text, enum_text, in_order, is_enum, roots_of_errors
from .declared_functions import Writer
from .declared_paths import DeclaredPaths

_LONGEST = 200
"""The longest constant, in characters, that is copied."""
_MOST = 300
"""The most classes that are generated; slices that need more install the package."""
_PROTOCOLS = ("__call__", "__enter__", "__aenter__", "__iter__", "__getitem__")
"""Methods that Python calls implicitly."""
_OWN = frozenset(
    "declared declared_method Held Given Entered Iterated Streamed ANYTHING Stub StubClass"
    " PlainStub StubError enum classmethod staticmethod above stub_getattr __all__".split()
)
"""Names that a stub's own text uses."""


@dataclass(frozen=True, slots=True)
class Item:
    """A declared name of a stub module."""

    kind: str
    """`class`, `error`, `function` or `value`."""
    text: str
    source: str
    """Name of the source that declares it."""
    bases: tuple[str, ...] = ()
    """Dotted names of its stubbed base classes."""


@dataclass(frozen=True, slots=True)
class Interface:
    """The declarations, by dotted name in the stubs."""

    items: Mapping[str, Item] = field(default_factory=dict[str, Item])
    aliases: Mapping[str, str] = field(default_factory=dict[str, str])
    """An alias of a class → the name that it is generated under."""
    modules: tuple[str, ...] = ()
    """Modules that are stubbed in addition to those that the slice imports."""
    inputs: tuple[str, ...] = ()
    """The sources that were read."""
    values: Mapping[str, str] = field(default_factory=dict[str, str])
    """Place that the slice uses → source of an answer of the declared type."""

    def kinds(self) -> dict[str, str]:
        """Return each declared name, and each alias of a class → its kind."""
        found = {path: item.kind for path, item in self.items.items()}
        return {**found, **{path: found[home] for path, home in self.aliases.items()}}

    def sources(self, module: str) -> tuple[str, ...]:
        """Return the names of the sources that declare something of a module, or below it."""
        found = (item.source for path, item in self.items.items() if is_below(path, module))
        return tuple(sorted(set(found)))

    def canonical(self, place: str) -> str:
        """Return a place with aliases replaced by the name that the class is generated under."""
        above = max((a for a in self.aliases if is_below(place, a)), key=len, default="")
        return f"{self.aliases[above]}{place[len(above) :]}" if above else place


def interface_of(usage: Usage, modules: Sequence[str], by_hand: Sequence[str] = ()) -> Interface:
    """Return the declarations of these modules that the slice uses.

    Args:
        usage: the usage of the slice.
        modules: the stubbed modules, with everything below them.
        by_hand: modules below these with text from elsewhere.
    """
    try:
        return _Reached(usage, tuple(modules), tuple(by_hand)).interface()
    except RecursionError:  # malformed sources may recurse forever
        return Interface()


class _Reached:
    """The names that the slice uses, and the classes reached through them."""

    def __init__(self, usage: Usage, tops: tuple[str, ...], by_hand: tuple[str, ...]) -> None:
        self._usage = usage
        self._tops = tops
        self._by_hand = by_hand
        self._reader = Reader(tops)
        self._answers = Answers(self._reader, self._home)
        self._writer = Writer(self._answers, usage)
        self._modules: list[str] = []
        self._current = ""
        """The module whose names are being followed."""
        self._homes: dict[str, str] = {}
        """A class's own dotted name → the one of its stub."""
        self._aliases: dict[str, str] = {}
        self._classes: dict[str, Found] = {}
        self._functions: dict[str, Found] = {}
        self._values: dict[str, Found] = {}
        self._wanted: dict[str, set[str]] = {}
        self._made: set[str] | None = None
        """Classes whose own `__init__` is called."""
        self._answered: dict[str, str] = {}

    def interface(self) -> Interface:
        """Return all declarations, generated."""
        self._reach()
        items = {path: item for path, item in self._written() if _is_python(item.text)}
        homes = {path.rpartition(".")[0] for path in items}
        known = {*self._usage.modules, *self._tops, *self._by_hand}
        inputs = {source.stated for source in self._reader.used.values()} if items else ()
        return Interface(
            items,
            {path: home for path, home in sorted(self._aliases.items()) if home in items},
            tuple(sorted((homes | {*self._modules}) - known)) if items else (),
            tuple(sorted(inputs)),
            self._answered,
        )

    def _reach(self) -> None:
        found = {*self._usage.modules, *self._tops}
        self._modules = sorted(
            (m for m in found if not self._is_by_hand(m)), key=lambda m: (m.count("."), m)
        )
        for module in self._modules:  # grows
            for name in self._names(module):
                self._name(module, name)
        for path, function in sorted(self._functions.items()):
            self._current = path.rpartition(".")[0]
            for node in function.functions:
                self._answers.returned(function.module, node)
        done: set[str] = set()
        while len(done) < len(self._classes):
            for path, cls in list(self._classes.items()):
                if path not in done:
                    done.add(path)
                    self._current = path.rpartition(".")[0]
                    self._lead_on(cls)

    def _is_by_hand(self, path: str) -> bool:
        return any(is_below(path, hand) for hand in self._by_hand)

    def _names(self, module: str) -> list[str]:
        starred = {name for source, name in self._usage.starred if source == module}
        return sorted(
            name
            for name in {*starred, *self._usage.below(module)} - _OWN
            if name.isidentifier() and not name.startswith("__")
        )

    def _name(self, module: str, name: str) -> None:
        path = f"{module}.{name}"
        found = None if self._is_by_hand(path) else self._reader.resolve(module, name)
        if found is None:
            return
        if not found.name:
            if found.module == path and path not in self._modules:
                self._modules.append(path)
        elif found.cls is not None:
            home = self._homes.setdefault(found.path, path)
            self._classes.setdefault(home, found)
            if home != path:
                self._aliases[path] = home
        elif found.functions:
            self._functions[path] = found
        elif found.nodes:
            self._values[path] = found

    def _home(self, found: Found) -> str | None:
        """Return the dotted name of a class's stub; `None` for classes without one."""
        if found.path in self._homes:
            return self._homes[found.path]
        module = found.module
        if not any(is_below(module, top) for top in self._tops):
            # a stub-only module, or one beside it in the same distribution
            mine = self._reader.used.get(self._current)
            theirs = self._reader.used.get(module)
            if mine is None or theirs is None or mine.stated != theirs.stated:
                return None
            module = self._current
        path = f"{module}.{found.name}"
        named = (self._classes, self._functions, self._values, self._aliases)
        is_taken = any(path in names for names in named) or len(self._classes) >= _MOST
        if is_taken or self._is_by_hand(path) or found.name in _OWN:
            return None
        self._homes[found.path] = path
        self._classes[path] = found
        return path

    def _lead_on(self, cls: Found) -> None:
        for each in line_of(self._reader, cls):
            if each.cls is not None:
                self._home(each)
        for member in self._members(cls):
            for node in member.functions:
                self._answers.returned(member.owner.module, node)
            if not member.functions:
                self._answers.attribute_source(member)

    def _members(self, cls: Found) -> Iterator[Member]:
        """Yield a class's own members that the slice uses."""
        top = self._homes[cls.path].partition(".")[0]
        if top not in self._wanted:
            self._wanted[top] = {*self._usage.attribute_names(top), *_PROTOCOLS, "__init__"} - _OWN
        wanted = self._wanted[top]
        return (member for member in members_of(cls) if member.name in wanted)

    # ------------------------------------------------------------------- writing

    def _written(self) -> Iterator[tuple[str, Item]]:
        places = DeclaredPaths(
            self._usage, self._answers, self._classes,
            {**self._functions, **self._classes, **self._by_alias()},
        )  # fmt: skip
        for path in sorted({use.path for use in self._usage.uses}):
            meaning = places.meaning(path)
            if meaning and meaning.value and "()" in path:
                self._answered[path] = meaning.value
        for path, found in self._functions.items():
            text = self._writer.function(found, path.rpartition(".")[2], places.of_function(found))
            yield path, Item("function", f"{text}\n", self._source(found))
        for path, found in self._values.items():
            text = self._value_text(path, found)
            if text:
                yield path, Item("value", text, self._source(found))
        bases = {
            path: tuple(
                self._homes[base.path]
                for base in bases_of(self._reader, found)
                if base is not None and self._homes.get(base.path) in self._classes
            )
            for path, found in self._classes.items()
        }
        bases = in_order(bases)
        plain = self._mixed_in(bases)
        for path in bases:
            item = self._class_item(path, bases[path], places, is_plain=path in plain)
            if item:
                yield path, item

    def _by_alias(self) -> dict[str, Found]:
        return {path: self._classes[home] for path, home in self._aliases.items()}

    def _source(self, found: Found) -> str:
        return self._reader.used[found.module].name

    def _value_text(self, path: str, found: Found) -> str | None:
        match found.nodes[0]:
            case ast.Assign(value=value) | ast.AnnAssign(value=ast.expr() as value):
                text = short_literal(value, _LONGEST)
            case _:
                return None
        if text in (None, "None") or "called" in self._usage.roles(path):
            return None
        is_fit = all(hasattr(ast.literal_eval(text), name) for name in self._usage.below(path))
        return f"{path.rpartition('.')[2]} = {text}\n" if is_fit else None

    def _mixed_in(self, bases: Mapping[str, tuple[str, ...]]) -> set[str]:
        """Return the classes combined with bases of any metaclass, and their own bases."""
        todo = [
            self._aliases.get(use.path, use.path)
            for use in self._usage.uses
            if use.role == "base beside another"
        ]
        found: set[str] = set()
        while todo:
            path = todo.pop()
            if path not in found:
                found.add(path)
                todo += bases.get(path, ())
        return found

    def _class_item(
        self, path: str, bases: tuple[str, ...], places: DeclaredPaths, *, is_plain: bool
    ) -> Item | None:
        found = self._classes[path]
        name = path.rpartition(".")[2]
        if is_enum(self._reader, found):
            is_whole = any(u.path.startswith((f"{path}(", f"{path}[")) for u in self._usage.uses)
            used = self._usage.below(path)
            text = enum_text(self._reader, found, name, path, used, is_whole=is_whole)
            return Item("class", text, self._source(found)) if text else None
        is_error = is_exception(self._reader, found)
        if not is_error and "error" in self._usage.roles(path):
            return None
        roots = roots_of_errors(self._reader, found) if is_error else ()
        root = roots or ("PlainStub" if is_plain else "StubClass",)
        extra = tuple(r for r in roots if r not in ("StubError", *self._inherited(bases)))
        members = [
            text
            for member in self._members(found)
            for text in [self._member_text(member, places, is_plain=is_plain, is_error=is_error)]
            if text
        ]
        shown = (*self._shown(path, bases), *extra) if bases else root
        text = class_text(name, path, shown, members)
        return Item("error" if is_error else "class", text, self._source(found), bases)

    def _inherited(self, bases: tuple[str, ...]) -> set[str]:
        """Return the builtin exceptions that the stubs of bases derive from."""
        above = (roots_of_errors(self._reader, self._classes[base]) for base in bases)
        return {"Exception", *(name for names in above for name in names)}

    def _shown(self, path: str, bases: tuple[str, ...]) -> tuple[str, ...]:
        """Return the names of base classes as seen in the class's own module."""
        module = path.rpartition(".")[0]
        return tuple(
            base.rpartition(".")[2] if base.rpartition(".")[0] == module else f"above({base!r})"
            for base in bases
        )

    def _is_made(self, member: Member) -> bool:
        """Whether the slice instantiates a class, or a subclass that inherits this member."""
        if self._made is None:
            used = {
                self._aliases.get(use.path, use.path)
                for use in self._usage.uses
                if use.role in ("called", "base")
            }
            self._made = {_makes(self._reader, self._classes[p]) for p in used & {*self._classes}}
        return member.owner.path in self._made

    def _member_text(
        self, member: Member, places: DeclaredPaths, *, is_plain: bool, is_error: bool
    ) -> str | None:
        if member.kind in ("property", "value"):
            literal = _constant(member)
            if literal is not None and not is_error:
                return f"    {member.name} = {literal}"
            value = self._answers.attribute_source(member)
            return f"    {member.name} = Held({value})" if value and value != "None" else None
        if is_error or (member.name == "__init__" and (is_plain or not self._is_made(member))):
            return None
        return self._writer.method(member, places.of_member(member))


def _makes(reader: Reader, found: Found) -> str:
    """Return the class whose `__init__` initialises another; "" if none is declared."""
    for each in line_of(reader, found):
        if any(member.name == "__init__" for member in members_of(each)):
            return each.path
    return ""


def _is_python(text: str) -> bool:
    """Whether a text compiles: some declared names only parse."""
    try:
        compile(text, "<stub>", "exec", dont_inherit=True)
    except (SyntaxError, ValueError):
        return False
    return True


def _constant(member: Member) -> str | None:
    """Return the literal that a class binds to a name in capitals: a constant."""
    match member.nodes[0]:
        case ast.Assign(value=value) | ast.AnnAssign(value=ast.expr() as value):
            text = short_literal(value) if member.name.isupper() else None
            return None if text == "None" else text
        case _:
            return None
