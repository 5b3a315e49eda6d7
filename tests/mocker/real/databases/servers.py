"""Real servers of a test's own on private sockets, as an ordinary user."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path


def program(name: str) -> str | None:
    """Where a program of Debian's packages lies; those of servers may not be on the path."""
    found = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))
    everywhere = f"{os.environ.get('PATH', os.defpath)}:/usr/local/sbin:/usr/sbin:/sbin"
    return str(found[-1]) if found else shutil.which(name, path=everywhere)


def _user(name: str) -> dict[str, str]:
    """Run as this user where the test itself is root: PostgreSQL refuses to serve as root."""
    return {"user": name} if os.geteuid() == 0 else {}


@contextlib.contextmanager
def postgres() -> Iterator[str]:
    """A server of PostgreSQL: the folder of its socket."""
    initdb, server = program("initdb"), program("postgres")
    assert initdb
    assert server
    with tempfile.TemporaryDirectory(prefix="pg") as folder:
        as_user = _user("postgres")
        if as_user:
            shutil.chown(folder, "postgres")
        data = f"{folder}/data"
        subprocess.run(
            [initdb, "-D", data, "-U", "app", "-A", "trust", "--no-sync", "-E", "UTF8",
             "--locale=C"],
            check=True, capture_output=True, cwd=folder, **as_user,
        )  # fmt: skip
        process = subprocess.Popen(
            [server, "-D", data, "-k", folder, "-c", "listen_addresses=", "-c", "fsync=off",
             "-c", "timezone=UTC"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=folder, **as_user,
        )  # fmt: skip
        try:
            _wait(Path(folder, ".s.PGSQL.5432"), process)
            yield folder
        finally:
            process.terminate()
            process.wait(20)


@contextlib.contextmanager
def mariadb() -> Iterator[str]:
    """A server of MariaDB that says what MySQL's defaults say: the path of its socket."""
    server = program("mariadbd")
    assert server
    with tempfile.TemporaryDirectory(prefix="my") as folder:
        as_user = _user("mysql")
        data = Path(folder, "data")
        data.mkdir()
        if as_user:
            shutil.chown(folder, "mysql")
            shutil.chown(data, "mysql")
        socket = f"{folder}/socket"
        process = subprocess.Popen(
            [server, "--no-defaults", f"--datadir={data}", f"--socket={socket}",
             f"--pid-file={folder}/pid", f"--tmpdir={folder}", "--skip-networking",
             "--skip-grant-tables", "--innodb-flush-log-at-trx-commit=0", "--default-time-zone=+00:00",
             "--character-set-server=utf8mb4", "--collation-server=utf8mb4_general_ci",
             "--sql-mode=ONLY_FULL_GROUP_BY,STRICT_TRANS_TABLES,NO_ZERO_IN_DATE,NO_ZERO_DATE,"
             "ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=folder, **as_user,
        )  # fmt: skip
        try:
            _wait(Path(socket), process)
            yield socket
        finally:
            process.terminate()
            process.wait(20)


@contextlib.contextmanager
def redis_server() -> Iterator[str]:
    """A server of Redis: the path of its socket."""
    server = program("redis-server")
    assert server
    with tempfile.TemporaryDirectory(prefix="rd") as folder:
        as_user = _user("nobody")
        if as_user:
            shutil.chown(folder, "nobody")
        socket = f"{folder}/socket"
        process = subprocess.Popen(
            [server, "--port", "0", "--unixsocket", socket, "--unixsocketperm", "777",
             "--save", "", "--dir", folder],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=folder, **as_user,
        )  # fmt: skip
        try:
            _wait(Path(socket), process)
            yield socket
        finally:
            process.terminate()
            process.wait(20)


def _wait(path: Path, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + 30
    while not path.exists():
        assert process.poll() is None, f"the server ended: {process.returncode}"
        assert time.monotonic() < deadline, "the server does not start"
        time.sleep(0.05)
    time.sleep(0.3)  # the socket is there a moment before the server answers
