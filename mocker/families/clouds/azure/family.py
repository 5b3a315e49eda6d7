"""Azure's clouds: clients of blobs, queues, secrets and buses stay real, above what answers."""

from __future__ import annotations

from ....answers.services.http_sites import object_contents
from ....contacts import Border, Contact, Example, Family, Mock, Treated
from ....shapes.answer_shape import variants_at

_BLOBS = "azure.storage.blob"
_QUEUES = "azure.storage.queue"
_SECRETS = "azure.keyvault.secrets"
_BUS = "azure.servicebus"
_ACCOUNTS = ("azure.core", "azure.identity")
_ALL = (_BLOBS, _QUEUES, _SECRETS, _BUS, *_ACCOUNTS)


def _made(module: str, name: str, *more: str) -> tuple[str, ...]:
    """Places of a client, however it is made: with the library's two kinds."""
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
    """Anything of these libraries."""
    return border.named(*_ALL)


def stub(border: Border, contacts: tuple[Contact, ...]) -> Mock:
    """Blobs, messages and secrets are there when asked for, until the slice says otherwise."""
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
    treated = [Treated(name, "faked", why) for name in _ALL if border.named(name)]
    return Mock(treated=tuple(treated), setup="".join(setup), pieces=tuple(dict.fromkeys(pieces)))


def _names(border: Border) -> list[str]:
    """Names of blobs that a listing gives, where nobody has written."""
    found = variants_at(border, *_NAMES, kind="text")[0].value
    name = found if isinstance(found, str) and found else "blob-1"
    name = f"blob-1{name}" if name.startswith(".") else name
    return [name, name.replace("1", "2", 1)] if "1" in name else [name]


EXAMPLES: tuple[Example, ...] = (
    Example(
        title="state that is kept in a blob",
        source="""\
import json
import os

from azure.core.exceptions import ResourceExistsError, ResourceNotFoundError
from azure.storage.blob import BlobServiceClient, ContentSettings


class State:
    def __init__(self, container="state"):
        self.service = BlobServiceClient.from_connection_string(
            os.environ["AZURE_STORAGE_CONNECTION_STRING"]
        )
        self.container = self.service.get_container_client(container)
        try:
            self.container.create_container()
        except ResourceExistsError:
            pass

    def load(self, name):
        try:
            return json.loads(self.container.download_blob(name).readall())
        except ResourceNotFoundError as error:
            return {"count": 0, "why": error.error_code}

    def bump(self, name):
        state = self.load(name)
        blob = self.service.get_blob_client("state", name)
        settings = ContentSettings(content_type="application/json")
        state["count"] += 1
        blob.upload_blob(json.dumps(state), overwrite=True, content_settings=settings)
        kind = blob.get_blob_properties().content_settings.content_type
        return self.load(name), kind, [each.name for each in self.container.list_blobs()]
""",
        target="State.bump",
        call="State().bump('a/b.json')",
        gives="({'count': 1, 'why': 'BlobNotFound'}, 'application/json', ['a/b.json'])",
        effects=(
            "request azure blob.create_container", "query azure blob.download",
            "request azure blob.upload", "query azure blob.properties",
            "query azure blob.download", "query azure blob.list",
        ),
        needs=("azure.storage.blob",),
    ),
    Example(
        title="blobs that another program wrote",
        source="""\
import csv
import io

from azure.core.exceptions import ResourceNotFoundError
from azure.identity import DefaultAzureCredential
from azure.storage.blob import ContainerClient


def total(account, container):
    client = ContainerClient(
        f"https://{account}.blob.core.windows.net", container, DefaultAzureCredential()
    )
    found = {}
    for blob in client.list_blobs(name_starts_with="daily/"):
        try:
            text = client.get_blob_client(blob).download_blob().readall().decode("utf-8")
        except ResourceNotFoundError:
            continue
        rows = csv.DictReader(io.StringIO(text))
        found[blob.name] = sum(float(row["amount"]) for row in rows)
    return found


def all_of(account):
    return total(account, "sales"), client_missing(account)


def client_missing(account):
    client = ContainerClient(f"https://{account}.blob.core.windows.net", "c", "a2V5")
    blob = client.get_blob_client("x")
    blob.upload_blob(b"0123456789", metadata={"by": "me"})
    try:
        blob.upload_blob(b"again")
    except Exception as error:
        refused = type(error).__name__
    part = blob.download_blob(offset=2, length=3).readall()
    copy = client.get_blob_client("y")
    status = copy.start_copy_from_url(blob.url)["copy_status"]
    blob.delete_blob()
    return refused, part, status, blob.exists(), copy.exists(), copy.get_blob_properties().metadata
""",
        target="all_of",
        call="all_of('acc')",
        gives="({'daily/blob-1': 4.0, 'daily/blob-2': 4.0}, ('ResourceExistsError', b'234', 'success', False, True, {'by': 'me'}))",
        effects=(
            "query azure blob.list", "query azure blob.download", "query azure blob.download",
            "request azure blob.upload", "request azure blob.upload", "query azure blob.download",
            "request azure blob.copy", "request azure blob.delete", "query azure blob.properties",
            "query azure blob.properties", "query azure blob.properties",
        ),
        needs=("azure.storage.blob", "azure.identity"),
    ),
    Example(
        title="work that waits in a queue",
        source="""\
import json

from azure.core.exceptions import ResourceNotFoundError
from azure.storage.queue import QueueClient


class Worker:
    def __init__(self, name):
        self.queue = QueueClient.from_connection_string("UseDevelopmentStorage", name)

    def put(self, *jobs):
        for job in jobs:
            self.queue.send_message(json.dumps({"job": job}))

    def work(self):
        done = []
        for message in self.queue.receive_messages(messages_per_page=5, visibility_timeout=60):
            done.append(json.loads(message.content)["job"])
            self.queue.delete_message(message)
        return done

    def run(self):
        first = self.work()
        self.put("a", "b <1>")
        waiting = self.queue.get_queue_properties().approximate_message_count
        seen = [each.content for each in self.queue.peek_messages(max_messages=1)]
        second = self.work()
        try:
            self.queue.delete_message("no-such-message", "receipt")
        except ResourceNotFoundError as error:
            return first, waiting, seen, second, error.status_code
""",
        target="Worker.run",
        call="Worker('jobs').run()",
        gives="""(['job-1'], 2, ['{"job": "a"}'], ['a', 'b <1>'], 404)""",
        effects=(
            "query azure queue.receive", "request azure queue.delete", "query azure queue.receive",
            "request azure queue.send", "request azure queue.send",
            "query azure queue.properties", "query azure queue.peek",
            "query azure queue.receive", "request azure queue.delete",
            "request azure queue.delete", "query azure queue.receive",
            "request azure queue.delete",
        ),
        needs=("azure.storage.queue",),
    ),
    Example(
        title="secrets of a vault",
        source="""\
import json

from azure.core.exceptions import HttpResponseError, ResourceNotFoundError
from azure.identity import ClientSecretCredential
from azure.keyvault.secrets import SecretClient


def login(vault, name):
    credential = ClientSecretCredential("tenant", "client", "secret")
    client = SecretClient(vault_url=f"https://{vault}.vault.azure.net/", credential=credential)
    try:
        value = json.loads(client.get_secret(name).value)["password"]
    except ResourceNotFoundError as error:
        return error.message.partition(")")[0]
    client.set_secret(name, json.dumps({"password": value + "!"}))
    again = client.get_secret(name)
    return again.value, again.name, [each.name for each in client.list_properties_of_secrets()]
""",
        target="login",
        call="(login('v', 'db'), __import__('slice_func_mocks').choose(**{'azure.secret': 'missing'}), login('v', 'other'))",
        gives="""(('{"password": "password-1!"}', 'db', ['db']), None, '(SecretNotFound')""",
        effects=(
            "query azure secret.get", "request azure secret.set", "query azure secret.get",
            "query azure secret.list", "query azure secret.get",
        ),
        needs=("azure.keyvault.secrets", "azure.identity"),
    ),
    Example(
        title="messages on a bus",
        source="""\
import json

from azure.servicebus import ServiceBusClient, ServiceBusMessage


class Orders:
    def __init__(self, connection, queue="orders"):
        self.client = ServiceBusClient.from_connection_string(connection)
        self.queue = queue

    def send(self, *orders):
        with self.client.get_queue_sender(self.queue) as sender:
            batch = sender.create_message_batch()
            for order in orders:
                batch.add_message(
                    ServiceBusMessage(json.dumps(order), application_properties={"v": 1}, subject="o")
                )
            sender.send_messages(batch)

    def receive(self):
        found = []
        with self.client.get_queue_receiver(self.queue, max_wait_time=5) as receiver:
            for message in receiver:
                order = json.loads(str(message))
                if order["amount"] < 0:
                    receiver.dead_letter_message(message, reason="negative")
                    continue
                found.append((order["amount"], message.subject))
                receiver.complete_message(message)
        return found

    def both(self):
        self.send({"amount": 1}, {"amount": -1}, {"amount": 2})
        return self.receive(), self.receive()
""",
        target="Orders.both",
        call="Orders('text').both()",
        gives="([(1, 'o'), (2, 'o')], [])",
        effects=(
            "request azure bus.send", "request azure bus.send", "request azure bus.send",
            "query azure bus.receive", "request azure bus.complete", "query azure bus.receive",
            "request azure bus.dead-letter", "query azure bus.receive",
            "request azure bus.complete", "query azure bus.receive", "query azure bus.receive",
        ),
        needs=("azure.servicebus",),
    ),
    Example(
        title="blobs and messages that are awaited",
        source="""\
from azure.core.exceptions import ResourceNotFoundError
from azure.identity.aio import DefaultAzureCredential
from azure.servicebus import ServiceBusMessage
from azure.servicebus.aio import ServiceBusClient
from azure.storage.blob.aio import BlobServiceClient


async def publish(name, text):
    async with DefaultAzureCredential() as credential:
        async with BlobServiceClient("https://a.blob.core.windows.net", credential) as service:
            blob = service.get_blob_client("pages", name)
            await blob.upload_blob(text, overwrite=True)
            stream = await blob.download_blob()
            data = await stream.readall()
            container = service.get_container_client("pages")
            names = [each.name async for each in container.list_blobs()]
            await blob.delete_blob()
            try:
                await blob.get_blob_properties()
            except ResourceNotFoundError:
                names.append("gone")
        async with ServiceBusClient("ns.servicebus.windows.net", credential) as client:
            async with client.get_topic_sender("pages") as sender:
                await sender.send_messages(ServiceBusMessage(name))
            async with client.get_subscription_receiver("pages", "all") as receiver:
                messages = await receiver.receive_messages(max_message_count=5, max_wait_time=1)
                for message in messages:
                    await receiver.complete_message(message)
    return data, names, [str(message) for message in messages]
""",
        target="publish",
        call="await publish('a.html', 'text')",
        gives="(b'text', ['a.html', 'gone'], ['a.html'])",
        effects=(
            "request azure blob.upload", "query azure blob.download", "query azure blob.list",
            "request azure blob.delete", "query azure blob.properties", "request azure bus.send",
            "query azure bus.receive", "request azure bus.complete",
        ),
        needs=("azure.storage.blob", "azure.servicebus", "azure.identity", "aiohttp"),
    ),
)  # fmt: skip

FAMILY = Family("azure", applies, stub, EXAMPLES)
