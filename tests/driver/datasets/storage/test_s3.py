"""A dataset in an object store, by its real protocol."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from slicefunc.driver.datasets.storage.dataset import StoredDataset, open_built

from tests.driver.conftest import run

pytest.importorskip("s3fs")
moto_server = pytest.importorskip("moto.server")


@pytest.fixture
def bucket(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The URL of an empty bucket on a server of this test."""
    import boto3

    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "key")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    server = moto_server.ThreadedMotoServer(ip_address="127.0.0.1", port=0)
    server.start()
    _, port = server.get_host_and_port()
    monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{port}")
    boto3.client("s3").create_bucket(Bucket="datasets")
    yield "s3://datasets/prices"
    server.stop()


@pytest.mark.nightly
def test_a_build_goes_to_a_bucket_and_is_read_from_there(
    bucket: str, plan: Path, built: StoredDataset
) -> None:
    done = run("build", plan, "-o", bucket, "--jobs", "1")
    assert done.status == 0, done.err
    found = open_built(bucket)
    assert found.manifest == built.manifest
    assert list(found.rows()) == list(built.rows())
    for row in found.rows():
        assert found.environment(row.id) == built.environment(row.id)
    again = run("build", plan, "-o", bucket)
    assert (again.status, "is not empty" in again.err) == (2, True)
