"""The same functions against real servers and against the mocks: the same values and effects."""

from __future__ import annotations

import codecs
import json
import re
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from slicefunc.driver.pipeline.passes import compile_slice
from slicefunc.slicer import Repository

from tests.mocker.real.databases import (
    mongo_programs,
    mysql_programs,
    postgres_programs,
    redis_programs,
    sqlalchemy_programs,
)
from tests.mocker.real.databases.servers import mariadb, postgres, program, redis_server
from tests.nightly import one_in

CHILD = Path(__file__).parent / "databases" / "child.py"
GREETINGS = {"HELLO", "CLIENT", "AUTH", "SELECT", "PING"}


@pytest.fixture(scope="module")
def postgres_folder() -> Iterator[str]:
    if program("postgres") is None:
        pytest.skip("PostgreSQL is not installed (Debian's package postgresql)")
    with postgres() as folder:
        yield folder


@pytest.fixture(scope="module")
def mysql_socket() -> Iterator[str]:
    if program("mariadbd") is None:
        pytest.skip("MariaDB is not installed (Debian's package mariadb-server)")
    with mariadb() as socket:
        yield socket


@pytest.fixture(scope="module")
def redis_socket() -> Iterator[str]:
    if program("redis-server") is None:
        pytest.skip("Redis is not installed (Debian's package redis-server)")
    with redis_server() as socket:
        yield socket


def run(side: str, script: Path, call: str) -> tuple[str, list[object]]:
    done = subprocess.run(
        [sys.executable, str(CHILD), side, str(script), call],
        cwd=script.parent, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == 0, f"{side}: {done.stderr}"
    value, effects = json.loads(done.stdout.splitlines()[-1])
    return value, effects


def mocked(source: str, folder: Path) -> Path:
    repository = folder / "repository"
    repository.mkdir()
    (repository / "program.py").write_text(source)
    script = folder / "script.py"
    sliced = compile_slice(Repository(repository), ["program.py::main"])
    script.write_text(sliced.source)
    return script


@pytest.mark.parametrize("name", one_in(3, sorted(postgres_programs.PROGRAMS)))
def test_postgres_and_its_mock_agree(name: str, postgres_folder: str, tmp_path: Path):
    import psycopg2

    source = postgres_programs.PROGRAMS[name]
    script = tmp_path / "program.py"
    script.write_text(source)
    admin = psycopg2.connect(host=postgres_folder, user="app", dbname="postgres")
    admin.autocommit = True
    with admin.cursor() as cursor:
        cursor.execute(f"CREATE DATABASE {name}")
    admin.close()
    call = f"main({postgres_folder!r}, {name!r})"
    real = run("real", script, call)
    mock = run("mock", mocked(source, tmp_path), call)
    assert mock == real


@pytest.mark.parametrize("name", one_in(3, sorted(sqlalchemy_programs.PROGRAMS)))
def test_sqlalchemy_on_postgres_and_its_mock_agree(name: str, postgres_folder: str, tmp_path: Path):
    import psycopg2

    source = sqlalchemy_programs.PROGRAMS[name]
    script = tmp_path / "program.py"
    script.write_text(source)
    admin = psycopg2.connect(host=postgres_folder, user="app", dbname="postgres")
    admin.autocommit = True
    with admin.cursor() as cursor:
        cursor.execute(f"CREATE DATABASE alchemy_{name}")
    admin.close()
    address = f"postgresql+psycopg2://app@/alchemy_{name}?host={postgres_folder}"
    value, _ = run("real", script, f"main({address!r})")
    script = mocked(source, tmp_path)
    empty = "import slice_func_mocks\nslice_func_mocks.choose(database='empty')\n"
    script.write_text(f"{script.read_text()}\n{empty}")
    mock, effects = run("mock", script, f"main({address!r})")
    assert mock == value
    assert effects


@pytest.mark.parametrize("name", one_in(3, sorted(mysql_programs.PROGRAMS)))
def test_mysql_and_its_mock_agree(name: str, mysql_socket: str, tmp_path: Path):
    import pymysql

    source = mysql_programs.PROGRAMS[name]
    script = tmp_path / "program.py"
    script.write_text(source)
    with pymysql.connect(unix_socket=mysql_socket, user="app") as admin:
        admin.cursor().execute(f"CREATE DATABASE app_{name}")
    call = f"main({mysql_socket!r}, {'app_' + name!r})"
    real = run("real", script, call)
    mock = run("mock", mocked(source, tmp_path), call)
    assert mock == real


REFUSED = {
    "pymysql": """\
import pymysql


def main(host, port):
    try:
        pymysql.connect(host=host, port=port, user="u", password="p", database="d")
    except pymysql.err.OperationalError as error:
        return type(error).__name__, error.args
""",
    "connector": """\
import mysql.connector


def main(host, port):
    try:
        mysql.connector.connect(host=host, port=port, user="u", password="p", use_pure=True)
    except mysql.connector.Error as error:
        return type(error).__name__, error.errno, error.msg
""",
    "psycopg2": """\
import psycopg2


def main(host, port):
    try:
        psycopg2.connect(host=host, port=port, user="u", dbname="d")
    except psycopg2.OperationalError as error:
        return type(error).__name__, "Connection refused" in str(error), error.pgcode
""",
    "psycopg": """\
import psycopg


def main(host, port):
    try:
        with psycopg.connect(host=host, port=port, user="u", dbname="d") as connection:
            return connection.execute("SELECT 1").fetchone()
    except psycopg.Error as error:
        return type(error).__name__, "refused" in str(error)
""",
    "asyncpg": """\
import asyncpg


async def main(host, port):
    try:
        await asyncpg.connect(host=host, port=port, user="u", database="d")
    except OSError as error:
        return type(error).__name__, error.errno
""",
}


@pytest.mark.parametrize("name", one_in(2, sorted(REFUSED)))
def test_a_refused_connection_and_its_mock_agree(name: str, tmp_path: Path):
    source = REFUSED[name]
    program = tmp_path / "program.py"
    program.write_text(source)
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    call = f"main('127.0.0.1', {port})"
    script = mocked(source, tmp_path)
    refused = "import slice_func_mocks\nslice_func_mocks.choose(database='connection')\n"
    script.write_text(f"{script.read_text()}\n{refused}")
    value, _ = run("real", program, call)
    assert run("mock", script, call)[0] == value


@pytest.mark.parametrize("name", one_in(3, sorted(mongo_programs.PROGRAMS)))
def test_the_client_of_mongodb_and_its_mock_agree(name: str, tmp_path: Path):
    source = mongo_programs.PROGRAMS[name]
    program = tmp_path / "program.py"
    program.write_text(source)
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    call = f"main('mongodb://127.0.0.1:{port}')"
    script = mocked(source, tmp_path)
    if name == "nobody":
        refused = "import slice_func_mocks\nslice_func_mocks.choose(database='connection')\n"
        script.write_text(f"{script.read_text()}\n{refused}")
    value, _ = run("real", program, call)
    assert run("mock", script, call)[0] == value


@pytest.mark.parametrize("name", one_in(3, sorted(redis_programs.PROGRAMS)))
def test_redis_and_its_mock_agree(name: str, redis_socket: str, tmp_path: Path):
    source = redis_programs.PROGRAMS[name]
    script = tmp_path / "program.py"
    script.write_text(source)
    call = f"main('unix://{redis_socket}')"
    with monitored(redis_socket) as seen:
        value, _ = run("real", script, call)
    mock, effects = run("mock", mocked(source, tmp_path), call)
    assert mock == value
    if name not in redis_programs.VALUES_ONLY:
        assert [[word, *rest] for _, word, rest in effects] == seen


class monitored:  # noqa: N801  used as a function
    """What a real server sees meanwhile, as `MONITOR` tells it."""

    def __init__(self, socket: str) -> None:
        self.socket, self.seen = socket, []

    def __enter__(self) -> list[list[str]]:
        import redis

        self.client = redis.Redis(unix_socket_path=self.socket)
        self.client.flushall()
        self.monitor = self.client.monitor().__enter__()
        self.thread = threading.Thread(target=self._listen)
        self.thread.start()
        return self.seen

    def _listen(self) -> None:
        while True:
            line = self.monitor.connection.read_response().decode()
            words = [_unescaped(word) for word in re.findall(r'"((?:[^"\\]|\\.)*)"', line)]
            if words[:2] == ["ECHO", "the-end"]:
                return
            # what a script in Lua calls is no command of the client
            if " lua] " not in line and words[0].upper() not in GREETINGS:
                self.seen.append([words[0].upper(), *words[1:]])

    def __exit__(self, *_error: object) -> None:
        self.client.echo("the-end")
        self.thread.join(20)
        self.client.close()


def _unescaped(word: str) -> str:
    return codecs.decode(word, "unicode_escape")
