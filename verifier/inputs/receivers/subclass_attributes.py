"""Attributes that a class leaves to its subclasses, with the values of existing subclasses."""

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
    """Return expressions for subclasses that define the attributes which the class lacks.

    Each has the values of one subclass in the repository, as far as these are literals.

    Args:
        mentions: index of the repository's names.
        inference: inference of the repository.
        owner: the class.
        node: the called method, which reads the attributes.
        name: an expression for the class.
    """
    left = _left(inference, owner, node)
    same_attributes: dict[tuple[str, ...], dict[str, None]] = {}
    for cls in subclasses_of(mentions, inference, owner) if left else ():
        known = _known(inference, cls)
        given = {key: known[key] for key in left if known.get(key, "None") != "None"}
        members = ", ".join(f"{key!r}: {text}" for key, text in given.items())
        text = derived_class(owner, name, members)
        if given:
            same_attributes.setdefault(tuple(given), {})[text] = None
    turns = zip_longest(*same_attributes.values())  # subclasses with other attributes come first
    return tuple(islice((text for turn in turns for text in turn if text), _MOST))


def derived_class(owner: ClassInfo, name: str, members: str = "") -> str:
    """Return an expression for a subclass of a class.

    Args:
        owner: the class.
        name: an expression for it.
        members: members of the new class, as the entries of a dictionary.
    """
    return f"type('Some{owner.node.name}', ({name},), {{{members}}})"


def _known(inference: Inference, cls: ClassInfo) -> dict[str, str]:
    """Return the literal attributes of a class and its bases."""
    return dict(pair for each in reversed(inference.mro(cls)) for pair in _literals(each))


def _left(inference: Inference, owner: ClassInfo, node: FunctionNode) -> list[str]:
    """Return the attributes that a method reads and that are unset, or `None`, in the class.

    Attributes unknown to the class count only if read on its own instance or class.
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
    """Whether an expression is the class of an instance, as methods read it."""
    match node:
        case ast.Name(id="cls") | ast.Attribute(attr="__class__"):
            return True
        case ast.Call(func=ast.Name(id="type"), args=[_]):
            return True
        case _:
            return False


def _literals(cls: ClassInfo) -> Iterator[tuple[str, str]]:
    """Yield the literal class attributes of a class."""
    for node in cls.node.body:
        match node:
            case (
                ast.Assign(targets=[ast.Name(id=name)], value=value)
                | ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value)
            ) if isinstance(value, ast.Constant) or is_literal(value):
                yield name, ast.unparse(value)
            case _:
                continue
