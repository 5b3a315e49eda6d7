"""Firestore's documents: those that are written, and those that are there when asked for."""

from __future__ import annotations

from typing import Any

from .....world.core.world import chosen, record
from .....world.google.google_channel import GrpcRefusal
from .google_document_values import _raw, _types, fire_value

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
