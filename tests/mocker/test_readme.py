"""What the README shows of mocks is what happens."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from slicefunc.driver.pipeline.passes import compile_slice
from slicefunc.slicer import Repository

ROOT = Path(__file__).parent.parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_weather_report_needs_no_weather(tmp_path: Path):
    shown = re.search(r"<!-- prints -->\n```text\n(.*?)```", README, re.DOTALL)
    command = re.search(
        r"^slice-func fixtures/weather/repo (\S+) -o script.py\npython -c '(.*)'$",
        README,
        re.MULTILINE,
    )
    assert shown
    assert command
    made = compile_slice(Repository(ROOT / "fixtures/weather/repo"), [command[1]])
    (tmp_path / "script.py").write_text(made.source)
    done = subprocess.run(
        [sys.executable, "-c", command[2]],
        cwd=tmp_path,
        env={},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout == shown[1], done.stderr
