"""Web servers that a slice would start: where they would listen is noted, and they return."""

from __future__ import annotations

from ....contacts import Border, Contact, Family, Mock

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


FAMILY = Family("servers", stub, applies)
