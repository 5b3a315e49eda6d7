"""An object store of which some calls fail, or all."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from slicefunc.driver.datasets.storage.dataset import StoredDataset, open_built
from slicefunc.driver.datasets.storage.journal import HEADER
from slicefunc.driver.datasets.storage.store import Store

from tests.driver.conftest import run
from tests.driver.datasets.storage.conftest import BUCKET
from tests.driver.datasets.storage.failing_proxy import FailingProxy

s3fs: Any = pytest.importorskip("s3fs")
PLACE = f"s3://{BUCKET}/prices"


def _proxy(s3_server: str, share: float, monkeypatch: pytest.MonkeyPatch) -> FailingProxy:
    chance = random.Random(1)
    proxy = FailingProxy(int(s3_server.rpartition(":")[2]), lambda: chance.random() < share)
    monkeypatch.setenv("AWS_ENDPOINT_URL", proxy.url)
    return proxy


def _store(location: str) -> Store:
    s3fs.S3FileSystem.clear_instance_cache()  # the address of the server is another in each test
    return Store.at(location)


def test_all_files_arrive_whole_where_one_call_in_twenty_fails(
    s3_server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    proxy = _proxy(s3_server, 0.05, monkeypatch)
    store = _store(PLACE)
    contents = {f"parts/{number:03d}": bytes([number]) * 999 for number in range(100)}
    for name, content in contents.items():
        store.write(name, content)
    assert store.names("parts") == sorted(contents)
    assert {name: store.read(name) for name in contents} == contents
    store.remove("parts")
    assert store.names() == []
    assert proxy.failures > 8


@pytest.mark.nightly
@pytest.mark.parametrize("share", [0.05, 0.3])
def test_a_build_is_the_same_where_calls_fail(
    s3_server: str, plan: Path, built: StoredDataset, share: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    proxy = _proxy(s3_server, share, monkeypatch)
    done = run("build", plan, "-o", PLACE, "--jobs", "1")
    assert done.status == 0, done.err
    _store(PLACE)
    found = open_built(PLACE)
    assert found.manifest == built.manifest
    assert list(found.rows()) == list(built.rows())
    assert list(found.functions()) == list(built.functions())
    for row in found.rows():
        assert found.environment(row.id) == built.environment(row.id)
    assert proxy.failures > 0


def _has_header(server: str) -> bool:
    import boto3

    client = boto3.client("s3", endpoint_url=server)
    found = client.list_objects_v2(Bucket=BUCKET, Prefix=f"prices/{HEADER}")
    return found["KeyCount"] > 0


@pytest.mark.nightly
def test_a_build_whose_store_goes_away_goes_on_when_it_is_back(
    s3_server: str, plan: Path, built: StoredDataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    proxy = _proxy(s3_server, 0.0, monkeypatch)
    words = ["build", str(plan), "-o", PLACE, "--jobs", "1"]
    with subprocess.Popen(
        [sys.executable, "-m", "slicefunc.driver.cli.command", *words],
        stderr=subprocess.PIPE, text=True, env=dict(os.environ),
    ) as process:  # fmt: skip
        while not _has_header(s3_server) and process.poll() is None:
            time.sleep(0.05)
        proxy.close()
        err = process.communicate(timeout=400)[1]
    assert process.returncode == 4
    assert err.count("error: ") == 1
    assert "EndpointConnectionError" in err
    assert "--resume" in err
    monkeypatch.setenv("AWS_ENDPOINT_URL", s3_server)
    assert _store(PLACE).exists(HEADER)
    done = run(*words, "--resume")
    assert done.status == 0, done.err
    assert open_built(PLACE).manifest == built.manifest
