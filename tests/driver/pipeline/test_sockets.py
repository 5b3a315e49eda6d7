"""Functions that read off connections and send over them, up to the record."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.driver.conftest import run
from tests.driver.record.test_environment import needs_sandbox
from tests.nightly import all_but

MODULE = '''\
import socket
import struct


def read_line(sock):
    """Read bytes until a line ends."""
    line = b""
    while not line.endswith(b"\\r\\n"):
        part = sock.recv(1)
        if not part:
            raise ConnectionError("closed")
        line += part
    return line[:-2].decode()


def read_message(conn: socket.socket) -> bytes:
    head = b""
    while len(head) < 4:
        more = conn.recv(4 - len(head))
        if not more:
            return b""
        head += more
    (size,) = struct.unpack(">I", head)
    body = b""
    while len(body) < size:
        more = conn.recv(size - len(body))
        if not more:
            raise EOFError("cut off")
        body += more
    return body


def greet(conn: socket.socket, name: str) -> None:
    if name:
        conn.sendall(b"HELO " + name.encode())
    else:
        conn.sendall(b"QUIT")
        conn.close()


def serve_one(server: socket.socket):
    conn, address = server.accept()
    data = conn.recv(100)
    if data.startswith(b"GET"):
        conn.sendall(b"OK")
    else:
        conn.sendall(b"NO")
    conn.close()
    return address
'''
pytestmark = needs_sandbox


@pytest.mark.parametrize(
    ("target", "shown"),
    all_but(
        {"read_line", "greet", "serve_one"},
        [
            ("read_line", r"b'recv-1\r\n'"),
            ("read_message", "pack('>I', 6) + b'text-1'"),
            ("greet", "calls.append(('sendall', data, *flags))"),
            ("serve_one", "return self.waiting.pop()"),
        ],
    ),
)
def test_what_comes_over_a_socket_fits(tmp_path: Path, target: str, shown: str) -> None:
    repository = tmp_path / "repository"
    repository.mkdir()
    _ = (repository / "a.py").write_text(MODULE)
    done = run(repository, f"a.py::{target}", "--test", "--env", tmp_path / "env", "--no-install")
    assert (tmp_path / "env").exists(), done.err
    record: dict[str, Any] = json.loads((tmp_path / "env/environment.json").read_bytes())
    assert record["metrics"]["branch_coverage"] == 1
    assert record["metrics"]["kill_rate"] >= 0.8
    hidden = json.loads((tmp_path / "env/hidden.json").read_bytes())
    assert any(shown in case["code"] for case in (*record["cases"], *hidden["cases"]))
