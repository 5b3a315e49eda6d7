from __future__ import annotations

from pathlib import Path

import pytest
from slicefunc.driver.batch.worker import Work
from slicefunc.driver.batch.worker_processes import WorkerError, entries_in_processes
from slicefunc.driver.settings.options import Options
from slicefunc.slicer.model import Target


def test_processes_that_do_not_start_end_the_run(tmp_path: Path) -> None:
    work = Work(str(tmp_path / "gone"), (), Options())
    with pytest.raises(WorkerError):
        list(entries_in_processes(work, [Target("a.py", "f")] * 3, jobs=2, seconds=1))
