"""Web servers that a slice would start: where they would listen is noted, and they return."""

from __future__ import annotations

from ....contacts import Border, Contact, Example, Family, Mock

_SERVERS = (
    "uvicorn",
    "waitress",
    "bottle",
    "hypercorn",
    "cherrypy",
    "eventlet",
    "granian",
    "sanic",
    "wsgiref",
    "werkzeug.serving",
    "socketserver",
    "http.server",
    "xmlrpc.server",
    "aiohttp.web",
    "tornado",
    "websockets",
)


def applies(border: Border) -> tuple[Contact, ...]:
    """What listens on a port."""
    return border.named(*_SERVERS)


def stub(border: Border, contacts: tuple[Contact, ...]) -> Mock:
    """Starting one is an effect."""
    del border, contacts
    return Mock(treated=(), setup="run_no_servers()\n", pieces=("servers",))


EXAMPLES = (
    Example(
        title="uvicorn from a main function",
        source="""\
import uvicorn


def main(port=8000, reload=False):
    uvicorn.run("app.main:app", host="0.0.0.0", port=port, reload=reload)
    return port
""",
        target="main",
        call="main(9)",
        gives="9",
        effects=("serve uvicorn",),
    ),
    Example(
        title="a server of the standard library",
        source="""\
import json
from http.server import BaseHTTPRequestHandler, HTTPServer


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.end_headers()
        self.wfile.write(json.dumps({"path": self.path}).encode())


def serve(address=("localhost", 8099)):
    with HTTPServer(address, Handler) as server:
        server.serve_forever()
        return server.server_port
""",
        target="serve",
        call="serve()",
        gives="8099",
        effects=("serve HTTPServer",),
    ),
    Example(
        title="aiohttp with a runner",
        source="""\
from aiohttp import web


class WebApp:
    def __init__(self):
        self.app = web.Application()
        self.app.router.add_get("/", self.index)

    async def index(self, request):
        return web.json_response({"ok": True})

    async def start(self, port):
        runner = web.AppRunner(self.app)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", port)
        await site.start()
        await runner.cleanup()
        return len(self.app.router.routes())
""",
        target="WebApp.start",
        call="await WebApp().start(8081)",
        gives="2",
        effects=("serve aiohttp",),
    ),
    Example(
        title="websockets",
        source="""\
import asyncio

import websockets

CLIENTS = set()


async def echo(socket):
    CLIENTS.add(socket)
    async for message in socket:
        await socket.send(message.upper())


async def main():
    async with websockets.serve(echo, "localhost", 8765) as server:
        await server.serve_forever()
    return len(CLIENTS)
""",
        target="main",
        call="await main()",
        gives="0",
        effects=("serve websockets", "serve websockets"),
    ),
    Example(
        title="bottle and tornado",
        source="""\
import tornado.ioloop
import tornado.web
from bottle import route, run


@route("/hello/<name>")
def hello(name):
    return "Hello " + name


class Main(tornado.web.RequestHandler):
    def get(self):
        self.write("x")


def start():
    tornado.web.Application([("/", Main)]).listen(8888)
    tornado.ioloop.IOLoop.current().start()
    run(host="localhost", port=8080)
    return hello("you")
""",
        target="start",
        call="start()",
        gives="'Hello you'",
        effects=("serve tornado", "serve tornado.ioloop", "serve bottle"),
    ),
)

FAMILY = Family("servers", applies, stub, EXAMPLES)
