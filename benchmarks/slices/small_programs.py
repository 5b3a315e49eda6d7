"""Small programs of which a slice once lacked something: does `f` of each give the same now?

`python -m benchmarks.slices.small_programs [--group NAME] [--json]`

820 programs of one file or several, reduced from some 2,300 that were written without looking at
how the slicer works; no slice of them did the same when they were found. Original and slice run in
processes of their own, the slice in a folder that holds nothing else.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from slicefunc.slicer import Repository, slice_function

from ..common.report import write_result

PROGRAMS = Path(__file__).with_suffix(".json")
SECONDS = 30.0
_ADDRESS = re.compile(r"0x[0-9a-f]+")
_CALL = "import sys; sys.path.insert(0, '.'); import m; print(repr(m.f()))"


def differs(files: dict[str, str]) -> str:
    """What the slice of `m.py::f` does instead of what the original does; nothing if the same."""
    with tempfile.TemporaryDirectory() as made:
        repository, apart = Path(made, "repository"), Path(made, "apart")
        for path, text in files.items():
            (repository / path).parent.mkdir(parents=True, exist_ok=True)
            (repository / path).write_text(text, encoding="utf-8")
        apart.mkdir()
        (apart / "m.py").write_text(slice_function(Repository(repository), "m.py::f").source)
        original, sliced = _called(repository), _called(apart)
        told = "" if original == sliced else f"{sliced}, not {original}"
    return _ADDRESS.sub("0x…", told.replace(made, ""))


def _called(folder: Path) -> str:
    """What calling `f` prints, or the last line of what went wrong."""
    command = [sys.executable, "-I", "-c", _CALL]
    try:
        done = subprocess.run(
            command, cwd=folder, capture_output=True, text=True, check=False, timeout=SECONDS
        )
    except subprocess.TimeoutExpired:
        return f"not done in {SECONDS:.0f} s"
    lines = (done.stderr if done.returncode else done.stdout).strip().splitlines()
    return lines[-1] if lines else ""


def main(argv: list[str] | None = None) -> int:
    """The command line; returns the exit status."""
    groups: dict[str, dict[str, dict[str, str]]] = json.loads(PROGRAMS.read_text())
    parser = argparse.ArgumentParser(prog="small_programs", description=__doc__)
    parser.add_argument("--group", choices=sorted(groups), help="only these")
    parser.add_argument("--json", action="store_true", help="JSON instead of Markdown")
    given = parser.parse_args(argv)
    result: dict[str, dict[str, object]] = {}
    for group in [given.group] if given.group else sorted(groups):
        found = {name: differs(files) for name, files in sorted(groups[group].items())}
        differing = {name: text for name, text in found.items() if text}
        same = len(found) - len(differing)
        result[group] = {"programs": len(found), "same": same, "differing": differing}
    if not given.group:
        write_result("small_programs", result)
    print(json.dumps(result, indent=1) if given.json else _table(result))
    return 0


def _table(result: dict[str, dict[str, object]]) -> str:
    lines = ["| programs | in all | the same |", "|---|---:|---:|"]
    lines += [f"| {name} | {each['programs']} | {each['same']} |" for name, each in result.items()]
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
