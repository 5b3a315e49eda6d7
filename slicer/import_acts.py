"""What a module does, while it is imported, to names of other modules: found by text.

A module acts on names that it imports. A name is followed to where it comes from: through imports
by other names, assignments and base classes, and into the functions that are called.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from .import_names import ImportNames
from .import_texts import (
    aliases_of,
    heirs_of,
    imports_of,
    made_of,
    outline_of,
    surface_of,
    words_of,
)
from .module_files import located, roots_of
from .once import once
from .outline import CONSTRUCTORS
from .repository import Repository
from .surfaces import Surface, surface_of_code

Name = tuple[str, str]
"""A module's name, and a name in it."""
Act = tuple[str, str, int]
"""The same, with what is done to it."""
Texts = Mapping[str, tuple[str, str]]
"""Loaded modules, each with its path and text."""

OWNS, CALLS, SETS, DERIVES = 1, 2, 4, 8
"""What a module does with a name while it is imported, as bits: changes or calls an attribute or
item of it, or hands it to a call; calls it or decorates with it; sets it as an attribute of its
module; derives from it."""

USES = CALLS | DERIVES
ANY = "*"
"""Stands for all names of a module, where it is computed which of them is set."""
_RUN_WITH = CONSTRUCTORS | {"__call__", "__enter__", "__exit__", "__set_name__"}
"""Methods that run without being named."""


@dataclass(frozen=True, slots=True)
class Acts:
    """What one module acts on."""

    by_name: Mapping[Name, int]
    """Names, also of the module itself, with what is done to them."""
    met: Mapping[str, str | None]
    """Modules that were looked into, with their paths; those that are not loaded have none."""

    def hold_for(self, texts: Texts) -> bool:
        """Whether they are the same where these modules are loaded."""
        return all(_path(texts, name) == path for name, path in self.met.items())


class ActReader:
    """Reads the acts of modules, where these are loaded together with others.

    What has been read holds for another set of loaded modules as well, unless one of the modules
    that were looked into is not the same there.
    """

    def __init__(self, repository: Repository, texts: Texts) -> None:
        self._repository = repository
        self._texts = texts
        self._stars: dict[str, tuple[str, ...]] = {}
        self._mentions: dict[Name, bool] = {}

    def acts_of(self, actor: str) -> Acts:
        """What a loaded module acts on."""
        path, _ = self._texts[actor]
        known: dict[Name, Acts] = self._repository.__dict__.setdefault("_module_acts", {})
        found = known.get((actor, path))
        if found is None or not found.hold_for(self._texts):
            found = known[actor, path] = self._read(actor, path)
        return found

    def _read(self, actor: str, path: str) -> Acts:
        seen: dict[Name, int] = {}
        met: dict[str, None] = {}
        for base, imported, act in _own_acts(self._repository, actor, path):
            self._record(path, (base, imported, act), seen, met)
        for module in [module for module in met if module in self._texts]:
            for base in sorted(self._imports(module).stars):
                met.update(dict.fromkeys(self._taken(base)))
        return Acts(seen, {module: _path(self._texts, module) for module in met})

    def _record(self, actor: str, done: Act, seen: dict[Name, int], met: dict[str, None]) -> None:
        """Note what is done to a name, and to what the name is made of."""
        module, name, act = done
        met.setdefault(module)
        before = seen.get((module, name), 0)
        if module not in self._texts or act & ~before == 0:
            return
        seen[module, name] = before | act
        for origin in self._origins(actor, module, name, act):
            self._record(actor, origin, seen, met)

    def _origins(self, actor: str, module: str, name: str, act: int) -> Iterator[Act]:
        """What acting on a name does to the names that it comes from; `actor` is a path."""
        path, _ = self._texts[module]
        names = self._imports(module)
        for base, imported in names.origins.get(name, ()):
            yield base, imported, act
        for base in sorted(names.stars):
            if self._holds(base, name):
                yield base, name, act
        for chain in aliases_of(self._repository, path).get(name, ()):
            if len(chain) == 1:
                yield module, chain[0], act
            elif act & (CALLS | OWNS):
                yield module, chain[0], OWNS
        if not act & (USES | OWNS):
            return
        if act & (CALLS | OWNS):
            for word in made_of(self._repository, path).get(name, ()):
                yield module, word, OWNS  # it may hold this
        outline = outline_of(self._repository, path)
        if name in outline.instances:
            yield module, outline.instances[name], act
        bodies: list[str] = []
        if act & USES:
            for word in heirs_of(self._repository, path).get(name, ()):
                yield module, word, DERIVES
            bodies += [outline.hooks[name]] if name in outline.hooks else []
        if act & CALLS and name in outline.functions:
            bodies.append(outline.functions[name])
        if name in outline.classes and act & (CALLS | OWNS):
            asked = _RUN_WITH | surface_of(self._repository, actor).words
            bodies += [body for each, body in outline.classes[name].items() if each in asked]
        for body in bodies:
            yield from _acts_of_body(self._repository, module, path, body)

    def _holds(self, module: str, name: str) -> bool:
        """Whether a module, or one of which it takes all names, mentions the name."""
        key = (module, name)
        if key not in self._mentions:
            loaded = (each for each in self._taken(module) if each in self._texts)
            paths = (self._texts[each][0] for each in loaded)
            self._mentions[key] = any(name in words_of(self._repository, path) for path in paths)
        return self._mentions[key]

    def _taken(self, module: str) -> tuple[str, ...]:
        """A module and those of which it takes all names, also by way of others."""
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


def _path(texts: Texts, module: str) -> str | None:
    return texts[module][0] if module in texts else None


@once
def _own_acts(repository: Repository, name: str, path: str) -> tuple[Act, ...]:
    """What the module does to what its imports bind."""
    surface, aliases = surface_of(repository, path), aliases_of(repository, path)
    acting = surface.owners | surface.called
    chains = [chain for alias in sorted(aliases.keys() & acting) for chain in aliases[alias]]
    chains += [(word,) for word in _held(made_of(repository, path), acting | _first(chains))]
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


def _held(made: Mapping[str, tuple[str, ...]], names: frozenset[str]) -> list[str]:
    """What the objects of the names were made of, and what that was made of."""
    found: dict[str, None] = {}
    left = sorted(names & made.keys())
    while left:
        fresh = [word for word in made.get(left.pop(), ()) if word not in found]
        found.update(dict.fromkeys(fresh))
        left += fresh
    return list(found)


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
