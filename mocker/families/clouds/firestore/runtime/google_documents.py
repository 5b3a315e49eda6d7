"""Firestore in this process: documents that are there when asked for, queries, and what is written."""

from __future__ import annotations

from typing import Any

from .....world.core.on_import import on_import
from .....world.core.world import record, replace, restart_with
from .....world.google.google_channel import GrpcRefusal, google_channels
from .google_document_queries import _aggregate, _list_documents, _run_query
from .google_document_store import (
    _SECONDS,
    DocumentWorld,
    _batch_get,
    _collection_ids,
    _document,
    _get_one,
    _made_document,
    _short,
    _transaction,
)
from .google_document_values import _field, _raw, _set_field, _types, fire_plain, fire_value


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
