"""Queries of Firestore: what fits, in which order, from where to where, and how many."""

from __future__ import annotations

from typing import Any

from .....world.core.plain_data import plain_values
from .....world.core.world import record
from .google_document_store import _SECONDS, DocumentWorld, _document, _short
from .google_document_values import (
    _field,
    _raw,
    _set_field,
    _sort_key,
    _types,
    fire_plain,
    fire_value,
)


def _in_collection(where: str, equal: Any, *, inside: bool) -> list[Any]:
    """The documents of a collection: those that are written, else made-up ones that fit."""
    collection = where.rpartition("/")[2]

    def is_in(name: str) -> bool:
        above = name.rpartition("/")[0]
        return above == where or (inside and above.rpartition("/")[2] == collection)

    found = [each for name, each in DocumentWorld.written.items() if is_in(name)]
    if not found:
        for each in DocumentWorld.ids:
            made = _document(f"{where}/{each}")
            if made is None:
                break
            for path, value in equal:
                if path != "__name__":
                    _set_field(made.fields, path, value)
            found.append(made)
    return sorted((each for each in found if each is not None), key=lambda each: each.name)


def _fits(query: Any, where: Any, document: Any) -> bool:
    """Whether a filter lets a document through."""
    kind = where.WhichOneof("filter_type")
    if kind is None:
        return True
    if kind == "composite_filter":
        several = [_fits(query, each, document) for each in where.composite_filter.filters]
        return any(several) if where.composite_filter.op == 2 else all(several)
    filter_ = getattr(where, kind)
    found = _field(document.fields, filter_.field.field_path, document.name)
    if kind == "unary_filter":
        is_null = found is not None and found.WhichOneof("value_type") == "null_value"
        is_nan = found is not None and found.double_value != found.double_value
        return {2: is_nan, 3: is_null, 4: not is_nan, 5: not is_null}[filter_.op]
    if found is None:
        return False
    wanted = filter_.value
    options = [_sort_key(each) for each in wanted.array_value.values]
    held = [_sort_key(each) for each in found.array_value.values]
    own, other = _sort_key(found), _sort_key(wanted)
    same = own[0] == other[0]
    match filter_.op:
        case 1:
            return same and own < other
        case 2:
            return same and own <= other
        case 3:
            return same and own > other
        case 4:
            return same and own >= other
        case 5:
            return own == other
        case 6:
            return own != other
        case 7:
            return other in held
        case 8:
            return own in options
        case 9:
            return any(each in held for each in options)
        case _:
            return own not in options


def _equalities(where: Any) -> list[tuple[str, Any]]:
    """What a document must have to be found, as far as the filters say it."""
    match where.WhichOneof("filter_type"):
        case "composite_filter" if where.composite_filter.op == 1:
            return [pair for each in where.composite_filter.filters for pair in _equalities(each)]
        case "composite_filter":
            return _equalities(where.composite_filter.filters[0])
        case "field_filter":
            asked = where.field_filter
            value = asked.value
            if asked.op in (8, 9) and value.array_value.values:
                value = value.array_value.values[0]
            if asked.op in (7, 9):
                made = fire_value([])
                made.array_value.values.add().CopyFrom(value)
                value = made
            return [(asked.field.field_path, value)] if asked.op in (2, 4, 5, 7, 8, 9) else []
        case _:
            return []


def _found_by(parent: str, query: Any) -> list[Any]:
    source = query.from_[0]
    where = f"{parent}/{source.collection_id}"
    equal = _equalities(query.where)
    shown = {path: fire_plain(value) for path, value in equal}
    record(
        "query", "google firestore.query", _short(where), *([plain_values(shown)] if shown else [])
    )
    found = _in_collection(where, equal, inside=source.all_descendants)
    found = [each for each in found if _fits(query, query.where, each)]
    orders = [(each.field.field_path, each.direction == 2) for each in query.order_by]
    for path, down in reversed(orders):
        there = [d for d in found if _field(d.fields, path, d.name) is not None]
        found = sorted(
            there, key=lambda d, p=path: _sort_key(_field(d.fields, p, d.name)), reverse=down
        )
    for name in ("start_at", "end_at"):
        if query.HasField(name):
            found = _cut(found, getattr(query, name), orders, is_start=name == "start_at")
    found = found[query.offset :]
    return found[: query.limit.value] if query.HasField("limit") else found


def _cut(found: list[Any], cursor: Any, orders: Any, *, is_start: bool) -> list[Any]:
    """The documents from, or up to, a cursor."""

    def place(document: Any) -> int:
        for (path, down), value in zip(orders, cursor.values, strict=False):
            own, other = _sort_key(_field(document.fields, path, document.name)), _sort_key(value)
            if own != other:
                return (1 if own > other else -1) * (-1 if down else 1)
        return 0

    if is_start:
        return [d for d in found if place(d) > 0 or (cursor.before and place(d) == 0)]
    return [d for d in found if place(d) < 0 or (not cursor.before and place(d) == 0)]


def _run_query(request: Any) -> Any:
    types = _types()
    raw = _raw(request)
    replies: list[Any] = []
    wanted = [each.field_path for each in raw.structured_query.select.fields]
    for document in _found_by(raw.parent, raw.structured_query):
        reply = types.RunQueryResponse.pb(types.RunQueryResponse())
        reply.read_time.FromSeconds(_SECONDS)
        reply.document.CopyFrom(document)
        if wanted:
            reply.document.ClearField("fields")
            for path in wanted:
                value = _field(document.fields, path, document.name)
                if value is not None and path != "__name__":
                    _set_field(reply.document.fields, path, value)
        replies.append(types.RunQueryResponse.wrap(reply))
    if not replies:
        reply = types.RunQueryResponse.pb(types.RunQueryResponse())
        reply.read_time.FromSeconds(_SECONDS)
        replies.append(types.RunQueryResponse.wrap(reply))
    return replies


def _aggregate(request: Any) -> Any:
    types = _types()
    raw = _raw(request)
    asked = raw.structured_aggregation_query
    found = _found_by(raw.parent, asked.structured_query)
    reply = types.RunAggregationQueryResponse.pb(types.RunAggregationQueryResponse())
    reply.read_time.FromSeconds(_SECONDS)
    for each in asked.aggregations:
        kind = each.WhichOneof("operator")
        value: Any = len(found)
        if kind != "count":
            path = getattr(each, kind).field.field_path
            held = [fire_plain(v) for d in found if (v := _field(d.fields, path)) is not None]
            numbers = [n for n in held if isinstance(n, (int, float))]
            value = sum(numbers)
            if kind == "avg":
                value = value / len(numbers) if numbers else None
        reply.result.aggregate_fields[each.alias].CopyFrom(fire_value(value))
    return [types.RunAggregationQueryResponse.wrap(reply)]


def _list_documents(request: Any) -> Any:
    where = f"{request.parent}/{request.collection_id}"
    record("query", "google firestore.list", _short(where + "/").strip("/"))
    found = [_types().Document.wrap(each) for each in _in_collection(where, [], inside=False)]
    return _types().ListDocumentsResponse(documents=found)
