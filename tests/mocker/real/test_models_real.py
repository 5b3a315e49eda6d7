"""The same function against a real server of the protocol and against the mock: nothing differs."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from slicefunc.driver.pipeline.passes import Options, compile_slice
from slicefunc.slicer import Repository

from tests.nightly import one_in

TEXT = "This is the answer."
CHILD = """\
import asyncio, importlib.util, inspect, json, sys

spec = importlib.util.spec_from_file_location("script", sys.argv[1])
module = importlib.util.module_from_spec(spec)
sys.modules["script"] = module
spec.loader.exec_module(module)
try:
    value = getattr(module, sys.argv[2])(sys.argv[3])
    if inspect.iscoroutine(value):
        value = asyncio.run(value)
except Exception as error:
    value = type(error).__name__
print(json.dumps([repr(value), getattr(module, "_effects", [])]))
"""
OPENAI = """\
import json

import openai
from pydantic import BaseModel


class Answer(BaseModel):
    text: str


def plain(url):
    client = openai.OpenAI(base_url=url, api_key="k")
    reply = client.chat.completions.create(
        model="gpt-4o", temperature=0, messages=[{"role": "user", "content": "why?"}]
    )
    return type(reply).__name__, reply.choices[0].message.content, reply.choices[0].finish_reason


async def awaited(url):
    async with openai.AsyncOpenAI(base_url=url, api_key="k") as client:
        reply = await client.chat.completions.create(
            model="gpt-4o", messages=[{"role": "user", "content": "why?"}]
        )
    return reply.choices[0].message


def streamed(url):
    client = openai.OpenAI(base_url=url, api_key="k")
    parts = client.chat.completions.create(
        model="gpt-4o", messages=[{"role": "user", "content": "why?"}], stream=True
    )
    return "".join(part.choices[0].delta.content or "" for part in parts)


def embedded(url):
    client = openai.OpenAI(base_url=url, api_key="k")
    reply = client.embeddings.create(model="text-embedding-3-small", input=["a", "b"])
    return [(row.index, len(row.embedding), type(row.embedding[0])) for row in reply.data]


def responded(url):
    client = openai.OpenAI(base_url=url, api_key="k")
    return client.responses.create(model="gpt-4o", input="why?", instructions="brief").output_text


def uploaded(url):
    client = openai.OpenAI(base_url=url, api_key="k")
    heard = client.audio.transcriptions.create(model="whisper-1", file=("a.wav", b"RIFF"))
    return heard.text
"""
ANTHROPIC = """\
import anthropic


def asked(url):
    client = anthropic.Anthropic(base_url=url, api_key="k")
    reply = client.messages.create(
        model="claude", max_tokens=9, messages=[{"role": "user", "content": "why?"}]
    )
    return reply.content[0].text, reply.stop_reason


def told(url):
    client = anthropic.Anthropic(base_url=url, api_key="k")
    with client.messages.stream(
        model="claude", max_tokens=9, messages=[{"role": "user", "content": "why?"}]
    ) as stream:
        return "".join(stream.text_stream)
"""
LOCAL = """\
import ollama


def chatted(url):
    reply = ollama.Client(host=url).chat(
        model="m", messages=[{"role": "user", "content": "why?"}], stream=False
    )
    return reply.message.content, reply["done"]


def generated(url):
    parts = ollama.Client(host=url).generate(model="m", prompt="why?", stream=True)
    return "".join(part["response"] for part in parts)
"""


def openai_chat(body: dict[str, object]) -> object:
    head = {"id": "c1", "created": 1, "model": body["model"]}
    message = {"role": "assistant", "content": TEXT, "refusal": None}
    if not body.get("stream"):
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
        return {**head, "object": "chat.completion", "choices": [choice], "usage": usage}
    deltas = [{"role": "assistant", "content": ""}, {"content": TEXT[:7]}, {"content": TEXT[7:]}]
    return [
        {**head, "object": "chat.completion.chunk", "choices": [{"index": 0, "delta": delta}]}
        for delta in deltas
    ]


def openai_response(body: dict[str, object]) -> object:
    part = {"type": "output_text", "text": TEXT, "annotations": []}
    item = {"type": "message", "id": "m", "role": "assistant", "status": "completed"}
    return {
        "id": "r", "object": "response", "created_at": 1, "model": body["model"], "tools": [],
        "output": [{**item, "content": [part]}], "parallel_tool_calls": True,
        "tool_choice": "auto",
    }  # fmt: skip


def embeddings(body: dict[str, object]) -> object:
    texts = body["input"]
    assert isinstance(texts, list)
    rows = [
        {"object": "embedding", "index": i, "embedding": [0.5] * 1536} for i in range(len(texts))
    ]
    return {"object": "list", "data": rows, "model": body["model"], "usage": {}}


def anthropic_message(body: dict[str, object]) -> object:
    whole = {
        "id": "m", "type": "message", "role": "assistant", "model": body["model"],
        "stop_reason": "end_turn", "usage": {"input_tokens": 1, "output_tokens": 1},
        "content": [{"type": "text", "text": TEXT}],
    }  # fmt: skip
    if not body.get("stream"):
        return whole
    block = {"type": "text", "text": ""}
    delta = {"type": "text_delta", "text": TEXT}
    return [
        {"type": "message_start", "message": {**whole, "content": []}},
        {"type": "content_block_start", "index": 0, "content_block": block},
        {"type": "content_block_delta", "index": 0, "delta": delta},
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {}},
        {"type": "message_stop"},
    ]


def ollama_chat(body: dict[str, object]) -> object:
    return {"model": "m", "message": {"role": "assistant", "content": TEXT}, "done": True}


def ollama_generate(body: dict[str, object]) -> object:
    return [
        {"model": "m", "response": TEXT[:5], "done": False},
        {"model": "m", "response": TEXT[5:], "done": True},
    ]


ADDRESSES = {
    "/chat/completions": openai_chat, "/responses": openai_response, "/embeddings": embeddings,
    "/v1/messages": anthropic_message, "/api/chat": ollama_chat, "/api/generate": ollama_generate,
}  # fmt: skip


class Service(BaseHTTPRequestHandler):
    """A real server: what it was asked is kept."""

    seen: list[tuple[str, dict[str, object]]] = []  # noqa: RUF012

    def do_POST(self) -> None:
        content = self.rfile.read(int(self.headers["content-length"]))
        if "multipart" in self.headers["content-type"]:
            self.seen.append((self.path, {}))
            self.answer({"text": TEXT})
            return
        body = json.loads(content)
        self.seen.append((self.path, body))
        function = next(f for end, f in ADDRESSES.items() if self.path.endswith(end))
        self.answer(function(body))

    def answer(self, found: object) -> None:
        kind = "application/json"
        if isinstance(found, list) and self.path.startswith("/api"):
            content = "".join(json.dumps(line) + "\n" for line in found)
        elif isinstance(found, list):
            kind = "text/event-stream"
            content = "".join(
                (f"event: {e['type']}\n" if "type" in e else "") + f"data: {json.dumps(e)}\n\n"
                for e in found
            )
            content += "" if self.path.endswith("messages") else "data: [DONE]\n\n"
        else:
            content = json.dumps(found)
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(content.encode())

    def log_message(self, *_args: object) -> None:
        """Nothing is printed."""


@pytest.fixture
def server() -> Iterator[str]:
    Service.seen.clear()
    service = ThreadingHTTPServer(("127.0.0.1", 0), Service)
    thread = threading.Thread(target=service.serve_forever, daemon=True)
    thread.start()
    yield f"127.0.0.1:{service.server_port}"
    service.shutdown()
    service.server_close()
    thread.join()


def run(
    source: str, name: str, url: str, folder: Path, mock: str
) -> tuple[str, list[list[object]]]:
    (folder / mock).mkdir()
    (folder / mock / "example.py").write_text(source)
    options = Options(mock=mock)
    sliced = compile_slice(Repository(folder / mock), [f"example.py::{name}"], options)
    script = folder / f"{mock}.py"
    script.write_text(sliced.source)
    done = subprocess.run(
        [sys.executable, "-c", CHILD, str(script), name, url],
        capture_output=True, text=True, timeout=100, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    value, effects = json.loads(done.stdout.splitlines()[-1])
    return value, effects


CASES = [
    ("openai", OPENAI, "plain", "/v1", "chat.completions"),
    ("openai", OPENAI, "awaited", "/v1", "chat.completions"),
    ("openai", OPENAI, "streamed", "/v1", "chat.completions"),
    ("openai", OPENAI, "embedded", "/v1", "embeddings"),
    ("openai", OPENAI, "responded", "/v1", "responses"),
    ("openai", OPENAI, "uploaded", "/v1", "audio.transcriptions"),
    ("anthropic", ANTHROPIC, "asked", "", "messages"),
    ("anthropic", ANTHROPIC, "told", "", "messages"),
    ("ollama", LOCAL, "chatted", "", "chat"),
    ("ollama", LOCAL, "generated", "", "generate"),
]


@pytest.mark.parametrize(("module", "source", "name", "below", "what"), one_in(8, CASES))
def test_a_mock_gives_and_is_asked_the_same_as_a_server(
    module: str, source: str, name: str, below: str, what: str, server: str, tmp_path: Path
):
    pytest.importorskip(module)
    url = f"http://{server}{below}"
    value, effects = run(source, name, url, tmp_path, "none")
    assert effects == []
    assert TEXT in value or "1536" in value
    (request,) = Service.seen
    Service.seen.clear()

    mocked, effects = run(source, name, url, tmp_path, "auto")
    assert Service.seen == []
    assert mocked == value
    ((kind, target, *named),) = effects
    assert (kind, target) == ("request", f"{server} {what}")
    if request[1]:
        not_said = ("stream", "stream_options", "encoding_format")
        assert dict(named) == {k: v for k, v in request[1].items() if k not in not_said}
    else:
        assert dict(named)["file"] == {"filename": "a.wav", "bytes": 4}
