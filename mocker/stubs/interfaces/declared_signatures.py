"""Declared signatures, regenerated: names and kinds of parameters, short defaults."""

from __future__ import annotations

import ast

_LONGEST = 24
"""The longest default, in characters, that is copied."""
OPEN = "*args, **kwargs"


def signature_text(node: ast.FunctionDef | ast.AsyncFunctionDef) -> str | None:
    """Return the parameters of a function as source; `None` if a class would mangle a name."""
    args = normal_arguments(node.args)
    plain = [*args.posonlyargs, *args.args]
    defaults = [None] * (len(plain) - len(args.defaults)) + [*args.defaults]
    parts: list[str] = []
    for index, (arg, default) in enumerate(zip(plain, defaults, strict=True)):
        parts.append(_parameter(arg, default))
        if index + 1 == len(args.posonlyargs):
            parts.append("/")
    if args.vararg:
        parts.append(f"*{args.vararg.arg}")
    elif args.kwonlyargs:
        parts.append("*")
    named = zip(args.kwonlyargs, args.kw_defaults, strict=True)
    parts += [_parameter(arg, default) for arg, default in named]
    if args.kwarg:
        parts.append(f"**{args.kwarg.arg}")
    others = [*args.args, *args.kwonlyargs]
    return None if any(_is_hidden(arg.arg) for arg in others) else ", ".join(parts)


def normal_arguments(args: ast.arguments) -> ast.arguments:
    """Return arguments with the old convention for positional-only ones made explicit."""
    if args.posonlyargs:
        return args
    count = 0
    for index, arg in enumerate(args.args):
        if _is_hidden(arg.arg):
            count = index + 1
        elif index or arg.arg not in ("self", "cls"):
            break
    return ast.arguments(
        args.args[:count], args.args[count:], args.vararg, args.kwonlyargs, args.kw_defaults,
        args.kwarg, args.defaults,
    )  # fmt: skip


def _is_hidden(name: str) -> bool:
    return name.startswith("__") and not name.endswith("__")


def _parameter(arg: ast.arg, default: ast.expr | None) -> str:
    return arg.arg if default is None else f"{arg.arg}={short_literal(default) or '...'}"


def short_literal(node: ast.expr, longest: int = _LONGEST) -> str | None:
    """Return a literal as source, if it is short."""
    try:
        text = repr(ast.literal_eval(node))
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        return None
    return text if len(text) <= longest and text != "Ellipsis" else None
