"""Arguments that fit together: sequences of one length, labelled tables, equally sized arrays."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import cast

from ..texts.array_texts import RANGE, array_text, covariance_text, is_covariance

Fit = tuple[tuple[str, str], ...]
"""Names and expressions of parameters that are given together."""
_SIZE = 4
"""Size of every dimension, so that products, masks and layers fit, and heads divide it."""
_SQUARE = (_SIZE, _SIZE)
_ZIGZAG = "[1, 4, 2, 6, 3, 7, 5]"
_RISING = "[1, 2, 3, 4, 5, 6, 7]"
_LIBRARIES = ("torch", "numpy")
_TABLE = re.compile(r"__import__\([\"']pandas[\"']\)\.DataFrame\((.*)\)", re.DOTALL)
_NUMBERS = {"a": [1, 2, 3, 4, 5, 6], "b": [3.5, 5.5, 4.5, 9.5, 7.5, 8.5]}
_LABELS = '__import__("pandas").Series({})'
_OPEN = re.compile(r"'[a-z-]+-1'|\{'key-1': 'value-1'\}|\['[a-z-]+-1', '[a-z-]+-2'\]|\[1, 2, 3\]")
"""A placeholder for a parameter of which only the name is known."""
_UNKNOWN_SIZE = re.compile(r"(\w*(?:size|dim|features|channels|units|hidden)\w*=)'[a-z-]+-1'")
_COLUMNS = re.compile(r"(?i)(.*_)?(y|targets?|labels?)")
_CLASSES = re.compile(r"(?i)(.*_)?(y|targets?|labels?|class(es)?|ind(ex|ices)|idx|ids?)")


def fitting(pools: Mapping[str, Sequence[str]], libraries: Collection[str]) -> Iterator[Fit]:
    """Yield values that parameters can have together, where their likeliest values may not fit.

    Args:
        pools: maps each required parameter to its values, the likeliest first.
        libraries: top names of the modules that the slice imports.
    """
    texts = {name: found[0] for name, found in pools.items()}
    yield from _sequences(texts)
    yield from _tables(texts)
    library = next((each for each in _LIBRARIES if each in libraries), "")
    if library:
        yield from _arrays(texts, f'__import__("{library}").')
        yield from _mappings(pools, f'__import__("{library}").')


def sized(receiver: str) -> str:
    """Return the receiver with the arrays' size in place of its sizes; empty where it has none."""
    made = re.sub(r"(?<=\w=)1(?=[,)])", str(_SIZE), receiver)
    made = _UNKNOWN_SIZE.sub(rf"\g<1>{_SIZE}", made)
    return made if made != receiver else ""


def _sequences(texts: Mapping[str, str]) -> Iterator[Fit]:
    """Yield lists of numbers in zigzag, and rising numbers beside them."""
    names = [name for name, text in texts.items() if _is_plain_list(text)]
    if not names:
        return
    yield tuple((name, _ZIGZAG) for name in names)
    yield tuple((name, _ZIGZAG if n else _RISING) for n, name in enumerate(names))


def _is_plain_list(text: str) -> bool:
    value = _literal(text)
    items = cast("list[object]", value) if isinstance(value, list) else []
    return len(items) > 1 and all(isinstance(item, (str, int, float)) for item in items)


def _tables(texts: Mapping[str, str]) -> Iterator[Fit]:
    """Yield a table, with a matching column for each other parameter that may be one."""
    tables = {name: found[1] for name, text in texts.items() if (found := _TABLE.fullmatch(text))}
    rest = {name: text for name, text in texts.items() if name not in tables}
    others = [name for name, text in rest.items() if _may_be_column(name, text)]
    for name, given in tables.items():
        rows, column = _rows(given), _LABELS
        table = f'__import__("pandas").DataFrame({_NUMBERS!r})' if rows == 0 else texts[name]
        count = rows or len(_NUMBERS["a"])
        values = [1.5 * (n % 4) + n // 4 for n in range(1, count + 1)]
        for made in (column.format(values), column.format([n % 2 for n in range(count)])):
            if others or rows == 0:
                yield ((name, table), *((other, made) for other in others))


def _rows(given: str) -> int:
    """Return the number of rows of a table whose columns the code names; 0 if it names none."""
    value = _literal(given)
    if isinstance(value, dict):
        columns = cast("dict[object, object]", value)
        value = next(iter(columns.values()), ()) if columns.keys() != _NUMBERS.keys() else ()
    return len(cast("list[object]", value)) if isinstance(value, list) else 0


def _may_be_column(name: str, text: str) -> bool:
    is_unknown = text.startswith("[") or bool(_OPEN.fullmatch(text))
    return is_unknown or ".Series(" in text or bool(_COLUMNS.fullmatch(name))


def _arrays(texts: Mapping[str, str], library: str) -> Iterator[Fit]:
    """Yield all arrays, nested ones too, with one size in every dimension."""
    ranges = {name: found for name, text in texts.items() if (found := RANGE.search(text))}
    library = next(iter(ranges.values()))[1] if ranges else library
    others = [name for name, text in texts.items() if _OPEN.fullmatch(text)]
    names = [*ranges, *others]
    for first, rest in ((2, 2), (1, 1), (2, 1), (3, 3)) if names else ():
        if first == rest or len(names) > 1:
            counts = {name: rest if n else first for n, name in enumerate(names)}
            yield tuple((name, _sized(library, name, texts, counts)) for name in names)


def _sized(library: str, name: str, texts: Mapping[str, str], counts: Mapping[str, int]) -> str:
    made = array_text(library, (_SIZE,) * counts[name])
    if not _OPEN.fullmatch(texts[name]):
        return RANGE.sub(made, texts[name])
    is_class = len(counts) > 1 and (_CLASSES.fullmatch(name) or counts[name] == 1)
    return f"{library}arange({_SIZE})" if is_class else made


def _mappings(pools: Mapping[str, Sequence[str]], library: str) -> Iterator[Fit]:
    """Yield a dictionary with the keys that the code names and arrays of one size."""
    for name, texts in pools.items():
        for keys in (keys for text in texts if (keys := _keys(text))):
            made = ", ".join(f"{key!r}: {_array_content(key, library)}" for key in keys)
            yield ((name, f"{{{made}}}"),)
            break


def _keys(text: str) -> list[str]:
    """Return the keys of a dictionary literal, if the code names them."""
    value = _literal(text)
    keys = list(cast("dict[object, object]", value)) if isinstance(value, dict) else []
    return [] if "key-1" in keys else [key for key in keys if isinstance(key, str)]


def _array_content(key: str, library: str) -> str:
    if is_covariance(key):
        return covariance_text(library, key)
    return f"{library}arange({_SIZE})" if _CLASSES.fullmatch(key) else array_text(library, _SQUARE)


def _literal(text: str) -> object:
    """Return the value of a literal; `None` for other expressions as well."""
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return None
