"""What functions from outside do with their arguments: change the first one, or call them."""

from __future__ import annotations

import ast

from .callables import Callee
from .infer import Inference
from .known import MUTATORS
from .values import External

ARGUMENT_MUTATORS = frozenset(
    {"builtins.setattr", "builtins.delattr", "builtins.next", "random.shuffle", "heapq.heapify",
     "heapq.heappush", "heapq.heappop", "heapq.heapreplace", "heapq.heappushpop", "bisect.insort",
     "functools.update_wrapper", "operator.setitem", "operator.delitem", "operator.iadd"}
)  # fmt: skip
"""Functions that change their first argument."""
_CLASSES = ("builtins.", "collections.")
"""Where the classes are whose methods change a receiver that they are given."""
CALLERS = frozenset(
    {"builtins.map", "builtins.filter", "builtins.sorted", "builtins.min", "builtins.max",
     "functools.reduce", "itertools.starmap", "itertools.accumulate", "itertools.takewhile",
     "itertools.dropwhile", "itertools.filterfalse", "itertools.groupby"}
)  # fmt: skip
"""Functions that call what they are given; where the result is lazy, it is consumed as well."""


def is_called_through_class(name: str, callee: Callee, inference: Inference) -> bool:
    """Whether a method that changes its receiver is called as `dict.update(x, a=1)`."""
    base, _, method = name.rpartition(".")
    if method not in MUTATORS or not base.startswith(_CLASSES):
        return False
    match callee.node:
        case ast.Attribute(value=value):
            return inference.evaluate(value, callee.scope) == frozenset({External(base)})
        case _:
            return False
