"""A server that speaks S3, for the tests of datasets in an object store."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from urllib.request import Request, urlopen

import pytest

BUCKET = "datasets"


@pytest.fixture
def s3_server(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The address of a server with an empty bucket."""
    s3fs: Any = pytest.importorskip("s3fs")
    moto_server: Any = pytest.importorskip("moto.server")
    import boto3

    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "key")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    server = moto_server.ThreadedMotoServer(ip_address="127.0.0.1", port=0)
    server.start()
    _, port = server.get_host_and_port()
    address = f"http://127.0.0.1:{port}"
    # what the servers of one process hold is shared
    urlopen(Request(f"{address}/moto-api/reset", method="POST")).close()
    boto3.client("s3", endpoint_url=address).create_bucket(Bucket=BUCKET)
    yield address
    s3fs.S3FileSystem.clear_instance_cache()
    server.stop()
