"""Side effects of importing a module on names of other modules, found by text.

A module acts on names that it imports. Each name is followed to its origin, through renaming
imports, assignments and base classes, and into the functions that are called.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cached_property

from ...repo.module_files import located, roots_of
from ...repo.repository import Repository
from ...syntax.import_names import ImportNames
from ...syntax.import_time_code import ImportTimeNames, surface_of_code
from ...syntax.memo import memo
from ...syntax.outline import CONSTRUCTORS, Outline
from .import_texts import (
    aliases_of,
    assigned_call_names,
    heirs_of,
    imports_of,
    outline_of,
    surface_of,
    words_of,
)

Name = tuple[str, str]
"""A module's name, and a name in it."""
Act = tuple[str, str, int]
"""A name with the act on it, as a bit."""
Origin = tuple[Act, str | None]
"""A further act that follows, and the method whose mention it requires, or `None`."""
Texts = Mapping[str, tuple[str, str]]
"""Loaded modules → path and text."""

OWNS, CALLS, SETS, DERIVES = 1, 2, 4, 8
"""Acts of a module on a name during import, as bits: OWNS changes or calls an attribute or item, or
passes the object to a call; CALLS calls it or decorates with it; SETS assigns it as an attribute of
its module; DERIVES derives from it.
"""

USES = CALLS | DERIVES
_BITS = (OWNS, CALLS, SETS, DERIVES)
ANY = "*"
"""Stands for all names of a module, if it is computed which one is set."""
_RUN_WITH = CONSTRUCTORS | {"__call__", "__enter__", "__exit__", "__set_name__"}
"""Methods that run without being named."""


class ActGraph:
    """The graph of acts: which loaded modules act on which names.

    All modules are followed at once. For each act on a name, the acting modules are a bit set in an
    integer.
    """

    def __init__(self, repository: Repository, texts: Texts) -> None:
        self._repository = repository
        self._texts = texts
        self._actors = tuple(texts)
        self._stars: dict[str, tuple[str, ...]] = {}
        self._mentions: dict[Name, bool] = {}
        self._done: dict[Act, int] = {}
        self._follow()
        self._used: dict[str, dict[str, None]] = {}
        for module, name, act in self._done:
            if act & USES:
                self._used.setdefault(module, {}).setdefault(name)

    def acting(self, name: Name, wanted: int) -> list[str]:
        """Return the modules that perform any of these acts on a name of another module."""
        done = 0
        for act in _BITS:
            if act & wanted:
                done |= self._done.get((*name, act), 0)
        return [each for each in self._named(done) if each != name[0]]

    def used(self, module: str) -> tuple[str, ...]:
        """Return the names of the module that are called or derived from."""
        return tuple(self._used.get(module, ()))

    def _named(self, actors: int) -> Iterator[str]:
        while actors:
            lowest = actors & -actors
            yield self._actors[lowest.bit_length() - 1]
            actors ^= lowest

    def _follow(self) -> None:
        """Propagate acts on names to the names that they come from."""
        fresh: dict[Act, int] = {}
        origins: dict[Act, tuple[Origin, ...]] = {}
        for index, actor in enumerate(self._actors):
            for act in _own_acts(self._repository, actor, self._texts[actor][0]):
                fresh[act] = fresh.get(act, 0) | 1 << index
        while fresh:
            # the oldest name, with all modules added to it since
            act = next(iter(fresh))
            actors = fresh.pop(act) & ~self._done.get(act, 0)
            if not actors or act[0] not in self._texts:
                continue
            self._done[act] = self._done.get(act, 0) | actors
            if act not in origins:
                origins[act] = tuple(self._origins(act))
            for origin, mentioned in origins[act]:
                asking = (
                    actors
                    if mentioned is None
                    else actors & self._mentioning_modules.get(mentioned, 0)
                )
                if asking:
                    fresh[origin] = fresh.get(origin, 0) | asking

    @cached_property
    def _mentioning_modules(self) -> dict[str, int]:
        """Return words → bit set of the modules that mention them in import-time code."""
        found: dict[str, int] = {}
        for index, actor in enumerate(self._actors):
            bit = 1 << index
            for word in surface_of(self._repository, self._texts[actor][0]).words:
                found[word] = found.get(word, 0) | bit
        return found

    def _origins(self, act: Act) -> Iterator[Origin]:
        module, name, done = act
        path = self._texts[module][0]
        yield from _origins(self._repository, module, path, name, done)
        for base in sorted(imports_of(self._repository, module, path).stars):
            if self._mentions_name(base, name):
                yield (base, name, done), None

    def _mentions_name(self, module: str, name: str) -> bool:
        """Whether a module, or one that it star-imports, mentions the name."""
        key = (module, name)
        if key not in self._mentions:
            loaded = (each for each in self._with_star_imports(module) if each in self._texts)
            paths = (self._texts[each][0] for each in loaded)
            self._mentions[key] = any(name in words_of(self._repository, path) for path in paths)
        return self._mentions[key]

    def _with_star_imports(self, module: str) -> tuple[str, ...]:
        """Return a module and those that it star-imports, transitively."""
        if module not in self._stars:
            found: dict[str, None] = {}
            left = [module]
            while left:
                each = left.pop()
                if each not in found:
                    found[each] = None
                    left += sorted(self._imports(each).stars) if each in self._texts else ()
            self._stars[module] = tuple(found)
        return self._stars[module]

    def _imports(self, module: str) -> ImportNames:
        return imports_of(self._repository, module, self._texts[module][0])


@memo
def _origins(
    repository: Repository, module: str, path: str, name: str, act: int
) -> tuple[Origin, ...]:
    """Return the acts that an act on a name implies for its origins, without star imports."""
    names, outline = imports_of(repository, module, path), outline_of(repository, path)
    found: dict[Origin, None] = {}
    for base, imported in names.origins.get(name, ()):
        found[(base, imported, act), None] = None
    for chain in aliases_of(repository, path).get(name, ()):
        if len(chain) == 1:
            found[(module, chain[0], act), None] = None
        elif act & (CALLS | OWNS):
            found[(module, chain[0], OWNS), None] = None
    if act & (CALLS | OWNS):
        for word in assigned_call_names(repository, path).get(name, ()):
            found[(module, word, OWNS), None] = None  # it may contain this
    if act & (USES | OWNS) and name in outline.instances:
        found[(module, outline.instances[name], act), None] = None
    if act & USES:
        for word in heirs_of(repository, path).get(name, ()):
            found[(module, word, DERIVES), None] = None
    for body, method in _bodies(outline, name, act):
        for each in _acts_of_body(repository, module, path, body):
            found[each, method] = None
    return tuple(found)


def _bodies(outline: Outline, name: str, act: int) -> Iterator[tuple[str, str | None]]:
    """Yield the bodies that run when the name is used, each with the method it requires, if any."""
    if act & USES and name in outline.hooks:
        yield outline.hooks[name], None
    if act & CALLS and name in outline.functions:
        yield outline.functions[name], None
    if act & (CALLS | OWNS):
        for method, body in outline.classes.get(name, {}).items():
            yield body, None if method in _RUN_WITH else method


@memo
def _own_acts(repository: Repository, name: str, path: str) -> tuple[Act, ...]:
    """Return the acts of the module on names that its imports bind."""
    surface, aliases = surface_of(repository, path), aliases_of(repository, path)
    acting = surface.owners | surface.called
    chains = [chain for alias in sorted(aliases.keys() & acting) for chain in aliases[alias]]
    chains += [
        (word,)
        for word in _made_from(assigned_call_names(repository, path), acting | _first(chains))
    ]
    if chains:
        surface = replace(
            surface,
            owners=surface.owners.union(*chains),
            called=surface.called.union(*chains),
            attributes=surface.attributes.union(*(chain[1:] for chain in chains)),
        )
    return _acts_of(repository, name, path, surface)


def _first(chains: list[tuple[str, ...]]) -> frozenset[str]:
    return frozenset(chain[0] for chain in chains)


def _made_from(made: Mapping[str, tuple[str, ...]], names: frozenset[str]) -> list[str]:
    """Return the names that the objects of these names were made from, transitively."""
    found: dict[str, None] = {}
    left = sorted(names & made.keys())
    while left:
        fresh = [word for word in made.get(left.pop(), ()) if word not in found]
        found.update(dict.fromkeys(fresh))
        left += fresh
    return list(found)


@memo
def _acts_of_body(repository: Repository, name: str, path: str, body: str) -> tuple[Act, ...]:
    """Return the acts of a part of the module, which may act on the module's own definitions."""
    surface, outline = surface_of_code(body), outline_of(repository, path)
    defined = outline.functions.keys() | outline.classes.keys() | outline.instances.keys()
    own = ((name, word, _act_on(word, surface)) for word in sorted(surface.words & defined))
    return (*_acts_of(repository, name, path, surface), *_split_acts(own))


def _acts_of(
    repository: Repository, name: str, path: str, surface: ImportTimeNames
) -> tuple[Act, ...]:
    names = imports_of(repository, name, path)
    return tuple(_split_acts(_acts(names, surface, _files(repository, name, path))))


def _split_acts(acts: Iterable[Act]) -> Iterator[Act]:
    """Split acts with several bits into single ones."""
    for module, name, act in acts:
        yield from ((module, name, bit) for bit in _BITS if bit & act)


@memo
def _files(repository: Repository, name: str, path: str) -> frozenset[str]:
    """Return the modules among the module's imports that are files of the repository."""
    names, roots = imports_of(repository, name, path), roots_of(repository, name, path)
    every = names.modules | names.stars
    return frozenset(each for each in every if located(repository, each, roots))


def _acts(names: ImportNames, surface: ImportTimeNames, files: frozenset[str]) -> Iterator[Act]:
    """Yield the acts that import-time names imply; `files` are imported modules of the repository.

    The result does not depend on which other modules load, so it serves all targets.
    """
    for word in sorted(surface.words & names.origins.keys()):
        act = _act_on(word, surface)
        yield from ((base, imported, act) for base, imported in names.origins[word])
    for module in sorted(names.modules & files) if surface.fills else ():
        yield module, ANY, SETS
    for module in sorted((names.modules | names.stars) & files):
        words = surface.words if module in names.stars else surface.attributes
        for word in sorted(words):
            yield module, word, _act_on(word, surface)


def _act_on(word: str, surface: ImportTimeNames) -> int:
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
