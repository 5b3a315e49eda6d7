"""Firestore and Firebase: their clients stay real, over documents, users and messages in memory."""

from __future__ import annotations

from typing import cast

from ....contacts import Border, Contact, Family, Mock, ModuleTreatment
from ....shapes.answer_shape import variants_at

_DOCUMENTS = ("google.cloud.firestore", "google.cloud.firestore_v1")
_FIREBASE = "firebase_admin"
_CLIENTS = (
    *(f"{module}.{kind}()" for module in _DOCUMENTS for kind in ("Client", "AsyncClient")),
    "firebase_admin.firestore.client()", "firebase_admin.firestore_async.client()",
)  # fmt: skip
_SNAPSHOTS = (
    "collection().document().get()", "document().get()", "collection().get()[]",
    "collection().stream()[]", "collection().where().get()[]", "collection().where().stream()[]",
    "collection().where().limit().get()[]", "collection().where().limit().stream()[]",
    "collection().order_by().stream()[]", "collection().order_by().limit().stream()[]",
    "collection().where().where().stream()[]", "collection().document().collection().stream()[]",
    "collection().document().collection().document().get()",
)  # fmt: skip
_DATABASE = ("firebase_admin.db.reference().get()", "firebase_admin.db.reference().child().get()")
_CLAIMS = ("firebase_admin.auth.verify_id_token()",)


def applies(border: Border) -> tuple[Contact, ...]:
    """Return the contacts with Firestore and the Firebase library."""
    return border.named(*_DOCUMENTS, _FIREBASE)


def stub(border: Border, contacts: tuple[Contact, ...]) -> Mock:
    """Documents exist when they are read; writes and deletions persist."""
    del contacts
    documents = _documents(border)
    setup = [
        "google_accounts()\n",
        f"google_documents({documents!r}, {['document-1', 'document-2']!r})\n",
    ]
    pieces = ["google_accounts", "google_documents"]
    if border.named(_FIREBASE):
        values = {v.name: v.value for v in variants_at(border, *_DATABASE, kind="json")}
        claims = _dictionaries(border, *_CLAIMS)
        setup.append(f"firebase({values!r}, {claims!r})\n")
        pieces.append("firebase")
        if border.named("firebase_admin.storage"):
            setup.append("google_objects({'default': ''}, ['object-1'])\n")
            pieces.append("google_objects")
    why = "its services are answered in this process, below HTTP and gRPC"
    treated = [
        ModuleTreatment(n, "faked", why) for n in (*_DOCUMENTS, _FIREBASE) if border.named(n)
    ]
    return Mock(treated=tuple(treated), setup="".join(setup), pieces=tuple(pieces))


def _documents(border: Border) -> dict[str, object]:
    """Return the fields of a document, by variant: read as a dictionary, or one by one."""
    snapshots = [f"{client}.{path}" for client in _CLIENTS for path in _SNAPSHOTS]
    return {"default": {}, **_dictionaries(border, *(f"{each}.to_dict()" for each in snapshots))}


def _dictionaries(border: Border, *places: str) -> dict[str, object]:
    found = variants_at(border, *places)
    return {v.name: cast("object", v.value) for v in found if isinstance(v.value, dict)}


FAMILY = Family("firestore", stub, applies)
