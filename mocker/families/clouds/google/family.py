"""Google Cloud: clients of storage, messages, secrets and tables stay real, over fake answers."""

from __future__ import annotations

from typing import cast

from ....answers.services.http_defaults import object_contents
from ....contacts import Border, Contact, Family, Mock, ModuleTreatment
from ....shapes.answer_shape import variants_at

_STORAGE = ("google.cloud.storage",)
_MESSAGES = ("google.cloud.pubsub", "google.cloud.pubsub_v1")
_SECRETS = ("google.cloud.secretmanager", "google.cloud.secretmanager_v1")
_ACCOUNTS = ("google.auth", "google.oauth2")
_ALL = (*_STORAGE, *_MESSAGES, *_SECRETS, *_ACCOUNTS)
_CLIENTS = (
    "google.cloud.storage.Client()", "google.cloud.storage.client.Client()",
    "google.cloud.storage.Client.from_service_account_json()",
)  # fmt: skip
_BUCKETS = (
    *(f"{client}.{how}()" for client in _CLIENTS for how in ("bucket", "get_bucket")),
    "google.cloud.storage.Bucket()", "firebase_admin.storage.bucket()",
)  # fmt: skip
_LISTED = (
    *(f"{bucket}.list_blobs()[]" for bucket in _BUCKETS),
    *(f"{client}.list_blobs()[]" for client in _CLIENTS),
)
_BLOBS = (*(f"{bucket}.{how}()" for bucket in _BUCKETS for how in ("blob", "get_blob")), *_LISTED)
_READS = (
    "download_as_text()", "download_as_string()", "download_as_bytes()", "open()", "open().read()",
)  # fmt: skip
_OBJECTS = tuple(f"{blob}.{read}" for blob in _BLOBS for read in _READS)
_PULLED = tuple(
    f"{module}.{path}.data"
    for module in _MESSAGES
    for path in (
        "SubscriberClient().pull().received_messages[].message",
        "subscriber.message.Message()",
    )
)
_SECRET = tuple(
    f"{module}.SecretManagerServiceClient().access_secret_version().payload.data"
    for module in _SECRETS
)


def applies(border: Border) -> tuple[Contact, ...]:
    """Return the contacts with these libraries."""
    return border.named(*_ALL)


def stub(border: Border, contacts: tuple[Contact, ...]) -> Mock:
    """Objects, messages and secrets exist when they are read, until the slice changes them."""
    del contacts
    setup, pieces = [f"google_accounts({_claims(border)!r})\n"], ["google_accounts"]
    if border.named(*_STORAGE):
        contents = object_contents(border, _STORAGE, _OBJECTS)
        setup.append(f"google_objects({contents!r}, {_names(border)!r})\n")
        pieces.append("google_objects")
    if border.named(*_MESSAGES):
        setup.append(f"google_messages({object_contents(border, _MESSAGES, _PULLED)!r})\n")
        pieces.append("google_messages")
    if border.named(*_SECRETS):
        setup.append(f"google_secrets({object_contents(border, _SECRETS, _SECRET)!r})\n")
        pieces.append("google_secrets")
    why = "its services are answered in this process, below HTTP and gRPC"
    treated = [ModuleTreatment(name, "faked", why) for name in _ALL if border.named(name)]
    return Mock(treated=tuple(treated), setup="".join(setup), pieces=tuple(pieces))


def _names(border: Border) -> list[str]:
    """Return the names of objects in a listing before anything is written."""
    found = variants_at(border, *(f"{each}.name" for each in _LISTED), kind="text")[0].value
    name = found if isinstance(found, str) and found else "object-1"
    name = f"object-1{name}" if name.startswith(".") else name
    return [name, name.replace("1", "2", 1)] if "1" in name else [name]


def _claims(border: Border) -> dict[str, object]:
    places = tuple(
        f"google.oauth2.id_token.{name}()" for name in ("verify_oauth2_token", "verify_token")
    )
    found = variants_at(border, *places)
    return {v.name: cast("object", v.value) for v in found if isinstance(v.value, dict)}


FAMILY = Family("google cloud", stub, applies)
