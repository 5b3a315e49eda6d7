"""Which calls of an unknown object may run the `__call__` of a class, by their shapes."""

from __future__ import annotations

import ast

from ..call_shapes import CallShape, accepts
from ..definitions import ClassInfo
from ..hooks import base_defines
from ..infer import Inference


def takes(inference: Inference, cls: ClassInfo, shape: CallShape) -> bool:
    """Whether a call of the shape may run a `__call__` of the class, or of what it derives from.

    An override that does not fit hides one of a base that would, so both are asked.
    """
    return any(
        _may_accept(node, shape)
        for owner in inference.mro(cls)
        for unit in owner.table.get("__call__", ())
        for node in unit.nodes
    ) or any(base_defines(base, "__call__") for base in inference.external_bases(cls))


def _may_accept(node: ast.stmt, shape: CallShape) -> bool:
    match node:
        case ast.FunctionDef(args=args, decorator_list=[]):
            return accepts(args, shape, bound=1)
        case ast.AsyncFunctionDef(args=args, decorator_list=[]):
            return accepts(args, shape, bound=1)
        case _:
            return True
