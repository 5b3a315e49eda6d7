"""Views called directly under the mock, against the same views behind their frameworks' clients."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest
from slicefunc.driver.pipeline.passes import Options, compile_slice
from slicefunc.mocker.families.web.flask.runtime import flask_context
from slicefunc.slicer import Repository

FLASK = """\
from flask import Flask, abort, jsonify, make_response, redirect, request, session, url_for

app = Flask(__name__)
app.secret_key = "x"
NOTES = {"1": "one"}


@app.route("/notes", methods=["POST"])
def add():
    data = request.get_json()
    NOTES[data["key"]] = data["text"]
    return jsonify(count=len(NOTES), by=request.method, kind=request.content_type), 201


@app.route("/find")
def find():
    key = request.args.get("key")
    page = request.args.get("page", 9, type=int)
    if key not in NOTES:
        abort(404)
    reply = make_response(NOTES[key] * page)
    reply.headers["X-Agent"] = request.headers.get("X-Agent", "none")
    return reply


@app.route("/sign", methods=["POST"])
def sign():
    session["name"] = request.form["name"]
    if request.form.get("email", "").count("@") != 1:
        return "bad mail", 400
    return redirect(url_for("find", key=session["name"]))


@app.route("/upload", methods=["POST"])
def upload():
    file = request.files["paper"]
    return {"name": file.filename, "lines": file.read().decode().splitlines()}
"""

FASTAPI = """\
from fastapi import Cookie, Depends, FastAPI, HTTPException, Query, Request
from fastapi.encoders import jsonable_encoder
from pydantic import BaseModel

app = FastAPI()


class Note(BaseModel):
    text: str
    stars: int = 2


def store():
    kept = {1: Note(text="one"), 2: Note(text="two", stars=5)}
    yield kept
    kept.clear()


async def limit(top: int = Query(1)):
    return top


@app.get("/notes")
def notes(least: int = Query(0, ge=0), kept: dict = Depends(store), top: int = Depends(limit)):
    found = [note for note in kept.values() if note.stars >= least]
    if not found:
        raise HTTPException(404, "none")
    return jsonable_encoder(found[:top])


@app.post("/echo")
async def echo(request: Request):
    data = await request.json()
    return {"text": data["text"], "page": request.query_params.get("page"), "by": request.method}
"""


def prepared(source: str, target: str, folder: Path) -> Path:
    """A mocked script of one function."""
    repository = folder / "repository"
    repository.mkdir()
    (repository / "example.py").write_text(source)
    script = folder / "script.py"
    sliced = compile_slice(Repository(repository), [f"example.py::{target}"], Options(mock="auto"))
    script.write_text(sliced.source)
    return script


def run(code: str, folder: Path) -> object:
    """The JSON that a program prints at its end."""
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)],
        cwd=folder, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


FLASK_CASES = [
    ("add", {"method": "POST", "path": "/notes", "json": {"key": "key-1", "text": "text-1"}}),
    ("find", {"method": "GET", "path": "/find", "query_string": {"key": "1", "page": "1"},
              "headers": {"X-Agent": "1"}}),
    ("sign", {"method": "POST", "path": "/sign",
              "data": {"name": "name-1", "email": "user@mail.example"}}),
    ("upload", {"method": "POST", "path": "/upload", "files": {"paper": ["paper.txt", "paper\n"]}}),
]  # fmt: skip


@pytest.mark.skipif(importlib.util.find_spec("flask") is None, reason="Flask is not installed")
@pytest.mark.parametrize(("target", "sent"), FLASK_CASES, ids=[case[0] for case in FLASK_CASES])
def test_a_flask_view_gives_what_its_client_gets(target: str, sent: dict, tmp_path: Path):
    prepared(FLASK, target, tmp_path)
    direct = run(
        f"""
        import json
        import script
        from flask import current_app, session
        value = script.{target}()
        reply = current_app.make_response(value)
        kept = {{k: v for k, v in reply.headers if k in ("X-Agent", "Location", "Content-Type")}}
        print(json.dumps([reply.status_code, reply.get_data(as_text=True), kept, dict(session)]))
        """,
        tmp_path,
    )
    behind = run(
        f"""
        import io, json, sys
        sys.path.insert(0, "repository")
        import example
        sent = {sent!r}
        for name, (file, text) in sent.pop("files", {{}}).items():
            sent["data"] = {{name: (io.BytesIO(text.encode()), file)}}
        with example.app.test_client() as client:
            reply = client.open(sent.pop("path"), **sent)
            names = ("X-Agent", "Location", "Content-Type")
            kept = {{k: v for k, v in reply.headers if k in names}}
            from flask import session
            print(json.dumps([reply.status_code, reply.text, kept, dict(session)]))
        """,
        tmp_path,
    )
    assert direct == behind


@pytest.mark.skipif(importlib.util.find_spec("flask") is None, reason="Flask is not installed")
def test_a_context_that_the_case_pushes_goes_before_the_one_that_is_made(tmp_path: Path):
    prepared(FLASK, "find", tmp_path)
    found = run(
        """
        import json
        import script
        import slice_func_mocks
        with slice_func_mocks.flask_request(args={"key": "1", "page": "3"}):
            own = script.find().get_data(as_text=True)
        made = script.find().get_data(as_text=True)
        print(json.dumps([own, made]))
        """,
        tmp_path,
    )
    assert found == ["oneoneone", "one"]


@pytest.mark.skipif(importlib.util.find_spec("flask") is None, reason="Flask is not installed")
def test_each_case_finds_the_request_that_it_chose(tmp_path: Path):
    prepared(FLASK, "find", tmp_path)
    found = run(
        """
        import json
        import script
        import slice_func_mocks
        seen = []
        for variant in ("default", "without_page", "default", "empty"):
            slice_func_mocks.restart()
            slice_func_mocks.choose(**{"flask.request": variant})
            try:
                seen.append(script.find().get_data(as_text=True))
            except Exception as error:
                seen.append(type(error).__name__)
        print(json.dumps(seen))
        """,
        tmp_path,
    )
    assert found == ["one", "one" * 9, "one", "NotFound"]


@pytest.mark.skipif(importlib.util.find_spec("httpx") is None, reason="the client is not installed")
def test_a_fastapi_endpoint_gives_what_its_client_gets(tmp_path: Path):
    prepared(FASTAPI, "notes", tmp_path)
    direct = run(
        """
        import json
        import script
        print(json.dumps([script.notes(), script.notes(least=3), script.notes(top=2)]))
        """,
        tmp_path,
    )
    behind = run(
        """
        import json, sys
        sys.path.insert(0, "repository")
        import example
        from fastapi.testclient import TestClient
        client = TestClient(example.app)
        asked = [client.get("/notes", params=p) for p in ({}, {"least": 3}, {"top": 2})]
        print(json.dumps([reply.json() for reply in asked]))
        """,
        tmp_path,
    )
    assert direct == behind


@pytest.mark.skipif(importlib.util.find_spec("httpx") is None, reason="the client is not installed")
def test_a_request_that_is_made_is_what_the_client_sends(tmp_path: Path):
    prepared(FASTAPI, "echo", tmp_path)
    direct = run(
        """
        import asyncio, json
        import script
        import slice_func_mocks
        print(json.dumps(asyncio.run(script.echo(slice_func_mocks.starlette_request()))))
        """,
        tmp_path,
    )
    behind = run(
        """
        import json, sys
        sys.path.insert(0, "repository")
        import example
        from fastapi.testclient import TestClient
        reply = TestClient(example.app).post("/echo", json={"text": "1"}, params={"page": "1"})
        print(json.dumps(reply.json()))
        """,
        tmp_path,
    )
    assert direct == behind


@pytest.mark.skipif(importlib.util.find_spec("flask") is None, reason="Flask is not installed")
def test_settings_are_what_they_were_when_the_next_case_begins(tmp_path: Path):
    prepared(FLASK, "find", tmp_path)
    found = run(
        """
        import json
        import script
        import slice_func_mocks
        from flask import current_app
        seen = []
        for _ in range(2):
            slice_func_mocks.restart()
            seen.append(current_app.config.get("LIMIT"))
            current_app.config["LIMIT"] = 3
            current_app.config["DEBUG"] = True
        slice_func_mocks.restart()
        print(json.dumps([*seen, current_app.config["DEBUG"]]))
        """,
        tmp_path,
    )
    assert found == [None, None, False]


class LocalProxy:
    """As in Werkzeug before 2.1, where the slot holds what its method calls."""

    __slots__ = ("__local",)

    def __init__(self, local: Callable[[], str]) -> None:
        object.__setattr__(self, "_LocalProxy__local", local)

    def _get_current_object(self) -> str:
        return self.__local()


def test_a_proxy_of_an_older_release_finds_its_object_too():
    proxy = LocalProxy(lambda: "here")
    flask_context._replace_finder(proxy)
    assert proxy._get_current_object() == "here"
