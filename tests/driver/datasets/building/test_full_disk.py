"""Builds whose disk is full: of the dataset, of the cache."""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from slicefunc.driver.datasets.building.disk_room import DiskFullError, FullDisks
from slicefunc.driver.datasets.building.tasks import Made, Surveyed
from slicefunc.driver.datasets.storage.dataset import StoredDataset
from slicefunc.driver.datasets.storage.journal import HEADER
from slicefunc.driver.record.reason_codes import of_error
from slicefunc.slicer.errors import SliceFuncError

from tests.driver.conftest import run
from tests.driver.datasets.building.test_build import content
from tests.driver.datasets.conftest import build


@dataclass(frozen=True, slots=True)
class Disk:
    """A small disk of its own."""

    folder: Path

    def resize(self, size: str) -> None:
        subprocess.run(["mount", "-o", f"remount,size={size}", self.folder], check=True)

    def fill(self) -> None:
        with (self.folder / "ballast").open("wb", buffering=0) as file:
            try:
                while file.write(b"\0" * 4096):
                    pass
            except OSError as error:
                assert error.errno == errno.ENOSPC  # noqa: PT017 - the disk is full now

    def clear(self) -> None:
        (self.folder / "ballast").unlink()


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Disk]:
    """A disk of 64 KB."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mounted = os.geteuid() == 0 and shutil.which("mount") is not None
    words = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(folder)]
    if not mounted or subprocess.run(words, capture_output=True, check=False).returncode:
        pytest.skip("nobody may mount a disk here")
    yield Disk(folder)
    subprocess.run(["umount", folder], check=True)


def test_a_dataset_whose_disk_is_full_goes_on_with_the_same_bytes(
    disk: Disk, plan: Path, built: StoredDataset
) -> None:
    output = disk.folder / "dataset"
    done = run("build", plan, "-o", output, "--jobs", "1")
    assert done.status == 2
    place, _, rest = done.error.partition(": ")
    assert Path(place).is_relative_to(output)
    assert rest.startswith("No space left on device; make room on that disk, then run the same")
    assert "--resume" in rest
    assert not [file for file in output.rglob("*") if ".tmp-" in file.name]
    disk.resize("10m")
    build(plan, output, "--resume")
    assert content(output) == content(Path(built.location))


def test_a_cache_without_room_gives_no_dataset(disk: Disk, plan: Path, tmp_path: Path) -> None:
    cache = {**os.environ, "SLICE_FUNC_CACHE": str(disk.folder / "cache")}
    done = run("build", plan, "-o", tmp_path / "dataset", "--jobs", "1", env=cache)
    assert done.status == 2
    assert f"{disk.folder}/cache: 0 MB are free" in done.error
    assert "--resume" in done.error
    assert (tmp_path / "dataset" / HEADER).exists()
    assert not (tmp_path / "dataset/manifest.json").exists()


@pytest.mark.nightly
def test_a_cache_that_fills_up_spoils_no_function(
    disk: Disk, plan: Path, tmp_path: Path, built: StoredDataset
) -> None:
    disk.resize("64m")
    cache = {**os.environ, "SLICE_FUNC_CACHE": str(disk.folder / "cache")}
    output = tmp_path / "dataset"

    def fill() -> None:
        while not list(disk.folder.glob("cache/environments/*")):
            time.sleep(0.05)
        disk.fill()

    filler = threading.Thread(target=fill)
    filler.start()
    done = run("build", plan, "-o", output, "--jobs", "1", env=cache)
    filler.join()
    assert (done.status, "--resume" in done.error) == (2, True)
    disk.clear()
    done = run("build", plan, "-o", output, "--jobs", "1", "--resume", env=cache)
    assert done.status == 0, done.err
    assert content(output) == content(Path(built.location))


def test_a_build_ends_when_no_worker_has_room() -> None:
    full = FullDisks(workers=2)
    made = Made("a/b", is_environment=False, row=b"", disk_full="/cache: 0 MB are free")
    for _ in range(7):
        full.add(made)
    with pytest.raises(DiskFullError, match="/cache: 0 MB"):
        full.add(made)


def test_one_machine_without_room_does_not_end_the_build_but_leaves_it_open() -> None:
    full = FullDisks(workers=2)
    for _ in range(20):
        full.add(Surveyed("a/b", rule="disk_full", reason="/cache: 0 MB are free"))
        full.add(Made("a/b", is_environment=True, row=b""))
    with pytest.raises(DiskFullError, match="left: 20"):
        full.check()


@pytest.mark.parametrize(
    "error",
    [
        OSError(errno.ENOSPC, "No space left on device", "/cache/x"),
        OSError(errno.EDQUOT, "Disk quota exceeded"),
        SliceFuncError("uv: failed to write x: No space left on device (os error 28)"),
    ],
)
def test_what_lacks_room_is_no_bug(error: Exception) -> None:
    found = of_error(error, "a.py")
    assert found.code == "disk_full"
    assert "make room" in found.hint
