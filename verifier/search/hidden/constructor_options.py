"""Receivers made with optional arguments of their constructor.

Recorded constructor calls pass what is required, and few options.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import replace

from ...inputs.argument_pools import Inputs
from ..drafts.draft_trees import parsed
from ..drafts.drafts import Draft


def constructed_otherwise(inputs: Inputs, seeds: Sequence[Draft]) -> Iterator[Draft]:
    """Yield drafts whose receiver gets one more option, and all options.

    Args:
        inputs: how the target is called.
        seeds: calls that are known to work; one for each receiver is used.
    """
    options: dict[str, dict[str, str]] = {}
    for _, func, given in filter(None, map(_construction, inputs.receivers.texts)):
        known = options.setdefault(func, {})
        known.update((each.arg, ast.unparse(each.value)) for each in given if each.arg)
    for draft in {each.receiver: each for each in reversed(seeds)}.values():
        found = _construction(draft.receiver)
        if found is None:
            continue
        args, func, given = found
        has = {each.arg for each in given}
        more = [(name, text) for name, text in options.get(func, {}).items() if name not in has]
        least = [ast.unparse(each) for each in (*args, *given)]
        for some in (*([each] for each in more), *([more] if len(more) > 1 else [])):
            arguments = ", ".join([*least, *(f"{name}={text}" for name, text in some)])
            yield replace(draft, receiver=f"{func}({arguments})")


def _construction(receiver: str) -> tuple[list[ast.expr], str, list[ast.keyword]] | None:
    """Return positional arguments, callee and keyword arguments of a receiver's expression."""
    tree = parsed(receiver)
    match tree and tree.expression:
        case ast.Call(func, args, keywords):
            return args, ast.unparse(func), keywords
        case _:
            return None
