"""After `stop` every library is what it was before the script, whenever it was imported."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from slicefunc.driver.pipeline.passes import compile_slice
from slicefunc.slicer import Repository

from tests.mocker.compared import mocked

WATCHED = """\
import importlib
import os
import shutil
import socket
import subprocess

{early}

PLACES = [
    (subprocess.Popen, "_execute_child"), (subprocess.Popen, "communicate"), (os, "system"),
    (os, "kill"), (shutil, "which"), (socket, "getaddrinfo"), (socket.socket, "connect"),
    (socket.socket, "recv"), ("http.client", "HTTPConnection", "connect"),
    ("http.client", "HTTPSConnection", "connect"), ("requests.adapters", "HTTPAdapter", "send"),
    ("httpcore", "ConnectionPool", "handle_request"),
    ("aiohttp", "TCPConnector", "_create_connection"), ("smtplib", "SMTP", "_get_socket"),
    ("imaplib", "IMAP4", "_create_socket"), ("ftplib", "FTP", "connect"),
    ("paramiko", "SSHClient", "connect"), ("websocket", "WebSocket", "connect"),
    ("websockets.sync.client", "connect"), ("urllib3.connection", "HTTPConnection", "connect"),
]


def where():
    found = []
    for owner, *names in PLACES:
        value = importlib.import_module(owner) if isinstance(owner, str) else owner
        for name in names:
            value = getattr(value, name)
        found.append(value.__code__.co_filename if hasattr(value, "__code__") else "builtin")
    return found


def run(mocks):
    import aiohttp, ftplib, http.client, httpx, imaplib, paramiko, requests, smtplib
    import urllib.request, urllib3, websocket, websockets.sync.client

    def never():
        requests.get("x"), httpx.get("x"), aiohttp.request("GET", "x"), urllib.request.urlopen("x")
        http.client.HTTPConnection("x"), smtplib.SMTP("x"), imaplib.IMAP4("x"), ftplib.FTP("x")
        paramiko.SSHClient(), urllib3.PoolManager(), websocket.WebSocket()
        websockets.sync.client.connect("x"), os.system("x"), os.kill(1, 2)
        socket.getaddrinfo("x", 1)

    during = where()
    mocks.stop()
    return during, where()
"""
EARLY = "import aiohttp, ftplib, httpx, imaplib, paramiko, requests, smtplib, urllib3, websocket"


@pytest.mark.parametrize("early", ["", EARLY], ids=["late", "early"])
def test_all_is_given_back(early: str, tmp_path: Path):
    source = WATCHED.replace("{early}", early)
    call = "run(__import__('slice_func_mocks'))"
    during, after = mocked(source, "run", call, tmp_path)[0]
    ours = [place for place in during if place == "<slice_func_mocks>"]
    assert len(ours) >= len(during) - 2  # two of them are replaced by libraries of fakes
    assert "<slice_func_mocks>" not in after
    assert not [place for place in after if "responses" in place or "respx" in place]
    assert [place for place in during if "responses" in place]


DRAWS = """\
import random


def draw():
    return random.random()
"""
HOST = """\
import random, numpy

random.seed(5), numpy.random.seed(5)
import script, slice_func_mocks

drawn = script.draw(), numpy.random.random()
slice_func_mocks.stop()
expected = random.Random(5).random(), numpy.random.RandomState(5).random()
print((random.random(), numpy.random.random()) == expected, drawn[0] != expected[0])
"""
VIEW = """\
from flask import has_request_context, request


def view():
    return request.args.get("name")


def run(mocks):
    found = view(), has_request_context()
    mocks.stop()
    return found, has_request_context()
"""


def test_generators_of_the_host_go_on_where_they_were(tmp_path: Path):
    (tmp_path / "a.py").write_text(DRAWS)
    made = compile_slice(Repository(tmp_path), ["a.py::draw"])
    (tmp_path / "script.py").write_text(made.source)
    done = subprocess.run(
        [sys.executable, "-c", HOST], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.stdout == "True True\n", done.stderr


def test_no_request_is_left_behind(tmp_path: Path):
    found, _ = mocked(VIEW, "run", "run(__import__('slice_func_mocks'))", tmp_path)
    assert tuple(found[0]) == ("1", True)
    assert found[1] is False
