"""Texts for each of the regular expressions that a parameter comes to, also in what is called."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import islice, zip_longest
from typing import cast

from ...mocker.flow import Uses
from ...mocker.flow.graph import Node
from ...mocker.kept_code import Kept, KeptCode
from ...mocker.shapes.pattern_forms import forms
from ...mocker.shapes.patterns import example
from ...mocker.shapes.scalars import pattern_constants
from ...mocker.texts import Texts
from ...slicer.suggest.functions import TargetFunction
from .arguments import Maker
from .format_texts import FORMAT_TEXTS

_MOST = 8
_MOST_PATTERNS = 8
_MOST_FORMS = 96
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

    Beside those that the parameter comes to as it is, they are those of the target and of what else
    is kept, since a part of the text may come to them. What is parsed as a known format is
    a text of that format.

    Args:
        maker: makes the values.
        function: the target.
        name: of the parameter.
        code: what the slice keeps.
    """
    arg = next((each for each in _arguments(function) if each.arg == name), None)
    if arg is None:
        return ()
    patterns = dict.fromkeys(_patterns(maker, function, arg))
    formats = _formats(maker, function, arg)
    if "match" in formats:
        patterns |= dict.fromkeys(_patterns_of(code))
    of_each = [texts for name, texts in FORMAT_TEXTS.items() if name in formats]
    of_each += [forms(pattern) for pattern in islice(patterns, _MOST_PATTERNS)]
    turns = (text for turn in zip_longest(*of_each) for text in turn if text is not None)
    return tuple(islice(map(repr, dict.fromkeys(turns)), _MOST_FORMS))


def _arguments(function: TargetFunction) -> tuple[ast.arg, ...]:
    return (*function.positional, *function.node.args.kwonlyargs)


def _patterns_of(code: KeptCode) -> Iterator[str]:
    """What the slice gives to functions of `re`, those of the target first.

    Of one that is put together of others, the others are told as well.
    """
    texts = Texts(code)
    found = [(kept, call) for kept, call in code.calls if call.args and _is_of_re(code, kept, call)]
    for kept, call in sorted(found, key=lambda each: not each[0].is_target):
        yield from sorted(texts.of(call.args[0], kept))
        inner = (n for n in ast.walk(call.args[0]) if isinstance(n, ast.Name))
        yield from (text for each in inner for text in sorted(texts.of(each, kept)))


def _is_of_re(code: KeptCode, kept: Kept, call: ast.Call) -> bool:
    return code.dotted(call.func, kept.path) in _OF_RE


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
