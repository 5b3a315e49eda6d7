"""Answered requests are like requests to a real server: same values, and the same seen there."""

from __future__ import annotations

import ast
import re
import socket
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from slicefunc.driver.pipeline.passes import Options, compile_slice
from slicefunc.mocker.world.core import world
from slicefunc.mocker.world.network import http_answers
from slicefunc.slicer import Repository

from tests.mocker.compared import mocked, real
from tests.nightly import one_in

REQUESTS = {
    "json": """\
import requests

class Api:
    def __init__(self, base):
        self.base = base
        self.session = requests.Session()
        self.session.headers.update({"X-Key": "k"})

    def ask(self):
        reply = self.session.get(self.base + "/users", params={"q": "a b", "n": [1, 2]}, timeout=3)
        reply.raise_for_status()
        return reply.status_code, reply.json(), reply.headers["Content-Type"], reply.url, reply.ok

def run(base):
    return Api(base).ask()
""",
    "bodies": """\
import io
import json
import requests

def run(base):
    found = []
    for more in (
        {"json": {"a": [1, None], "ä": "ö"}},
        {"data": {"a": "b c", "d": "ä"}},
        {"data": json.dumps({"x": 1}), "headers": {"Content-Type": "application/json"}},
        {"data": "täxt".encode("utf-8")},
        {"data": bytes(range(256))},
        {"data": io.BytesIO(b"from a file")},
        {"data": (part for part in (b"in ", b"parts"))},
        {"files": {"file": ("n.txt", b"content")}, "data": {"k": "v"}},
        {"files": [("f", ("a.json", b"{}", "application/json"))]},
    ):
        reply = requests.post(base + "/in", auth=("u", "p"), **more)
        found.append((reply.status_code, reply.json()))
    return found
""",
    "stream": """\
import requests

def run(base):
    with requests.get(base + "/big", stream=True) as reply:
        pieces = list(reply.iter_content(chunk_size=2))
        size = int(reply.headers["content-length"])
    lines = [line for line in requests.get(base + "/big", stream=True).iter_lines()]
    raw = requests.get(base, stream=True).raw.read()
    head = requests.head(base)
    return pieces, size, lines, raw, head.status_code, head.text, head.headers["content-length"]
""",
    "errors": """\
import requests

def run(base):
    found = []
    for method in ("get", "put", "delete", "patch", "options"):
        reply = getattr(requests, method)(base + "/x#part")
        try:
            reply.raise_for_status()
        except requests.HTTPError as error:
            found.append((str(error), error.response.reason))
        found.append((reply.status_code, reply.reason, bool(reply), reply.text))
    return found, reply.url.rpartition("/")[2], [r.status_code for r in reply.history]
""",
    "cookies": """\
import requests

def run(base):
    with requests.Session() as session:
        first = session.get(base + "/in")
        token = first.cookies["token"]
        second = session.post(base + "/out", cookies={"own": "1"})
        return token, sorted(session.cookies.items()), second.text, first.encoding
""",
    "retries": """\
import requests
from requests.adapters import HTTPAdapter, Retry

def run(base):
    session = requests.Session()
    retry = Retry(total=2, backoff_factor=0, status_forcelist=[503], raise_on_status=False)
    session.mount("http://", HTTPAdapter(max_retries=retry))
    return session.get(base + "/busy").status_code
""",
}
HTTPX = {
    "json": """\
import httpx

class Api:
    def __init__(self, base):
        self.client = httpx.Client(base_url=base, headers={"X-Key": "k"}, follow_redirects=True)

    def ask(self):
        reply = self.client.get("/users", params={"q": "a b", "n": [1, 2]})
        return reply.status_code, reply.json(), str(reply.url), reply.headers["content-type"]

def run(base):
    return Api(base).ask()
""",
    "bodies": """\
import httpx

def run(base):
    found = []
    with httpx.Client(auth=("u", "p")) as client:
        for more in (
            {"json": {"a": [1, None], "ä": "ö"}},
            {"data": {"a": "b c", "d": "ä"}},
            {"content": "täxt"},
            {"content": (part for part in (b"in ", b"parts"))},
            {"files": {"file": ("n.txt", b"content")}, "data": {"k": "v"}},
        ):
            reply = client.post(base + "/in", **more)
            found.append((reply.status_code, reply.json()))
    return found
""",
    "errors": """\
import httpx

async def run(base):
    found = []
    async with httpx.AsyncClient(follow_redirects=True) as client:
        for method in ("get", "put", "delete", "head"):
            reply = await client.request(method, base + "/x")
            try:
                reply.raise_for_status()
            except httpx.HTTPStatusError as error:
                found.append(str(error))
            found.append((reply.status_code, reply.reason_phrase, reply.text, reply.is_error))
    return found, [r.status_code for r in reply.history]
""",
    "stream": """\
import httpx

async def run(base):
    async with httpx.AsyncClient() as client:
        async with client.stream("POST", base + "/s", content=b"x") as reply:
            lines = [line async for line in reply.aiter_lines()]
    with httpx.stream("GET", base + "/t") as other:
        return lines, b"".join(other.iter_bytes(3)), other.headers["content-length"]
""",
    "cookies": """\
import httpx

def run(base):
    with httpx.Client(cookies={"own": "1"}) as client:
        first = client.get(base + "/in")
        token = first.cookies["token"]
        second = client.post(base + "/out")
        return token, second.text, first.encoding
""",
}
AIOHTTP = {
    "json": """\
import aiohttp

class Api:
    def __init__(self, base):
        self.base = base

    async def ask(self):
        async with aiohttp.ClientSession(headers={"X-Key": "k"}) as session:
            async with session.get(self.base + "/users", params={"q": "a b", "n": "1"}) as reply:
                return reply.status, await reply.json(), str(reply.url), reply.content_type

async def run(base):
    return await Api(base).ask()
""",
    "bodies": """\
import io
import aiohttp

async def run(base):
    found = []
    async with aiohttp.ClientSession(auth=aiohttp.BasicAuth("u", "p")) as session:
        form = aiohttp.FormData()
        form.add_field("file", b"content", filename="n.txt", content_type="text/plain")
        form.add_field("k", "v")

        async def parts():
            yield b"in "
            yield b"parts"

        for more in (
            {"json": {"a": [1, None], "ä": "ö"}},
            {"data": {"a": "b c", "d": "ä"}},
            {"data": "täxt"},
            {"data": io.BytesIO(b"from a file")},
            {"data": parts()},
            {"data": form},
        ):
            async with session.post(base + "/in", **more) as reply:
                found.append((reply.status, await reply.json()))
    return found
""",
    "errors": """\
import aiohttp

async def run(base):
    found = []
    async with aiohttp.ClientSession() as session:
        for method in ("get", "put", "delete", "head"):
            async with session.request(method, base + "/x") as reply:
                try:
                    reply.raise_for_status()
                except aiohttp.ClientResponseError as error:
                    found.append((error.status, error.message))
                found.append((reply.status, reply.reason, await reply.text()))
    return found, [r.status for r in reply.history]
""",
    "stream": """\
import aiohttp

async def run(base):
    async with aiohttp.request("GET", base + "/s") as reply:
        chunks = b"".join([chunk async for chunk in reply.content.iter_chunked(2)])
    async with aiohttp.ClientSession() as session, session.get(base + "/s") as reply:
        lines = [line async for line in reply.content]
    return chunks, lines, reply.headers["Content-Length"]
""",
    "cookies": """\
import aiohttp

async def run(base):
    async with aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as session:
        async with session.get(base + "/in") as first:
            token = first.cookies["token"].value
        async with session.post(base + "/out") as second:
            return token, await second.text()
""",
}
URLLIB = {
    "json": """\
import json
import urllib.request
from urllib.parse import urlencode

def run(base):
    request = urllib.request.Request(base + "/users?" + urlencode({"q": "a b"}))
    request.add_header("X-Key", "k")
    with urllib.request.urlopen(request, timeout=3) as reply:
        return json.load(reply), reply.status, reply.geturl(), reply.headers.get_content_type()
""",
    "bodies": """\
import http.client
import urllib.request

def run(base):
    found = []
    for data in (b"a=b&c=d", "täxt".encode(), iter([b"in ", b"parts"])):
        request = urllib.request.Request(base + "/in", data=data, method="PUT")
        with urllib.request.urlopen(request) as reply:
            found.append((reply.status, reply.reason, reply.read()))
    connection = http.client.HTTPConnection(base.removeprefix("http://"))
    for body in ("text", b"bytes"):
        connection.request("POST", "/c", body, {"Content-Type": "text/plain"})
        answer = connection.getresponse()
        found.append((answer.status, answer.read(2), answer.read(), answer.getheader("X-None")))
    return found
""",
    "errors": """\
import urllib.error
import urllib.request

def run(base):
    try:
        with urllib.request.urlopen(base + "/x") as reply:
            return reply.status, reply.read(), reply.geturl().rpartition("/")[2]
    except urllib.error.HTTPError as error:
        return error.code, error.reason, error.read(), str(error)
""",
    "retrieved": """\
import urllib.request

def run(base):
    path, headers = urllib.request.urlretrieve(base + "/f", "file.bin")
    with open(path, "rb") as file:
        return path, headers["Content-Length"], file.read()
""",
    "pool": """\
import urllib3

def run(base):
    http = urllib3.PoolManager(retries=urllib3.Retry(0, redirect=2, raise_on_status=False))
    first = http.request("GET", base + "/g", fields={"q": "1"}, headers={"X-Key": "k"})
    second = http.request("POST", base + "/p", fields={"a": "b", "f": ("n.txt", b"x")})
    third = http.request("PUT", base + "/p", body=b"raw", preload_content=False)
    return first.status, first.data, second.status, b"".join(third.stream(2)), third.status
""",
}
HTTPCORE = {
    "pool": """\
import httpcore

def run(base):
    with httpcore.ConnectionPool(max_connections=1) as pool:
        first = pool.request("GET", base + "/users?q=1", headers={"X-Key": "k"})
        second = pool.request("POST", base + "/in", content=b"in parts")
        with pool.stream("PUT", base + "/up", content=iter([b"a", b"b"])) as third:
            parts = b"".join(third.iter_stream())
    return first.status, first.headers, first.content, second.status, parts
""",
    "errors": """\
import httpcore

def run(base):
    reply = httpcore.request("GET", base + "/x")
    where = dict(reply.headers).get(b"Location")
    return reply.status, where, reply.content, reply.extensions["reason_phrase"]
""",
    "awaited": """\
import asyncio
import httpcore

async def run(base):
    async with httpcore.AsyncConnectionPool() as pool:
        replies = [await pool.request("GET", f"{base}/{n}") for n in range(2)]
        async with pool.stream("POST", base, content=b"{}") as reply:
            parts = [part async for part in reply.aiter_stream()]
    return [(reply.status, reply.content) for reply in replies], parts
""",
}
PROGRAMS = [
    pytest.param(library, source, variant, id=f"{library} {title} {variant}")
    for library, programs in (
        ("requests", REQUESTS),
        ("httpx", HTTPX),
        ("httpcore", HTTPCORE),
        ("aiohttp", AIOHTTP),
        ("urllib", URLLIB),
    )
    for title, source in programs.items()
    for variant in (
        ("404", "redirect", "503", "204") if title == "errors"
        else ("503",) if title == "retries"
        else ("default",)
    )
]  # fmt: skip


@pytest.fixture
def chosen():
    """Effects and choices of the server's side."""
    world.effects.clear()
    world.choices.clear()
    yield world.choices
    world.choices.clear()


def answers_of(source: str, folder: Path) -> http_answers.HttpAnswers:
    """What the mocked slice answers, from its own text."""
    (folder / "look").mkdir()
    (folder / "look" / "program.py").write_text(source)
    repository = Repository(folder / "look")
    script = compile_slice(repository, ["program.py::run"], Options(mock="auto")).source
    start = script.index("(HttpAnswers(") + 1
    text = script[start : script.index("\n", start)].rstrip()[:-1]
    found = eval(text.replace('\\"', '"').replace("\\'", "'"), vars(http_answers))
    # an adapter says how its library is named
    agents = re.search(r"answers\.agents = (.*)", script)
    found.agents = ast.literal_eval(agents[1]) if agents else ()
    return found


class Server(BaseHTTPRequestHandler):
    """Gives the same answers over a real socket."""

    protocol_version = "HTTP/1.1"
    answers: http_answers.HttpAnswers

    def handle_any(self) -> None:
        base = f"http://{self.headers['Host']}"
        found = self.answers.ask(self.command, base + self.path, self.headers, self.body())
        self.send_response_only(found.status, found.reason)
        for name, value in found.headers.items():
            self.send_header(name, value)
        if "Content-Length" not in found.headers:
            self.send_header("Content-Length", "0")
        self.end_headers()
        self.wfile.write(found.body)

    def body(self) -> bytes:
        if "chunked" not in self.headers.get("Transfer-Encoding", ""):
            return self.rfile.read(int(self.headers.get("Content-Length", "0")))
        content = b""
        while size := int(self.rfile.readline(), 16):
            content += self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()
        return content

    do_GET = do_POST = do_PUT = do_DELETE = do_PATCH = do_HEAD = do_OPTIONS = handle_any  # noqa: N815

    def log_message(self, *_: object) -> None:
        """Quietly."""


@pytest.mark.parametrize(("library", "source", "variant"), one_in(4, PROGRAMS))
def test_an_answered_request_is_like_a_real_one(
    library: str, source: str, variant: str, chosen: dict[str, str], tmp_path: Path
):
    chosen[library] = variant
    answers = answers_of(source, tmp_path)
    handler = type("Handler", (Server,), {"answers": answers})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        base = f"http://127.0.0.1:{server.server_port}"
        call = f"{'await ' if 'async def run' in source else ''}run({base!r})"
        there = real(source, call, tmp_path, NO_PROXY="*", no_proxy="*")
        server.shutdown()
    seen = [tuple(effect) for effect in world.effects]
    prepare = f"choose(**{{{library!r}: {variant!r}}})"
    here, effects = mocked(source, "run", call, tmp_path, prepare)
    assert here == there
    assert effects == seen
    assert seen


FAILURES = {
    "requests": """\
import requests

def run(base):
    try:
        requests.get(base, timeout=0.3)
    except requests.RequestException as error:
        return [kind.__name__ for kind in type(error).__mro__], error.request.method
""",
    "httpx": """\
import httpx

def run(base):
    try:
        httpx.get(base, timeout=0.3)
    except httpx.HTTPError as error:
        return [kind.__name__ for kind in type(error).__mro__], error.request.method
""",
    "aiohttp": """\
import aiohttp

async def run(base):
    try:
        async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=0.3)) as session:
            async with session.post(base, json={"a": 1}) as reply:
                return reply.status
    except Exception as error:
        return [kind.__name__ for kind in type(error).__mro__], getattr(error, "port", 0) > 0
""",
    "httpcore": """\
import httpcore

def run(base):
    try:
        httpcore.request("GET", base, extensions={"timeout": {"connect": 0.3, "read": 0.3}})
    except Exception as error:
        return [kind.__name__ for kind in type(error).__mro__]
""",
    "urllib": """\
import urllib.request

def run(base):
    try:
        urllib.request.urlopen(base, timeout=0.3)
    except OSError as error:
        return [kind.__name__ for kind in type(error).__mro__], type(error.args[0]).__name__
""",
}


@pytest.mark.parametrize("failure", ["timeout", "connection"])
@pytest.mark.parametrize("library", FAILURES)
def test_no_answer_raises_the_same(library: str, failure: str, tmp_path: Path):
    source = FAILURES[library]
    with socket.create_server(("127.0.0.1", 0)) as silent:
        if failure == "connection":
            silent.close()
        port = 9 if failure == "connection" else silent.getsockname()[1]
        call = f"{'await ' if 'async def run' in source else ''}run('http://127.0.0.1:{port}')"
        there = real(source, call, tmp_path, NO_PROXY="*", no_proxy="*")
    prepare = f"choose(**{{{library!r}: {failure!r}}})"
    here, effects = mocked(source, "run", call, tmp_path, prepare)
    assert here == there
    assert len(effects) == 1
