"""Texts for each of the regular expressions that a parameter comes to, also in what is called."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import islice, zip_longest
from typing import cast

from ...mocker.flow import Uses
from ...mocker.flow.graph import Node
from ...mocker.kept_code import KeptCode
from ...mocker.shapes.pattern_forms import forms
from ...mocker.shapes.patterns import example
from ...mocker.shapes.scalars import pattern_constants
from ...mocker.texts import Texts
from ...slicer.suggest.functions import TargetFunction
from .arguments import Maker
from .format_texts import FORMAT_TEXTS

_MOST = 8
_MOST_PATTERNS = 16
_MOST_FORMS = 96
_MOST_ELSEWHERE = 32
"""Of what is only told apart outside of the target."""
_OF_RE = frozenset(
    f"re.{name}"
    for name in "compile match search fullmatch sub subn split findall finditer".split()
)


def pattern_texts(maker: Maker, function: TargetFunction, arg: ast.arg) -> tuple[str, ...]:
    """Expressions for a parameter that is tried as one form of text after the other.

    Where a single form is tried, the value that its uses ask for is one already.

    Args:
        maker: makes the values.
        function: the target.
        arg: the parameter.
    """
    texts = (example(pattern) for pattern in _patterns(maker, function, arg))
    found = tuple(islice(dict.fromkeys(repr(text) for text in texts if text), _MOST))
    return found if len(found) > 1 else ()


def forms_of_patterns(
    maker: Maker, function: TargetFunction, name: str, code: KeptCode
) -> tuple[str, ...]:
    """Expressions for a parameter: texts for each form that these regular expressions tell apart.

    They are those of the target, since a part of the text may come to them; where it has none, some
    of those that the parameter comes to elsewhere. What is parsed as a known format is a text of
    that format.

    Args:
        maker: makes the values.
        function: the target.
        name: of the parameter.
        code: what the slice keeps.
    """
    arg = next((each for each in _arguments(function) if each.arg == name), None)
    if arg is None:
        return ()
    formats = _formats(maker, function, arg)
    own = dict.fromkeys(_patterns_of(function, code)) if "match" in formats else {}
    patterns = own or dict.fromkeys(_patterns(maker, function, arg))
    of_each = [texts for name, texts in FORMAT_TEXTS.items() if name in formats]
    of_each += [forms(pattern) for pattern in islice(patterns, _MOST_PATTERNS)]
    turns = (text for turn in zip_longest(*of_each) for text in turn if text is not None)
    most = _MOST_FORMS if own else _MOST_ELSEWHERE
    return tuple(islice(map(repr, dict.fromkeys(turns)), most))


def _arguments(function: TargetFunction) -> tuple[ast.arg, ...]:
    return (*function.positional, *function.node.args.kwonlyargs)


def _patterns_of(function: TargetFunction, code: KeptCode) -> Iterator[str]:
    """What the target, and what it reads by name, gives to functions of `re`.

    Of one that is put together of others, the others are told as well.
    """
    texts = Texts(code)
    nodes = list(ast.walk(function.node))
    read = {n.id for n in nodes if isinstance(n, ast.Name)}
    read |= {n.attr for n in nodes if isinstance(n, ast.Attribute)}
    for kept, call in code.calls:
        is_own = kept.is_target or bool(_assigned(kept.node) & read)
        if not (is_own and call.args and code.dotted(call.func, kept.path) in _OF_RE):
            continue
        yield from sorted(texts.of(call.args[0], kept))
        inner = (n for n in ast.walk(call.args[0]) if isinstance(n, ast.Name))
        yield from (text for each in inner for text in sorted(texts.of(each, kept)))


def _assigned(node: ast.stmt) -> set[str]:
    targets = node.targets if isinstance(node, ast.Assign) else ()
    return {each.id for each in targets if isinstance(each, ast.Name)}


def _patterns(maker: Maker, function: TargetFunction, arg: ast.arg) -> Iterator[str]:
    """The regular expressions that the parameter comes to."""
    uses = _uses(maker, function, arg)
    if uses is None:
        return
    for label in uses.below:
        if label[:2] == ("parse", "match"):
            yield from pattern_constants(uses, cast("Node | None", label[3]))


def _formats(maker: Maker, function: TargetFunction, arg: ast.arg) -> frozenset[str]:
    """What something reads the parameter as: `match` for a pattern, or a format by name."""
    uses = _uses(maker, function, arg)
    below = uses.below if uses is not None else ()
    return frozenset(str(label[1]) for label in below if label[0] == "parse")


def _uses(maker: Maker, function: TargetFunction, arg: ast.arg) -> Uses | None:
    held = maker.walk.graph.named.get(("parameter", function.node, arg.arg))
    return maker.follower.uses((held,)) if held is not None else None
