"""Google's clouds: clients of storage, messages, secrets and tables stay real, above what answers."""

from __future__ import annotations

from typing import cast

from ....answers.services.http_sites import object_contents
from ....contacts import Border, Contact, Example, Family, Mock, Treated
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
    """Anything of these libraries."""
    return border.named(*_ALL)


def stub(border: Border, contacts: tuple[Contact, ...]) -> Mock:
    """Objects, messages and secrets are there when asked for, until the slice says otherwise."""
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
    treated = [Treated(name, "faked", why) for name in _ALL if border.named(name)]
    return Mock(treated=tuple(treated), setup="".join(setup), pieces=tuple(pieces))


def _names(border: Border) -> list[str]:
    """Names of objects that a listing gives, where nobody has written."""
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


EXAMPLES: tuple[Example, ...] = (
    Example(
        title="a report that is kept in a bucket",
        source="""\
import json

from google.cloud import storage
from google.cloud.exceptions import NotFound


class Reports:
    def __init__(self, bucket_name):
        self.client = storage.Client()
        self.bucket = self.client.bucket(bucket_name)

    def load(self, day):
        try:
            return json.loads(self.bucket.blob(f"reports/{day}.json").download_as_text())
        except NotFound:
            return None

    def add(self, day, amount):
        report = self.load(day) or {"total": 0}
        report["total"] += amount
        blob = self.bucket.blob(f"reports/{day}.json")
        blob.upload_from_string(json.dumps(report), content_type="application/json")
        return self.load(day)["total"], blob.exists(), blob.size
""",
        target="Reports.add",
        call="Reports('sales').add('2024-01-02', 5)",
        gives="(6, True, 12)",
        effects=(
            "query google storage.objects.get",
            "request google storage.objects.insert",
            "query google storage.objects.get",
            "query google storage.objects.get",
        ),
        needs=("google.cloud.storage",),
    ),
    Example(
        title="files up and down, and what a bucket holds",
        source="""\
import os

from google.api_core.exceptions import Conflict
from google.cloud import storage


def backup(folder, bucket_name):
    client = storage.Client.from_service_account_json("key.json")
    try:
        bucket = client.create_bucket(bucket_name, location="EU")
    except Conflict:
        bucket = client.get_bucket(bucket_name)
    os.makedirs(folder)
    for name in ("a.txt", "sub/b.txt"):
        path = os.path.join(folder, os.path.basename(name))
        with open(path, "w") as file:
            file.write(name)
        blob = bucket.blob(f"backup/{name}")
        blob.metadata = {"from": "here"}
        blob.upload_from_filename(path)
    bucket.copy_blob(bucket.blob("backup/a.txt"), bucket, "copy/a.txt")
    names = [(blob.name, blob.size) for blob in client.list_blobs(bucket_name, prefix="backup/")]
    found = client.list_blobs(bucket_name, delimiter="/")
    top, folders = list(found), sorted(found.prefixes)
    bucket.blob("backup/sub/b.txt").download_to_filename("b.txt")
    with open("b.txt") as file:
        text = file.read()
    bucket.delete_blobs([blob for blob in bucket.list_blobs(prefix="copy/")])
    blob = bucket.get_blob("backup/a.txt")
    return names, top, folders, text, blob.metadata, bucket.get_blob("copy/a.txt")
""",
        target="backup",
        call="backup('files', 'b')",
        gives="([('backup/a.txt', 5), ('backup/sub/b.txt', 9)], [], ['backup/', 'copy/'], 'sub/b.txt', {'from': 'here'}, None)",
        effects=(
            "request google storage.buckets.insert",
            "request google storage.objects.insert",
            "request google storage.objects.insert",
            "request google storage.objects.copy",
            "query google storage.objects.list",
            "query google storage.objects.list",
            "query google storage.objects.get",
            "query google storage.objects.list",
            "request google storage.objects.delete",
            "query google storage.objects.get",
            "query google storage.objects.get",
        ),
        needs=("google.cloud.storage",),
    ),
    Example(
        title="what other programs have put into a bucket",
        source="""\
import csv
import io

from google.cloud import storage
from google.cloud.exceptions import NotFound

client = storage.Client()


def prices(bucket, prefix):
    found = {}
    for blob in client.bucket(bucket).list_blobs(prefix=prefix):
        if not blob.name.endswith(".csv"):
            continue
        try:
            text = blob.download_as_bytes().decode("utf-8")
        except NotFound:
            continue
        for row in csv.DictReader(io.StringIO(text)):
            found[blob.name, row["id"]] = float(row["price"])
    return len(found), sorted({name for name, _ in found})
""",
        target="prices",
        call="prices('shop', 'in/')",
        gives="(4, ['in/object-1.csv', 'in/object-2.csv'])",
        effects=(
            "query google storage.objects.list",
            "query google storage.objects.get",
            "query google storage.objects.get",
        ),
        needs=("google.cloud.storage",),
    ),
    Example(
        title="messages that are published and pulled",
        source="""\
import json
from concurrent import futures

from google.api_core.exceptions import AlreadyExists
from google.cloud import pubsub_v1


class Queue:
    def __init__(self, project, topic, subscription):
        self.publisher = pubsub_v1.PublisherClient()
        self.subscriber = pubsub_v1.SubscriberClient()
        self.topic = self.publisher.topic_path(project, topic)
        self.subscription = self.subscriber.subscription_path(project, subscription)
        try:
            self.publisher.create_topic(request={"name": self.topic})
            self.subscriber.create_subscription(
                request={"name": self.subscription, "topic": self.topic}
            )
        except AlreadyExists:
            pass

    def send(self, *values):
        sent = [
            self.publisher.publish(self.topic, json.dumps({"v": v}).encode(), kind="value")
            for v in values
        ]
        futures.wait(sent)
        return [each.result() for each in sent]

    def receive(self, count):
        reply = self.subscriber.pull(
            request={"subscription": self.subscription, "max_messages": count}
        )
        values = []
        for received in reply.received_messages:
            values.append(json.loads(received.message.data)["v"])
        if values:
            self.subscriber.acknowledge(
                request={
                    "subscription": self.subscription,
                    "ack_ids": [received.ack_id for received in reply.received_messages],
                }
            )
        return values

    def all(self):
        return self.send(1, 2, 3), self.receive(2), self.receive(2), self.receive(2)
""",
        target="Queue.all",
        call="Queue('p', 't', 's').all()",
        gives="(['1', '2', '3'], [1, 2], [3], [])",
        effects=(
            "request google pubsub.create_topic", "request google pubsub.create_subscription",
            "request google pubsub.publish", "request google pubsub.publish",
            "request google pubsub.publish", "query google pubsub.pull",
            "request google pubsub.acknowledge", "query google pubsub.pull",
            "request google pubsub.acknowledge", "query google pubsub.pull",
        ),
        needs=("google.cloud.pubsub_v1",),
    ),
    Example(
        title="a callback for each message",
        source="""\
import json
from concurrent.futures import TimeoutError

from google.cloud import pubsub_v1

seen = []


def callback(message: pubsub_v1.subscriber.message.Message) -> None:
    seen.append(json.loads(message.data.decode("utf-8"))["order"] + 1)
    message.ack()


def listen(project, name, timeout=5.0):
    subscriber = pubsub_v1.SubscriberClient()
    path = subscriber.subscription_path(project, name)
    future = subscriber.subscribe(path, callback=callback)
    with subscriber:
        try:
            future.result(timeout=timeout)
        except TimeoutError:
            future.cancel()
    return seen
""",
        target="listen",
        call="listen('p', 's')",
        gives="[2]",
        effects=("query google pubsub.subscribe", "request google pubsub.acknowledge"),
        needs=("google.cloud.pubsub_v1",),
    ),
    Example(
        title="secrets, by version",
        source="""\
import json

import google.auth
from google.api_core import exceptions
from google.cloud import secretmanager


def settings(name, version="latest"):
    _, project = google.auth.default()
    client = secretmanager.SecretManagerServiceClient()
    path = f"projects/{project}/secrets/{name}/versions/{version}"
    try:
        reply = client.access_secret_version(request={"name": path})
    except exceptions.NotFound:
        return None
    return json.loads(reply.payload.data.decode("UTF-8"))["host"]


def rotate(name, host):
    client = secretmanager.SecretManagerServiceClient()
    parent = client.secret_path("project", name)
    payload = {"data": json.dumps({"host": host}).encode()}
    before = settings(name)
    client.add_secret_version(request={"parent": parent, "payload": payload})
    return before, settings(name), settings(name, 7)
""",
        target="rotate",
        call="rotate('db', 'there')",
        gives="('host-1', 'there', None)",
        effects=(
            "query google secretmanager.access", "request google secretmanager.add_version",
            "query google secretmanager.access", "query google secretmanager.access",
        ),
        needs=("google.cloud.secretmanager",),
    ),
    Example(
        title="who has signed in",
        source="""\
from google.auth.transport import requests
from google.oauth2 import id_token

CLIENT_ID = "app.apps.googleusercontent.com"


def sign_in(token, domain):
    try:
        info = id_token.verify_oauth2_token(token, requests.Request(), CLIENT_ID)
    except ValueError:
        return "nobody"
    if info["iss"] not in ("accounts.google.com", "https://accounts.google.com"):
        raise PermissionError(info["iss"])
    return info["email"].endswith(domain), info["aud"] == CLIENT_ID
""",
        target="sign_in",
        call="(sign_in('t', ''), __import__('slice_func_mocks').choose(**{'google id token': 'invalid'}), sign_in('t', ''))",
        gives="((True, True), None, 'nobody')",
        needs=("google.oauth2.id_token",),
    ),
)  # fmt: skip

FAMILY = Family("google cloud", applies, stub, EXAMPLES)
