"""Values of Firestore: from Python and back, their order, and fields by their paths."""

from __future__ import annotations

from typing import Any


def _types() -> Any:
    from google.cloud.firestore_v1 import types

    return types


def _raw(request: Any) -> Any:
    """A request as the protocol has it, below the class that the library gives it."""
    return type(request).pb(request)


def fire_value(value: Any) -> Any:
    """Plain data as a message."""
    made = _types().Value.pb(_types().Value())
    match value:
        case None:
            made.null_value = 0
        case bool():
            made.boolean_value = value
        case int():
            made.integer_value = value
        case float():
            made.double_value = value
        case bytes():
            made.bytes_value = value
        case dict():
            made.map_value.SetInParent()
            for name, each in value.items():
                made.map_value.fields[str(name)].CopyFrom(fire_value(each))
        case list() | tuple():
            made.array_value.SetInParent()
            made.array_value.values.extend(fire_value(each) for each in value)
        case _:
            made.string_value = str(value)
    return made


def fire_plain(value: Any) -> Any:
    """A message as plain data."""
    match value.WhichOneof("value_type"):
        case "null_value" | None:
            return None
        case "map_value":
            return {name: fire_plain(each) for name, each in sorted(value.map_value.fields.items())}
        case "array_value":
            return [fire_plain(each) for each in value.array_value.values]
        case "timestamp_value":
            return value.timestamp_value.ToJsonString()
        case "geo_point_value":
            return [value.geo_point_value.latitude, value.geo_point_value.longitude]
        case kind:
            return getattr(value, kind)


_RANKS = (
    "null_value boolean_value integer_value double_value timestamp_value string_value bytes_value"
    " reference_value geo_point_value array_value map_value".split()
)


def _sort_key(value: Any) -> Any:
    kind = value.WhichOneof("value_type") if value is not None else "null_value"
    rank = _RANKS.index(kind or "null_value")
    plain = fire_plain(value) if value is not None else None
    if kind in ("integer_value", "double_value"):
        rank = 2
    if kind in ("array_value", "map_value"):
        return rank, repr(plain)
    return rank, 0 if plain is None else plain


def _path_parts(path: str) -> list[str]:
    from google.cloud.firestore_v1.field_path import parse_field_path

    return list(parse_field_path(path))


def _field(fields: Any, path: str, name: str = "") -> Any:
    """The value at a path; `None` where there is none."""
    if path == "__name__":
        made = fire_value("")
        made.reference_value = name
        return made
    *above, last = _path_parts(path)
    for part in above:
        if part not in fields:
            return None
        fields = fields[part].map_value.fields
    return fields[last] if last in fields else None  # noqa: SIM401  # maps make what is asked for


def _set_field(fields: Any, path: str, value: Any) -> None:
    *above, last = _path_parts(path)
    for part in above:
        fields[part].map_value.SetInParent()
        fields = fields[part].map_value.fields
    if value is None:
        fields.pop(last, None)
    else:
        fields[last].CopyFrom(value)
