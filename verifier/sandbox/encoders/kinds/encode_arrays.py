"""Encode arrays and tables of numpy and pandas by type, dtype, shape and content.

Nothing is imported here: if a script has not imported the package, it has no such values. numpy's
types are recognised as static C types of that name, which Python code cannot make; those of pandas
by a name that leads back to the class.
"""

from __future__ import annotations

import builtins
from binascii import b2a_base64
from hashlib import sha256

from ... import raw
from ..nodes import Group, Node, field, quoted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...raw import Class, Raw
    from ..nodes import Fields
    from ..value_encoder import ValueEncoder, Write

__builtins__ = dict(vars(builtins))

MAX_DATA = 4 << 20
"""Largest array in bytes that is sent; of a larger one only the checksum is."""

_PLAIN = "biufc"


def encoder_of(cls: Class) -> Write | None:
    """Return the writer for values of exactly this class, or `None`."""
    names = raw.class_names(cls)
    if names[0].partition(".")[0] not in ("numpy", "pandas"):
        return None
    if not raw.is_python_class(cls):
        return _static_encoder(cls, names)
    if _numpy_base(cls, "dtype") is not None:
        return _dtype
    known = _PYTHON_CLASSES.get((names[0].partition(".")[0], names[1]))
    if known is None or not raw.leads_to(*names, cls):
        return None
    return lambda encoder, value: known(encoder, _plain(cls, value))


def _plain(cls: Class, value: Raw) -> Raw:
    """Return the value, or the base instance inside an instance of a subclass, whose code may
    interfere.

    pandas keeps everything about a table or index in the instance's dictionary.
    """
    if raw.class_of(value) is cls:
        return value
    made = object.__new__(cls)
    namespace = raw.Layout(raw.class_of(value)).namespace_items(value)
    made.__dict__.update(namespace)
    return made


_INTERNAL = frozenset(
    """_mgr _item_cache _attrs _flags _name _data _cache _id _references _range _levels _codes
    _names sortorder""".split()
)


def is_internal(base: Class, name: str) -> bool:
    """Whether an entry of the instance's dictionary is the package's own."""
    return name in _INTERNAL and raw.class_names(base)[0].partition(".")[0] == "pandas"


def _static_encoder(cls: Class, names: tuple[str, str]) -> Write | None:
    if names == ("numpy", "ndarray"):
        return _array
    if _numpy_base(cls, "generic") is not None:
        return _scalar
    if _numpy_base(cls, "dtype") is not None:
        return _dtype
    return None


def _numpy_base(cls: Class, name: str) -> Class:
    """Return the static numpy class of that name among the ancestors."""
    for base in raw.mro(cls):
        if not raw.is_python_class(base) and raw.class_names(base) == ("numpy", name):
            return base
    return None


def _read(owner: Class, name: str, value: Raw) -> Raw:
    """Read an attribute through the C class's own descriptor."""
    return raw.class_attribute(owner, name).__get__(value)


def _array(encoder: ValueEncoder, value: Raw) -> Node:
    base = _numpy_base(type(value), "ndarray")
    value = _read(base, "view", value)(base)  # otherwise a subclass's code would run for every copy
    dtype, shape = _read(base, "dtype", value), _read(base, "shape", value)
    fields = typed(encoder.label(base), _dtype_text(dtype), shape)
    if dtype.kind in "mM":
        text = encoder.name("numpy", _unit(dtype))
        value = _read(base, "view", value)("i8")
        return content(typed(encoder.label(base), text, shape), value, base)
    if dtype.kind not in _PLAIN:
        items = _read(base, "flatten", value)()
        return Node("array", fields, (Group("items", "nodes", _read(base, "tolist", items)()),))
    return content(fields, value, base)


def _dtype_text(dtype: Raw) -> str:
    """Return the dtype's own short text; for a structured one with its fields."""
    base = _numpy_base(type(dtype), "dtype")
    text = _read(base, "str", dtype)
    names, inner = _read(base, "names", dtype), _read(base, "subdtype", dtype)
    if inner is not None:
        return f"{text}({_dtype_text(inner[0])}, {inner[1]})"
    if names is None:
        return text
    places = dict(raw.dict_items(dict(_read(base, "fields", dtype))))
    parts = [f"{name!r}: {_dtype_text(places[name][0])} at {places[name][1]}" for name in names]
    return f"{text}{{{', '.join(parts)}}}"


def _unit(dtype: Raw) -> str:
    return dtype.str.lstrip("<>=|")


def content(fields: Fields, value: Raw, base: Class) -> Node:
    """Return a node with these fields and an array's numbers; `base` is the array's class."""
    dtype = _read(base, "dtype", value)
    if dtype.itemsize > 8 and dtype.kind == "f":  # long doubles are sent as doubles
        value = _read(base, "astype", value)("f8")
    elif dtype.itemsize > 16 and dtype.kind == "c":
        value = _read(base, "astype", value)("c16")
    little = _read(base, "dtype", value).newbyteorder("<")
    data = _read(base, "tobytes", _read(base, "astype", value)(little))()
    return Node("array", (*fields, *_data(data, little.str)))


def _data(data: bytes, layout: str) -> Fields:
    if len(data) > MAX_DATA:
        return (field("layout", layout), field("sha256", sha256(data).hexdigest()))
    text = b2a_base64(data, newline=False).decode()
    return (field("layout", layout), ("data", quoted(text)))


def typed(label: str, dtype: Raw, shape: Raw) -> Fields:
    """Return the fields that every array has."""
    sizes = "[" + ",".join([int.__repr__(int.__index__(size)) for size in shape]) + "]"
    return (field("type", label), field("dtype", dtype), ("shape", sizes))


def _scalar(encoder: ValueEncoder, value: Raw) -> Node:
    base = _numpy_base(type(value), "generic")
    dtype = _read(base, "dtype", value)
    fields = typed(encoder.label(type(value)), _dtype_text(dtype), ())
    if dtype.char in "gG":  # long doubles are sent as doubles
        value = _read(base, "astype", value)("f8" if dtype.char == "g" else "c16")
    items = [_read(base, "item", value)()]
    return Node("array", fields, (Group("items", "nodes", items),))


def _dtype(encoder: ValueEncoder, value: Raw) -> Node:
    base = _numpy_base(type(value), "dtype")
    return encoder.value(base, text=_dtype_text(value))


def _constant(encoder: ValueEncoder, value: Raw) -> Node:
    return encoder.value(type(value))


def _frame(encoder: ValueEncoder, value: Raw) -> Node:
    columns = [value.iloc[:, position] for position in range(value.shape[1])]
    parts = {"columns": value.columns, "index": value.index, **_set_on(value)}
    return encoder.value(type(value), **parts, data=[_column(c) for c in columns])


def _series(encoder: ValueEncoder, value: Raw) -> Node:
    parts = {"name": value.name, "index": value.index, **_set_on(value)}
    return encoder.value(type(value), **parts, data=_column(value))


def _set_on(value: Raw) -> dict[str, Raw]:
    """Return what was set on a table besides its content."""
    found: dict[str, Raw] = {}
    if value.attrs:
        found["attrs"] = value.attrs
    if not value.flags.allows_duplicate_labels:
        found["flags"] = "unique labels"
    return found


def _index(encoder: ValueEncoder, value: Raw) -> Node:
    levels = [str(level.dtype) for level in getattr(value, "levels", ())]
    return encoder.value(type(value), names=list(value.names), levels=levels, data=_column(value))


def _categorical(encoder: ValueEncoder, value: Raw) -> Node:
    parts = {"codes": value.codes, "categories": value.categories, "ordered": bool(value.ordered)}
    return encoder.value(type(value), **parts)


def _extension_array(encoder: ValueEncoder, value: Raw) -> Node:
    return encoder.value(type(value), dtype=str(value.dtype), data=list(value))


def _column(value: Raw) -> list[Raw]:
    """Return the dtype's name and the items: an array if numpy holds them, else objects."""
    dtype = getattr(value, "dtype", None)
    if dtype is None or not hasattr(dtype, "itemsize") or getattr(dtype, "name", "") == "category":
        about = [getattr(dtype, "categories", None), getattr(dtype, "ordered", None)]
        return [str(dtype), list(value), *about]
    return [
        str(dtype),
        value.to_numpy() if type(dtype).__module__.startswith("numpy") else list(value),
    ]


def _instant(encoder: ValueEncoder, value: Raw) -> Node:
    zone = str(value.tz) if getattr(value, "tz", None) is not None else None
    return encoder.value(type(value), text=value.isoformat(), tz=zone, unit=value.unit)


def _period(encoder: ValueEncoder, value: Raw) -> Node:
    return encoder.value(type(value), text=str(value), freq=value.freqstr)


def _interval(encoder: ValueEncoder, value: Raw) -> Node:
    parts = {"left": value.left, "right": value.right, "closed": value.closed}
    return encoder.value(type(value), **parts)


_PYTHON_CLASSES = {
    ("pandas", "DataFrame"): _frame,
    ("pandas", "Series"): _series,
    **{
        ("pandas", name): _index
        for name in """Index RangeIndex MultiIndex DatetimeIndex TimedeltaIndex PeriodIndex
        CategoricalIndex IntervalIndex""".split()
    },
    ("pandas", "NaTType"): _constant,
    ("pandas", "NAType"): _constant,
    ("pandas", "Timestamp"): _instant,
    ("pandas", "Timedelta"): _instant,
    ("pandas", "Period"): _period,
    ("pandas", "Interval"): _interval,
    ("pandas", "Categorical"): _categorical,
    **{
        ("pandas", name): _extension_array
        for name in """StringArray ArrowStringArray DatetimeArray TimedeltaArray PeriodArray
        IntervalArray SparseArray IntegerArray FloatingArray BooleanArray""".split()
    },
}
"""Writers by package and class name, which use the package's own methods."""
