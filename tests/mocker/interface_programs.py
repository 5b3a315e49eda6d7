"""Programs against packages that are not there, with what a stub package declares of each.

The declarations are short ones of our own: what the programs reach, and a little beside it.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Program:
    """A program, what is installed for it, and what its slice does."""

    title: str
    source: str
    target: str
    call: str
    gives: str
    declared: tuple[tuple[str, str], ...]
    """Files below `site-packages`."""
    stubs: tuple[str, ...]
    source_name: str
    """What the manifest says that the stub was written from."""
    effects: tuple[str, ...] = ()


def metadata(name: str, version: str, *folders: str) -> tuple[tuple[str, str], ...]:
    """The files that say which distribution some folders belong to."""
    place = f"{name.replace('-', '_')}-{version}.dist-info"
    record = "".join(f"{folder}/__init__.pyi,,\n{folder}/__init__.py,,\n" for folder in folders)
    return (
        (f"{place}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"),
        (f"{place}/RECORD", record),
    )


PROGRAMS = (
    Program(
        title="psycopg2: a cursor in a with, and the order of exceptions",
        source="""\
import psycopg2
from psycopg2 import extensions


def rows(dsn):
    try:
        conn = psycopg2.connect(dsn, port=5432)
        conn.autocommit = True
        with conn.cursor() as cur:
            cur.execute("select 1", (1,))
            first = cur.rowcount
    except psycopg2.IntegrityError:
        return "integrity"
    except psycopg2.DatabaseError as error:
        return error.pgcode
    return first, conn.autocommit, isinstance(conn, extensions.connection)


def failing():
    try:
        raise psycopg2.OperationalError("x")
    except psycopg2.IntegrityError:
        return "integrity"
    except psycopg2.DatabaseError:
        return "database"


def both():
    return rows("x"), failing()
""",
        target="both",
        call="both()",
        gives="((1, True, True), 'database')",
        declared=(
            (
                "psycopg2-stubs/__init__.pyi",
                "from typing import Any, overload\n"
                "from psycopg2._psycopg import DatabaseError as DatabaseError, connection\n"
                "from psycopg2._psycopg import IntegrityError as IntegrityError\n"
                "from psycopg2._psycopg import OperationalError as OperationalError\n"
                "@overload\n"
                "def connect(dsn: str, *, factory: Any) -> Any: ...\n"
                "@overload\n"
                "def connect(dsn: str | None = None, **kwargs: Any) -> connection: ...\n",
            ),
            (
                "psycopg2-stubs/_psycopg.pyi",
                "class Error(Exception):\n    pgcode: str | None\n"
                "class DatabaseError(Error): ...\n"
                "class IntegrityError(DatabaseError): ...\n"
                "class OperationalError(DatabaseError): ...\n"
                "class cursor:\n"
                "    rowcount: int\n"
                "    def __enter__(self) -> cursor: ...\n"
                "    def execute(self, query: str, vars=None) -> None: ...\n"
                "class connection:\n"
                "    autocommit: bool\n"
                "    def cursor(self, name: str | None = None) -> cursor: ...\n",
            ),
            ("psycopg2-stubs/extensions.pyi", "from psycopg2._psycopg import connection, cursor\n"),
            *metadata("types-psycopg2", "2.9", "psycopg2-stubs"),
        ),
        stubs=("psycopg2",),
        source_name="types-psycopg2",
        effects=(
            "call psycopg2.connect",
            "call psycopg2.connect().cursor",
            "call psycopg2.connect().cursor().execute",
        ),
    ),
    Program(
        title="docker: collections, and errors that are errors of the system as well",
        source="""\
import docker
from docker.errors import APIError, NotFound


def names():
    client = docker.from_env()
    try:
        client.containers.get("web").stop(timeout=3)
    except NotFound:
        return None
    except APIError as e:
        return e.status_code
    found = client.containers.list(all=True)
    return len(found), type(found[0]).__name__, found[0].name.isascii(), issubclass(NotFound, OSError)
""",
        target="names",
        call="names()",
        gives="(2, 'Container', True, True)",
        declared=(
            (
                "docker-stubs/__init__.pyi",
                "from .client import DockerClient, from_env\nfrom . import errors\n",
            ),
            (
                "docker-stubs/client.pyi",
                "from docker.models import ContainerCollection\n"
                "from typing import Self\n"
                "class DockerClient:\n"
                "    @classmethod\n"
                "    def from_env(cls, *, timeout: int = 60) -> Self: ...\n"
                "    @property\n"
                "    def containers(self) -> ContainerCollection: ...\n"
                "from_env = DockerClient.from_env\n",
            ),
            (
                "docker-stubs/errors.pyi",
                "from faraway.exceptions import HTTPError\n"
                "class DockerException(Exception): ...\n"
                "class APIError(HTTPError, DockerException):\n"
                "    @property\n"
                "    def status_code(self) -> int | None: ...\n"
                "class NotFound(APIError): ...\n",
            ),
            (
                "docker-stubs/models.pyi",
                "class Container:\n"
                "    name: str\n"
                "    def stop(self, *, timeout: float | None = None) -> None: ...\n"
                "class ContainerCollection:\n"
                "    def get(self, container_id: str) -> Container: ...\n"
                "    def list(self, all: bool = False) -> list[Container]: ...\n",
            ),
            ("faraway/__init__.py", ""),
            ("faraway/exceptions.py", "class HTTPError(IOError):\n    pass\n"),
            *metadata("types-docker", "7.1", "docker-stubs"),
        ),
        stubs=("docker",),
        source_name="types-docker",
        effects=(
            "call docker.from_env",
            "call docker.from_env().containers.get",
            "call docker.from_env().containers.get().stop",
            "call docker.from_env().containers.list",
        ),
    ),
    Program(
        title="pywin32: functions with capitals, constants, a tuple that is unpacked",
        source="""\
import win32con
import win32gui


def close(title):
    window = win32gui.FindWindow(None, title)
    left, top, right, bottom = win32gui.GetWindowRect(window)
    win32gui.PostMessage(window, win32con.WM_CLOSE, 0, 0)
    return win32gui.GetWindowText(window).isupper(), win32con.WM_CLOSE, right > left
""",
        target="close",
        call="close('x')",
        gives="(False, 16, True)",
        declared=(
            ("win32gui-stubs/__init__.pyi", "from win32.win32gui import *\n"),
            (
                "win32-stubs/win32gui.pyi",
                "def FindWindow(ClassName: str | None, WindowName: str | None, /) -> int: ...\n"
                "def GetWindowRect(hwnd: int, /) -> tuple[int, int, int, int]: ...\n"
                "def GetWindowText(__hwnd: int) -> str: ...\n"
                "def PostMessage(hwnd: int, message: int, wparam=..., lparam=..., /) -> None: ...\n",
            ),
            ("win32con-stubs/__init__.pyi", "WM_CLOSE: int = 16\nWM_OPEN: int = 17\n"),
            *metadata("types-pywin32", "306", "win32gui-stubs", "win32-stubs", "win32con-stubs"),
        ),
        stubs=(),
        source_name="types-pywin32",
        effects=(
            "call win32gui.FindWindow",
            "call win32gui.GetWindowRect",
            "call win32gui.PostMessage",
            "call win32gui.GetWindowText",
        ),
    ),
    Program(
        title="pyaudio: bytes from a stream, a size that is a number",
        source="""\
import pyaudio


def sound(seconds):
    audio = pyaudio.PyAudio()
    stream = audio.open(rate=44100, channels=1, format=pyaudio.paInt16, input=True)
    frames = [stream.read(1024) for _ in range(seconds)]
    stream.stop_stream()
    audio.terminate()
    return len(b"".join(frames)) > 0, audio.get_sample_size(pyaudio.paInt16) + 1
""",
        target="sound",
        call="sound(2)",
        gives="(True, 2)",
        declared=(
            (
                "pyaudio-stubs/__init__.pyi",
                "paInt16: int\n"
                "class PyAudio:\n"
                "    def __init__(self) -> None: ...\n"
                "    def open(self, rate: int, channels: int, format: int, input: bool = ...) -> Stream: ...\n"
                "    def get_sample_size(self, format: int) -> int: ...\n"
                "    def terminate(self) -> None: ...\n"
                "class Stream:\n"
                "    def read(self, num_frames: int) -> bytes: ...\n"
                "    def stop_stream(self) -> None: ...\n",
            ),
            *metadata("types-pyaudio", "0.2", "pyaudio-stubs"),
        ),
        stubs=(),
        source_name="types-pyaudio",
        effects=(
            "call pyaudio.PyAudio",
            "call pyaudio.PyAudio().open",
            "call pyaudio.PyAudio().open().read",
            "call pyaudio.PyAudio().open().read",
            "call pyaudio.PyAudio().open().stop_stream",
            "call pyaudio.PyAudio().terminate",
            "call pyaudio.PyAudio().get_sample_size",
        ),
    ),
    Program(
        title="pynput: an enumeration of Python's own kind, and a base class of another module",
        source="""\
from pynput import mouse


class Listening(mouse.Listener):
    def __init__(self):
        super().__init__(on_click=self.clicked)
        self.seen = []

    def clicked(self, x, y, button, pressed):
        self.seen.append(button)


def listen():
    with Listening() as listening:
        listening.clicked(1, 2, mouse.Button.left, True)
        listening.join()
    return listening.seen[0].name, mouse.Button.left is listening.seen[0]
""",
        target="listen",
        call="listen()",
        gives="('left', True)",
        declared=(
            ("pynput-stubs/__init__.pyi", "from . import mouse as mouse\n"),
            (
                "pynput-stubs/mouse.pyi",
                "import enum\n"
                "from ._util import AbstractListener\n"
                "class Button(enum.Enum):\n    unknown = 0\n    left = 1\n    right = 2\n"
                "class Listener(AbstractListener):\n"
                "    def __init__(self, on_click=None, suppress: bool = False) -> None: ...\n",
            ),
            (
                "pynput-stubs/_util.pyi",
                "class AbstractListener:\n"
                "    def __enter__(self) -> 'AbstractListener': ...\n"
                "    def join(self, timeout: float | None = None) -> None: ...\n",
            ),
        ),
        stubs=(),
        source_name="pynput-stubs",
        effects=("call pynput.mouse.Listener", "call pynput.mouse.Listener().join"),
    ),
    Program(
        title="usb: a package's own source, which has no types, and does not run",
        source="""\
import usb.core


def write(data):
    device = usb.core.find(idVendor=1, idProduct=2)
    try:
        device.write(1, data)
    except usb.core.USBTimeoutError as error:
        return error.errno
    except usb.core.USBError:
        return "usb"
    return issubclass(usb.core.USBTimeoutError, IOError), usb.core.PORT
""",
        target="write",
        call="write(b'x')",
        gives="(True, 9)",
        declared=(
            (
                "usb/__init__.py",
                "raise SystemExit('this is installed, and is not to be imported')\n",
            ),
            (
                "usb/core.py",
                "import nowhere\n"
                "PORT = 9\n"
                "class USBError(IOError):\n"
                "    def __init__(self, strerror, error_code=None):\n        pass\n"
                "class USBTimeoutError(USBError):\n    pass\n"
                "def find(find_all=False, **args):\n    return nowhere.find(args)\n",
            ),
            *metadata("pyusb", "1.2", "usb"),
        ),
        stubs=("pyusb",),
        source_name="installed pyusb",
        effects=("call usb.core.find", "call usb.core.find().write"),
    ),
    Program(
        title="ldap3: more arguments than anybody remembers, and a flag",
        source="""\
import ldap3
from ldap3.core.exceptions import LDAPException


def search(user):
    server = ldap3.Server("ldaps://x", get_info=ldap3.ALL)
    try:
        with ldap3.Connection(server, user, "pw", auto_bind=True) as conn:
            conn.search("dc=x", f"(uid={user})", attributes=["cn"])
            return [str(entry.cn) != "" for entry in conn.entries], conn.bound, server.host
    except LDAPException:
        return None
""",
        target="search",
        call="search('u')",
        gives="([True, True], True, 'ldaps://x')",
        declared=(
            (
                "ldap3-stubs/__init__.pyi",
                "from typing import Final, Literal\n"
                "from .core.server import Server as Server\n"
                "from .core.connection import Connection as Connection\n"
                "ALL: Final = 'ALL'\n",
            ),
            ("ldap3-stubs/core/__init__.pyi", ""),
            ("ldap3-stubs/core/exceptions.pyi", "class LDAPException(Exception): ...\n"),
            (
                "ldap3-stubs/core/server.pyi",
                "class Server:\n"
                "    host: str\n"
                "    def __init__(self, host: str, port: int | None = None, get_info='SCHEMA') -> None: ...\n",
            ),
            (
                "ldap3-stubs/core/connection.pyi",
                "from .server import Server\n"
                "class Connection:\n"
                "    bound: bool\n"
                "    entries: list\n"
                "    def __init__(self, server: Server, user=None, password=None, auto_bind='DEFAULT') -> None: ...\n"
                "    def __enter__(self): ...\n"
                "    def search(self, search_base: str, search_filter: str, attributes=None): ...\n",
            ),
            *metadata("types-ldap3", "2.9", "ldap3-stubs"),
        ),
        stubs=("ldap3",),
        source_name="types-ldap3",
        effects=(
            "call ldap3.Server",
            "call ldap3.Connection",
            "call ldap3.Connection().search",
        ),
    ),
    Program(
        title="telethon: coroutines, asynchronous iterators and context managers",
        source="""\
from telethon import TelegramClient


async def talk(name):
    async with TelegramClient(name, 1, "hash") as client:
        me = await client.get_me()
        sent = await client.send_message("me", f"hello {me.id}")
        found = [m.id async for m in client.iter_messages("me", limit=2)]
        with client.action("me", "typing") as action:
            kind = type(action).__name__
    return type(sent).__name__, found, kind
""",
        target="talk",
        call="await talk('x')",
        gives="('Message', [1, 1], 'Action')",
        declared=(
            (
                "telethon-stubs/__init__.pyi",
                "from collections.abc import AsyncIterator, Coroutine\n"
                "from contextlib import AbstractContextManager\n"
                "from typing import Any, Self\n"
                "class User:\n    id: int\n"
                "class Message:\n    id: int\n"
                "class Action: ...\n"
                "class TelegramClient:\n"
                "    def __init__(self, session: str, api_id: int, api_hash: str) -> None: ...\n"
                "    async def __aenter__(self) -> Self: ...\n"
                "    async def get_me(self) -> User: ...\n"
                "    def send_message(self, entity: str, message: str = '') -> Coroutine[Any, Any, Message]: ...\n"
                "    def iter_messages(self, entity: str, limit: int | None = None) -> AsyncIterator[Message]: ...\n"
                "    def action(self, entity: str, action: str) -> AbstractContextManager[Action]: ...\n",
            ),
        ),
        stubs=("telethon",),
        source_name="telethon-stubs",
        effects=(
            "call telethon.TelegramClient",
            "call telethon.TelegramClient().get_me",
            "call telethon.TelegramClient().send_message",
            "call telethon.TelegramClient().iter_messages",
            "call telethon.TelegramClient().action",
        ),
    ),
)
