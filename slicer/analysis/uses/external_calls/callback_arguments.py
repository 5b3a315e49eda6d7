"""Arguments that external functions call, and what they pass to them."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ....syntax.call_shapes import ANY_CALL, CallShape

_KEY = CallShape(1)
_POSITION: dict[str, tuple[int, CallShape]] = {
    "builtins.callable": (0, ANY_CALL),
    "builtins.filter": (0, CallShape(1)),
    "functools.cmp_to_key": (0, CallShape(2)),
    "functools.reduce": (0, CallShape(2)),
    **dict.fromkeys(
        ("atexit.register", "functools.cache", "functools.lru_cache", "functools.partial",
         "functools.partialmethod", "functools.singledispatch", "inspect.signature"),
        (0, ANY_CALL)),
    **dict.fromkeys(("re.sub", "re.subn", "signal.signal", "threading.Timer", "weakref.finalize",
                     "weakref.proxy", "weakref.ref"), (1, ANY_CALL)),
}  # fmt: skip
"""Function → position of the argument that it calls; `callable` only tests whether it could."""
_KEYWORDS: dict[str, CallShape] = {
    "key": _KEY, "target": ANY_CALL, "function": ANY_CALL, "repl": ANY_CALL, "func": ANY_CALL,
    "opener": CallShape(2),
}  # fmt: skip


def callback_arguments(name: str, node: ast.Call) -> Iterator[tuple[ast.expr, CallShape]]:
    """Yield the arguments that an external function calls, if it does little else."""
    first, *rest = node.args or (None,)
    if name == "builtins.map" and first is not None:
        starred = any(isinstance(argument, ast.Starred) for argument in node.args)
        yield first, CallShape(0, has_rest=True) if starred else CallShape(len(rest))
    elif name == "builtins.iter" and first is not None and rest:
        yield first, CallShape(0)
    elif name in _POSITION:
        position, shape = _POSITION[name]
        if position < len(node.args):
            yield node.args[position], shape
    for keyword in node.keywords:
        if keyword.arg in _KEYWORDS:
            yield keyword.value, _KEYWORDS[keyword.arg]
