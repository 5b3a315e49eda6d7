"""Servers that would never return: noted instead of run."""

from __future__ import annotations

import functools
from typing import Any

from .....world.core.on_import import on_import
from .....world.core.world import record, replace


def run_no_servers() -> None:
    """Replace what listens on a port, or loops for ever, as soon as its library is imported."""
    on_import("uvicorn", _patch_uvicorn)
    for module, name in (
        ("waitress", "serve"),
        ("bottle", "run"),
        ("wsgiref.simple_server", "make_server"),
        ("werkzeug.serving", "run_simple"),
        ("hypercorn.run", "run"),
        ("cherrypy", "quickstart"),
        ("eventlet.wsgi", "server"),
        ("granian", "Granian"),
    ):
        on_import(module, functools.partial(_note_function, name=name))
    on_import("socketserver", _patch_socketserver)
    on_import("http.server", lambda http: replace(http.HTTPServer, "server_bind", _bind_nothing))
    on_import("aiohttp.web", _patch_aiohttp_servers)
    on_import("tornado.platform.asyncio", _patch_tornado)
    on_import("tornado.web", lambda module: replace(
        module.Application, "listen", _noting("tornado", skips=1)))  # fmt: skip
    on_import("websockets", _patch_websockets)
    on_import("websockets.asyncio.server", _patch_websockets)
    on_import("websockets.sync.server", lambda module: replace(module, "serve", _serving_nobody))
    on_import("sanic", lambda module: replace(module.Sanic, "run", _noting("sanic", skips=1)))


def _noting(name: str, skips: int = 0) -> Any:
    """A function that only notes where it would have listened."""

    def note(*args: Any, **named: Any) -> None:
        plain = [a for a in args[skips:] if isinstance(a, (str, int, float, bool))]
        kept = {
            k: v
            for k, v in named.items()
            if k in ("host", "port", "hostname", "workers", "address")
        }
        record("serve", name, *plain, **kept)

    return note


def _note_function(module: Any, name: str) -> None:
    target = module.__name__.partition(".")[0]
    if name == "make_server":
        replace(module, name, lambda host, port, app, *_, **__: ServesNobody(target, host, port))
        return
    replace(module, name, _noting(target))


class ServesNobody:
    """A server to which nobody comes: also a context manager, and awaitable."""

    def __init__(self, name: str, host: Any = None, port: Any = None) -> None:
        self._name = name
        self.server_address = (host, port)
        self.server_port = port
        self.sockets: list[Any] = []

    def serve_forever(self, *_: Any, **__: Any) -> Any:
        record("serve", self._name, *self.server_address)
        return _nothing_to_wait_for()

    def handle_request(self) -> None:
        """Nobody asks."""

    def set_app(self, app: Any) -> None:
        self.application = app

    def shutdown(self) -> None:
        """It has not started."""

    def close(self) -> None:
        """It has not started."""

    server_close = close

    def wait_closed(self) -> Any:
        return _nothing_to_wait_for()

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *_: object) -> None:
        """It has not started."""

    async def __aenter__(self) -> Any:
        record("serve", self._name, *self.server_address)
        return self

    async def __aexit__(self, *_: object) -> None:
        """It has not started."""

    def __await__(self) -> Any:
        record("serve", self._name, *self.server_address)
        yield from ()
        return self


class _Nothing:
    def __await__(self) -> Any:
        yield from ()


def _nothing_to_wait_for() -> Any:
    """What can be awaited, and need not be."""
    return _Nothing()


def _serving_nobody(handler: Any, host: Any = None, port: Any = None, **_: Any) -> ServesNobody:
    return ServesNobody("websockets", host, port)


def _patch_uvicorn(module: Any) -> None:
    async def serve(server: Any, *_: Any, **__: Any) -> None:
        record("serve", "uvicorn", server.config.host, server.config.port)

    def run(app: Any, *, host: str = "127.0.0.1", port: int = 8000, **_: Any) -> None:
        name = app if isinstance(app, str) else type(app).__name__
        record("serve", "uvicorn", name, host, port)

    replace(module, "run", run)
    replace(module.Server, "serve", serve)
    replace(module.Server, "run", lambda server, *_, **__: record(
        "serve", "uvicorn", server.config.host, server.config.port))  # fmt: skip


def _bind_nothing(server: Any) -> None:
    """Take the address that was asked for, and leave the port to others."""
    host, port = server.server_address[:2]
    server.server_name, server.server_port = host or "localhost", port


def _patch_socketserver(module: Any) -> None:
    replace(module.TCPServer, "server_bind", _bind_nothing)
    replace(module.TCPServer, "server_activate", lambda server: None)
    replace(module.BaseServer, "serve_forever", lambda server, *_, **__: record(
        "serve", type(server).__name__, *server.server_address[:2]))  # fmt: skip
    replace(module.BaseServer, "handle_request", lambda server: None)
    replace(module.BaseServer, "shutdown", lambda server: None)


def _patch_aiohttp_servers(module: Any) -> None:
    replace(module, "run_app", _noting("aiohttp", skips=1))

    async def start(site: Any) -> None:
        record("serve", "aiohttp", getattr(site, "_host", None), getattr(site, "_port", None))

    replace(module.TCPSite, "start", start)

    async def stop(site: Any) -> None:
        """It has not started."""

    replace(module.TCPSite, "stop", stop)


def _patch_tornado(module: Any) -> None:
    replace(module.BaseAsyncIOLoop, "start", lambda loop: record("serve", "tornado.ioloop"))


def _patch_websockets(module: Any) -> None:
    if "serve" in vars(module) or module.__name__ == "websockets":
        module.serve  # noqa: B018 the package loads it when it is asked for
        replace(module, "serve", _serving_nobody)
