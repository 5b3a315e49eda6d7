"""websockets, websocket-client and aiohttp's web sockets: connections answer, and then end."""

from __future__ import annotations

import ast

from ....answers.services.service_answers import Answered, answered_at
from ....contacts import Border, Contact, Example, Family, Mock, Treated
from ....shapes.answer_shape import variants_at
from ....source.kept_code import kept_code

_PLACES = (
    "websockets.connect().recv()",
    "websockets.sync.client.connect().recv()",
    "websocket.create_connection().recv()",
    "websocket.WebSocket().recv()",
    "aiohttp.ClientSession().ws_connect().receive().data",
)


def applies(border: Border) -> tuple[Contact, ...]:
    """Anything of the two libraries; of aiohttp where it opens a web socket."""
    found = border.named("websockets", "websocket")
    of_aiohttp = border.named("aiohttp")
    if of_aiohttp and any(
        isinstance(node, ast.Attribute) and node.attr == "ws_connect"
        for one in kept_code(border).definitions
        for node in one.nodes
    ):
        found = (*found, *of_aiohttp)
    return found


def stub(border: Border, contacts: tuple[Contact, ...]) -> Mock:
    """A message waits at first and after each that is sent; when it is read, that is the end."""
    tops = sorted({c.name.partition(".")[0] for c in contacts} & {"websockets", "websocket"})
    why = "its connections are conversations in the process"
    found = answered_at(border, _PLACES, "text")
    answers = _answers(border, found)
    return Mock(
        treated=tuple(Treated(top, "faked", why) for top in tops),
        setup=f"answer_websockets({answers!r})\n",
        pieces=("websockets_net",),
        answers=found.listed(answers["default"]),
    )


def _answers(border: Border, found: Answered) -> dict[str, object]:
    if found.is_said:
        return found.variants
    names = kept_code(border).called_names
    if "json.loads" in names or ".receive_json" in names or "ws.receive_json" in names:
        parsed = variants_at(border, "json.loads()", kind="json")
        return {**{v.name: v.value for v in parsed}, **found.given}
    return {"default": "text", **found.given}


EXAMPLES: tuple[Example, ...] = (
    Example(
        title="prices as they come",
        source="""\
import asyncio
import json

import websockets

URL = "wss://stream.example/ws"


async def prices(symbols):
    found = []
    async with websockets.connect(URL, ping_interval=20) as ws:
        await ws.send(json.dumps({"method": "SUBSCRIBE", "params": symbols}))
        while True:
            try:
                message = await asyncio.wait_for(ws.recv(), timeout=10)
                found.append(json.loads(message))
            except websockets.exceptions.ConnectionClosed as error:
                found.append(error.rcvd.code)
                break
    return found
""",
        target="prices",
        call="((await prices(['a']))[-1], _effects[-1][2])",
        gives='(1000, \'{"method": "SUBSCRIBE", "params": ["a"]}\')',
        effects=(
            "request websocket wss://stream.example/ws",
            "message websocket wss://stream.example/ws",
        ),
    ),
    Example(
        title="a client that connects again and again",
        source="""\
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosedError


async def listen(uri):
    lines = []
    async for socket in connect(uri):
        try:
            async for message in socket:
                lines.append(message)
        except ConnectionClosedError:
            continue
    return lines
""",
        target="listen",
        call="await listen('ws://there.example')",
        gives="['text']",
        effects=("request websocket ws://there.example",),
    ),
    Example(
        title="a client without asyncio",
        source="""\
from websockets.sync.client import connect


def hello(name):
    with connect("ws://localhost:8765") as websocket:
        websocket.send(name)
        return websocket.recv()
""",
        target="hello",
        call="hello('Ada')",
        gives="'text'",
        effects=("request websocket ws://localhost:8765", "message websocket ws://localhost:8765"),
    ),
    Example(
        title="an application of websocket-client",
        source="""\
import json

import websocket


class Feed:
    def __init__(self, url):
        self.seen = []
        self.app = websocket.WebSocketApp(
            url, on_open=self.on_open, on_message=self.on_message,
            on_error=self.on_error, on_close=self.on_close,
        )

    def on_open(self, ws):
        ws.send(json.dumps({"op": "subscribe"}))

    def on_message(self, ws, message):
        self.seen.append(message)

    def on_error(self, ws, error):
        self.seen.append(type(error).__name__)

    def on_close(self, ws, code, text):
        self.seen.append(code)

    def run(self):
        self.app.run_forever(ping_interval=30)
        return self.seen
""",
        target="Feed.run",
        call=(
            "[Feed('wss://f.example').run(),"
            " __import__('slice_func_mocks').choose(websockets='connection'),"
            " Feed('wss://f.example').run()]"
        ),
        gives="[['text', 'WebSocketConnectionClosedException', 1000], None, ['ConnectionRefusedError', None]]",
        effects=(
            "request websocket wss://f.example",
            "message websocket wss://f.example",
            "request websocket wss://f.example",
        ),
    ),
    Example(
        title="a connection of websocket-client",
        source="""\
from websocket import WebSocketConnectionClosedException, create_connection


def ask(url, *questions):
    ws = create_connection(url, timeout=5)
    found = []
    for question in questions:
        ws.send(question)
        found.append(ws.recv())
    try:
        while True:
            found.append(ws.recv())
    except WebSocketConnectionClosedException:
        found.append("closed")
    ws.close()
    return found
""",
        target="ask",
        call="ask('ws://q.example', 'a', 'b')",
        gives="['text', 'text', '', 'closed']",
        effects=(
            "request websocket ws://q.example",
            "message websocket ws://q.example",
            "message websocket ws://q.example",
        ),
    ),
    Example(
        title="a web socket of aiohttp",
        source="""\
import aiohttp


async def chat(url):
    found = []
    async with aiohttp.ClientSession() as session:
        async with session.ws_connect(url, heartbeat=30) as ws:
            await ws.send_json({"hello": "there"})
            async for message in ws:
                if message.type == aiohttp.WSMsgType.TEXT:
                    found.append(message.data)
                elif message.type == aiohttp.WSMsgType.ERROR:
                    break
        return found, ws.closed
""",
        target="chat",
        call="await chat('wss://chat.example/')",
        gives="(['text'], True)",
        effects=("request websocket wss://chat.example/", "message websocket wss://chat.example/"),
    ),
)

FAMILY = Family("websockets", applies, stub, EXAMPLES)
