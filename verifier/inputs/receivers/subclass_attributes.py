"""Attributes that a class leaves to its subclasses: a subclass that has them, as those there do."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import islice, zip_longest

from ....slicer.analysis.inference import Inference
from ....slicer.analysis.names.word_mentions import Mentions
from ....slicer.analysis.scopes.definitions import ClassInfo
from ....slicer.emission.manifest.suggestions.target_functions import FunctionNode
from ..argument_builder import is_literal
from ..classes.overriding_subclasses import subclasses_of

_MOST = 3


def subclass_texts(
    mentions: Mentions, inference: Inference, owner: ClassInfo, node: FunctionNode, name: str
) -> tuple[str, ...]:
    """Expressions for subclasses of a class, which give what it holds no value for.

    Each has the values that one subclass in the repository has. What is not written as a literal
    there is not known.

    Args:
        mentions: of the repository.
        inference: of the repository.
        owner: the class.
        node: the method that is called, which reads the attributes.
        name: an expression for the class.
    """
    left = _left(inference, owner, node)
    alike: dict[tuple[str, ...], dict[str, None]] = {}
    for cls in subclasses_of(mentions, inference, owner) if left else ():
        known = _known(inference, cls)
        given = {key: known[key] for key in left if known.get(key, "None") != "None"}
        members = ", ".join(f"{key!r}: {text}" for key, text in given.items())
        text = derived_class(owner, name, members)
        if given:
            alike.setdefault(tuple(given), {})[text] = None
    turns = zip_longest(*alike.values())  # those that have other attributes come first
    return tuple(islice((text for turn in turns for text in turn if text), _MOST))


def derived_class(owner: ClassInfo, name: str, members: str = "") -> str:
    """An expression for a class that derives from a class.

    Args:
        owner: the class.
        name: an expression for it.
        members: what the new class has of its own, as the entries of a dictionary.
    """
    return f"type('Some{owner.node.name}', ({name},), {{{members}}})"


def _known(inference: Inference, cls: ClassInfo) -> dict[str, str]:
    """What a class and its bases give to attributes."""
    return dict(pair for each in reversed(inference.mro(cls)) for pair in _literals(each))


def _left(inference: Inference, owner: ClassInfo, node: FunctionNode) -> list[str]:
    """What a method reads that is nothing yet: no instance has it, the class holds `None` or less.

    Its own instance and class alone are asked for what the class does not know of.
    """
    read = [each for each in ast.walk(node) if isinstance(each, ast.Attribute)]
    own = {arg.arg for arg in node.args.args[:1]}
    of_own = {e.attr for e in read if isinstance(e.value, ast.Name) and e.value.id in own}
    of_class = {each.attr for each in read if _is_class(each.value)}
    stored = {
        each.attr
        for cls in inference.mro(owner)
        for function in cls.functions
        for each in ast.walk(function)
        if isinstance(each, ast.Attribute) and isinstance(each.ctx, ast.Store)
    }
    known = _known(inference, owner)
    names = {each.attr for each in read} - (stored - of_class)
    unknown = (of_own | of_class) - inference.member_names(owner).keys()
    return sorted(key for key in names if known.get(key) == "None" or key in unknown)


def _is_class(node: ast.expr) -> bool:
    """Whether it is the class of an instance, as its methods ask for it."""
    match node:
        case ast.Name(id="cls") | ast.Attribute(attr="__class__"):
            return True
        case ast.Call(func=ast.Name(id="type"), args=[_]):
            return True
        case _:
            return False


def _literals(cls: ClassInfo) -> Iterator[tuple[str, str]]:
    """What the class itself gives to its attributes, where that is written."""
    for node in cls.node.body:
        match node:
            case (
                ast.Assign(targets=[ast.Name(id=name)], value=value)
                | ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value)
            ) if isinstance(value, ast.Constant) or is_literal(value):
                yield name, ast.unparse(value)
            case _:
                continue
