from __future__ import annotations

import os
from importlib.metadata import version
from pathlib import Path

import pytest
from slicefunc.driver.datasets.exports.write_export import NothingToExportError, write_export
from slicefunc.driver.datasets.storage.dataset import Dataset

from tests.driver.conftest import run
from tests.driver.record.test_environment import needs_sandbox

pytestmark = needs_sandbox


def test_the_command_says_how_many_it_wrote(built: Path, tmp_path: Path) -> None:
    done = run("export", built, "--to", "inspect", "-o", tmp_path / "out", "--limit", "1")
    assert (done.status, done.out) == (0, b"")
    assert done.err.splitlines()[-1].startswith("slice-func: 1 environment as inspect: ")


def test_a_named_wheel_is_installed_by_each_task(
    dataset: Dataset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wheel = tmp_path / f"slice_func-{version('slice-func')}-py3-none-any.whl"
    wheel.write_bytes(b"a wheel")
    monkeypatch.setenv("SLICE_FUNC_WHEEL", str(wheel))
    write_export(dataset, "harbor", tmp_path / "out")
    images = sorted((tmp_path / "out").glob("*/tests/Dockerfile"))
    assert len(images) == 2
    for image in images:
        assert f"COPY {wheel.name} /opt/\nRUN pip install" in image.read_text()
        assert (image.parent / wheel.name).read_bytes() == b"a wheel"


def test_a_wheel_of_another_version_is_refused(
    built: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wheel = tmp_path / "slice_func-0.0.0-py3-none-any.whl"
    wheel.touch()
    done = run(
        "export", built, "--to", "harbor", "-o", tmp_path / "out",
        env={**os.environ, "SLICE_FUNC_WHEEL": str(wheel)},
    )  # fmt: skip
    assert done.status == 2
    assert f"{wheel} is no wheel" in done.error


def test_a_split_without_environments_is_told(dataset: Dataset, tmp_path: Path) -> None:
    with pytest.raises(NothingToExportError, match="no environment of split eval"):
        write_export(dataset, "inspect", tmp_path / "out", split="eval")
    assert not (tmp_path / "out").exists()
