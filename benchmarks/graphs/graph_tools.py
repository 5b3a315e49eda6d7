"""The other call-graph tools: their environments, and a measured run of each."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

CHILDREN = Path(__file__).with_name("graph_children")
Record = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool that finds call edges."""

    name: str
    child: str
    """Program in `graph_children`."""
    requirements: tuple[str, ...] = ()
    """What pip installs into its environment; empty for our own."""
    source: str | None = None
    """Option that says where its source is, for what has to be built from a checkout."""
    slices: bool = False
    """Whether it makes a slice of one function, and no graph."""


@dataclass(frozen=True, slots=True)
class Run:
    """One process of a tool."""

    records: tuple[Record, ...]
    """One for each case that it answered."""
    seconds: float
    """CPU time of the process, user and system."""
    peak_mb: float
    error: str
    """Why it ended early; empty if it did not."""


TOOLS = (
    Tool("slice-func", "ours.py"),
    Tool("PyCG", "run_pycg.py", ("setuptools<81",), source="pycg"),
    Tool("pyan3", "run_pyan.py", ("pyan3==2.9.0",)),
    Tool("jedi by name", "run_jedi.py", ("jedi==0.20.1",)),
)


def environment(tool: Tool, work: Path, python: str, source: Path | None) -> str | None:
    """The interpreter of the tool's own environment; `None` where it cannot be made."""
    if not tool.requirements:
        return sys.executable
    folder = work / "peers" / tool.child.removesuffix(".py")
    interpreter = folder / "bin" / "python"
    done = folder / "installed"
    if not done.exists():
        if tool.source is not None and source is None:
            return None
        wanted = [*tool.requirements, *([str(source)] if source else [])]
        commands = (
            [python if source else sys.executable, "-m", "venv", str(folder)],
            [str(interpreter), "-m", "pip", "install", "-q", *wanted],
        )
        for command in commands:
            made = subprocess.run(command, capture_output=True, text=True, check=False)
            if made.returncode:
                print(f"{tool.name}: {made.stderr.strip()[-300:]}", file=sys.stderr)
                return None
        done.touch()
    return str(interpreter)


def run(
    interpreter: str,
    program: Path,
    cases: Sequence[Record],
    seconds: float,
    environment: Mapping[str, str] | None = None,
) -> Run:
    """Run a child on the cases, with a limit on its wall time."""
    command = [interpreter, str(program)]
    variables = os.environ | {"PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1"}
    variables |= environment or {}
    process = subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=variables,
        cwd=program.parent,
        start_new_session=True,
    )
    started = time.monotonic()
    error = ""
    before = _children_seconds()
    try:
        out, errors = process.communicate(json.dumps(list(cases)), timeout=seconds)
        if process.returncode:
            error = _last_line(errors) or f"exit status {process.returncode}"
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)  # the process forks one child for each case
        out, _ = process.communicate()
        error = f"not done in {time.monotonic() - started:.0f} s"
    records = tuple(json.loads(line) for line in out.splitlines() if line.endswith("}"))
    return Run(records, _children_seconds() - before, _peak_of(records), error)


def _peak_of(records: Sequence[Record]) -> float:
    return max((record.get("peak_mb", 0.0) for record in records), default=0.0)


def _children_seconds() -> float:
    times = os.times()
    return times.children_user + times.children_system


def _last_line(text: str) -> str:
    lines = text.strip().splitlines()
    return lines[-1][:200] if lines else ""
