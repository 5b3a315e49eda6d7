"""Internet sockets are answered in the process; local ones stay real."""

from __future__ import annotations

import ast

from ....answers.services.service_answers import ServiceAnswers, texts_at
from ....contacts import Border, Contact, Family, Mock, ModuleTreatment
from ....source.kept_code import kept_code

_QUIET = (
    "socket.AF_ socket.SOCK_ socket.SOL_ socket.SO_ socket.IPPROTO_ socket.error socket.timeout "
    "socket.gaierror socket.herror socket.inet_ socket.htons socket.ntohs socket.htonl "
    "socket.ntohl socket.gethostname socket.socketpair"
)
_STREAMS = (
    "asyncio.open_connection asyncio.start_server socketserver http.server ssl.wrap_socket "
    "anyio.connect_tcp anyio.create_tcp_listener anyio.getaddrinfo"
).split()
_OF_LOOPS = {"create_connection", "create_server", "create_datagram_endpoint", "sock_connect"}
_PLACES = (
    "socket.socket().recv()",
    "socket.socket().recvfrom()[0]",
    "socket.create_connection().recv()",
    "asyncio.open_connection()[0].read()",
    "asyncio.open_connection()[0].readline()",
    "anyio.connect_tcp().receive()",
)


def applies(border: Border) -> tuple[Contact, ...]:
    """Return the contacts with hosts, connections and servers, unless only constants are used."""
    quiet = tuple(_QUIET.split())
    found = (*border.named("socket"), *border.named(*_STREAMS))
    if any(
        isinstance(node, ast.Attribute) and node.attr in _OF_LOOPS
        for one in kept_code(border).definitions
        for node in one.nodes
    ):
        found = (*found, *border.named("asyncio"))
    return tuple(c for c in found if c.name != "socket" and not c.name.startswith(quiet))


def stub(border: Border, contacts: tuple[Contact, ...]) -> Mock:
    """A peer answers once to everything it is sent, and then closes the connection."""
    del contacts
    is_server = bool(border.named("http.server"))
    found = texts_at(border, _PLACES, () if is_server else ("json.loads",))
    answers = _answers(found, is_server=is_server)
    return Mock(
        treated=(ModuleTreatment("socket", "faked", "connections are answered in the process"),),
        setup=f"answer_network({answers!r})\n",
        pieces=("sockets",),
        answers=found.listed(answers["default"]),
    )


def _answers(found: ServiceAnswers, *, is_server: bool) -> dict[str, object]:
    if found.is_user_declared:
        return found.variants
    if is_server:
        return {"default": b"GET / HTTP/1.0\r\nHost: localhost\r\n\r\n", **found.written_variants}
    return {"default": b"OK\r\n", "empty": b"", **found.written_variants}


FAMILY = Family("sockets", stub, applies)
