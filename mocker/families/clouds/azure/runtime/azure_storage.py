"""Azure's blobs and queues in this process: their REST interface, over what is there when asked for."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit
from xml.sax.saxutils import escape, unescape

from .....world.core.world import chosen, record, restart_with
from .....world.data.object_store import ObjectStore, StoredObject, grouped_names
from .....world.network.http_answers import shown_bytes
from .....world.network.session_servers import Sent, Served, byte_range
from .azure_accounts import azure_services

_BLOB_DATE = "Thu, 01 Jan 2026 12:00:00 GMT"
_XML = {"Content-Type": "application/xml"}
_SAID = {
    "x-ms-request-id": "00000000-0000-0000-0000-000000000000",
    "x-ms-version": "2025-01-05",
    "Date": _BLOB_DATE,
}


def azure_blobs(contents: dict[str, Any], names: list[str]) -> None:
    """Answer blob storage; what nobody has written holds one of these contents."""
    store = ObjectStore("azure.blob", contents, names)
    blocks: dict[Any, dict[str, bytes]] = {}
    restart_with(blocks.clear)
    azure_services["storage-blob"] = lambda sent: _answer_blobs(store, blocks, sent)


def _azure_path(sent: Sent) -> list[str]:
    """The parts of a path, without the account where it stands there."""
    parts = [part for part in sent.path.strip("/").split("/") if part]
    return parts[1:] if _names_account(sent.host) else parts


def _names_account(host: str) -> bool:
    """Whether paths at this host begin with the name of an account: it is an emulator."""
    return re.match(r"127\.|localhost|\[::1\]|azurite", host) is not None


def azure_refusal(status: int, code: str, message: str = "") -> Served:
    """An error as Azure's storage tells it."""
    text = f"<?xml version='1.0' encoding='utf-8'?><Error><Code>{code}</Code><Message>{escape(message or code)}</Message></Error>"
    return Served(status, {**_XML, **_SAID, "x-ms-error-code": code}, text.encode())


def _no_blob() -> Served:
    return azure_refusal(404, "BlobNotFound", "The specified blob does not exist.")


def _no_container() -> Served:
    return azure_refusal(404, "ContainerNotFound", "The specified container does not exist.")


def _answer_blobs(store: ObjectStore, blocks: Any, sent: Sent) -> Served:
    parts = _azure_path(sent)
    what = sent.query.get("comp", "")
    if what == "batch":
        return _batched_blobs(store, blocks, sent)
    if not parts:
        return _account(store, sent)
    container, name = parts[0], "/".join(parts[1:])
    if not name:
        return _container(store, sent, container, what)
    where = f"{container}/{name}"
    match sent.method, what:
        case "PUT", "":
            return _put_blob(store, sent, container, name)
        case "PUT", "block":
            blocks.setdefault(where, {})[sent.query["blockid"]] = sent.body
            return Served(201, {**_SAID})
        case "PUT", "blocklist":
            ids = re.findall(r"<(?:Latest|Uncommitted|Committed)>(.*?)</", sent.body.decode())
            held = blocks.pop(where, {})
            content = b"".join(held.get(each, b"") for each in ids)
            return _keep_blob(store, sent, container, name, content)
        case "PUT", "appendblock":
            found = store.get(container, name)
            before = found.content if found and (container, name) in store.written else b""
            record("request", "azure blob.append", where, shown_bytes(sent.body))
            kept = store.put(
                container, name, StoredObject(before + sent.body, found.kind if found else "")
            )
            kept.said["x-ms-blob-type"] = "AppendBlob"
            return Served(
                201,
                {
                    **_SAID,
                    **_blob_headers(kept),
                    "x-ms-blob-append-offset": str(len(before)),
                    "x-ms-blob-committed-block-count": "1",
                },
            )
        case "PUT", _:
            return _change_blob(store, sent, container, name, what)
        case "DELETE", _:
            record("request", "azure blob.delete", where)
            return Served(202, dict(_SAID)) if store.delete(container, name) else _no_blob()
        case _:
            return _get_blob(store, sent, container, name)


def _account(store: ObjectStore, sent: Sent) -> Served:
    if sent.query.get("comp") != "list":
        return Served(
            200, {**_SAID, "x-ms-sku-name": "Standard_LRS", "x-ms-account-kind": "StorageV2"}
        )
    record("query", "azure blob.list_containers")
    names = sorted({*store.made, *(bucket for bucket, _ in store.written)} - store.removed)
    prefix = sent.query.get("prefix", "")
    items = "".join(
        f"<Container><Name>{escape(n)}</Name><Properties><Last-Modified>{_BLOB_DATE}</Last-Modified><Etag>1</Etag></Properties></Container>"
        for n in names
        if n.startswith(prefix)
    )
    text = f"<?xml version='1.0' encoding='utf-8'?><EnumerationResults><Containers>{items}</Containers><NextMarker/></EnumerationResults>"
    return Served(200, {**_XML, **_SAID}, text.encode())


def _container(store: ObjectStore, sent: Sent, container: str, what: str) -> Served:
    if what == "list":
        return _blob_list(store, sent, container)
    said = {**_SAID, "ETag": '"1"', "Last-Modified": _BLOB_DATE}
    if sent.method == "PUT" and not what:
        record("request", "azure blob.create_container", container)
        if not store.make_bucket(container):
            return azure_refusal(
                409, "ContainerAlreadyExists", "The specified container already exists."
            )
        return Served(201, said)
    there = store.has_bucket(container)
    if sent.method == "DELETE":
        record("request", "azure blob.delete_container", container)
        store.remove_bucket(container)
        return Served(202, said) if there else _no_container()
    record("request" if sent.method == "PUT" else "query", "azure blob.container", container)
    return Served(200, said) if there else _no_container()


def _blob_list(store: ObjectStore, sent: Sent, container: str) -> Served:
    prefix, delimiter = sent.query.get("prefix", ""), sent.query.get("delimiter", "")
    record("query", "azure blob.list", container, *([prefix] if prefix else []))
    if not store.has_bucket(container):
        return _no_container()
    found = dict(store.listed(container, prefix))
    own, folders = grouped_names(list(found), prefix, delimiter)
    items = [
        f"<Blob><Name>{escape(n)}</Name><Properties><Creation-Time>{_BLOB_DATE}</Creation-Time><Last-Modified>{_BLOB_DATE}</Last-Modified>"
        f"<Etag>{found[n].generation}</Etag><Content-Length>{len(found[n].content)}</Content-Length><Content-Type>{found[n].kind}</Content-Type>"
        f"<BlobType>BlockBlob</BlobType><AccessTier>Hot</AccessTier></Properties>{_metadata_xml(found[n])}</Blob>"
        for n in own
    ]
    items += [f"<BlobPrefix><Name>{escape(n)}</Name></BlobPrefix>" for n in folders]
    text = (
        f"<?xml version='1.0' encoding='utf-8'?><EnumerationResults ServiceEndpoint='https://{sent.host}/' ContainerName='{container}'>"
        f"<Prefix>{escape(prefix)}</Prefix><Blobs>{''.join(items)}</Blobs><NextMarker/></EnumerationResults>"
    )
    return Served(200, {**_XML, **_SAID}, text.encode())


def _metadata_xml(stored: StoredObject) -> str:
    inside = "".join(f"<{k}>{escape(v)}</{k}>" for k, v in (stored.metadata or {}).items())
    return f"<Metadata>{inside}</Metadata>" if inside else ""


def _blob_headers(stored: StoredObject) -> dict[str, str]:
    return {
        "ETag": f'"{stored.generation}"', "Last-Modified": _BLOB_DATE, "x-ms-blob-type": "BlockBlob",
        "x-ms-creation-time": _BLOB_DATE, "x-ms-lease-status": "unlocked", "Accept-Ranges": "bytes",
        "x-ms-server-encrypted": "true", "x-ms-access-tier": "Hot", **stored.said,
        **{f"x-ms-meta-{k}": v for k, v in (stored.metadata or {}).items()},
    }  # fmt: skip


def _metadata_of(sent: Sent) -> dict[str, str]:
    found: dict[str, str] = {}
    for name, value in sent.headers.items():
        if name.lower().startswith("x-ms-meta-"):
            found[name[len("x-ms-meta-") :]] = value.decode() if isinstance(value, bytes) else value
    return found


def _put_blob(store: ObjectStore, sent: Sent, container: str, name: str) -> Served:
    source = sent.headers.get("x-ms-copy-source")
    if not source:
        if sent.headers.get("x-ms-blob-type") == "AppendBlob":
            kept = store.put(container, name, StoredObject(b""))
            kept.said["x-ms-blob-type"] = "AppendBlob"
            record("request", "azure blob.create", f"{container}/{name}")
            return Served(201, {**_SAID, **_blob_headers(kept)})
        return _keep_blob(store, sent, container, name, sent.body)
    url = urlsplit(source)
    path = unquote(url.path).strip("/")
    if _names_account(url.netloc):
        path = path.partition("/")[2]
    record("request", "azure blob.copy", f"{container}/{name}", path)
    bucket, _, other = path.partition("/")
    found = store.get(bucket, other)
    if found is None:
        return azure_refusal(404, "CannotVerifyCopySource", "The specified blob does not exist.")
    kept = store.put(container, name, StoredObject(found.content, found.kind, found.metadata))
    return Served(
        202, {**_SAID, **_blob_headers(kept), "x-ms-copy-id": "1", "x-ms-copy-status": "success"}
    )


def _keep_blob(store: ObjectStore, sent: Sent, container: str, name: str, content: bytes) -> Served:
    record("request", "azure blob.upload", f"{container}/{name}", shown_bytes(content))
    if not store.has_bucket(container):
        return _no_container()
    if sent.headers.get("If-None-Match") == "*" and (container, name) in store.written:
        return azure_refusal(409, "BlobAlreadyExists", "The specified blob already exists.")
    kind = sent.headers.get("x-ms-blob-content-type") or ""
    kept = store.put(container, name, StoredObject(content, kind, _metadata_of(sent)))
    return Served(201, {**_SAID, **_blob_headers(kept), "x-ms-request-server-encrypted": "true"})


def _change_blob(store: ObjectStore, sent: Sent, container: str, name: str, what: str) -> Served:
    """Metadata, headers, tier, tags, leases, snapshots."""
    metadata = _metadata_of(sent)
    record(
        "request", f"azure blob.{what}", f"{container}/{name}", *([metadata] if metadata else [])
    )
    stored = store.get(container, name)
    if stored is None:
        return _no_blob()
    if what == "metadata":
        stored.metadata = metadata
    if what == "properties" and sent.headers.get("x-ms-blob-content-type"):
        stored.kind = sent.headers["x-ms-blob-content-type"]
    store.put(container, name, stored)
    lease = {"x-ms-lease-id": "00000000-0000-0000-0000-000000000001"} if what == "lease" else {}
    status = 201 if what in ("lease", "snapshot") else 204 if what == "tags" else 200
    return Served(status, {**_SAID, **_blob_headers(stored), **lease, "x-ms-snapshot": "1"})


def _get_blob(store: ObjectStore, sent: Sent, container: str, name: str) -> Served:
    is_head = sent.method == "HEAD"
    record(
        "query",
        "azure blob.properties" if is_head else "azure blob.download",
        f"{container}/{name}",
    )
    stored = store.get(container, name)
    if stored is None:
        return _no_blob()
    headers = {**_SAID, **_blob_headers(stored), "Content-Type": stored.kind}
    size = len(stored.content)
    part = None if is_head else byte_range(sent.headers, size)
    if part is None:
        return Served(200, headers, stored.content)
    if part[0] >= size:
        refused = azure_refusal(416, "InvalidRange", "The range specified is invalid.")
        return Served(416, {**refused.headers, "Content-Range": f"bytes */{size}"}, refused.body)
    headers["Content-Range"] = f"bytes {part[0]}-{part[1] - 1}/{size}"
    return Served(206, headers, stored.content[part[0] : part[1]])


def _batched_blobs(store: ObjectStore, blocks: Any, sent: Sent) -> Served:
    """Several deletions in one request."""
    kind = sent.headers.get("Content-Type") or ""
    boundary = kind.partition("boundary=")[2]
    answers: list[str] = []
    for number, part in enumerate(sent.body.decode().split(f"--{boundary}")[1:-1]):
        found = re.search(r"\n(\w+) (/\S*) HTTP", part)
        if found:
            url = urlsplit(found[2])
            one = Sent(
                found[1], sent.host, unquote(url.path), (), dict(parse_qsl(url.query)), {}, b""
            )
            reply = _answer_blobs(store, blocks, one)
            told = "".join(f"{k}: {v}\r\n" for k, v in reply.headers.items())
            answers.append(
                f"--batch\r\nContent-Type: application/http\r\nContent-ID: {number}\r\n\r\n"
                f"HTTP/1.1 {reply.status} OK\r\n{told}\r\n{reply.body.decode()}\r\n"
            )
    body = "".join(answers) + "--batch--\r\n"
    return Served(202, {**_SAID, "Content-Type": "multipart/mixed; boundary=batch"}, body.encode())


# --------------------------------------------------------------------------------- queues


class QueueWorld:
    """The queues of all accounts."""

    bodies: dict[str, Any] = {}
    """What waits in a queue into which nobody has put anything; `None` for nothing."""
    waiting: dict[str, list[dict[str, Any]]] = {}
    made: set[str] = set()
    asked: set[str] = set()
    numbers: list[int] = []


def azure_queues(bodies: dict[str, Any]) -> None:
    """Answer queue storage; the first look into a queue finds one of these texts."""
    QueueWorld.bodies = {**bodies, "empty": None}
    for held in (QueueWorld.waiting, QueueWorld.made, QueueWorld.asked, QueueWorld.numbers):
        restart_with(held.clear)
    azure_services["storage-queue"] = _answer_queues


def _queue_message(text: str) -> dict[str, Any]:
    QueueWorld.numbers.append(1)
    number = len(QueueWorld.numbers)
    return {
        "id": f"00000000-0000-0000-0000-{number:012}",
        "text": text,
        "count": 0,
        "hidden": False,
    }


def _in_queue(name: str) -> list[dict[str, Any]]:
    held = QueueWorld.waiting.setdefault(name, [])
    body = chosen("azure.queue", QueueWorld.bodies)
    if name not in QueueWorld.asked | QueueWorld.made and body is not None:
        held.insert(0, _queue_message(body.decode() if isinstance(body, bytes) else str(body)))
    QueueWorld.asked.add(name)
    return held


def _shown_messages(found: list[dict[str, Any]], *, held: bool) -> Served:
    items = "".join(
        f"<QueueMessage><MessageId>{m['id']}</MessageId><InsertionTime>{_BLOB_DATE}</InsertionTime><ExpirationTime>{_BLOB_DATE}</ExpirationTime>"
        + (
            f"<PopReceipt>receipt-{m['count']}</PopReceipt><TimeNextVisible>{_BLOB_DATE}</TimeNextVisible>"
            if held
            else ""
        )
        + f"<DequeueCount>{m['count']}</DequeueCount><MessageText>{escape(m['text'])}</MessageText></QueueMessage>"
        for m in found
    )
    text = f"<?xml version='1.0' encoding='utf-8'?><QueueMessagesList>{items}</QueueMessagesList>"
    return Served(200, {**_XML, **_SAID}, text.encode())


def _answer_queues(sent: Sent) -> Served:
    parts = _azure_path(sent)
    match sent.method, parts:
        case "GET", []:
            record("query", "azure queue.list_queues")
            items = "".join(f"<Queue><Name>{n}</Name></Queue>" for n in sorted(QueueWorld.made))
            text = f"<?xml version='1.0' encoding='utf-8'?><EnumerationResults><Queues>{items}</Queues><NextMarker/></EnumerationResults>"
            return Served(200, {**_XML, **_SAID}, text.encode())
        case "PUT", [name] if "comp" not in sent.query:
            record("request", "azure queue.create", name)
            if name in QueueWorld.made:
                return Served(204, dict(_SAID))
            QueueWorld.made.add(name)
            return Served(201, dict(_SAID))
        case "DELETE", [name]:
            record("request", "azure queue.delete_queue", name)
            QueueWorld.made.discard(name)
            QueueWorld.waiting.pop(name, None)
            return Served(204, dict(_SAID))
        case _, [name]:
            record("query" if sent.method != "PUT" else "request", "azure queue.properties", name)
            if (
                chosen("azure.queue queue", {"default": True, "missing": False})
                or name in QueueWorld.made
            ):
                count = str(len(_in_queue(name)))
                return Served(200, {**_SAID, "x-ms-approximate-messages-count": count})
            return azure_refusal(404, "QueueNotFound", "The specified queue does not exist.")
        case method, [name, "messages", *ids]:
            return _messages_in(sent, method, name, ids)
        case _:
            return Served(200, dict(_SAID))


def _messages_in(sent: Sent, method: str, name: str, ids: list[str]) -> Served:
    there = name in QueueWorld.made or chosen(
        "azure.queue queue", {"default": True, "missing": False}
    )
    if not there:
        record("query" if method == "GET" else "request", "azure queue", name)
        return azure_refusal(404, "QueueNotFound", "The specified queue does not exist.")
    if method == "POST":
        found = re.search(r"<MessageText>(.*)</MessageText>", sent.body.decode(), re.DOTALL)
        text = unescape(found[1]) if found else ""
        record("request", "azure queue.send", name, text)
        QueueWorld.asked.add(name)
        kept = _queue_message(text)
        QueueWorld.waiting.setdefault(name, []).append(kept)
        reply = _shown_messages([kept], held=True)
        return Served(
            201, reply.headers, re.sub(rb"<DequeueCount>.*</MessageText>", b"", reply.body)
        )
    held = _in_queue(name)
    if method == "GET":
        count = int(sent.query.get("numofmessages", 1))
        found_all = [m for m in held if not m["hidden"]][:count]
        peeks = "peekonly" in sent.query
        record("query", "azure queue.peek" if peeks else "azure queue.receive", name)
        for message in found_all if not peeks else []:
            message["hidden"] = sent.query.get("visibilitytimeout", "30") != "0"
            message["count"] += 1
        return _shown_messages(found_all, held=not peeks)
    if method == "DELETE" and not ids:
        record("request", "azure queue.clear", name)
        held.clear()
        return Served(204, dict(_SAID))
    mine = next((m for m in held if m["id"] == ids[0]), None)
    record(
        "request",
        "azure queue.delete" if method == "DELETE" else "azure queue.update",
        name,
        ids[0],
    )
    if mine is None:
        return azure_refusal(404, "MessageNotFound", "The specified message does not exist.")
    if method == "DELETE":
        held.remove(mine)
        return Served(204, dict(_SAID))
    found = re.search(r"<MessageText>(.*)</MessageText>", sent.body.decode(), re.DOTALL)
    mine["text"] = unescape(found[1]) if found else mine["text"]
    mine["hidden"] = sent.query.get("visibilitytimeout", "0") != "0"
    return Served(
        204,
        {
            **_SAID,
            "x-ms-popreceipt": f"receipt-{mine['count']}",
            "x-ms-time-next-visible": _BLOB_DATE,
        },
    )
