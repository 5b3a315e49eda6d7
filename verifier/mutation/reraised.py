"""Handlers that only tell of an exception and raise it again: who calls sees the same without."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace

from .block import Function, own_nodes
from .printing import Looks


def told_and_raised(function: Function, looks: Looks) -> Iterator[ast.AST]:
    """What such handlers catch, where none after them catches it, and what they log or print.

    A `try` inside another one is left out: there the exception may be caught after all.
    """
    found = [node for node in own_nodes(function) if isinstance(node, ast.Try | ast.TryStar)]
    inner = {id(each) for outer in found for each in ast.walk(outer) if each is not outer}
    beside = replace(looks, to_either=True)  # text is not compared beside an exception
    for node in found:
        if id(node) in inner:
            continue
        for handler in reversed(node.handlers):
            *told, last = handler.body
            match last:
                case ast.Raise(exc=None):
                    pass
                case _:
                    break
            if not all(map(beside.is_unseen, told)):
                break
            yield from told
            if handler.type is not None:
                yield handler.type
