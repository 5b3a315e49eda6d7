"""Web servers that a slice would start: the address is noted, and the call returns."""

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
    """Return the contacts that listen on a port."""
    return border.named(*_SERVERS)


def stub(border: Border, contacts: tuple[Contact, ...]) -> Mock:
    """Starting a server is recorded as an effect."""
    del border, contacts
    return Mock(treated=(), setup="run_no_servers()\n", pieces=("servers",))


FAMILY = Family("servers", stub, applies)
