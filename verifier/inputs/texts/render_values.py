"""Renders shapes as Python expressions: plain values as literals, objects as small classes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import cast

from ....mocker.shapes.name_hints import words
from ....mocker.shapes.shape import Anything, Entry, Mapping, Maybe, Object, Sequence, Shape
from ....mocker.shapes.shape_values import ANY_KEY, value_of
from ..types.known_classes import KNOWN
from .array_texts import covariance_text, is_covariance
from .socket_stand_ins import SOCKETS, socket_members, socket_name

Known = Callable[[Object], str | None]
"""Returns an expression for an instance of a class of the slice, or `None`."""
_LISTS = frozenset("lst list arr array items rows xs elements lists seq sequence entries".split())
_MAPPINGS = frozenset("dict dictionary mapping config cfg params kwargs options settings payload "
                      "d dic obj headers data".split())  # fmt: skip
_NUMBERS = frozenset("nums numbers values scores prices weights".split())
_CALLABLES = frozenset("callback func fn function handler predicate hook on_progress".split())
_FOLDERS = frozenset("dir directory dirname folder root".split())
_IMAGES = frozenset("img image frame picture photo".split())
_OPENED = frozenset("conn connection cursor session client".split())
_EVERY_OBJECT = frozenset("__str__ __repr__ __format__ __hash__ __eq__ __ne__ __class__".split())
"""Members that every object has."""
_SELF = "lambda self, *args, **named: "


def expression(shape: Shape, libraries: frozenset[str], known: Known, n: int = 1) -> str:
    """Return an expression that makes a value of the shape.

    Args:
        shape: shape of the value.
        libraries: top names of the modules that the slice imports.
        known: returns instances of the slice's own classes.
        n: number of the value among those of the shape.
    """
    match shape:
        case Anything(hint=hint):
            return _guess(hint, n)
        case Maybe(shape=inner, is_none=is_none):
            return "None" if is_none else expression(inner, libraries, known, n)
        case Mapping(entries=entries, rest=rest) if not _is_plain(shape):
            parts = [
                f"{e.key!r}: {expression(e.shape, libraries, known, n)}"
                for e in entries
                if not e.is_unwanted
            ]
            if rest is not None and not parts:
                parts = [f"'key-1': {expression(rest, libraries, known)}"]
            return "{" + ", ".join(parts) + "}"
        case Sequence(item=item, parts=parts, length=length) if not _is_plain(shape):
            at = dict(parts)
            first = (n - 1) * length + 1
            made = [
                expression(at.get(i) or at.get(i - length) or item, libraries, known, first + i)
                for i in range(length)
            ]
            return _collection(shape.type_name, made)
        case Object():
            return (known(shape) if shape.own else None) or _object(shape, libraries, known, n)
        case _:
            return repr(_with_a_key(value_of(shape, n)))


def _with_a_key(value: object) -> object:
    """Return the value, with an entry for the mapping key that stands for any key."""
    if isinstance(value, list):
        return [_with_a_key(each) for each in cast("list[object]", value)]
    if not isinstance(value, dict):
        return value
    made = {key: _with_a_key(each) for key, each in cast("dict[object, object]", value).items()}
    given = made.pop(ANY_KEY, None)
    if isinstance(given, list) and not made:
        made["key-1"] = given[0]
    return made


def _collection(type_name: str, made: list[str]) -> str:
    """Return a list, tuple, deque, or a set if its members are hashable."""
    text = f"[{', '.join(made)}]"
    if type_name == "deque":
        return f'__import__("collections").deque({text})'
    if type_name == "tuple":
        return f"({', '.join(made)}{',' * (len(made) == 1)})"
    if type_name == "list" or any(each.startswith("{") for each in made):
        return text
    members = [f"({each[1:-1]},)" if each.startswith("[") else each for each in made]
    return f"{{{', '.join(members)}}}" if made else "set()"


def _is_plain(shape: Shape) -> bool:
    match shape:
        case Object():
            return False
        case Mapping(entries=entries, rest=rest):
            return all(_is_plain(e.shape) for e in entries) and (rest is None or _is_plain(rest))
        case Sequence(item=item, parts=parts, type_name=type_name):
            parts_are_plain = all(_is_plain(part) for _, part in parts)
            return type_name == "list" and _is_plain(item) and parts_are_plain
        case Maybe(shape=inner):
            return _is_plain(inner)
        case _:
            return True


def _guess(name_hint: str, n: int) -> str:
    parts = words(name_hint)
    last = parts[-1] if parts else ""
    if last in _CALLABLES:
        return "(lambda *args, **named: None)"
    if last in _NUMBERS:
        return "[1, 2, 3]"
    if last in _LISTS:
        return "['item-1', 'item-2']"
    if last in _MAPPINGS:
        return "{'key-1': 'value-1'}"
    if last in ("df", "dataframe"):
        return '__import__("pandas").DataFrame({"a": [1, 2], "b": [3, 4]})'
    return repr(value_of(Anything(name_hint), n))


# ----------------------------------------------------------------------------- objects


def _object(shape: Object, libraries: frozenset[str], known: Known, n: int) -> str:
    name = shape.type_name
    if name in ("pydantic.BaseModel", "pydantic.main.BaseModel"):
        return _model(shape, libraries, known, n)
    if shape.is_class and "." in name:
        module, _, attribute = name.rpartition(".")
        return f"__import__({module!r}, fromlist=[{attribute!r}]).{attribute}"
    if name == "pandas.DataFrame":
        return _table(shape)
    if name in ("numpy.ndarray", "numpy.array", "torch.Tensor"):
        return _array(shape, libraries)
    if name in KNOWN:
        is_folder = not _FOLDERS.isdisjoint(words(shape.hint)[-1:])
        return KNOWN[name].replace("path-1.txt", "folder-1") if is_folder else KNOWN[name]
    if name == "argparse.Namespace":
        return _namespace(shape, libraries, known, n)
    return _class(shape, libraries, known, n)


def _array(shape: Object, libraries: frozenset[str]) -> str:
    """Return an array with that many dimensions; a small picture where the name says so."""
    library = _array_library(shape, libraries)
    if is_covariance(shape.hint):
        return covariance_text(library, shape.hint)
    is_picture = bool(set(words(shape.hint)) & _IMAGES)
    count = shape.dimensions or (3 if is_picture else 1)
    sizes = {1: (4,), 2: (3, 3), 3: (4, 4, 3)}.get(count, (2,) * count)
    if is_picture and count == 2:
        sizes = (8, 8)
    total = 1
    for size in sizes:
        total *= size
    if "numpy" in library and is_picture and libraries & {"cv2", "PIL", "skimage"}:
        made = f'{library}arange({total}, dtype="uint8")'
    else:
        made = f"{library}arange(1.0, {total + 1}.0)"
    return made if count == 1 else f"{made}.reshape({', '.join(map(str, sizes))})"


def _array_library(shape: Object, libraries: frozenset[str]) -> str:
    """Return the prefix for the functions that make an array."""
    is_torch = shape.type_name.startswith("torch") or "numpy" not in libraries
    return f'__import__("{"torch" if is_torch and "torch" in libraries else "numpy"}").'


def _table(shape: Object) -> str:
    rows = [value_of(shape.columns, n) for n in (1, 2, 3)] if shape.columns is not None else []
    columns = {"a": [1, 2, 3], "b": [3.5, 4.5, 5.5]}
    is_known = any(isinstance(row, dict) and row != {} for row in rows)
    return f'__import__("pandas").DataFrame({rows if is_known else columns!r})'


def _namespace(shape: Object, libraries: frozenset[str], known: Known, n: int) -> str:
    given = ", ".join(
        f"{e.key}={expression(e.shape, libraries, known, n)}" for e in shape.attributes
    )
    return f'__import__("types").SimpleNamespace({given})'


def _model(shape: Object, libraries: frozenset[str], known: Known, n: int) -> str:
    """Return a pydantic model or an instance of one, for libraries that accept no stand-in."""
    fields = [
        f"{e.key}=(object, {expression(e.shape, libraries, known, n)})"
        for e in shape.attributes
        if not (isinstance(e.shape, Object) and e.shape.result is not None) and e.key != "__class__"
    ]
    fields = fields or ["name=(str, 'name-1')", "count=(int, 1)"]
    return f'__import__("pydantic").create_model("Model", {", ".join(fields)})' + (
        "" if shape.is_class else "()"
    )


def _class(shape: Object, libraries: frozenset[str], known: Known, n: int) -> str:
    """Return an instance of a new class with the attributes and methods that are used."""
    members = {
        str(e.key): _member(e, libraries, known, n)
        for e in shape.attributes
        if e.key not in _EVERY_OBJECT
    }
    is_socket = shape.type_name in SOCKETS
    if is_socket:
        members |= socket_members(shape, members)
    if shape.result is not None:
        made = expression(shape.result, libraries, known, n)
        members["__call__"] = _SELF + _promise(made, is_awaited=shape.is_awaited)
        if not members.keys() - {"__call__"} and shape.item is None:
            return f"(lambda *args, **named: {_promise(made, is_awaited=shape.is_awaited)})"
    if shape.item is not None:
        items = [expression(shape.item, libraries, known, i) for i in (1, 2)]
        members["__iter__"] = f"lambda self: iter([{', '.join(items)}])"
        members["__getitem__"] = f"lambda self, key: {items[0]}"
        members["__len__"] = "lambda self: 2"
        members["__contains__"] = "lambda self, key: True"
    if shape.is_entered or _is_left_by_with(members, shape.hint):
        members["__enter__"] = "lambda self: self"
        members["__exit__"] = f"lambda self, *error: {_leaving(members)}"
    if shape.is_entered:
        members["__aenter__"] = _SELF + _promise("self", is_awaited=True)
        members["__aexit__"] = _SELF + _promise("None", is_awaited=True)
    type_name = "" if is_socket else shape.type_name.rpartition(".")[2]
    called = socket_name(shape) if is_socket else shape.hint
    name = type_name or "".join(w.title() for w in words(called))
    label = name if name.isidentifier() else "StandIn"
    members.setdefault("__repr__", f"lambda self: {f'<{label}>'!r}")
    body = ", ".join(f"{name!r}: {text}" for name, text in members.items())
    return f"type({label!r}, (), {{{body}}})()"


def _is_left_by_with(members: dict[str, str], name_hint: str) -> bool:
    """Whether a stand-in is for something opened, which other code may use in a `with`."""
    return "close" in members or not _OPENED.isdisjoint(words(name_hint)[-1:])


def _leaving(members: dict[str, str]) -> str:
    """Return the body of `__exit__`: it closes what is open, and suppresses nothing."""
    text = members.get("close", "")
    is_plain_method = text.startswith(_SELF) and "asyncio" not in text
    return "self.close() and None" if is_plain_method else "None"


def has_stand_in(text: str) -> bool:
    """Whether an expression contains a stand-in for an instance."""
    return "type(" in text or "SimpleNamespace" in text


def _member(entry: Entry, libraries: frozenset[str], known: Known, n: int) -> str:
    match entry.shape:
        case Object(attributes=(), result=Object() | Anything() as result, item=None) as shape:
            made = (
                "None" if isinstance(result, Anything) else expression(result, libraries, known, n)
            )
            return _SELF + _promise(made, is_awaited=shape.is_awaited)
        case Object(attributes=(), result=result, item=None) as shape if result is not None:
            made = expression(result, libraries, known, n)
            return _SELF + _promise(made, is_awaited=shape.is_awaited)
        case Object(result=result) as shape if result is not None:
            return expression(replace(shape, hint=str(entry.key)), libraries, known, n)
        case shape:
            return expression(shape, libraries, known, n)


def _promise(made: str, *, is_awaited: bool) -> str:
    return f'__import__("asyncio").sleep(0, {made})' if is_awaited else made
