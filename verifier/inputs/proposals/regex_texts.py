"""Texts for each regular expression that a parameter reaches, also in called functions."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import islice
from typing import cast

from ....mocker.flow.flow_graph import Node
from ....mocker.shapes.texts.pattern_matches import example
from ....mocker.shapes.texts.satisfying_scalars import pattern_constants
from ....slicer.emission.manifest.suggestions.target_functions import TargetFunction
from ..argument_builder import ArgumentBuilder

_MOST = 8


def pattern_texts(
    builder: ArgumentBuilder, function: TargetFunction, arg: ast.arg
) -> tuple[str, ...]:
    """Return expressions for a parameter that several regular expressions are tried on.

    With a single one, the value inferred from the uses matches already.

    Args:
        builder: builds the values.
        function: the target.
        arg: the parameter.
    """
    texts = (example(pattern) for pattern in patterns_of(builder, function, arg))
    found = tuple(islice(dict.fromkeys(repr(text) for text in texts if text), _MOST))
    return found if len(found) > 1 else ()


def patterns_of(builder: ArgumentBuilder, function: TargetFunction, arg: ast.arg) -> Iterator[str]:
    """Yield the regular expressions that a parameter reaches anywhere.

    Args:
        builder: knows the uses of the parameter.
        function: the target.
        arg: the parameter.
    """
    uses = builder.uses_of(function.node, arg.arg)
    for label in uses.below:
        if label[:2] == ("parse", "match"):
            yield from pattern_constants(uses, cast("Node | None", label[3]))
