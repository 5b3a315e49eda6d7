"""Repair drafts by replacing a value with one that has the missing member.

Parameters without annotations start as texts and numbers. What a library or an unresolved function
does with them shows only when it fails. The interpreter's error names the attribute or the
operation.
"""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from itertools import islice

from ...inputs.statements import Statement
from ...inputs.types.tested_values import BUILTIN_EXPRESSIONS
from ..drafts.draft_trees import Tree, parsed, unparsed, with_nodes
from ..drafts.drafts import Draft
from ..drafts.recording_stand_ins import class_name

_NO_ATTRIBUTE = re.compile(r"'(\w+)' object has no attribute '(\w+)'")
_NOT_CALLED = re.compile(r"'(\w+)' object is not callable")
_KINDS = ("dict", "list", "set", "str", "bytes", "int")
"""Builtin classes of which the first with the attribute is tried, before a stand-in."""
_DISPLAYS: dict[type[ast.expr], str] = {
    ast.List: "list", ast.Tuple: "tuple", ast.Set: "set", ast.Dict: "dict"
}  # fmt: skip
_MOST = 8


@dataclass(frozen=True, slots=True)
class _Value:
    """A plain value in one of the texts of a draft."""

    text: int
    """Index of the text in the draft."""
    node: int
    """Index of the node in a walk of that text."""
    called: str
    """Name under which the value is given."""
    written: str
    is_member: bool
    """Whether the value is a member of a class made on the spot."""


def with_what_is_missing(
    draft: Draft, message: str, named: Callable[[str], str], answered: Collection[str]
) -> Iterator[Draft]:
    """Yield the draft with each of its plain values replaced in turn.

    Args:
        draft: the draft that failed.
        message: text of the exception.
        named: returns an expression for something with that name.
        answered: texts of earlier errors; values added for these come first.
    """
    missing = {found[2] for each in answered for found in [_NO_ATTRIBUTE.search(each)] if found}

    def values(kind: str) -> list[_Value]:
        return sorted(_values(draft, kind), key=lambda value: value.called not in missing)

    if found := _NO_ATTRIBUTE.search(message):
        kind, name = found[1], found[2]
        made = ((value, _having(value, kind, name, named)) for value in values(kind))
    elif found := _NOT_CALLED.search(message):
        made = ((value, (_called(value),)) for value in values(found[1]))
    else:
        return
    others = ((value, text) for value, texts in made for text in texts)
    for value, text in islice(others, _MOST):
        yield _with(draft, value, text)


def _having(value: _Value, kind: str, name: str, named: Callable[[str], str]) -> Iterator[str]:
    """Yield values that have an attribute: one of another builtin class, and a stand-in."""
    fitting = (each for each in _KINDS if each != kind and hasattr(getattr(builtins, each), name))
    yield from (BUILTIN_EXPRESSIONS[each] for each in islice(fitting, 1))
    label = class_name(value.called)
    members = f"{name!r}: {named(name)}, '__repr__': lambda self: {f'<{label}>'!r}"
    yield f"type({label!r}, (), {{{members}}})()"


def _called(value: _Value) -> str:
    """Return a function that returns the value."""
    own = "self, " if value.is_member else ""
    return f"(lambda {own}*args, **named: {value.written})"


def _with(draft: Draft, value: _Value, text: str) -> Draft:
    tree = parsed(draft.texts[value.text])
    if tree is None:
        return draft
    other = unparsed(with_nodes(tree, {value.node: ast.parse(text, mode="eval").body}))
    texts = (*draft.texts[: value.text], other, *draft.texts[value.text + 1 :])
    return draft.with_texts(texts)


def _values(draft: Draft, kind: str) -> list[_Value]:
    """Return the plain values of a type: whole arguments first, then the latest additions."""
    called = ["", *(name for name, _ in draft.arguments), *map(_attribute, draft.before)]
    found: list[_Value] = []
    for at, text in enumerate(draft.texts):
        tree = parsed(text) if text else None
        if tree is not None:
            inside = _inside(tree, at, called[at].rpartition(":")[2], kind)
            found += reversed(list(inside))
    whole = [value for value in found if draft.texts[value.text] == value.written]
    return [*whole, *(value for value in found if value not in whole)]


def _attribute(statement: Statement) -> str:
    return statement.place.rpartition(".")[2]


def _inside(tree: Tree, text: int, called: str, kind: str) -> Iterator[_Value]:
    names = dict(_names(tree))
    keys = {id(key) for n in tree.nodes if isinstance(n, ast.Dict) for key in n.keys}
    fixed = tree.fixed | keys
    for at, node in enumerate(tree.nodes):
        if isinstance(node, ast.expr) and _kind(node) == kind and id(node) not in fixed:
            name, is_member = names.get(id(node), (called, False))
            yield _Value(text, at, name, ast.unparse(node), is_member)


def _kind(node: ast.expr) -> str:
    if isinstance(node, ast.Constant):
        return type(node.value).__name__
    return _DISPLAYS.get(type(node), "")


def _names(tree: Tree) -> Iterator[tuple[int, tuple[str, bool]]]:
    """Yield the names of values: of members of classes, and of keyword arguments."""
    for node in tree.nodes:
        match node:
            case ast.Call(func=ast.Name(id="type"), args=[_, _, ast.Dict(keys, values)]):
                for key, value in zip(keys, values, strict=True):
                    if isinstance(key, ast.Constant):
                        yield id(value), (str(key.value), True)
                        if isinstance(value, ast.Lambda):
                            yield id(value.body), (str(key.value), False)
            case ast.keyword(arg=str() as name, value=value):
                yield id(value), (name, False)
            case _:
                pass
