"""Types as docstrings write them, in common notations, converted to annotations."""

from __future__ import annotations

import ast
import re

_WORDS = {
    "str": "str", "string": "str", "text": "str", "int": "int", "integer": "int",
    "float": "float", "number": "float", "double": "float", "bool": "bool", "boolean": "bool",
    "bytes": "bytes", "none": "None",
    "list": "list", "sequence": "list", "iterable": "list", "collection": "list",
    "generator": "list", "iterator": "list", "set": "set", "frozenset": "set", "tuple": "tuple",
    "pair": "tuple", "dict": "dict", "dictionary": "dict", "mapping": "dict",
    "callable": "Callable", "function": "Callable", "func": "Callable",
}  # fmt: skip
"""Common words for the builtin types."""
_OUTSIDE = {
    "path": "path", "filename": "path", "filepath": "path",
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
"""Types that a file need not import to name, in the words of facts."""
_KINDS = {"str": "str", "int": "int", "float": "number", "bool": "bool", "bytes": "bytes",
          "list": "list", "tuple": "list", "set": "set", "dict": "dict",
          "Callable": "callable"}  # fmt: skip
_CONTAINERS = frozenset({"list", "set", "tuple", "dict"})
_ROLE = re.compile(r":(?:py:)?(?:class|obj|type|data):")
_ASIDE = re.compile(
    r",?\s*\(?(?:optional|default\b.*|keyword[- ]only|positional[- ]only)\)?$", re.I
)
_AROUND = re.compile(
    r"^(?:an?|the|one|instance of(?: an?)?)\s+|\s+(?:instances?|objects?|values?)$", re.I
)
_OR = re.compile(r"\s+or\s+|\s*\|\s*")
_OF = re.compile(r"^(\w+)\s+of\s+(.+)$", re.I)
_PAIRS = re.compile(r"^\{?\s*(.+?)\s*(?:\s+to\s+|:|->|=>|,)\s*(.+?)\s*\}?$", re.I)
_NAME = re.compile(r"^[A-Za-z_][\w.]*$")
_DEEPEST = 5


def annotation_from_prose(text: str) -> ast.expr | None:
    """Return the equivalent annotation: `list of str or None` is `list[str] | None`.

    Words for no builtin type stay as names, which the file may define. `None` if a part of the text
    is not understood.
    """
    annotation = _converted(_plain(text), 0)
    if annotation is None:
        return None
    try:
        return ast.parse(annotation, mode="eval").body
    except SyntaxError:
        return None


def kind_from_prose(text: str) -> str | None:
    """Return the first type that a text names, in the words of facts."""
    plain = _plain(text).lower()
    for word in (plain, *re.split(r"[\s\[|,(]+", plain)):
        if word in _OUTSIDE:
            return _OUTSIDE[word]
        if word in _WORDS:
            return _KINDS.get(_WORDS[word])
    return None


def _plain(text: str) -> str:
    text = _ROLE.sub("", text).replace("`", "").replace("~", "").strip().rstrip(".")
    while True:
        shorter = _ASIDE.sub("", text).strip()
        if shorter == text:
            return text
        text = shorter


def _converted(text: str, depth: int) -> str | None:
    text = text.strip()
    if not text or depth > _DEEPEST:
        return None
    parts = _parted(text)
    if len(parts) > 1:
        members = [_converted(part, depth + 1) for part in parts]
        return None if None in members else " | ".join(filter(None, members))
    short = _AROUND.sub("", text)
    if short != text:
        return _converted(short, depth + 1)
    return _word(text) or _of(text, depth) or _choices(text) or _subscript(text)


def _parted(text: str) -> list[str]:
    """Return the members of a union, split at words outside all brackets."""
    depth = 0
    blanked: list[str] = []
    for letter in text:
        depth += (letter in "[({") - (letter in "])}")
        blanked.append("\0" if depth else letter)
    found: list[str] = []
    start = 0
    for each in _OR.finditer("".join(blanked)):
        found.append(text[start : each.start()])
        start = each.end()
    return [*found, text[start:]]


def _word(text: str) -> str | None:
    if text.lower() in _WORDS:
        return _WORDS[text.lower()]
    one = text.lower().removesuffix("s")
    if one in _WORDS and one != text.lower():  # plurals: "strings", "ints"
        return _WORDS[one]
    return text if _NAME.match(text) and text.lower() not in _OUTSIDE else None


def _of(text: str, depth: int) -> str | None:
    """Convert `list of str`, `dict of str to int` or `tuple of (int, int)`."""
    found = _OF.match(text)
    holder = _word(found[1]) if found else None
    if found is None or holder not in _CONTAINERS:
        return None
    inner = found[2].strip()
    if holder == "dict":
        pair = _PAIRS.match(inner)
        key, value = (pair[1], pair[2]) if pair else ("str", inner)
        inner_types = (_converted(key, depth + 1), _converted(value, depth + 1))
        return None if None in inner_types else f"dict[{inner_types[0]}, {inner_types[1]}]"
    if inner[:1] in "([" and inner[-1:] in ")]":
        items = [_converted(each, depth + 1) for each in inner[1:-1].split(",")]
        return None if None in items else f"{holder}[{', '.join(filter(None, items))}]"
    item = _converted(inner, depth + 1)
    more = ", ..." if holder == "tuple" else ""
    return None if item is None else f"{holder}[{item}{more}]"


def _choices(text: str) -> str | None:
    """Convert `{'r', 'w'}`: one of the listed values."""
    if not (text.startswith("{") and text.endswith("}")):
        return None
    try:
        values = ast.parse(text, mode="eval").body
    except SyntaxError:
        return None
    if isinstance(values, ast.Set) and all(isinstance(e, ast.Constant) for e in values.elts):
        return f"Literal[{', '.join(map(ast.unparse, values.elts))}]"
    return None


def _subscript(text: str) -> str | None:
    """Convert `List[string]`, `list(str)` or `(int, str)`, with common words inside."""
    called = re.match(r"^(\w+)\((.*)\)$", text)
    if called and _word(called[1]) in _CONTAINERS:
        text = f"{called[1]}[{called[2]}]"
    try:
        node = ast.parse(text, mode="eval").body
    except SyntaxError:
        return None
    match node:
        case ast.Tuple(elts=[_, *_] as items):
            node = ast.Subscript(ast.Name("tuple"), ast.Tuple(items))
        case ast.List(elts=[item]):
            node = ast.Subscript(ast.Name("list"), item)
        case ast.Subscript():
            pass
        case _:
            return None
    for each in ast.walk(node):
        match each:
            case ast.Name(id=name):
                each.id = _WORDS.get(name.lower(), name)
            case ast.Subscript() | ast.Tuple() | ast.List() | ast.Attribute() | ast.BinOp():
                continue
            case ast.Constant() | ast.expr_context() | ast.operator():
                continue
            case _:
                return None
    return ast.unparse(node)
