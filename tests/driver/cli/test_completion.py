"""What shells complete; in those that are here."""

from __future__ import annotations

import os
import pty
import select
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest
from slicefunc.driver.cli.completion import completed, split_line

from tests.driver.conftest import run

needs_fish = pytest.mark.skipif(shutil.which("fish") is None, reason="no fish here")
needs_zsh = pytest.mark.skipif(shutil.which("zsh") is None, reason="no zsh here")
PATHS = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"


def _words(folder: Path, line: str, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    monkeypatch.chdir(folder)
    return [each.split("\t")[0] for each in completed(split_line(line))]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("slice-func gr", ["graph", ":dirs"]),
        ("slice-func repo ", ["shop/"]),
        ("slice-func repo shop/t", ["shop/tax.py::"]),
        (
            "slice-func repo shop/orders.py::",
            ["Order", "Order.__init__", "Order.total", "unrelated"],
        ),
        ("slice-func repo shop/orders.py::Order.t", ["Order.total"]),
        ("slice-func repo tot", ["Order.total"]),
        ("slice-func repo --emit fl", ["flat"]),
        ("slice-func repo --expl", ["--explain"]),
        ("slice-func repo --explain shop/orders.py::u", ["unrelated"]),
        ("slice-func repo shop/tax.py::add_tax -o ", [":files"]),
        ("slice-func repo x --with shop/orders.py::u", ["unrelated"]),
        ("slice-func graph repo --form", ["--format"]),
        ("slice-func graph repo x::f ", []),
        ("slice-func score env a.py ", [":files"]),
        ("slice-func completion z", ["zsh"]),
        ("slice-func nowhere ", []),
        ("slice-func repo shop/broken.py::", []),
        ('slice-func repo "shop/orders.py::u', []),
    ],
)
def test_each_word_is_completed_by_what_may_stand_there(
    repo: Path, line: str, words: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (repo / "shop/broken.py").write_text("def f(:\n")
    found = _words(repo.parent, line, monkeypatch)
    assert [each.rpartition("::")[2] or each for each in found] == words


def test_a_name_that_no_file_has_is_looked_for_in_all(
    repo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    os.mkfifo(repo / "pipe.py")  # is not waited for
    assert _words(repo.parent, "slice-func repo tot", monkeypatch) == [
        "shop/orders.py::Order.total"
    ]


def test_what_a_shell_asks_for_is_never_an_error(tmp_path: Path) -> None:
    done = run("completion", "line", "slice-func repo 'x", cwd=tmp_path)
    assert (done.status, done.out, done.err) == (0, b"", "")


def test_an_unknown_shell_is_refused() -> None:
    assert "invalid choice: 'tcsh'" in run("completion", "tcsh").error


def _bash(folder: Path, line: str) -> list[str]:
    script = (
        'eval "$(slice-func completion bash)"\n'
        'COMP_LINE=$1 COMP_POINT=${#1}; _slice_func; printf "%s\\n" "${COMPREPLY[@]}"\n'
    )
    return _printed(["bash", "-c", script, "bash", line], folder)


def _printed(command: list[str], folder: Path) -> list[str]:
    done = subprocess.run(
        command, cwd=folder, capture_output=True, text=True, check=True,
        env={**os.environ, "PATH": PATHS, "HOME": str(folder)},
    )  # fmt: skip
    return done.stdout.splitlines()


def test_bash_completes(repo: Path) -> None:
    folder = repo.parent
    assert _bash(folder, "slice-func repo shop/orders.py::Order.t") == ["Order.total"]
    assert _bash(folder, "slice-func repo tot") == ["shop/orders.py::Order.total"]
    assert _bash(folder, "slice-func re") == ["report", "repo"]
    assert _bash(folder, "slice-func grap") == ["graph"]
    assert _bash(folder, "slice-func repo x --min-k") == ["--min-killed"]


@needs_fish
def test_fish_completes(repo: Path) -> None:
    script = "slice-func completion fish | source; complete -C $argv[1]"

    def found(line: str) -> list[str]:
        return _printed(["fish", "-c", script, line], repo.parent)

    assert found("slice-func repo shop/orders.py::Order.t") == [
        "shop/orders.py::Order.total\tdef total(self):"
    ]
    assert [each.split("\t")[0] for each in found("slice-func repo x --min-k")] == ["--min-killed"]


@needs_zsh
def test_zsh_completes(repo: Path) -> None:
    assert _typed_in_zsh(repo.parent, "slice-func repo tot") == (
        "slice-func repo shop/orders.py::Order.total"
    )


def _typed_in_zsh(folder: Path, line: str) -> str:
    """What the line is after a press of the tab key."""
    child, terminal = pty.fork()
    if not child:
        os.chdir(folder)
        given = {"PATH": PATHS, "HOME": str(folder), "TERM": "dumb", "COLUMNS": "200"}
        os.execvpe("zsh", ["zsh", "-f", "-i"], {**os.environ, **given})
    start = (
        'autoload -Uz compinit; compinit -u -D; eval "$(slice-func completion zsh)"; echo o""k\n'
    )
    os.write(terminal, start.encode())
    _wait_for(terminal, b"ok\r\n")
    os.write(terminal, line.encode() + b"\t")
    _wait_for(terminal, b"total")
    os.write(terminal, b"\x01print -r -- '<\x05>'\n")
    text = _wait_for(terminal, b">\r\n")
    os.close(terminal)
    os.waitpid(child, 0)
    return text.rpartition(b"\n<")[2].partition(b">")[0].decode().strip()


def _wait_for(terminal: int, wanted: bytes) -> bytes:
    text, ends = b"", time.monotonic() + 60
    while wanted not in text and time.monotonic() < ends:
        if select.select([terminal], [], [], 1)[0]:
            text += os.read(terminal, 1 << 16)
    return text
