"""Cloud Storage in this process: its JSON interface, over objects that are there when asked for."""

from __future__ import annotations

import base64
import json
import re
from typing import Any
from urllib.parse import parse_qsl, quote, unquote, urlsplit

from ..core.on_import import on_import
from ..core.world import choices, chosen_name, record, replace
from ..data.object_store import STORED_AT, ObjectStore, StoredObject, grouped_names
from ..network.http_answers import shown_bytes
from ..network.session_servers import Sent, Served, byte_range, served_json
from .google_accounts import google_server

_WRITTEN_AT = f"{STORED_AT}.000Z"
_sessions: dict[str, Any] = {}
_API = re.compile(r"/(?P<way>upload/|download/|batch/)?storage/v1(?P<rest>.*)", re.DOTALL)


def google_objects(contents: dict[str, Any], names: list[str]) -> None:
    """Answer Cloud Storage; what nobody has written holds one of these contents."""
    store = ObjectStore("google.storage", contents, names)
    google_server(lambda sent: _answer_objects(store, sent))
    on_import("google.cloud.storage._bucket_metadata_cache", _patch_buckets_cache)


def _patch_buckets_cache(module: Any) -> None:
    """Nothing is asked on the side, by threads: it is for traces only."""
    for name in ("get_or_queue_fetch", "check_and_evict"):
        replace(module.BucketMetadataCache, name, lambda self, bucket_name: None)


def _answer_objects(store: ObjectStore, sent: Sent) -> Served | None:
    found = _API.fullmatch(sent.path)
    if found is None or not sent.host.endswith("googleapis.com"):
        return None
    name = chosen_name("google.storage", choices.get("google.storage", "default"), "forbidden")
    if name == "forbidden":
        return google_refusal(403, "the account does not have access to the bucket or object")
    way, skipped = found["way"], 4 if found["way"] else 3
    if way == "batch/":
        return _batched(store, sent)
    # parts keep what is escaped in names together
    parts = sent.parts[skipped - 1 :]
    if way == "upload/":
        return _uploaded(store, sent, parts[1])
    match parts:
        case ["b"]:
            return _buckets(store, sent)
        case ["b", bucket]:
            return _bucket(store, sent, bucket)
        case ["b", bucket, "o"]:
            return _object_listing(store, sent, bucket)
        case ["b", bucket, "o", name]:
            return _one_object(store, sent, bucket, name)
        case ["b", bucket, "o", name, "rewriteTo" | "copyTo" as how, "b", other, "o", copy]:
            record("request", "google storage.objects.copy", f"{bucket}/{name}", f"{other}/{copy}")
            source = store.get(bucket, name)
            if source is None:
                return _no_object(bucket, name)
            kept = store.put(
                other, copy, StoredObject(source.content, source.kind, source.metadata)
            )
            said = google_object(other, copy, kept)
            size = str(len(source.content))
            rewritten = {"done": True, "totalBytesRewritten": size, "objectSize": size}
            return served_json(said if how == "copyTo" else {**rewritten, "resource": said})
        case ["b", bucket, "o", name, "compose"]:
            sources = [each["name"] for each in sent.json()["sourceObjects"]]
            record("request", "google storage.objects.compose", f"{bucket}/{name}", sources)
            found_all = [store.get(bucket, each) for each in sources]
            content = b"".join(each.content for each in found_all if each)
            return served_json(
                google_object(bucket, name, store.put(bucket, name, StoredObject(content)))
            )
        case _:  # who may do what, notifications
            if sent.method != "GET":
                record(
                    "request", f"google storage {sent.method} {'/'.join(parts[1:])}", sent.json()
                )
            return served_json({"items": [], "bindings": [], "etag": "CAE="})


def google_refusal(status: int, message: str) -> Served:
    """An error as Google's services tell it."""
    reason = {404: "notFound", 409: "conflict", 403: "forbidden", 412: "conditionNotMet"}
    error = {"message": message, "domain": "global", "reason": reason.get(status, "invalid")}
    return served_json({"error": {"code": status, "message": message, "errors": [error]}}, status)


def _no_object(bucket: str, name: str) -> Served:
    return google_refusal(404, f"No such object: {bucket}/{name}")


def google_object(bucket: str, name: str, stored: StoredObject) -> dict[str, Any]:
    """What is told of an object."""
    crc = int.from_bytes(stored.digest[:4], "big")
    link = f"storage.googleapis.com/storage/v1/b/{bucket}/o/{quote(name, safe='')}"
    return {
        "kind": "storage#object", "id": f"{bucket}/{name}/{stored.generation}", "name": name,
        "bucket": bucket, "size": str(len(stored.content)), "contentType": stored.kind,
        "generation": str(stored.generation), "metageneration": "1", "storageClass": "STANDARD",
        "timeCreated": _WRITTEN_AT, "updated": _WRITTEN_AT, "etag": f"E{stored.generation}",
        "md5Hash": base64.b64encode(stored.digest).decode(), "selfLink": f"https://www.{link}",
        "mediaLink": f"https://storage.googleapis.com/download/{link.partition('/')[2]}?alt=media",
        "crc32c": base64.b64encode(crc.to_bytes(4, "big")).decode(),
        **({"metadata": stored.metadata} if stored.metadata else {}), **stored.said,
    }  # fmt: skip


def _google_bucket(name: str) -> dict[str, Any]:
    return {
        "kind": "storage#bucket", "id": name, "name": name, "location": "US", "timeCreated": _WRITTEN_AT,
        "storageClass": "STANDARD", "locationType": "multi-region", "updated": _WRITTEN_AT,
        "metageneration": "1", "projectNumber": "1",
    }  # fmt: skip


def _buckets(store: ObjectStore, sent: Sent) -> Served:
    if sent.method == "GET":
        record("query", "google storage.buckets.list")
        return served_json({"items": [_google_bucket(name) for name in sorted(store.made)]})
    name = sent.json().get("name", "bucket")
    record("request", "google storage.buckets.insert", name)
    if not store.make_bucket(name):
        return google_refusal(409, "Your previous request to create the named bucket succeeded")
    return served_json(_google_bucket(name))


def _bucket(store: ObjectStore, sent: Sent, bucket: str) -> Served:
    kinds = {
        "GET": "query google storage.buckets.get",
        "DELETE": "request google storage.buckets.delete",
    }
    kind, _, target = kinds.get(sent.method, "request google storage.buckets.patch").partition(" ")
    record(kind, target, bucket)
    if not store.has_bucket(bucket):
        return google_refusal(404, "The specified bucket does not exist.")
    if sent.method == "DELETE":
        store.remove_bucket(bucket)
        return Served(204, {})
    return served_json({**_google_bucket(bucket), **(sent.json() if sent.method != "GET" else {})})


def _object_listing(store: ObjectStore, sent: Sent, bucket: str) -> Served:
    prefix, delimiter = sent.query.get("prefix", ""), sent.query.get("delimiter", "")
    record("query", "google storage.objects.list", bucket, *([prefix] if prefix else []))
    if not store.has_bucket(bucket):
        return google_refusal(404, "The specified bucket does not exist.")
    found = dict(store.listed(bucket, prefix))
    own, folders = grouped_names(list(found), prefix, delimiter)
    items = [google_object(bucket, name, found[name]) for name in own]
    items = items[: int(sent.query.get("maxResults", len(items)))]
    return served_json({"kind": "storage#objects", "items": items, "prefixes": folders})


def _one_object(store: ObjectStore, sent: Sent, bucket: str, name: str) -> Served:
    stored = store.get(bucket, name)
    where = f"{bucket}/{name}"
    if sent.method == "DELETE":
        record("request", "google storage.objects.delete", where)
        return Served(204, {}) if store.delete(bucket, name) else _no_object(bucket, name)
    if sent.method in ("PATCH", "PUT"):
        said = {k: v for k, v in sent.json().items() if k != "name"}
        record("request", "google storage.objects.patch", where, said)
        if stored is None:
            return _no_object(bucket, name)
        stored.said.update(said)
        store.put(bucket, name, stored)
        return served_json(google_object(bucket, name, stored))
    record("query", "google storage.objects.get", where)
    if stored is None:
        return _no_object(bucket, name)
    if sent.query.get("alt") != "media":
        return served_json(google_object(bucket, name, stored))
    hashes = f"md5={base64.b64encode(stored.digest).decode()}"
    headers = {"Content-Type": stored.kind, "X-Goog-Hash": hashes, "X-Goog-Generation": "1"}
    part = byte_range(sent.headers, len(stored.content))
    if part is None or (part[0] == 0 and part[1] == len(stored.content)):
        return Served(200, headers, stored.content)
    if part[0] >= len(stored.content):
        return Served(416, headers)
    headers["Content-Range"] = f"bytes {part[0]}-{part[1] - 1}/{len(stored.content)}"
    return Served(206, headers, stored.content[part[0] : part[1]])


def _uploaded(store: ObjectStore, sent: Sent, bucket: str) -> Served:
    """An upload: in one piece, with what is said of it before; or begun here, and sent on."""
    kind = sent.headers.get("content-type") or ""
    kind = kind.decode() if isinstance(kind, bytes) else kind
    match sent.query.get("uploadType"):
        case "multipart":
            said, content = upload_parts(sent.body, kind)
            return _keep(store, sent, bucket, said, content)
        case "resumable" if sent.method == "POST":
            name = str(len(_sessions) + 1)
            kept = {**_named_by_query(sent), **sent.json()}
            kept.setdefault("contentType", sent.headers.get("x-upload-content-type"))
            _sessions[name] = [kept, b""]
            url = f"https://{sent.host}{sent.path}?uploadType=resumable&upload_id={name}"
            return Served(200, {"Location": url})
        case "resumable":
            session = _sessions[sent.query["upload_id"]]
            session[1] += sent.body
            total = (sent.headers.get("content-range") or "").rpartition("/")[2]
            if total == "*" or (total.isdigit() and len(session[1]) < int(total)):
                return Served(308, {"Range": f"bytes=0-{len(session[1]) - 1}"})
            return _keep(store, sent, bucket, *session)
        case _:
            return _keep(
                store, sent, bucket, {"contentType": kind, **_named_by_query(sent)}, sent.body
            )


def _named_by_query(sent: Sent) -> dict[str, str]:
    return {"name": sent.query["name"]} if "name" in sent.query else {}


def upload_parts(body: bytes, kind: str) -> tuple[dict[str, Any], bytes]:
    """What is said of an upload, and the content."""
    boundary = re.search(r'boundary="?([^";]+)', kind)
    parts = body.split(b"--" + (boundary[1] if boundary else "").encode())
    said, content = (part.partition(b"\r\n\r\n") for part in parts[1:3])
    found = json.loads(said[2])
    held = re.search(rb"content-type: *(.*)", content[0])
    if held:
        found.setdefault("contentType", held[1].strip().decode())
    return found, content[2].removesuffix(b"\r\n")


def _keep(
    store: ObjectStore, sent: Sent, bucket: str, said: dict[str, Any], content: bytes
) -> Served:
    name, kind = said.get("name", ""), said.get("contentType") or ""
    record(
        "request", "google storage.objects.insert", f"{bucket}/{name}", shown_bytes(content), kind
    )
    if not store.has_bucket(bucket):
        return google_refusal(404, "The specified bucket does not exist.")
    if sent.query.get("ifGenerationMatch") == "0" and (bucket, name) in store.written:
        return google_refusal(412, "At least one of the pre-conditions you specified did not hold.")
    stored = StoredObject(content, kind, said.get("metadata"))
    known = ("name", "contentType", "metadata", "bucket")
    stored.said = {k: v for k, v in said.items() if k not in known}
    return served_json(google_object(bucket, name, store.put(bucket, name, stored)))


def _batched(store: ObjectStore, sent: Sent) -> Served:
    """Several requests in one, each with an answer in the same order."""
    kind = sent.headers.get("content-type") or ""
    boundary = re.search(r'boundary="?([^";]+)', kind if isinstance(kind, str) else kind.decode())
    answers: list[bytes] = []
    for part in sent.body.split(b"--" + (boundary[1] if boundary else "").encode())[1:-1]:
        inner = (
            part.partition(b"\n\n")[2]
            if b"\r\n\r\n" not in part
            else part.partition(b"\r\n\r\n")[2]
        )
        line, _, rest = inner.lstrip().partition(b"\n")
        method, path, *_ = line.decode().split()
        url = urlsplit(path)
        body = rest.replace(b"\r\n", b"\n").partition(b"\n\n")[2].strip()
        one = Sent(
            method, sent.host, unquote(url.path),
            tuple(unquote(each) for each in url.path.strip("/").split("/")),
            dict(parse_qsl(url.query)), {}, body,
        )  # fmt: skip
        found = _answer_objects(store, one) or Served(404, {})
        head = (
            f"HTTP/1.1 {found.status} OK\r\nContent-Type: application/json; charset=UTF-8\r\n\r\n"
        )
        answers.append(
            b"--batch\r\nContent-Type: application/http\r\n\r\n"
            + head.encode()
            + found.body
            + b"\r\n"
        )
    return Served(
        200, {"Content-Type": "multipart/mixed; boundary=batch"}, b"".join(answers) + b"--batch--"
    )
