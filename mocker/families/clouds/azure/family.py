"""Azure: its clients of blobs, queues, secrets and buses stay real, over answers in memory."""

from __future__ import annotations

from ....answers.services.http_defaults import object_contents
from ....contacts import Border, Contact, Family, Mock, ModuleTreatment
from ....shapes.answer_shape import variants_at

_BLOBS = "azure.storage.blob"
_QUEUES = "azure.storage.queue"
_SECRETS = "azure.keyvault.secrets"
_BUS = "azure.servicebus"
_ACCOUNTS = ("azure.core", "azure.identity")
_ALL = (_BLOBS, _QUEUES, _SECRETS, _BUS, *_ACCOUNTS)


def _made(module: str, name: str, *more: str) -> tuple[str, ...]:
    """Return the places of a client, for each way to construct it, sync and async."""
    return tuple(
        f"{module}{kind}.{name}{how}()"
        for kind in ("", ".aio")
        for how in ("", ".from_connection_string", *more)
    )


_SERVICES = _made(_BLOBS, "BlobServiceClient")
_CONTAINERS = (
    *_made(_BLOBS, "ContainerClient", ".from_container_url"),
    *(f"{service}.get_container_client()" for service in _SERVICES),
)
_OBJECTS = tuple(
    f"{each}.{read}"
    for each in (
        *(f"{one}.download_blob()" for one in _made(_BLOBS, "BlobClient", ".from_blob_url")),
        *(f"{service}.get_blob_client().download_blob()" for service in _SERVICES),
        *(f"{container}.get_blob_client().download_blob()" for container in _CONTAINERS),
        *(f"{container}.download_blob()" for container in _CONTAINERS),
    )
    for read in ("readall()", "content_as_text()", "content_as_bytes()")
)
_NAMES = tuple(f"{container}.list_blobs()[].name" for container in _CONTAINERS)
_QUEUED = tuple(
    f"{client}.{how}.content"
    for client in (
        *_made(_QUEUES, "QueueClient"),
        *(f"{one}.get_queue_client()" for one in _made(_QUEUES, "QueueServiceClient")),
    )
    for how in ("receive_messages()[]", "receive_message()", "peek_messages()[]")
)
_SECRET = tuple(f"{client}.get_secret().value" for client in _made(_SECRETS, "SecretClient"))
_RECEIVED = tuple(
    f"{client}.{receiver}().{how}{body}"
    for client in _made(_BUS, "ServiceBusClient")
    for receiver in ("get_queue_receiver", "get_subscription_receiver")
    for how in ("receive_messages()[]", "__next__()")
    for body in ("", ".body")
)


def applies(border: Border) -> tuple[Contact, ...]:
    """Return the contacts with these libraries."""
    return border.named(*_ALL)


def stub(border: Border, contacts: tuple[Contact, ...]) -> Mock:
    """Blobs, messages and secrets exist when they are read, until the slice changes them."""
    del contacts
    setup, pieces = ["azure_accounts()\n"], ["azure_accounts"]
    if border.named(_BLOBS):
        contents = object_contents(border, (_BLOBS,), _OBJECTS)
        setup.append(f"azure_blobs({contents!r}, {_names(border)!r})\n")
        pieces.append("azure_storage")
    if border.named(_QUEUES):
        setup.append(f"azure_queues({object_contents(border, (_QUEUES,), _QUEUED)!r})\n")
        pieces.append("azure_storage")
    if border.named(_SECRETS):
        setup.append(f"azure_secrets({object_contents(border, (_SECRETS,), _SECRET)!r})\n")
        pieces.append("azure_secrets")
    if border.named(_BUS):
        setup.append(f"azure_bus({object_contents(border, (_BUS,), _RECEIVED)!r})\n")
        pieces.append("azure_bus")
    why = "its services are answered in this process, below the pipeline of its requests"
    treated = [ModuleTreatment(name, "faked", why) for name in _ALL if border.named(name)]
    return Mock(treated=tuple(treated), setup="".join(setup), pieces=tuple(dict.fromkeys(pieces)))


def _names(border: Border) -> list[str]:
    """Return the names of blobs in a listing before anything is written."""
    found = variants_at(border, *_NAMES, kind="text")[0].value
    name = found if isinstance(found, str) and found else "blob-1"
    name = f"blob-1{name}" if name.startswith(".") else name
    return [name, name.replace("1", "2", 1)] if "1" in name else [name]


FAMILY = Family("azure", stub, applies)
