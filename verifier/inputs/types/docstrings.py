"""Facts about parameters in docstrings: example calls, and types in the usual notations."""

from __future__ import annotations

import ast
import doctest
import re
from collections.abc import Container, Iterator

_parser = doctest.DocTestParser()


def documented_type(docstring: str | None, name: str) -> str | None:
    """Return the type of a parameter as a docstring writes it, or `None`."""
    if not docstring:
        return None
    word = re.escape(name)
    others = r"(?:\*{0,2}\w+\s*,\s*)*"  # NumPy sections may type several parameters at once
    more = r"(?:\s*,\s*\*{0,2}\w+)*"
    for pattern in (
        rf"^\s*\**{word}\s*\((.+?)\)\s*:",  # Google
        rf":param\s+([\w.\[\], |]+?)\s+\**{word}\s*:",  # reST
        rf":type\s+\**{word}\s*:\s*([^\n]+)",
        rf"^\s*{others}\**{word}{more}\s+:\s*([^\n]+)$",  # NumPy
        rf"^\s*\**{word}\s*:\s*([\w.\-\[\], ]+)$",
        rf"@type\s+{word}\s*:\s*([^\n]+)",  # Epydoc
    ):
        found = re.search(pattern, docstring, re.MULTILINE)
        if found:
            return found[1]
    return None


def documented_argument(
    docstring: str | None, function: str, order: list[str], name: str
) -> ast.expr | None:
    """Return what an example in the docstring passes for a parameter, or `None`."""
    for call in _calls(docstring or "", function):
        given = dict(zip(order, call.args, strict=False))
        given |= {k.arg: k.value for k in call.keywords if k.arg}
        if name in given and not isinstance(given[name], ast.Starred):
            return given[name]
    return None


def quoted_texts(docstring: str | None, names: Container[str]) -> tuple[str, ...]:
    """Return the texts in backquotes that are no code: `1.5 KiB`, `10.1.0.0/16`.

    Args:
        docstring: docstring of the function.
        names: names of its parameters.
    """
    quoted = re.findall(r"(?<!`)`([^`\n]{1,40})`(?!`)", docstring or "")
    found = (text for text in quoted if text not in names and not text.isidentifier())
    return tuple(dict.fromkeys(text for text in found if "(" not in text))


def _calls(docstring: str, function: str) -> Iterator[ast.Call]:
    if ">>>" not in docstring:
        return
    try:
        examples = _parser.get_examples(docstring)
    except ValueError:
        return
    for example in examples:
        try:
            tree = ast.parse(example.source)
        except SyntaxError:
            continue
        for node in ast.walk(tree):
            match node:
                case ast.Call(func=ast.Name(id=called) | ast.Attribute(attr=called)):
                    if called == function:
                        yield node
                case _:
                    continue
