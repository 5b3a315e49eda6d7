"""The pool of receivers: instances by their constructor, and the states they can be in."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import islice, zip_longest

from ....mocker.flow import NO_USES, Uses
from ....mocker.shapes import infer
from ....mocker.shapes.gathered_uses import merged
from ....mocker.shapes.shape import Anything, Maybe, Object
from ....slicer.analysis.names.word_mentions import Mentions
from ....slicer.analysis.scopes.definitions import ClassInfo
from ....slicer.analysis.values.abstract_values import FunctionValue, ordered
from ....slicer.emission.manifest.suggestions.target_functions import FunctionNode, TargetFunction
from ...sandbox.cases.holders import mangled_name
from ..argument_builder import ArgumentBuilder
from ..arguments.receiver_calls import statements
from ..classes.abstract_members import is_unwritten
from ..classes.attribute_kinds import attribute_annotation, attribute_kinds, of_kinds
from ..classes.builtin_methods import builtin_method_names
from ..classes.constructor_checks import checked_attributes
from ..classes.coupled_attributes import contradicts
from ..classes.initial_values import alternative_values, is_literal_pattern
from ..classes.overriding_subclasses import overriding_subclasses
from ..statements import Statement, on_receiver, without
from ..texts.render_values import has_stand_in
from ..types.known_classes import KNOWN, is_of_library
from ..types.tested_values import BUILTIN_EXPRESSIONS
from .compared_names import compared_texts
from .mutator_calls import mutator_calls
from .named_instances import annotated_shape, tested_instances
from .subclass_attributes import derived_class, subclass_texts

_MOST_TEXTS = 4
_MOST_FULLER = 2
"""Instances with optional arguments for one attribute."""
_MOST_STATES = 24
_MOST_ALONE = 12
_COLLECTIONS = frozenset(f"builtins.{name}" for name in ("dict", "list", "set", "tuple"))


@dataclass(frozen=True, slots=True)
class Receivers:
    """Expressions and statements for a class."""

    texts: tuple[str, ...]
    """Instances, the likeliest first; for a class method the class."""
    states: tuple[Statement, ...] = ()
    """Statements that change the instance or an argument."""
    bare: tuple[Statement, ...] = ()
    """Statements that set the attributes that the target uses on an instance without `__init__`."""
    checked: tuple[tuple[str, str], ...] = ()
    """Attributes that the constructor checks, with their parameters."""
    has_mutators: bool = False
    """Whether the instance's own methods bring it into other states."""


def receivers(builder: ArgumentBuilder, function: TargetFunction, owner: ClassInfo) -> Receivers:
    """Return the receivers of a target."""
    name = builder.class_name(owner)
    if "staticmethod" in function.kinds:
        return Receivers((name,))
    if "classmethod" in function.kinds:
        return Receivers((name, *_plain_subclass(builder, function, owner)))
    is_restored = function.node.name == "__setstate__"  # pickles make instances without a call
    unmade = (f"{name}.__new__({name})",) if is_restored else ()
    made = dict.fromkeys((*unmade, builder.instance(owner, 0), *with_more(builder, owner)))
    made.update(dict.fromkeys(_filled(builder, owner, name)))
    made.update(dict.fromkeys(f"{name}.{member}" for member in builder.members(owner)))
    made.update(dict.fromkeys(_from_factories(builder, owner, name)))
    given = builder.constructor_arguments(owner, 0)
    if given is not None:
        derived = _plain_subclass(builder, function, owner)
        made.update(dict.fromkeys(_call(text, given) for text in derived))
    made.update(dict.fromkeys(_of_a_subclass(builder, function, owner)))
    made.update(dict.fromkeys(_of_subclasses(builder, function, owner)))
    made.update(dict.fromkeys(_of_overriding(builder, function, owner)))
    attributes = dict(_attributes(builder, function, owner))
    checked = _checked(builder, owner, list(attributes))
    pools = {
        name: tuple(_values(builder, function, owner, written))
        for name, written in attributes.items()
    }
    turns = zip_longest(
        *([_setting(name, text) for text in texts] for name, texts in pools.items())
    )
    coupled = contradicts(owner, lambda node: builder.keeps_function(node, owner.module.path))
    places = [on_receiver(f".{name}") for name in sorted(coupled)]
    assigned = without([each for turn in turns for each in turn if each], *places)
    bare = [_setting(name, texts[0]) for name, texts in pools.items() if texts]
    others = [
        n
        for n in owner.functions
        if n is not function.node and builder.keeps_function(n, owner.module.path)
    ]
    inside = statements(function.node, others)
    calls = tuple(mutator_calls(builder, function, owner))
    states = (
        *_tested_there(builder, owner, checked),
        *calls,
        *inside,
        *assigned,
    )
    return Receivers(
        tuple(made), states[:_MOST_STATES], tuple(bare), tuple(checked.items()), bool(calls)
    )


def _filled(builder: ArgumentBuilder, owner: ClassInfo, name: str) -> Iterator[str]:
    """Yield a non-empty instance, if the class derives from a builtin collection."""
    if builder.constructor_arguments(owner, 0) != []:
        return
    for base in sorted(builder.walk.inference.external_bases(owner)):
        text = BUILTIN_EXPRESSIONS.get(base.removeprefix("builtins."))
        if text is not None and base in _COLLECTIONS:
            yield f"{name}({text})"


def with_more(
    builder: ArgumentBuilder, owner: ClassInfo, only: frozenset[str] | None = None
) -> Iterator[str]:
    """Yield instances with all optional constructor arguments, and with each one alone.

    Nested instances vary likewise in what the target reads: all of it, none, or one alone.

    Args:
        builder: builds the values.
        owner: the class.
        only: optional arguments that may be given; `None` allows all.
    """
    least, every = (
        builder.constructor_arguments(owner, 0),
        builder.constructor_arguments(owner, 0, every=True),
    )
    if least is None or every is None:
        return
    needed, plain = dict(least), dict(every)
    name = builder.completed(owner, 0)

    def most(arguments: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
        return [(k, text) for k, text in arguments if k in needed or only is None or k in only]

    inside = sorted(set(_looked_at(builder.target.node))) if builder.target is not None else []
    full = builder.giving(frozenset(inside)).constructor_arguments(owner, 0, every=True) or []
    for given in (most(full), most(every)):
        if given != least:
            yield _call(name, given)
    for key, text in most(every):
        if key not in needed:
            yield _call(name, [*least, (key, text)])
    written = " ".join(text for _, text in full) if full != every else ""
    alone = (each for each in inside if f"{each[1]}=" in written)
    for each in islice(alone, _MOST_ALONE):
        given = most(
            builder.giving(frozenset({each})).constructor_arguments(owner, 0, every=True) or ()
        )
        changed = {key: text for key, text in given if text != plain.get(key)}
        if changed:
            yield _call(name, list({**needed, **changed}.items()))


def _checked(
    builder: ArgumentBuilder, owner: ClassInfo, attributes: Iterable[str]
) -> dict[str, str]:
    """Return the attributes whose values the constructor checks, with its parameters."""
    init = builder.constructor(owner)
    if init is None or not builder.keeps_function(init.node, init.module.path):
        return {}
    checked = checked_attributes(init.node)
    return {name: checked[name] for name in attributes if name in checked}


def _tested_there(
    builder: ArgumentBuilder, owner: ClassInfo, checked: Mapping[str, str]
) -> Iterator[Statement]:
    """Yield statements that set attributes to instances that the constructor tests for."""
    init = builder.constructor(owner)
    if init is None:
        return
    for attribute, parameter in checked.items():
        for text in islice(tested_instances(builder, init, parameter), _MOST_TEXTS):
            yield _setting(attribute, text)


def _setting(attribute: str, text: str) -> Statement:
    return Statement.setting(on_receiver(f".{attribute}"), text)


def _looked_at(node: FunctionNode) -> Iterator[tuple[str, str]]:
    """Yield pairs of a holder's name and the attribute that a function reads of it."""
    for each in ast.walk(node):
        match each:
            case ast.Attribute(
                value=ast.Name(id=holder) | ast.Attribute(attr=holder), attr=name, ctx=ast.Load()
            ):
                yield holder, name
            case _:
                continue


def _plain_subclass(
    builder: ArgumentBuilder, function: TargetFunction, owner: ClassInfo
) -> Iterator[str]:
    """Yield an empty subclass of the target's class, where that makes a difference.

    It does if the target reads the class of its instance, or is called on a class.
    """
    if _reads_own_class(function):
        yield derived_class(owner, builder.completed(owner, 0))


def _reads_own_class(function: TargetFunction) -> bool:
    own = function.positional[0].arg if function.positional else ""
    is_class = "classmethod" in function.kinds
    for each in ast.walk(function.node):
        match each:
            case ast.Attribute(ast.Name(id=name), "__class__") if name == own:
                return True
            case ast.Call(ast.Name("type"), [ast.Name(id=name)]) if name == own:
                return True
            case ast.Name(id=name, ctx=ast.Load()) if is_class and name == own:
                return True
            case _:
                pass
    return False


def _of_a_subclass(
    builder: ArgumentBuilder, function: TargetFunction, owner: ClassInfo
) -> Iterator[str]:
    """Yield an instance of a subclass that defines methods that only raise
    `NotImplementedError`.
    """

    def is_left(node: FunctionNode, cls: ClassInfo) -> bool:
        return (
            is_unwritten(node)
            and node.name != function.node.name
            and builder.keeps_function(node, cls.module.path)
        )

    name = builder.completed(owner, 0, is_left)
    given = builder.constructor_arguments(owner, 0)
    if given is not None and name != builder.completed(owner, 0):
        yield _call(name, given)


def _of_subclasses(
    builder: ArgumentBuilder, function: TargetFunction, owner: ClassInfo
) -> Iterator[str]:
    """Yield instances of subclasses with the members that the class leaves to them."""
    given = builder.constructor_arguments(owner, 0)
    if given is not None:
        for text in subclasses(builder, function, owner):
            yield _call(text, given)


def _of_overriding(
    builder: ArgumentBuilder, function: TargetFunction, owner: ClassInfo
) -> Iterator[str]:
    """Yield instances of the repository's subclasses that override what the target reads."""
    inference = builder.walk.inference
    for cls in overriding_subclasses(builder.repository, inference, function):
        if not builder.keeps_class(cls):
            continue
        own, inherited = builder.constructor(cls), builder.constructor(owner)
        every = builder.constructor_arguments(owner, 0, every=True)
        if every and (own and own.node) is (inherited and inherited.node):
            yield _call(builder.completed(cls, 0), every)
        yield builder.instance(cls, 0)
        yield from islice(with_more(builder, cls), _MOST_FULLER)


def subclasses(
    builder: ArgumentBuilder, function: TargetFunction, owner: ClassInfo
) -> tuple[str, ...]:
    """Return expressions for subclasses with the attributes that the class leaves to them."""
    name = builder.completed(owner, 0)
    inference, mentions = builder.walk.inference, Mentions(builder.repository)
    return subclass_texts(mentions, inference, owner, function.node, name)


def _call(name: str, arguments: list[tuple[str, str]]) -> str:
    return f"{name}({', '.join(f'{key}={text}' for key, text in arguments)})"


def _from_factories(builder: ArgumentBuilder, owner: ClassInfo, name: str) -> Iterator[str]:
    """Yield instances from class methods that make some."""
    for node in owner.functions:
        decorators = {ast.unparse(each) for each in node.decorator_list}
        if (
            "classmethod" not in decorators
            or not _makes_instance(node)
            or not builder.keeps_function(node, owner.module.path)
        ):
            continue
        function = TargetFunction(owner.module, node, owner.scope, owner, node.name)
        given = builder.arguments(function, 1)
        yield _call(f"{name}.{node.name}", given)


def _makes_instance(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    if isinstance(node, ast.AsyncFunctionDef) or not node.args.args:
        return False
    first = node.args.args[0].arg
    return any(
        isinstance(each, ast.Call) and isinstance(each.func, ast.Name) and each.func.id == first
        for each in ast.walk(node)
    )


def _attributes(
    builder: ArgumentBuilder, function: TargetFunction, owner: ClassInfo
) -> Iterator[tuple[str, str]]:
    """Yield the attributes of `self` that the target and its callees read, without methods.

    Each pair is the target's name for the attribute, then the name where it is read.
    """
    chain = [cls for cls in builder.walk.inference.mro(owner) if builder.keeps_class(cls)]
    methods = {
        node.name
        for cls in builder.walk.inference.mro(owner)
        for node in cls.node.body
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))
    }
    methods |= builtin_method_names(builder.walk.inference.external_bases(owner))
    by_name = [{node.name: node for node in cls.functions} for cls in chain]

    def inherited(name: str, first: int) -> Iterator[tuple[FunctionNode, int]]:
        for place in range(first, len(chain)):
            if name in by_name[place]:
                yield by_name[place][name], place
                return

    found: dict[str, str] = {}
    own = function.node.args.args[0].arg if function.node.args.args else ""
    todo: list[tuple[FunctionNode, int, str]] = [(function.node, 0, own)]
    for node, place, own in todo:  # grows while it is read
        passed = [(given, place, name) for given, name in _passed_on(builder, owner, node, own)]
        todo += [each for each in passed if each not in todo]
        for each in ast.walk(node):
            match each:
                case ast.Attribute(ast.Name(id=name), attr) if name == own:
                    called = [*inherited(attr, 0)]
                    if attr not in methods:
                        found.setdefault(_seen_by(function, chain, place, attr), attr)
                case ast.Attribute(ast.Call(ast.Name("super")), attr):
                    called = [*inherited(attr, place + 1)]
                case _:
                    continue
            more = [(made, at, made.args.args[0].arg) for made, at in called if made.args.args]
            todo += [one for one in more if one not in todo]
    yield from found.items()


def _passed_on(
    builder: ArgumentBuilder, owner: ClassInfo, node: FunctionNode, own: str
) -> Iterator[tuple[FunctionNode, str]]:
    """Yield functions that get the instance passed, and their name for it."""
    for each in ast.walk(node):
        match each:
            case ast.Call(func=ast.Name() as func, args=[ast.Name(id=name), *_]) if name == own:
                values = ordered(builder.walk.inference.evaluate(func, owner.enclosing))
            case _:
                continue
        for value in values:
            if isinstance(value, FunctionValue) and value.function.node.args.args:
                made = value.function.node
                if builder.keeps_function(made, value.function.module.path):
                    yield made, made.args.args[0].arg


def _seen_by(function: TargetFunction, chain: list[ClassInfo], place: int, name: str) -> str:
    """Return an attribute's name as the target sees it: private names of bases are mangled."""
    if place >= len(chain) or chain[place] is function.owner:
        return name
    return mangled_name(f"{chain[place].node.name}.{name}")


def _values(
    builder: ArgumentBuilder, function: TargetFunction, owner: ClassInfo, name: str
) -> Iterator[str]:
    """Yield values of an attribute, and one of each class that it is tested for."""
    found = list(attribute_values(builder, owner, name))
    for own in function.positional[:1]:
        found += tested_instances(builder, function, f"{own.arg}.{name}")
        called = partial(builder.in_script, function)
        found += compared_texts(function.node, f"{own.arg}.{name}", called)
    yield from dict.fromkeys(found)


def attribute_values(builder: ArgumentBuilder, owner: ClassInfo, name: str) -> Iterator[str]:
    """Yield values for an attribute of a class or its instances."""
    if is_literal_pattern(builder.walk.inference.mro(owner), name):
        return
    uses = _uses_of_attribute(builder, owner, name)
    classes = [cls.node for cls in builder.walk.inference.mro(owner)]
    kinds = attribute_kinds(classes, name)
    shape = builder.declared(infer(uses, "any", name), uses, kinds, name)
    if isinstance(shape, Anything) and not uses:  # it is only passed on
        yield from alternative_values(owner, name)
        return
    made = dict.fromkeys(builder.texts(builder.replaced(shape, uses, name)))
    if isinstance(shape, Object) and isinstance(shape.own, ClassInfo) and not shape.is_class:
        fuller = dict.fromkeys(with_more(builder, shape.own))
        made.update(dict.fromkeys(islice(fuller, _MOST_FULLER)))
    annotation = attribute_annotation(classes, name)
    real = list(_of_known_class(builder, owner, annotation))
    if real:
        made = dict.fromkeys((*real, *(text for text in made if not has_stand_in(text))))
    yield from islice(of_kinds(made, kinds, is_declared=annotation is not None), _MOST_TEXTS)


def _of_known_class(
    builder: ArgumentBuilder, owner: ClassInfo, annotation: ast.expr | None
) -> Iterator[str]:
    """Yield a real instance for an attribute declared as a class of the standard library.

    A stand-in only answers what the original calls, and not what candidates may call.
    """
    shape = annotated_shape(builder, annotation, owner.scope) if annotation is not None else None
    is_optional = isinstance(shape, Maybe)
    shape = shape.shape if isinstance(shape, Maybe) else shape
    if isinstance(shape, Object) and is_of_library(shape.type_name):
        yield KNOWN[shape.type_name]
        if is_optional:
            yield "None"


def _uses_of_attribute(builder: ArgumentBuilder, owner: ClassInfo, name: str) -> Uses:
    """Return the uses of an attribute, in methods and in functions that get the instance."""
    uses = builder.follower.uses((builder.walk.attribute_of(owner, name),))
    for cls in builder.walk.inference.mro(owner):
        instance = builder.walk.graph.named.get(("self", cls.node))
        below = builder.follower.uses((instance,)).below if instance is not None else {}
        uses = merged(uses, below.get(("attr", name), NO_USES))
    return uses


def imitations(builder: ArgumentBuilder, owner: ClassInfo, name: str) -> Iterator[str]:
    """Yield a stand-in for the instance of a class that an attribute holds."""
    uses = builder.follower.uses((builder.walk.attribute_of(owner, name),))
    shape = infer(uses, "any", name)
    if (
        isinstance(shape, Object)
        and isinstance(shape.own, ClassInfo)
        and builder.keeps_class(shape.own)
    ):
        yield from islice(builder.texts(builder.imitated(shape.own, uses, name)), 1)
