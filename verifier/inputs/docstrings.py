"""What docstrings say of parameters: examples of calls, and types in the usual notations."""

from __future__ import annotations

import ast
import doctest
import re
from collections.abc import Iterator

_TYPES = {
    "str": "str", "string": "str", "text": "str", "int": "int", "integer": "int",
    "float": "number", "number": "number", "bool": "bool", "boolean": "bool", "bytes": "bytes",
    "list": "list", "tuple": "list", "sequence": "list", "iterable": "list", "set": "set",
    "dict": "dict", "dictionary": "dict", "mapping": "dict", "path": "path",
    "callable": "callable", "function": "callable",
    "datetime": "instance datetime.datetime", "datetime.datetime": "instance datetime.datetime",
    "date": "instance datetime.date", "ndarray": "instance numpy.ndarray",
    "np.ndarray": "instance numpy.ndarray", "numpy.ndarray": "instance numpy.ndarray",
    "np.array": "instance numpy.ndarray", "array": "instance numpy.ndarray",
    "array-like": "instance numpy.ndarray", "array_like": "instance numpy.ndarray",
    "dataframe": "instance pandas.DataFrame", "pd.dataframe": "instance pandas.DataFrame",
    "pandas.dataframe": "instance pandas.DataFrame", "series": "instance pandas.Series",
    "pd.series": "instance pandas.Series", "tensor": "instance torch.Tensor",
    "torch.tensor": "instance torch.Tensor",
}  # fmt: skip
_parser = doctest.DocTestParser()


def documented_type(docstring: str | None, name: str) -> str | None:
    """The type of a parameter, as facts name it; `None` where the docstring does not say it."""
    if not docstring:
        return None
    word = re.escape(name)
    for pattern in (
        rf"^\s*\**{word}\s*\(([^)]+?)(?:,\s*optional)?\)\s*:",  # Google
        rf":param\s+([\w.\[\], ]+?)\s+{word}\s*:",  # Sphinx
        rf":type\s+{word}\s*:\s*([^\n]+)",
        rf"^\s*{word}\s*:\s*([\w.\-\[\], ]+?)(?:,\s*optional.*)?$",  # numpy
        rf"@type\s+{word}\s*:\s*([^\n]+)",  # Epydoc
    ):
        found = re.search(pattern, docstring, re.MULTILINE)
        if found:
            said = found[1].strip().strip("`").lower()
            for word_ in (said, *re.split(r"[\s\[|,(]+", said)):
                if word_ in _TYPES:
                    return _TYPES[word_]
    return None


def documented_argument(
    docstring: str | None, function: str, order: list[str], name: str
) -> ast.expr | None:
    """What an example in the docstring passes for a parameter."""
    for call in _calls(docstring or "", function):
        given = dict(zip(order, call.args, strict=False))
        given |= {k.arg: k.value for k in call.keywords if k.arg}
        if name in given and not isinstance(given[name], ast.Starred):
            return given[name]
    return None


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
