"""Places that define what a slice has missed by name, as the exceptions of its cases say."""

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
from ...scoring.oracle.oracle import Recorded, decoded_observation
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
"""What a call says that does not fit the parameters."""
_ABSTRACT = re.compile(r"instantiate abstract class \w+ with(?:out .* for)? abstract methods? (.*)")
_MEMBER = re.compile(r"has no attribute '(\w+)'")


def missing_names(
    repository: Repository, place: InPlace, recorded: Sequence[Recorded], unlike: Sequence[Mismatch]
) -> tuple[Place, ...]:
    """Where the repository defines what the cases have asked for in vain, or called wrongly there.

    Args:
        repository: where the slice comes from.
        place: the modules that the slice holds something of.
        recorded: cases with what was observed in the slice.
        unlike: what the repository does in them.
    """
    modules = [repository.module(path, name) for name, path in place.modules]
    found: dict[Place, None] = {}
    messages = [told for each in recorded for told in _messages(each.observation)]
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
    elif told := _FROM.search(message) or _MODULE.search(message):
        other = _module(repository, modules[0], told["module"])
        if other is not None:
            yield from ((other, unit) for unit in other.bindings.get(told["name"], ()))
    elif member := _MEMBER.search(message):
        yield from _members_of(modules, member[1])


def _members_of(
    modules: Sequence[Module], member: str, name: str = ""
) -> Iterator[tuple[Module, Unit]]:
    """The members of that name, of the classes of a name or of all."""
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
