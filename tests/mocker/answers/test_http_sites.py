"""Which bodies, statuses and headers a slice's servers answer with, by address."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from slicefunc.mocker.world.core import world
from slicefunc.mocker.world.network.http_answers import HttpAnswers

from tests.mocker.compared import mocked

SEVERAL = """\
import csv
import io

import requests

API = "https://api.example/v1"


class Shop:
    def __init__(self, base=API):
        self.base = base

    def item(self, number):
        return requests.get(f"{self.base}/items/{number}").json()

    def prices(self):
        text = requests.get("https://files.example/prices.csv?now").text
        return list(csv.DictReader(io.StringIO(text)))


def run():
    shop = Shop()
    return type(shop.item(3)).__name__, len([row["name"] for row in shop.prices()])
"""
CREATED = """\
import requests

def run():
    reply = requests.post("https://api.example/things", json={})
    if reply.status_code != 201:
        raise RuntimeError(reply.status_code)
    return reply.headers["X-Request-Id"], int(reply.headers["X-RateLimit-Remaining"])
"""
LISTED = """\
import requests

def run():
    reply = requests.get("https://api.example/things")
    return reply.status_code if 200 <= reply.status_code < 300 else None
"""
EVENTS = """\
import json
import requests

def run():
    found = []
    with requests.post("https://api.example/chat", stream=True) as reply:
        for line in reply.iter_lines():
            text = line.decode()
            if text.startswith("data: ") and text != "data: [DONE]":
                found.append(json.loads(text.removeprefix("data: ")))
    return found
"""
FEED = """\
import urllib.request
import xml.etree.ElementTree as ET

def run():
    with urllib.request.urlopen("https://feed.example/rss") as reply:
        items = list(ET.fromstring(reply.read()).iter("item"))
    return sorted({type(item.find("title").text).__name__ for item in items})
"""
TOGETHER = """\
import http.client
import socket
import subprocess
import urllib.request

import httpx
import requests
import urllib3

def run():
    requests.get("http://a.example/1")
    httpx.get("http://a.example/2")
    urllib.request.urlopen("http://a.example/3").close()
    urllib3.PoolManager().request("GET", "http://a.example/4")
    connection = http.client.HTTPConnection("a.example")
    connection.request("GET", "/5")
    connection.getresponse().read()
    with socket.create_connection(("a.example", 6)) as sock:
        sock.sendall(b"x")
    subprocess.run(["curl", "http://a.example/7"])
"""


@pytest.mark.parametrize(
    ("source", "gives"),
    [
        pytest.param(SEVERAL, ("dict", 2), id="by address"),
        pytest.param(CREATED, ("value", 1), id="status and headers"),
        pytest.param(LISTED, 200, id="a range of statuses"),
        pytest.param(EVENTS, [{}], id="events"),
        pytest.param(FEED, ["str"], id="a feed"),
    ],
)
def test_an_answer_has_the_form_that_is_read(source: str, gives: object, tmp_path: Path):
    assert mocked(source, "run", "run()", tmp_path)[0] == gives


def test_a_case_chooses_for_one_address(tmp_path: Path):
    source = """\
import requests

def run():
    return [requests.get(f"https://api.example/{name}").status_code for name in ("a", "b", "ab")]
"""
    choose = "choose(**{'requests': '500', 'requests https://api.example/a': '404'})"
    assert mocked(source, "run", "run()", tmp_path, choose)[0] == [404, 500, 404]


def test_each_request_is_noted_once_whatever_lies_below(tmp_path: Path):
    effects = mocked(TOGETHER, "run", "run()", tmp_path)[1]
    assert [f"{kind} {target}" for kind, target, *_ in effects] == [
        *(f"request GET http://a.example/{n}" for n in range(1, 6)),
        "request tcp://a.example:6",
        "message tcp://a.example:6",
        "command curl http://a.example/7",
    ]


def test_a_library_that_is_never_imported_is_not_loaded(tmp_path: Path):
    source = """\
import sys

def run(wanted):
    if wanted:
        import httpx
        import requests

        return requests.get("http://a.example"), httpx.get("http://a.example")
    return sorted({"requests", "responses", "httpx", "respx", "urllib3"} & set(sys.modules))
"""
    assert mocked(source, "run", "run(False)", tmp_path) == ([], [])


ENDS = {
    "a variant": ({"rows": [1], "next": "a"}, {"rows": [1]}),
    "one inside": (
        {"rows": [1], "meta": {"n": 2, "next_page": 2}},
        {"rows": [1], "meta": {"n": 2}},
    ),
    "none": (
        {"rows": [1], "hasMore": True, "name": "a"},
        {"rows": [1], "name": "a", "hasMore": None},
    ),
    "no page": ({"rows": [1]}, {"rows": [1]}),
    "no object": ([1, 2], [1, 2]),
}


@pytest.mark.parametrize("kind", ENDS)
@pytest.mark.parametrize("name", ["default", "other"])
def test_who_asks_the_same_a_third_time_in_a_row_gets_the_last_page(kind: str, name: str):
    page, last = ENDS[kind]
    bodies = {"default": page, "empty": {"rows": []}, "other": page}
    if kind in ("a variant", "one inside"):
        bodies["without"] = last
    answers = HttpAnswers("requests", [("*", "application/json", bodies)])
    given = []
    try:
        world.choices["requests"] = name
        for number in (1, 2, 2, 2, 2, 1, 1):
            answer = answers.ask("GET", f"https://api.example/?page={number}", {}, None)
            given.append(json.loads(answer.body))
    finally:
        world.choices.clear()
        world.effects.clear()
    assert given == [page, page, page, last, last, page, page]
