"""Which loaded modules may change an object while they are imported, found by text.

Each module acts on names that it imports. A name is followed to where it comes from: through
imports by other names, assignments and base classes, and into the functions that are called.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from .assignments import binds_container
from .definitions import ClassInfo
from .effects import Object
from .import_names import ImportNames
from .import_texts import aliases_of, heirs_of, imports_of, outline_of, surface_of
from .module_files import located, roots_of
from .once import once
from .outline import CONSTRUCTORS
from .repository import Module, Repository
from .roots import keeps_results
from .surfaces import Surface, surface_of_code

Changes = Callable[[Module, str, str], bool]
"""Whether a function or class of the module, named first, may change its object of a name."""
Name = tuple[str, str]
"""A module's name, and a name in it."""
Act = tuple[str, str, int]
"""The same, with what is done to it."""

_MAX_STEPS = 6
_MAX_LOCAL_STEPS = 3


OWNS, CALLS, SETS, DERIVES = 1, 2, 4, 8
"""What a module does with a name while it is imported, as bits: changes or calls an attribute or
item of it, or hands it to a call; calls it or decorates with it; sets it as an attribute of its
module; derives from it."""

_USES = CALLS | DERIVES
_RUN_WITH = CONSTRUCTORS | {"__call__", "__enter__", "__exit__", "__set_name__"}
"""Methods that run without being named."""
ANY = "*"
"""Stands for all names of a module, where it is computed which of them is set."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a slice asks loaded modules for."""

    objects: tuple[Object, ...]
    watched: tuple[ClassInfo, ...]
    """Classes that are asked for their subclasses."""


class ImportReach:
    """What loaded modules act on; `texts` holds the path and text of each."""

    def __init__(self, repository: Repository, texts: Mapping[str, tuple[str, str]]) -> None:
        self._repository = repository
        self._texts = texts
        self._acts: dict[Name, dict[str, int]] = {}
        """Name → the modules that act on it."""
        self._called: dict[str, dict[str, None]] = {}
        """Module → names of it that others call or derive from."""
        self._read: set[str] = set()
        """Modules of which the acts are recorded."""

    def changing(self, wanted: Wanted, kept: Container[str], changes: Changes) -> list[str]:
        """Modules outside `kept` that may change one of the objects, or derive from a class."""
        self._read_all(name for name in self._texts if name not in kept)
        found: dict[str, None] = {}
        by_module: dict[Module, list[str]] = {}
        for cls in wanted.watched:
            found.update(self._acting((cls.module.name, cls.node.name), DERIVES))
        for module, name in wanted.objects:
            by_module.setdefault(module, []).append(name)
            acting = self._acts.get((module.name, name))
            if acting:
                found.update(self._acting((module.name, name), _changing_acts(module, name)))
            found.update(self._acting((module.name, ANY), SETS))
        for module, names in by_module.items():
            for made in self._changers(module, names, kept, changes):
                found.update(self._acting((module.name, made), _USES))
        return [name for name in self._texts if name in found and name not in kept]

    def _acting(self, name: Name, wanted: int) -> dict[str, None]:
        return {module: None for module, act in self._acts.get(name, {}).items() if act & wanted}

    # ------------------------------------------------------------------ what each module does

    def _read_all(self, names: Iterable[str]) -> None:
        for name in names:
            if name not in self._read:
                self._read.add(name)
                seen: dict[Name, int] = {}
                path, _ = self._texts[name]
                for base, imported, act in _own_acts(self._repository, name, path):
                    self._record(name, base, imported, act, seen, 0)

    def _record(
        self, actor: str, module: str, name: str, act: int, seen: dict[Name, int], step: int
    ) -> None:
        """Note that a module acts on a name, and on what the name is made of."""
        key = (module, name)
        before = seen.get(key, 0)
        if module not in self._texts or step > _MAX_STEPS or act & ~before == 0:
            return
        seen[key] = before | act
        if module != actor:
            acting = self._acts.setdefault(key, {})
            acting[actor] = acting.get(actor, 0) | act
            if act & _USES:
                self._called.setdefault(module, {}).setdefault(name)
        for base, origin, inner in self._origins(actor, module, name, act):
            self._record(actor, base, origin, inner, seen, step + 1)

    def _origins(self, actor: str, module: str, name: str, act: int) -> Iterator[Act]:
        """What a module's acting on a name does to the names that it comes from."""
        path, _ = self._texts[module]
        names = imports_of(self._repository, module, path)
        for base, imported in names.origins.get(name, ()):
            yield base, imported, act
        for base in sorted(names.stars):
            yield base, name, act
        for chain in aliases_of(self._repository, path).get(name, ()):
            if len(chain) == 1:
                yield module, chain[0], act
            elif act & (CALLS | OWNS):
                yield module, chain[0], OWNS
        if not act & (_USES | OWNS):
            return
        outline = outline_of(self._repository, path)
        if name in outline.instances:
            yield module, outline.instances[name], act
        bodies: list[str] = []
        if act & _USES:
            for word in heirs_of(self._repository, path).get(name, ()):
                yield module, word, DERIVES
            bodies += [outline.hooks[name]] if name in outline.hooks else []
        if act & CALLS and name in outline.functions:
            bodies.append(outline.functions[name])
        if name in outline.classes and act & (CALLS | OWNS):
            asked = _RUN_WITH | surface_of(self._repository, self._texts[actor][0]).words
            bodies += [body for each, body in outline.classes[name].items() if each in asked]
        for body in bodies:
            yield from _acts_of_body(self._repository, module, path, body)

    # ------------------------------------------------------------------ in the object's own module

    def _changers(
        self, module: Module, names: Iterable[str], kept: Container[str], changes: Changes
    ) -> Iterator[str]:
        """Functions and classes there that change the objects, of those that others call."""
        called = [
            name
            for name in self._called.get(module.name, ())
            if any(unit.kind in ("function", "class") for unit in module.bindings.get(name, ()))
            and any(actor not in kept for actor in self._acting((module.name, name), _USES))
        ]
        if not called:
            return
        wanted = frozenset(names)
        mentioned = _mentioned(module)
        for made in called:
            met = sorted(wanted & mentioned.get(made, frozenset()))
            if any(changes(module, made, name) for name in met):
                yield made


@once
def _own_acts(repository: Repository, name: str, path: str) -> tuple[Act, ...]:
    """What the module does to what its imports bind."""
    surface, aliases = surface_of(repository, path), aliases_of(repository, path)
    acting = surface.owners | surface.called
    chains = [chain for alias in sorted(aliases.keys() & acting) for chain in aliases[alias]]
    if chains:
        surface = replace(
            surface,
            owners=surface.owners.union(*chains),
            called=surface.called.union(*chains),
            attributes=surface.attributes.union(*(chain[1:] for chain in chains)),
        )
    return _acts_of(repository, name, path, surface)


@once
def _acts_of_body(repository: Repository, name: str, path: str, body: str) -> tuple[Act, ...]:
    """The same for a part of the module, which may act on what the module itself defines."""
    surface, outline = surface_of_code(body), outline_of(repository, path)
    defined = outline.functions.keys() | outline.classes.keys() | outline.instances.keys()
    own = ((name, word, _act_on(word, surface)) for word in sorted(surface.words & defined))
    return (*_acts_of(repository, name, path, surface), *own)


def _acts_of(repository: Repository, name: str, path: str, surface: Surface) -> tuple[Act, ...]:
    names = imports_of(repository, name, path)
    return tuple(_acts(names, surface, _files(repository, name, path)))


@once
def _files(repository: Repository, name: str, path: str) -> frozenset[str]:
    """Which of the modules that the module may import are files of the repository."""
    names, roots = imports_of(repository, name, path), roots_of(repository, name, path)
    every = names.modules | names.stars
    return frozenset(each for each in every if located(repository, each, roots))


@once
def _mentioned(module: Module) -> dict[str, frozenset[str]]:
    """Functions and classes → names that they, and what they call, seem to change or give."""
    changed: dict[str, frozenset[str]] = {}
    used: dict[str, frozenset[str]] = {}
    for unit in module.units:
        if unit.kind in ("function", "class"):
            surface = surface_of_code(module.text_of(unit))
            used[unit.binds[0]] = surface.words
            itself = {unit.binds[0]} if unit.kind == "class" else set[str]()
            seen = surface.owners | surface.given_back | surface.rebound | itself
            every = frozenset(module.bindings) if surface.fills else seen
            changed[unit.binds[0]] = every & module.bindings.keys()
    for _ in range(_MAX_LOCAL_STEPS):
        changed = {
            made: names.union(*(changed[other] for other in used[made] & changed.keys()))
            for made, names in changed.items()
        }
    return changed


def _acts(names: ImportNames, surface: Surface, files: frozenset[str]) -> Iterator[Act]:
    """`files` are those of the names that are modules here.

    What else loads is no part of it: acts are read once for all targets.
    """
    for (base, imported), bound in names.bound.items():
        act = 0
        for word in bound:
            act |= _act_on(word, surface)
        if act:
            yield base, imported, act
    for module in sorted(names.modules & files) if surface.fills else ():
        yield module, ANY, SETS
    for module in sorted((names.modules | names.stars) & files):
        words = surface.words if module in names.stars else surface.attributes
        for word in sorted(words):
            yield module, word, _act_on(word, surface)


def _act_on(word: str, surface: Surface) -> int:
    act = 0
    if word in surface.owners:
        act |= OWNS
    if word in surface.called:
        act |= CALLS
    if word in surface.assigned:
        act |= SETS
    if word in surface.derived:
        act |= DERIVES
    return act


def _changing_acts(module: Module, name: str) -> int:
    """The acts that change the object of that name, by what its module binds."""
    wanted = SETS
    for unit in module.bindings.get(name, ()):
        match unit.sole:
            case ast.Assign(value=ast.Constant()) | ast.AnnAssign(value=ast.Constant() | None):
                continue
            case ast.FunctionDef() | ast.AsyncFunctionDef() as node:
                wanted |= OWNS | (CALLS if keeps_results(node) else 0)
            case ast.ClassDef() as node:
                wanted |= OWNS | (CALLS if _may_keep_instances(node) else 0)
            case _:
                wanted |= OWNS | CALLS
    return wanted


def _may_keep_instances(node: ast.ClassDef) -> bool:
    """Whether calling the class may change it, or give an instance that it has given before."""
    return bool(node.keywords) or any(
        binds_container(each) or (isinstance(each, ast.FunctionDef) and each.name == "__new__")
        for each in node.body
    )
