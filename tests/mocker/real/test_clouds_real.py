"""The same functions against an emulator of Azure's storage and in their mocked slices.

Azurite is looked for on the path, or where `AZURITE` says (`npm install azurite`).
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.mocker.compared import mocked, real

KEY = "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=="
SERVICES = """\
import json
from azure.core.exceptions import HttpResponseError, ResourceExistsError, ResourceNotFoundError
from azure.storage.blob import BlobServiceClient, ContentSettings
from azure.storage.queue import QueueServiceClient

NAME = "devstoreaccount1"
TEXT = (
    f"DefaultEndpointsProtocol=http;AccountName={NAME};AccountKey=KEY;"
    f"BlobEndpoint=http://127.0.0.1:BLOB/{NAME};QueueEndpoint=http://127.0.0.1:QUEUE/{NAME};"
)


def told(function, *args, **named):
    try:
        return function(*args, **named)
    except HttpResponseError as error:
        return type(error).__name__, error.status_code, error.error_code


def blobs():
    service = BlobServiceClient.from_connection_string(TEXT)
    container = service.create_container("things")
    again = told(service.create_container, "things")
    blob = container.get_blob_client("a/b.txt")
    before = blob.exists(), told(blob.delete_blob), told(blob.download_blob)
    settings = ContentSettings(content_type="text/plain")
    blob.upload_blob("0123456789", metadata={"by": "me"}, content_settings=settings)
    refused = told(blob.upload_blob, b"again")
    container.upload_blob("a/c.txt", b"x" * 100)
    container.upload_blob("d.txt", b"")
    part = blob.download_blob(offset=3, length=4).readall()
    properties = blob.get_blob_properties()
    said = properties.size, properties.metadata, properties.content_settings.content_type
    names = [each.name for each in container.list_blobs()]
    below = [(each.name, each.size) for each in container.list_blobs(name_starts_with="a/")]
    walked = [each.name for each in container.walk_blobs()]
    empty = container.download_blob("d.txt").readall()
    blob.set_blob_metadata({"by": "you"})
    copy = service.get_blob_client("things", "copy")
    status = copy.start_copy_from_url(blob.url)["copy_status"]
    copied = copy.download_blob().readall(), copy.get_blob_properties().metadata
    tail = service.get_blob_client("things", "log")
    tail.create_append_blob()
    tail.append_block(b"one ")
    tail.append_block(b"two")
    log = tail.download_blob().readall()
    container.delete_blobs("a/b.txt", "copy")
    left = [each.name for each in container.list_blobs()]
    containers = [each.name for each in service.list_containers()]
    container.delete_container()
    gone = container.exists(), told(lambda: list(container.list_blobs()))
    return (
        again, before, refused, part, said, names, below, walked, empty, status, copied, log, left,
        containers, gone,
    )


def queues():
    service = QueueServiceClient.from_connection_string(TEXT)
    queue = service.create_queue("jobs")
    nothing = queue.receive_message()
    for number in range(3):
        queue.send_message(json.dumps({"n": number, "<&>": "x"}))
    count = queue.get_queue_properties().approximate_message_count
    seen = [each.content for each in queue.peek_messages(max_messages=2)]
    first = queue.receive_message(visibility_timeout=60)
    told_of = first.content, first.dequeue_count
    queue.update_message(first, content="changed", visibility_timeout=0)
    rest = [each.content for each in queue.receive_messages(visibility_timeout=60)]
    missing = told(queue.delete_message, "00000000-0000-4000-8000-000000000000", first.pop_receipt)
    queue.clear_messages()
    empty = list(queue.receive_messages())
    names = [each.name for each in service.list_queues()]
    service.delete_queue("jobs")
    gone = told(service.get_queue_client("jobs").send_message, "x")
    return nothing, count, seen, told_of, sorted(rest), missing, empty, names
"""


def free_port() -> int:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        return listening.getsockname()[1]


@pytest.fixture(scope="module")
def ports(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[int, int]]:
    """Ports of blobs and queues of an emulator of its own."""
    pytest.importorskip("azure.storage.blob")
    pytest.importorskip("azure.storage.queue")
    command = shutil.which(os.environ.get("AZURITE", "azurite"))
    if command is None:
        pytest.skip("azurite is not installed")
    blob, queue = free_port(), free_port()
    folder = tmp_path_factory.mktemp("azurite")
    child = subprocess.Popen(
        [command, "--silent", "--skipApiVersionCheck", "--location", str(folder),
         "--blobPort", str(blob), "--queuePort", str(queue), "--tablePort", str(free_port())],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        wait_for(child, blob, queue)
        yield blob, queue
    finally:
        child.terminate()
        child.wait()


def wait_for(child: subprocess.Popen, *ports: int) -> None:
    until = time.monotonic() + 60
    for port in ports:
        while True:
            assert child.poll() is None, "azurite has ended"
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
                break
            except OSError:
                assert time.monotonic() < until, "azurite does not answer"
                time.sleep(0.1)


@pytest.mark.parametrize("target", ["blobs", "queues"])
def test_azures_storage_answers_as_its_emulator_does(
    target: str, ports: tuple[int, int], tmp_path: Path
):
    source = SERVICES.replace("KEY", KEY).replace("BLOB", str(ports[0]), 1)
    source = source.replace("QUEUE", str(ports[1]), 1)
    expected = real(source, f"{target}()", tmp_path)
    found, effects = mocked(
        source, target, f"{target}()", tmp_path,
        "choose(**{'azure.blob': 'missing', 'azure.blob bucket': 'missing'})",
    )  # fmt: skip
    assert found == expected
    assert effects
