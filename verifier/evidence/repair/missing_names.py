"""Find the definitions of names that a slice lacks, by the exceptions of its cases."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ....slicer.analysis.scopes.definitions import module_class
from ....slicer.errors import SourceError
from ....slicer.repo.repository import Module
from ...observation.observation import Node
from ...observation.short_text import referent
from ...scoring.oracle.oracle import OracleCase, decoded_observation
from ..faithfulness import Mismatch
from ..in_place.in_place_script import InPlace
from .observed_execution import Place

if TYPE_CHECKING:
    from ....slicer import Repository
    from ....slicer.repo.units import Unit

_NAME = re.compile(r"name '(\w+)' is not defined")
_FROM = re.compile(
    r"cannot import name '(?P<name>\w+)' "
    r"from (?:partially initialized module )?'(?P<module>[\w.]+)'"
)
_MODULE = re.compile(r"module '(?P<module>[\w.]+)' has no attribute '(?P<name>\w+)'")
_CALLED = re.compile(r"\b(?P<name>\w+)\.(?P<member>\w+)\(\) (?:missing|takes|got)\b")
"""Matches the error of a call that does not fit the parameters."""
_ABSTRACT = re.compile(r"instantiate abstract class \w+ with(?:out .* for)? abstract methods? (.*)")
_MEMBER = re.compile(r"has no attribute '(\w+)'")


def missing_names(
    repository: Repository,
    place: InPlace,
    recorded: Sequence[OracleCase],
    unlike: Sequence[Mismatch],
) -> tuple[Place, ...]:
    """Return where the repository defines what the cases lacked or called wrongly.

    Args:
        repository: the slice's repository.
        place: the script with the modules of the slice.
        recorded: cases with their observations in the slice.
        unlike: cases in which the repository differs.
    """
    modules = [repository.module(path, name) for name, path in place.modules]
    found: dict[Place, None] = {}
    messages = [text for each in recorded for text in _messages(each.observation)]
    for message in messages:
        for module, unit in _units(repository, modules, message):
            found[module.path, unit.first] = None
    for each in unlike:
        if called := _CALLED.search(each.raised):
            for module, unit in _members_of(modules, called["member"], called["name"]):
                found[module.path, unit.first] = None
        abstract = _ABSTRACT.search(each.raised)
        for name in re.findall(r"\w+", abstract[1]) if abstract else ():
            for module, unit in _members_of(modules, name):
                found[module.path, unit.first] = None
    return tuple(found)


def _messages(text: str) -> Iterator[str]:
    observation = decoded_observation(text)
    if isinstance(observation.exception, Node):
        node = referent(observation.exception, observation)
        yield from (each for each in node.group("args").values if isinstance(each, str))


def _units(
    repository: Repository, modules: Sequence[Module], message: str
) -> Iterator[tuple[Module, Unit]]:
    if name := _NAME.search(message):
        for module in modules:
            yield from ((module, unit) for unit in module.bindings.get(name[1], ()))
    elif found := _FROM.search(message) or _MODULE.search(message):
        other = _module(repository, modules[0], found["module"])
        if other is not None:
            yield from ((other, unit) for unit in other.bindings.get(found["name"], ()))
    elif member := _MEMBER.search(message):
        yield from _members_of(modules, member[1])


def _members_of(
    modules: Sequence[Module], member: str, name: str = ""
) -> Iterator[tuple[Module, Unit]]:
    """Yield the members of that name, in the named class or in all classes."""
    for module in modules:
        for unit in module.units:
            if isinstance(unit.node, ast.ClassDef) and name in ("", unit.node.name):
                cls = module_class(module, unit, unit.node)
                yield from ((module, each) for each in cls.table.get(member, ()))


def _module(repository: Repository, importer: Module, name: str) -> Module | None:
    try:
        found = repository.find_module(name, importer)
    except SourceError:
        return None
    return found if isinstance(found, Module) else None
