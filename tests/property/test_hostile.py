"""Whatever is fed to the command: a clear one-line error or success; no traceback, no hang."""

from __future__ import annotations

import contextlib
import io
import os
import re
import resource
import signal
import socket
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Never

import pytest
from hypothesis import given
from hypothesis import strategies as st
from slicefunc.driver.cli.command import main

from tests.nightly import one_in
from tests.property.generator import packages
from tests.property.hostile import (
    FILES,
    NAMES,
    TARGETS,
    mutated,
    standard_texts,
    strange_modules,
)
from tests.property.runner import write_file, write_package

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType

    from tests.property.model import Package

SECONDS = 20
"""Of the processor, and fifteen times as many by the clock."""
MOST_BYTES = 4 << 30
EXPECTED = {0, 2, 3}
WORDS = (
    "--emit", "flat", "modules", "package", "script", "nonsense", "-o", "--output", "--root", "sub",
    "..", "/", "--with", "odd.py::f", "odd.py::C", "odd.py", "::", "--explain", "--json", "--all",
    "--jobs", "0", "-1", "1", "x", "--limit", "--resume", "--", "", "-", "--help", "--version", "-x",  # noqa: E501
    "graph", "--format", "json", "dot", "pycg", "\ud800", "--emit=flat", "--emit=", "out",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Answer:
    """What the command said."""

    status: int
    output: bytes
    messages: str


class Hang(BaseException):
    """The command took too long; not an `Exception`, so that the command cannot swallow it."""


@contextlib.contextmanager
def limits(seconds: int) -> Iterator[None]:
    """Raise `Hang` inside the block after `seconds`, and `MemoryError` when it takes too much."""

    def stop(_number: int, _frame: FrameType | None) -> Never:
        raise Hang

    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, hard))
    before = [signal.signal(number, stop) for number in (signal.SIGALRM, signal.SIGPROF)]
    signal.alarm(15 * seconds)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.setitimer(signal.ITIMER_PROF, 0)
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))
        for number, handler in zip((signal.SIGALRM, signal.SIGPROF), before, strict=True):
            signal.signal(number, handler)


def command(*words: str) -> Answer:
    """Run the command in this process."""
    output = io.BytesIO()
    stdout = io.TextIOWrapper(output, encoding="utf-8", write_through=True)
    stderr = io.StringIO()
    with limits(SECONDS), contextlib.redirect_stdout(stdout), contextlib.redirect_stderr(stderr):
        status = main(list(words))
    return Answer(status, output.getvalue(), stderr.getvalue())


def check(answer: Answer) -> Answer:
    """The answer is a success, or says what was wrong and what to do."""
    assert answer.status in EXPECTED, answer
    assert "Traceback" not in answer.messages
    lines = answer.messages.splitlines()
    assert all(line.startswith("slice-func: ") for line in lines), lines
    errors = [line for line in lines if line.startswith("slice-func: error: ")]
    assert len(errors) == (answer.status != 0), lines
    assert sum(line.startswith("slice-func: hint: ") for line in lines) == len(errors)
    assert all(line.isprintable() for line in lines)
    if answer.status != 0:
        assert answer.output == b"", "an error leaves nothing on standard output"
    return answer


def slice_file(content: bytes, *options: str, name: str = "odd.py", target: str = "f") -> Answer:
    """Slice `target` of a repository of one file."""
    with tempfile.TemporaryDirectory() as folder:
        write_file(Path(folder), name, content)
        answer = check(command(folder, f"{name}::{target}", *options))
    assert all(len(line) < 2_000 for line in answer.messages.splitlines())
    return answer


def compiles(content: bytes) -> bool:
    """Whether Python takes this text."""
    try:
        compile(content, "script.py", "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def check_script(answer: Answer, *inputs: bytes) -> None:
    """A script made of files that compile compiles."""
    if answer.status == 0 and all(compiles(content) for content in inputs):
        assert compiles(answer.output), answer.output.decode("utf-8", "replace")


@pytest.mark.parametrize("what", one_in(2, FILES))
def test_hostile_file(what: str) -> None:
    check_script(slice_file(FILES[what]), FILES[what])


@pytest.mark.parametrize("what", one_in(3, FILES))
def test_hostile_import(what: str) -> None:
    importer = b"from odd import *\nfrom odd import f as g\nimport odd\ndef f(): return g, odd.x\n"
    with tempfile.TemporaryDirectory() as folder:
        write_file(Path(folder), "odd.py", FILES[what])
        write_file(Path(folder), "main.py", importer)
        answer = check(command(folder, "main.py::f", "--emit", "modules"))
    check_script(answer, FILES[what])


@pytest.mark.parametrize("target", TARGETS, ids=lambda t: ascii(t[:40]))
def test_hostile_target(target: str, tmp_path: Path) -> None:
    write_file(tmp_path, "odd.py", b"import os\nx = 1\ndef f(): return x\n")
    write_file(tmp_path, "sub/mod.py", b"def f(): pass\n")
    write_file(tmp_path, "data.txt", b"def f(): pass\n")
    check(command(str(tmp_path), target))


@pytest.mark.parametrize("name", one_in(2, NAMES), ids=ascii)
def test_odd_file_name(name: str, tmp_path: Path) -> None:
    content = b"import os\nfrom typing import Any\nx = os.sep\ndef f() -> Any: return x\n"
    write_file(tmp_path, name, content)
    check_script(check(command(str(tmp_path), f"{name}::f")), content)


@pytest.mark.parametrize("name", one_in(2, NAMES), ids=ascii)
def test_odd_folder_name(name: str, tmp_path: Path) -> None:
    content = b"from .other import x\ndef f(): return x\n"
    write_file(tmp_path, f"{name}/mod.py", content)
    write_file(tmp_path, f"{name}/other.py", b"x = 1\n")
    check_script(check(command(str(tmp_path), f"{name}/mod.py::f", "--emit", "modules")), content)


@given(content=st.binary(max_size=200))
def test_random_bytes(content: bytes) -> None:
    check_script(slice_file(content), content)


@given(content=st.binary(max_size=60))
def test_random_bytes_after_a_function(content: bytes) -> None:
    content = b"def f():\n    return x\n" + content
    check_script(slice_file(content), content)


@given(
    content=mutated(st.sampled_from(standard_texts())),
    emit=st.sampled_from(("script", "modules")),
    data=st.data(),
)
def test_mutated_source(content: bytes, emit: str, data: st.DataObject) -> None:
    names = re.findall(r"(?m)^(?:def|class) (\w+)", content.decode("utf-8", "replace"))
    target = data.draw(st.sampled_from(names or ["f"]))
    check_script(slice_file(content, "--emit", emit, target=target), content)


@given(package=packages(), data=st.data())
def test_package_with_a_broken_file(package: Package, data: st.DataObject) -> None:
    path, content = data.draw(st.sampled_from(package.files))
    broken = data.draw(mutated(st.just(content)))
    with tempfile.TemporaryDirectory() as name:
        folder = write_package(package, Path(name))
        write_file(folder, path, broken)
        check(command(str(folder), f"{package.target_path}::{package.qualname}"))
        check(command("graph", str(folder)))


@given(modules=strange_modules(), emit=st.sampled_from(("script", "modules")))
def test_strange_modules(modules: dict[str, str], emit: str) -> None:
    with tempfile.TemporaryDirectory() as name:
        for path, text in modules.items():
            write_file(Path(name), path, text.encode())
        answer = check(command(name, "odd.py::target", "--emit", emit))
    check_script(answer, *(text.encode() for text in modules.values()))


@given(words=st.lists(st.sampled_from(WORDS), max_size=6), graph=st.booleans())
def test_strange_command_line(words: list[str], graph: bool) -> None:
    with tempfile.TemporaryDirectory() as name:
        write_file(Path(name), "repo/odd.py", b"class C: pass\ndef f(): return C()\n")
        write_file(Path(name), "repo/sub/__init__.py", b"")
        with contextlib.chdir(name):
            answer = command(*(["graph"] * graph), str(Path(name) / "repo"), *words)
    assert answer.status in EXPECTED, answer
    assert "Traceback" not in answer.messages


@given(text=st.text(max_size=30))
def test_any_text_as_target(text: str) -> None:
    with tempfile.TemporaryDirectory() as name:
        write_file(Path(name), "odd.py", b"def f(): pass\n")
        for target in (text, f"odd.py::{text}", f"{text}::f"):
            if not target.startswith("-"):
                check(command(name, target))


class TestFileSystem:
    """Files that cannot be read, or that have no end."""

    GOOD = b"from other import x\ndef f(): return x\n"

    def test_symlink_loops(self, tmp_path: Path) -> None:
        write_file(tmp_path, "odd.py", self.GOOD)
        (tmp_path / "loop").symlink_to(tmp_path)
        (tmp_path / "other.py").symlink_to("other.py")
        check(command(str(tmp_path), "odd.py::f"))
        check(command(str(tmp_path), "other.py::f"))
        check(command("graph", str(tmp_path)))
        check(command(str(tmp_path), "--all"))

    def test_link_to_a_device_without_end(self, tmp_path: Path) -> None:
        write_file(tmp_path, "odd.py", self.GOOD)
        (tmp_path / "other.py").symlink_to("/dev/zero")
        check(command(str(tmp_path), "odd.py::f"))
        assert check(command(str(tmp_path), "other.py::f")).status == 2

    def test_pipe_that_nobody_writes(self, tmp_path: Path) -> None:
        write_file(tmp_path, "odd.py", self.GOOD)
        os.mkfifo(tmp_path / "other.py")
        check(command(str(tmp_path), "odd.py::f"))
        assert check(command(str(tmp_path), "other.py::f")).status == 2
        check(command(str(tmp_path), "--all"))

    def test_socket(self, tmp_path: Path) -> None:
        write_file(tmp_path, "odd.py", self.GOOD)
        with socket.socket(socket.AF_UNIX) as server, contextlib.chdir(tmp_path):
            server.bind("other.py")
            check(command(str(tmp_path), "odd.py::f"))

    def test_folder_called_like_a_module(self, tmp_path: Path) -> None:
        write_file(tmp_path, "odd.py", self.GOOD)
        (tmp_path / "other.py").mkdir()
        check(command(str(tmp_path), "odd.py::f"))
        assert check(command(str(tmp_path), "other.py::f")).status == 2

    def test_dangling_link(self, tmp_path: Path) -> None:
        write_file(tmp_path, "odd.py", self.GOOD)
        (tmp_path / "other.py").symlink_to("nowhere")
        check(command(str(tmp_path), "odd.py::f"))
        assert check(command(str(tmp_path), "other.py::f")).status == 2

    @pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
    def test_unreadable_file_and_folder(self, tmp_path: Path) -> None:
        write_file(tmp_path, "odd.py", self.GOOD)
        write_file(tmp_path, "other.py", b"x = 1\n").chmod(0)
        (tmp_path / "closed").mkdir(mode=0)
        check(command(str(tmp_path), "odd.py::f"))
        assert check(command(str(tmp_path), "other.py::f")).status == 2
        check(command("graph", str(tmp_path)))

    def test_repository_is_a_file(self, tmp_path: Path) -> None:
        file = write_file(tmp_path, "odd.py", self.GOOD)
        assert check(command(str(file), "odd.py::f")).status == 2

    @pytest.mark.parametrize("repository", ["", "nowhere", "\0", "/dev/null", "a" * 5000])
    def test_no_repository(self, repository: str, tmp_path: Path) -> None:
        with contextlib.chdir(tmp_path):
            assert check(command(repository, "odd.py::f")).status == 2

    def test_working_directory_is_gone(self, tmp_path: Path) -> None:
        write_file(tmp_path, "repo/odd.py", b"def f(): return 1\n")
        gone = tmp_path / "gone"
        gone.mkdir()
        run = (
            "import os, sys; os.chdir(sys.argv[1]); os.rmdir(sys.argv[1])\n"
            "from slicefunc.driver.cli.command import main; sys.exit(main(sys.argv[2:]))"
        )
        words = [sys.executable, "-c", run, str(gone), str(tmp_path / "repo"), "odd.py::f"]
        done = subprocess.run(words, capture_output=True, timeout=60, check=False)
        assert done.returncode in EXPECTED
        assert b"Traceback" not in done.stderr


class TestProcess:
    """The command as a process of its own."""

    def run(self, *words: bytes | str, **more: object) -> subprocess.CompletedProcess[bytes]:
        """Run it, with arguments that may be no text."""
        command_line = [sys.executable, "-m", "slicefunc.driver.cli.command", *words]
        return subprocess.run(command_line, capture_output=True, timeout=60, check=False, **more)  # pyright: ignore[reportCallIssue, reportArgumentType, reportUnknownVariableType]

    @pytest.mark.parametrize("what", ["too deep parentheses", "deep sums", "deep attributes",
                                      "many definitions", "one NUL", "deep calls"])  # fmt: skip
    def test_deep_source_in_a_fresh_process(self, what: str, tmp_path: Path) -> None:
        write_file(tmp_path, "odd.py", FILES[what])
        done = self.run(str(tmp_path), "odd.py::f")
        assert done.returncode in EXPECTED, done.stderr
        assert b"Traceback" not in done.stderr

    def test_arguments_and_names_that_are_no_text(self, tmp_path: Path) -> None:
        write_file(tmp_path, os.fsdecode(b"\xff.py"), b"def f(): return 1\n")
        done = self.run(str(tmp_path), b"\xff.py::f")
        assert done.returncode in EXPECTED, done.stderr
        assert b"Traceback" not in done.stderr
        listed = self.run(str(tmp_path), "--all", "--json")
        assert listed.returncode in EXPECTED, listed.stderr
        assert b"Traceback" not in listed.stderr

    def test_ascii_terminal(self, tmp_path: Path) -> None:
        write_file(tmp_path, "odd.py", "def f(): return '\u00e9'\n".encode())
        done = self.run(str(tmp_path), "odd.py::f", env={**os.environ, "PYTHONIOENCODING": "ascii"})
        assert done.returncode == 0, done.stderr
        assert "\u00e9".encode() in done.stdout

    def test_standard_input_is_not_read(self, tmp_path: Path) -> None:
        write_file(tmp_path, "odd.py", b"x = input()\ndef f(): return 1\n")
        reader, writer = os.pipe()
        try:
            done = self.run(str(tmp_path), "odd.py::f", stdin=reader)
        finally:
            os.close(reader)
            os.close(writer)
        assert done.returncode == 0, done.stderr
