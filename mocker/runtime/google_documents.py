"""Firestore in this process: documents that are there when asked for, queries, and what is written."""

from __future__ import annotations

from typing import Any

from .google_channel import GrpcRefusal, google_channels
from .on_import import on_import
from .plain_data import plain_values
from .world import chosen, record, replace, restart_with

_SECONDS = 1767268800
"""When everything was written."""
_ROOT = "/documents/"


class DocumentWorld:
    """The documents of all databases, by their full names."""

    variants: dict[str, Any] = {}
    """What a document holds that nobody has written; `None` where there is none."""
    written: dict[str, Any] = {}
    """Full name → its fields, as messages of the protocol; `None` for what is deleted."""
    ids: list[str] = []


def google_documents(variants: dict[str, Any], ids: list[str]) -> None:
    """Answer Firestore; what nobody has written holds one of these dictionaries."""
    DocumentWorld.variants = {**variants, "missing": None}
    DocumentWorld.ids = ids
    restart_with(DocumentWorld.written.clear)
    calls = {
        "BatchGetDocuments": _batch_get, "GetDocument": _get_one, "RunQuery": _run_query,
        "RunAggregationQuery": _aggregate, "Commit": _commit, "BatchWrite": _batch_write,
        "BeginTransaction": _transaction, "ListCollectionIds": _collection_ids,
        "ListDocuments": _list_documents,
    }  # fmt: skip
    google_channels({f"Firestore/{name}": call for name, call in calls.items()})
    on_import("google.cloud.firestore_v1.base_collection", _numbered_ids)
    on_import("google.cloud.firestore_v1.watch", _patch_watch)


def _numbered_ids(module: Any) -> None:
    """New documents have numbers: nothing random."""
    given: list[int] = []
    restart_with(given.clear)

    def auto_id() -> str:
        given.append(1)
        return f"{len(given):020}"

    replace(module, "_auto_id", auto_id)
    import sys

    for name in ("collection", "async_collection"):
        user = sys.modules.get(f"google.cloud.firestore_v1.{name}")
        if user is not None and hasattr(user, "_auto_id"):
            replace(user, "_auto_id", auto_id)


def _patch_watch(module: Any) -> None:
    """Whoever listens is told once of what is there."""

    class Told:
        is_active = False

        def unsubscribe(self) -> None:
            """Nobody is told any more."""

        close = unsubscribe

    def tell(snapshots: Any, callback: Any) -> Any:
        change = module.ChangeType.ADDED
        changes = [module.DocumentChange(change, s, -1, at) for at, s in enumerate(snapshots)]
        callback(snapshots, changes, snapshots[0].read_time if snapshots else None)
        return Told()

    def document(cls: Any, reference: Any, callback: Any, *_args: Any, **_options: Any) -> Any:
        return tell([reference.get()], callback)

    def query(cls: Any, asked: Any, callback: Any, *_args: Any, **_options: Any) -> Any:
        return tell(list(asked.stream()), callback)

    replace(module.Watch, "for_document", classmethod(document))
    replace(module.Watch, "for_query", classmethod(query))


# ------------------------------------------------------------------------------- values


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


# ----------------------------------------------------------------------------- documents


def _made_document(name: str, fields: Any = None) -> Any:
    found = _types().Document.pb(_types().Document())
    found.name = name
    for field, value in (fields or {}).items():
        found.fields[field].CopyFrom(value)
    found.create_time.FromSeconds(_SECONDS)
    found.update_time.FromSeconds(_SECONDS)
    return found


def _document(name: str) -> Any:
    """A document: as it was written, else as the case has it; `None` where there is none."""
    if name in DocumentWorld.written:
        return DocumentWorld.written[name]
    plain = chosen("google.firestore", DocumentWorld.variants)
    if plain is None:
        return None
    return _made_document(name, {str(k): fire_value(v) for k, v in plain.items()})


def _short(name: str) -> str:
    return name.partition(_ROOT)[2]


def _get_one(request: Any) -> Any:
    record("query", "google firestore.get", _short(request.name))
    found = _document(request.name)
    if found is None:
        raise GrpcRefusal("NOT_FOUND", f'Document "{request.name}" not found.')
    return _types().Document.wrap(found)


def _batch_get(request: Any) -> Any:
    types = _types()
    replies: list[Any] = []
    for name in _raw(request).documents:
        record("query", "google firestore.get", _short(name))
        raw = types.BatchGetDocumentsResponse.pb(types.BatchGetDocumentsResponse())
        raw.read_time.FromSeconds(_SECONDS)
        found = _document(name)
        if found is None:
            raw.missing = name
        else:
            raw.found.CopyFrom(found)
        if not replies and _raw(request).HasField("new_transaction"):
            raw.transaction = b"1"
        replies.append(types.BatchGetDocumentsResponse.wrap(raw))
    return replies


def _transaction(request: Any) -> Any:
    return _types().BeginTransactionResponse(transaction=b"1")


def _collection_ids(request: Any) -> Any:
    above = request.parent.partition("/documents")[2].strip("/")
    found: set[str] = set()
    for name, document in DocumentWorld.written.items():
        below = _short(name).removeprefix(above).strip("/")
        if document is not None and (not above or _short(name).startswith(above + "/")):
            found.add(below.partition("/")[0])
    return _types().ListCollectionIdsResponse(collection_ids=sorted(found))


def _list_documents(request: Any) -> Any:
    where = f"{request.parent}/{request.collection_id}"
    record("query", "google firestore.list", _short(where + "/").strip("/"))
    found = [_types().Document.wrap(each) for each in _in_collection(where, [], inside=False)]
    return _types().ListDocumentsResponse(documents=found)


# ------------------------------------------------------------------------------- queries


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


# -------------------------------------------------------------------------------- writing


def _commit(request: Any) -> Any:
    types = _types()
    writes = _raw(request).writes
    for write in writes:
        _require(write)
    reply = types.CommitResponse.pb(types.CommitResponse())
    reply.commit_time.FromSeconds(_SECONDS)
    for write in writes:
        result = reply.write_results.add()
        result.update_time.FromSeconds(_SECONDS)
        result.transform_results.extend(_write(write))
    return types.CommitResponse.wrap(reply)


def _batch_write(request: Any) -> Any:
    types = _types()
    reply = types.BatchWriteResponse.pb(types.BatchWriteResponse())
    for write in _raw(request).writes:
        status, result = reply.status.add(), reply.write_results.add()
        result.update_time.FromSeconds(_SECONDS)
        try:
            _require(write)
            _write(write)
        except GrpcRefusal as refusal:
            status.code, status.message = 5, refusal.message
    return types.BatchWriteResponse.wrap(reply)


def _require(write: Any) -> None:
    """Refuse what may only be done where a document is, or is not."""
    name = write.delete or write.update.name or write.transform.document
    if write.current_document.WhichOneof("condition_type") != "exists":
        return
    if not write.current_document.exists and DocumentWorld.written.get(name) is not None:
        raise GrpcRefusal("ALREADY_EXISTS", f"Document already exists: {name}")
    if write.current_document.exists and _document(name) is None:
        raise GrpcRefusal("NOT_FOUND", f"No document to update: {name}")


def _write(write: Any) -> list[Any]:
    if write.delete:
        record("request", "google firestore.delete", _short(write.delete))
        DocumentWorld.written[write.delete] = None
        return []
    name = write.update.name or write.transform.document
    condition = write.current_document
    has_mask = write.HasField("update_mask")
    what = "update" if has_mask else "set"
    if condition.WhichOneof("condition_type") == "exists":
        what = "update" if condition.exists else "create"
    shown = {field: fire_plain(value) for field, value in sorted(write.update.fields.items())}
    transforms = [*write.update_transforms, *write.transform.field_transforms]
    changes = {each.field_path: each.WhichOneof("transform_type") for each in transforms}
    record(
        "request", f"google firestore.{what}", _short(name), shown, *([changes] if changes else [])
    )
    before = _document(name) if has_mask or write.transform.document else None
    kept = _made_document(name, before.fields if before is not None else {})
    if has_mask:
        for path in write.update_mask.field_paths:
            _set_field(kept.fields, path, _field(write.update.fields, path))
    elif not write.transform.document:
        for field, value in write.update.fields.items():
            kept.fields[field].CopyFrom(value)
    results = [_transform(kept, each) for each in transforms]
    DocumentWorld.written[name] = kept
    return results


def _transform(document: Any, change: Any) -> Any:
    kind = change.WhichOneof("transform_type")
    before = _field(document.fields, change.field_path)
    number = fire_plain(before) if before is not None else None
    number = number if isinstance(number, (int, float)) else 0
    held = list(before.array_value.values) if before is not None else []
    if kind == "set_to_server_value":
        made = fire_value(None)
        made.timestamp_value.FromSeconds(_SECONDS)
    elif kind == "append_missing_elements":
        made = fire_value([])
        made.array_value.values.extend(held)
        made.array_value.values.extend(
            each for each in change.append_missing_elements.values if each not in held
        )
    elif kind == "remove_all_from_array":
        gone = list(change.remove_all_from_array.values)
        made = fire_value([])
        made.array_value.values.extend(each for each in held if each not in gone)
    else:
        other = fire_plain(getattr(change, kind))
        changed = {"increment": number + other, "maximum": max(number, other)}
        made = fire_value(changed.get(kind, min(number, other)))
    _set_field(document.fields, change.field_path, made)
    return made
