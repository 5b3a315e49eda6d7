"""A dataset in an object store, by its real protocol."""

from __future__ import annotations

from pathlib import Path

import pytest
from slicefunc.driver.datasets.storage.dataset import StoredDataset, open_built

from tests.driver.conftest import run
from tests.driver.datasets.storage.conftest import BUCKET


@pytest.fixture
def bucket(s3_server: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """The URL of a place in an empty bucket."""
    monkeypatch.setenv("AWS_ENDPOINT_URL", s3_server)
    return f"s3://{BUCKET}/prices"


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
