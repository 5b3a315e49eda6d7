"""Calls of an unknown object that may run a class's `__call__`, matched by shape."""

from __future__ import annotations

import ast

from ...analysis.external.base_class_hooks import base_defines
from ...analysis.inference import Inference
from ...analysis.scopes.definitions import ClassInfo
from ...syntax.call_shapes import CallShape, accepts


def takes(inference: Inference, cls: ClassInfo, shape: CallShape) -> bool:
    """Whether a call of the shape may run the `__call__` that instances of the class have.

    A `__call__` that does not match may still hide an unknown one of an external base.
    """
    found = inference.find_member(cls, "__call__")
    units = found[1] if found is not None else ()
    return any(_may_accept(node, shape) for unit in units for node in unit.nodes) or any(
        base_defines(base, "__call__") for base in inference.external_bases(cls)
    )


def _may_accept(node: ast.stmt, shape: CallShape) -> bool:
    match node:
        case ast.FunctionDef(args=args, decorator_list=[]):
            return accepts(args, shape, bound=1)
        case ast.AsyncFunctionDef(args=args, decorator_list=[]):
            return accepts(args, shape, bound=1)
        case _:
            return True
