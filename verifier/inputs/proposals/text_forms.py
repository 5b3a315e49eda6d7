"""Texts of each form that a target distinguishes, by regular expressions or a known format."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import islice, zip_longest

from ....mocker.shapes.texts.pattern_forms import forms
from ....mocker.source.kept_code import KeptCode
from ....mocker.source.text_values import Texts
from ....slicer.emission.manifest.suggestions.target_functions import TargetFunction
from ..argument_builder import ArgumentBuilder
from ..texts.format_texts import FORMAT_TEXTS
from .regex_texts import patterns_of

_MOST_PATTERNS = 16
_MOST = 96
_MOST_OF_OTHERS = 32
"""Largest number of forms where only other functions apply patterns, often to a part of the
text."""
_OF_RE = frozenset(
    f"re.{name}"
    for name in "compile match search fullmatch sub subn split findall finditer".split()
)


def text_forms(
    builder: ArgumentBuilder, function: TargetFunction, name: str, code: KeptCode
) -> tuple[str, ...]:
    """Return expressions for a parameter; none unless a pattern or known format reads it.

    The patterns are the target's own, also those that read a part of the text. Without any, they
    are those that other functions apply to the parameter.

    Args:
        builder: builds the values.
        function: the target.
        name: name of the parameter.
        code: the kept code.
    """
    arg = next((each for each in _arguments(function) if each.arg == name), None)
    if arg is None:
        return ()
    formats = _formats(builder, function, arg)
    own = dict.fromkeys(_own_patterns(function, code)) if "match" in formats else {}
    patterns = own or dict.fromkeys(patterns_of(builder, function, arg))
    of_each = [texts for name, texts in FORMAT_TEXTS.items() if name in formats]
    of_each += [forms(pattern) for pattern in islice(patterns, _MOST_PATTERNS)]
    turns = (text for turn in zip_longest(*of_each) for text in turn if text is not None)
    most = _MOST if own else _MOST_OF_OTHERS
    return tuple(islice(map(repr, dict.fromkeys(turns)), most))


def _arguments(function: TargetFunction) -> tuple[ast.arg, ...]:
    return (*function.positional, *function.node.args.kwonlyargs)


def _own_patterns(function: TargetFunction, code: KeptCode) -> Iterator[str]:
    """Yield patterns given to functions of `re` in the target, and in constants that it reads.

    A pattern that is joined from others comes with its parts.
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


def _formats(builder: ArgumentBuilder, function: TargetFunction, arg: ast.arg) -> frozenset[str]:
    """Return how a parameter is parsed: `match` for a pattern, or the name of a format."""
    uses = builder.uses_of(function.node, arg.arg)
    return frozenset(str(label[1]) for label in uses.below if label[0] == "parse")
