"""Commands are noted and answered, never run: subprocess, os.system, os.popen, asyncio, which."""

from __future__ import annotations

from ....answers.services.service_answers import output_texts, texts_at
from ....contacts import Border, Contact, Example, Family, Mock, Treated

_NAMES = (
    "subprocess asyncio.create_subprocess_exec asyncio.create_subprocess_shell asyncio.subprocess "
    "shutil.which os.system os.popen os.startfile os.kill os.killpg os.execv os.execve os.execvp "
    "os.execvpe os.execl os.execle os.execlp os.execlpe os.spawnl os.spawnle os.spawnlp "
    "os.spawnlpe os.spawnv os.spawnve os.spawnvp os.spawnvpe".split()
)
_PLACES = (
    "subprocess.run().stdout",
    "subprocess.check_output()",
    "subprocess.getoutput()",
    "subprocess.getstatusoutput()[1]",
    "subprocess.Popen().communicate()[0]",
    "subprocess.Popen().stdout.read()",
    "os.popen().read()",
    "asyncio.create_subprocess_exec().communicate()[0]",
    "asyncio.create_subprocess_shell().communicate()[0]",
)


def applies(border: Border) -> tuple[Contact, ...]:
    """Whatever starts a command, or asks where one is."""
    return border.named(*_NAMES)


def stub(border: Border, contacts: tuple[Contact, ...]) -> Mock:
    """Each command ends with status 0 and an output of the shape that the slice reads."""
    del contacts
    found = texts_at(border, _PLACES, ("json.load", "json.loads"))
    outputs = output_texts(border, found)
    setup = f"answer_commands(Commands({outputs!r}, from_use={found.is_said}))\n"
    if border.runs_libraries or border.modules("asyncio"):
        setup += "end_asyncio_commands()\n"
    return Mock(
        treated=(Treated("subprocess", "faked", "commands are noted and answered, none is run"),),
        setup=setup,
        pieces=("subprocesses",),
        answers=found.listed(outputs["default"]),
    )


_CHOOSE = "__import__('slice_func_mocks').choose"

EXAMPLES: tuple[Example, ...] = (
    Example(
        title="the commit of a working copy",
        source="""\
import subprocess


def version(folder="."):
    try:
        out = subprocess.check_output(
            ["git", "rev-parse", "--short", "HEAD"], cwd=folder, stderr=subprocess.DEVNULL
        )
    except (subprocess.CalledProcessError, FileNotFoundError) as error:
        return type(error).__name__
    return out.decode().strip()
""",
        target="version",
        call=(
            f"[version(), {_CHOOSE}(subprocess='128'), version(), {_CHOOSE}(subprocess='missing'),"
            " version()]"
        ),
        gives="['0123456', None, 'CalledProcessError', None, 'FileNotFoundError']",
        effects=("command git rev-parse --short HEAD",) * 3,
    ),
    Example(
        title="a pipeline of programs with a time-out",
        source="""\
import subprocess
from pathlib import Path


class Converter:
    def __init__(self, binary="ffmpeg"):
        self.binary = binary

    def convert(self, source: Path, target: Path) -> str:
        command = [self.binary, "-y", "-i", source, target]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=5, check=True)
        except subprocess.TimeoutExpired as error:
            return f"late after {error.timeout}"
        return f"{done.returncode} {done.stdout!r} {done.stderr!r}"
""",
        target="Converter.convert",
        call=(
            f"[Converter().convert('a b.wav', 'b.mp3'), {_CHOOSE}(subprocess='timeout'),"
            " Converter().convert('a b.wav', 'b.mp3')]"
        ),
        gives="[\"0 'done\\\\n' ''\", None, 'late after 5']",
        effects=(
            "command ffmpeg -y -i 'a b.wav' b.mp3",
            "command ffmpeg -y -i 'a b.wav' b.mp3",
            "command kill -9",
        ),
    ),
    Example(
        title="commands of a shell",
        source="""\
import os
import shutil
import sys
from subprocess import call


def build(name):
    if shutil.which("docker") is None:
        return "no docker"
    os.system("clear")
    status = call(f"docker build -t {name} .", shell=True, env={**os.environ, "BUILDKIT": "1"})
    call([sys.executable, "-m", "pip", "install", name])
    return status, os.popen("docker images").read()
""",
        target="build",
        call="(build('app'), _effects[-3][2:])",
        gives="((0, 'done\\n'), (('env', {'BUILDKIT': '1'}),))",
        effects=(
            "command clear",
            "command docker build -t app .",
            "command python -m pip install app",
            "command docker images",
        ),
    ),
    Example(
        title="a program that is talked to",
        source="""\
import subprocess


def ask(program, *lines):
    with subprocess.Popen(
        [program, "-i"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True,
    ) as process:
        for line in lines:
            process.stdin.write(line + "\\n")
        out, _ = process.communicate("quit\\n")
    said = []
    other = subprocess.Popen(program, stdout=subprocess.PIPE, universal_newlines=True, bufsize=1)
    for line in iter(other.stdout.readline, ""):
        said.append(line.rstrip())
    return out, said, process.returncode, other.wait(), isinstance(other, subprocess.Popen)
""",
        target="ask",
        call="(ask('engine', 'uci'), _effects[-2][2])",
        gives="(('done\\n', ['done'], 0, 0, True), 'uci\\nquit\\n')",
        effects=("command engine -i", "message stdin of engine -i", "command engine"),
    ),
    Example(
        title="processes of asyncio",
        source="""\
import asyncio
from asyncio.subprocess import PIPE


async def run(*words):
    process = await asyncio.create_subprocess_exec(*words, stdin=PIPE, stdout=PIPE, stderr=PIPE)
    out, err = await process.communicate(b"in")
    shell = await asyncio.create_subprocess_shell("echo a b", stdout=PIPE)
    said = await shell.stdout.read()
    return out.decode(), err, process.returncode, said, await shell.wait()
""",
        target="run",
        call="await run('tool', '--now')",
        gives="('done\\n', b'', 0, b'a b\\n', 0)",
        effects=("command tool --now", "message stdin of tool --now", "command echo a b"),
    ),
    Example(
        title="a server that is started and stopped",
        source="""\
import os
import signal
import subprocess


class Server:
    def __init__(self, port):
        self.process = subprocess.Popen(["serve", str(port)], stdout=subprocess.DEVNULL)

    def alive(self):
        return self.process.poll() is None

    def stop(self):
        self.process.terminate()
        try:
            self.process.wait(timeout=3)
        except subprocess.TimeoutExpired:
            os.kill(self.process.pid, signal.SIGKILL)
        return self.process.returncode


def restart(port):
    server = Server(port)
    return server.alive(), server.stop()
""",
        target="restart",
        call=f"({_CHOOSE}(subprocess='running'), restart(80))[1]",
        gives="(True, -15)",
        effects=("command serve 80", "command kill -15"),
    ),
    Example(
        title="JSON that a program prints",
        source="""\
import json
import subprocess


def pods(namespace):
    output = subprocess.getoutput(f"kubectl get pods -n {namespace} -o json")
    items = json.loads(output).get("items", [])
    status, text = subprocess.getstatusoutput("kubectl version")
    return len(items), status
""",
        target="pods",
        call="pods('default')[1]",
        gives="0",
        effects=("command kubectl get pods -n default -o json", "command kubectl version"),
    ),
)

FAMILY = Family("subprocess", applies, stub, EXAMPLES)
