"""Commands that are answered are like commands that run: same values, same arguments and input."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from tests.mocker.compared import mocked, real

TOOL = f"""\
#!{sys.executable}
import json, os, select, sys

waiting = not os.isatty(0) and bool(select.select([0], [], [], 1)[0])
entry = {{"argv": sys.argv[1:], "stdin": sys.stdin.read() if waiting else "",
         "cwd": os.path.basename(os.getcwd()), "mode": os.environ.get("TOOL_MODE")}}
with open(os.environ["TOOL_LOG"], "a") as log:
    log.write(json.dumps(entry) + "\\n")
status = int(os.environ.get("TOOL_STATUS", "0"))
if status:
    print("tool: failed", file=sys.stderr)
else:
    print("done")
sys.exit(status)
"""

RUN = """\
import subprocess

def run(*words):
    done = subprocess.run(["tool", *words], capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr, done.args
"""
INPUT = """\
import subprocess

def run(text):
    done = subprocess.run(["tool", "-"], input=text.encode(), stdout=subprocess.PIPE)
    return done.returncode, done.stdout
"""
CHECK = """\
from subprocess import CalledProcessError, check_output, check_call, STDOUT

def run():
    try:
        return check_output(["tool"], stderr=STDOUT)
    except CalledProcessError as error:
        return error.returncode, error.output, error.cmd, str(error)
"""
SHELL = """\
import os
import subprocess

def run(name):
    status = os.system(f"tool {name} > /dev/null 2> /dev/null < /dev/null")
    said = os.popen(f"tool 'a b' < /dev/null 2>&1").read()
    return status, said, subprocess.getstatusoutput("tool x < /dev/null")
"""
LINES = """\
import subprocess

def run():
    process = subprocess.Popen(["tool"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, universal_newlines=True)
    lines = [line for line in process.stdout]
    errors = process.stderr.read()
    return lines, errors, process.wait(), process.poll(), process.communicate()
"""
TALK = """\
import subprocess

def run():
    with subprocess.Popen("tool", stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        process.stdin.write(b"one\\n")
        process.stdin.write(b"two\\n")
        process.stdin.close()
        out = process.stdout.read()
    return out, process.returncode
"""
FILE = """\
import subprocess

def run():
    with open("out.txt", "w") as file:
        status = subprocess.call(["tool", "-o"], stdout=file, stderr=subprocess.STDOUT)
    with open("out.txt") as file:
        return status, file.read()
"""
ASYNC = """\
import asyncio

async def run():
    process = await asyncio.create_subprocess_exec(
        "tool", "a", stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    out, err = await process.communicate(b"text")
    shell = await asyncio.create_subprocess_shell(
        "tool b < /dev/null", stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT
    )
    lines = [line async for line in shell.stdout]
    return out, err, process.returncode, lines, await shell.wait()
"""
LARGE = """\
import subprocess

def run(size):
    process = subprocess.Popen(["tool"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    out, err = process.communicate("x" * size, timeout=20)
    return out, err, process.returncode
"""


@pytest.fixture
def world(tmp_path: Path):
    """A program that runs for real and keeps a log."""
    binaries = tmp_path / "bin"
    binaries.mkdir()
    tool = binaries / "tool"
    tool.write_text(TOOL)
    tool.chmod(0o755)
    return {
        "PATH": f"{binaries}:{os.environ['PATH']}",
        "TOOL_LOG": str(tmp_path / "log"),
    }


def seen(world: dict[str, str]) -> list[tuple[list[str], str]]:
    """What the real program has been given: its words, and its input."""
    entries = [json.loads(line) for line in Path(world["TOOL_LOG"]).read_text().splitlines()]
    return [(entry["argv"], entry["stdin"]) for entry in entries]


def noted(effects: list[tuple[object, ...]]) -> list[tuple[list[str], str]]:
    """The same of the effect log."""
    import shlex

    found: list[tuple[list[str], str]] = []
    for kind, target, *more in effects:
        if kind == "command":
            words = shlex.split(str(target).partition(" <")[0].partition(" >")[0])
            found.append((words[1:], ""))
        elif kind == "message":
            found[-1] = (found[-1][0], str(more[0]))
    return found


@pytest.mark.parametrize("status", [0, 3])
@pytest.mark.parametrize(
    ("source", "call"),
    [
        pytest.param(RUN, "run('a b', '-c')", id="run"),
        pytest.param(INPUT, "run('text')", id="input"),
        pytest.param(CHECK, "run()", id="check"),
        pytest.param(SHELL, "run('n')", id="shell"),
        pytest.param(LINES, "run()", id="lines"),
        pytest.param(TALK, "run()", id="talk"),
        pytest.param(FILE, "run()", id="file"),
        pytest.param(ASYNC, "await run()", id="asyncio"),
        pytest.param(LARGE, "run(300000)", id="large"),
    ],
)
def test_a_mocked_command_is_like_a_real_one(
    source: str, call: str, status: int, world: dict[str, str], tmp_path: Path
):
    there = real(source, call, tmp_path, TOOL_STATUS=str(status), **world)
    prepare = f"choose(subprocess='{status}')" if status else ""
    here, effects = mocked(source, "run", call, tmp_path, prepare)
    assert here == there
    assert noted(effects) == seen(world)


def test_a_program_that_is_not_there_raises_the_same(tmp_path: Path):
    source = """\
import subprocess

def run():
    try:
        subprocess.run(["no-such-tool", "x"])
    except OSError as error:
        return type(error).__name__, error.errno, error.filename
"""
    there = real(source, "run()", tmp_path)
    assert mocked(source, "run", "run()", tmp_path, "choose(subprocess='missing')")[0] == there


def test_python_asks_its_own_questions_for_real(tmp_path: Path):
    source = """\
import ctypes.util
import subprocess

def run():
    subprocess.run(["tool"])
    return ctypes.util.find_library("c")
"""
    here, effects = mocked(source, "run", "run()", tmp_path)
    import ctypes.util

    assert here == ctypes.util.find_library("c")
    assert [effect[1] for effect in effects] == ["tool"]
