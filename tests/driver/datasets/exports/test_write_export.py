from __future__ import annotations

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


def test_a_split_without_environments_is_told(dataset: Dataset, tmp_path: Path) -> None:
    with pytest.raises(NothingToExportError, match="no environment of split eval"):
        write_export(dataset, "inspect", tmp_path / "out", split="eval")
    assert not (tmp_path / "out").exists()
