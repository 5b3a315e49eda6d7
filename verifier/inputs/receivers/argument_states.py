"""States of arguments: attributes that the target reads of an instance, set before the call.

A constructor seldom takes all attributes. Others are set later, in the class body, or by subclasses
that the slice does not keep.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, zip_longest

from ....mocker.flow.annotation_flow import is_enum
from ....mocker.shapes import infer
from ....mocker.shapes.shape import Object
from ....slicer.analysis.scopes.definitions import ClassInfo
from ....slicer.analysis.values.abstract_values import Instance, ordered
from ....slicer.emission.manifest.suggestions.target_functions import TargetFunction
from ..argument_builder import ArgumentBuilder
from ..classes.attribute_kinds import attribute_kinds
from ..classes.coupled_attributes import contradicts
from ..statements import RECEIVER, Statement, attribute_of, on_receiver, place_of
from ..types.value_kinds import Kinds
from .named_instances import scope_of, tested_instances
from .receiver_pool import attribute_values

_MOST = 24


def argument_states(builder: ArgumentBuilder, function: TargetFunction) -> tuple[Statement, ...]:
    """Return statements that change an argument or an object in the receiver, likely ones first."""
    found: dict[str, tuple[Statement, ...]] = {}
    for place, owner in _places(builder, function):
        # the receiver's own states cover these
        is_own = place.head == on_receiver(f".{place.name}")
        path = owner.module.path
        coupled = contradicts(owner, lambda node, path=path: builder.keeps_function(node, path))
        if not (is_own or place.name in coupled or _is_method(builder, owner, place.name)):
            values = attribute_values(builder, owner, place.name)
            texts = dict.fromkeys(chain(values, tested_instances(builder, function, place.read)))
            found[place.head] = tuple(Statement.setting(place.head, text) for text in texts)
    for place in _tested_places(function):
        texts = dict.fromkeys(tested_instances(builder, function, place.read))
        made = tuple(Statement.setting(place.head, text) for text in texts)
        found.setdefault(place.head, made)
    turns = zip_longest(*found.values())
    return tuple(text for turn in turns for text in turn if text is not None)[:_MOST]


def state_kinds(
    builder: ArgumentBuilder, function: TargetFunction, states: Iterable[Statement]
) -> tuple[tuple[str, Kinds], ...]:
    """Return what statements assign to, with the kinds of values that classes give it.

    Args:
        builder: builds the values.
        function: the target.
        states: statements that change the receiver.
    """
    owners = {place.head: (owner, place.name) for place, owner in _places(builder, function)}
    for head in (each.place for each in states):
        name = attribute_of(head)
        if function.owner is not None and name != head and name.isidentifier():
            owners.setdefault(head, (function.owner, name))
    found: dict[str, Kinds] = {}
    for head, (owner, name) in owners.items():
        classes = [cls.node for cls in builder.walk.inference.mro(owner)]
        found[head] = attribute_kinds(classes, name)
    return tuple((head, each) for head, each in found.items() if each)


@dataclass(frozen=True, slots=True)
class _Place:
    """An attribute that a target reads of an argument."""

    read: str
    """The attribute as the code reads it."""
    head: str
    """The attribute as statements assign to it."""
    name: str


def _tested_places(function: TargetFunction) -> Iterator[_Place]:
    """Yield the attributes of arguments that the target reads: some are tested for classes."""
    own = function.positional[0].arg if function.takes_self and function.positional else ""
    given = {each.arg for each in (*function.positional, *function.node.args.kwonlyargs)} - {own}
    for each in ast.walk(function.node):
        match each:
            case ast.Attribute(ast.Name(holder), name, ast.Load()) if holder in given:
                yield _Place(f"{holder}.{name}", place_of(holder, f".{name}"), name)
            case _:
                pass


def _places(
    builder: ArgumentBuilder, function: TargetFunction
) -> Iterator[tuple[_Place, ClassInfo]]:
    """Yield the attributes of instances that the target reads, each with the instance's class."""
    node = function.node
    own = function.positional[0].arg if function.takes_self and function.positional else ""
    given = {each.arg for each in (*function.positional, *node.args.kwonlyargs)}
    called = {id(each.func) for each in ast.walk(node) if isinstance(each, ast.Call)}
    known: set[str] = set()
    for each in ast.walk(node):
        if not isinstance(each, ast.Attribute) or not isinstance(each.ctx, ast.Load):
            continue
        read = ast.unparse(each)
        root, _, rest = read.partition(".")
        if id(each) in called or root not in given or read in known or each.attr[:2] == "__":
            continue
        known.add(read)
        owner = class_of(builder, function, each.value)
        if owner is not None and all(map(str.isidentifier, rest.split("."))):
            head = place_of(RECEIVER if root == own else root, f".{rest}")
            yield _Place(read, head, each.attr), owner
    for name in sorted(given - {own}):
        yield from _passed_on(builder, function, name, known)


def _passed_on(
    builder: ArgumentBuilder, function: TargetFunction, name: str, known: set[str]
) -> Iterator[tuple[_Place, ClassInfo]]:
    """Yield the attributes of an argument that its further callees read."""
    parameter = builder.walk.graph.named.get(("parameter", function.node, name))
    read = ast.copy_location(ast.Name(name, ast.Load()), function.node)  # before any test of it
    owner = class_of(builder, function, read) if parameter is not None else None
    if parameter is None or owner is None:
        return
    shape = builder.imitated(owner, builder.follower.uses((parameter,)), name)
    for entry in shape.attributes if isinstance(shape, Object) else ():
        attribute = str(entry.key)
        if f"{name}.{attribute}" not in known and attribute.isidentifier():
            yield _Place(f"{name}.{attribute}", place_of(name, f".{attribute}"), attribute), owner


def class_of(
    builder: ArgumentBuilder, function: TargetFunction, holder: ast.expr
) -> ClassInfo | None:
    """Return the class of the slice that a value is an instance of, if it can be changed."""
    values = ordered(builder.walk.inference.evaluate(holder, scope_of(function)))
    classes = {value.cls for value in values if isinstance(value, Instance)}
    if not classes and isinstance(holder, ast.Name):
        classes = {*_shaped(builder, function, holder.id)}
    if len(classes) != 1:
        return None
    (cls,) = classes
    is_fixed = is_enum(builder.walk, cls) or _is_frozen(cls) or not builder.keeps_class(cls)
    return None if is_fixed else cls


def _shaped(builder: ArgumentBuilder, function: TargetFunction, name: str) -> Iterator[ClassInfo]:
    """Yield the class that a parameter's shape shows."""
    parameter = builder.walk.graph.named.get(("parameter", function.node, name))
    if parameter is not None:
        shape = infer(builder.follower.uses((parameter,)), "any", name)
        if isinstance(shape, Object) and isinstance(shape.own, ClassInfo) and not shape.is_class:
            yield shape.own


def _is_frozen(cls: ClassInfo) -> bool:
    return any("frozen" in ast.unparse(each) for each in cls.node.decorator_list) or any(
        "NamedTuple" in ast.unparse(each) for each in cls.node.bases
    )


def _is_method(builder: ArgumentBuilder, owner: ClassInfo, name: str) -> bool:
    """Whether a class defines the attribute as a function or class, so that it is not set."""
    members = (node for cls in builder.walk.inference.mro(owner) for node in cls.node.body)
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    return any(isinstance(node, kinds) and node.name == name for node in members)
