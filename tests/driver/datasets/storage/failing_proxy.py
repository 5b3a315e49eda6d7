"""A proxy before a server, some of whose answers never arrive."""

from __future__ import annotations

import http.client
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import cycle

WAYS = ("503", "500", "nothing", "half")
"""An answer of the server's own, none at all, or one that is cut off."""


class FailingProxy:
    """Passes requests on to a port, but for those of which `fails` says so, one after the other."""

    def __init__(self, port: int, fails: Callable[[], bool]) -> None:
        self.requests = self.failures = 0
        self._is_closed = False
        lock, ways = threading.Lock(), cycle(WAYS)

        def way() -> str:
            with lock:
                self.requests += 1
                if self._is_closed:  # a connection that is open already would go on
                    return "nothing"
                if not fails():
                    return ""
                self.failures += 1
                return next(ways)

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_: object) -> None:
                return

            def answer(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                fault = way()
                if fault in ("503", "500"):
                    self.send_response(int(fault))
                    self.send_header("Content-Length", "0")
                    self.end_headers()
                elif fault == "nothing":
                    self.close_connection = True
                else:
                    self.pass_on(body, is_cut=fault == "half")

            def pass_on(self, body: bytes, *, is_cut: bool) -> None:
                inner = http.client.HTTPConnection("127.0.0.1", port)
                inner.putrequest(self.command, self.path, skip_host=True, skip_accept_encoding=True)
                for name, value in self.headers.items():
                    inner.putheader(name, value)
                inner.endheaders(body)
                with inner.getresponse() as given:
                    content = given.read()
                    self.send_response(given.status)
                    for name, value in given.getheaders():
                        if name.lower() not in ("connection", "date", "server", "content-length"):
                            self.send_header(name, value)
                    head = self.command == "HEAD" and given.getheader("Content-Length")
                    self.send_header("Content-Length", head or str(len(content)))
                    self.end_headers()
                self.wfile.write(content[: len(content) // 2] if is_cut else content)
                self.close_connection = self.close_connection or is_cut
                inner.close()

            do_GET = do_PUT = do_POST = do_DELETE = do_HEAD = answer  # noqa: N815 - names of the library

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def close(self) -> None:
        """Refuse connections from now on."""
        self._is_closed = True
        self._server.shutdown()
        self._server.server_close()
