"""What docs/mocks.md says of the families, and of choosing, is what there is."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from slicefunc.driver.pipeline.passes import compile_slice
from slicefunc.slicer import Repository

from .families_table import DOCS, with_table

ROOT = DOCS.parent.parent
TEXT = DOCS.read_text(encoding="utf-8")


def test_the_table_of_families_is_that_of_the_code():
    assert with_table(TEXT) == TEXT, "python -m tests.mocker.families_table writes it anew"


def test_the_example_of_choosing_prints_what_is_shown(tmp_path: Path):
    found = re.search(
        r"^slice-func fixtures/weather/repo (\S+) -o script.py\n```\n\n```python\n(.*?)```\n\n"
        r"```text\n(.*?)```",
        TEXT,
        re.MULTILINE | re.DOTALL,
    )
    assert found
    made = compile_slice(Repository(ROOT / "fixtures/weather/repo"), [found[1]])
    (tmp_path / "script.py").write_text(made.source)
    done = subprocess.run(
        [sys.executable, "-c", found[2]],
        cwd=tmp_path, env={}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.stdout == found[3], done.stderr
