"""websockets, websocket-client and aiohttp's web sockets: connections answer, and then close."""

from __future__ import annotations

import ast

from ....answers.services.service_answers import ServiceAnswers, answered_at
from ....contacts import Border, Contact, Family, Mock, ModuleTreatment
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
    """Return the contacts with the two libraries, and with aiohttp's web sockets."""
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
    """A message waits at first and after each one sent; once it is read, the connection closes."""
    tops = sorted({c.name.partition(".")[0] for c in contacts} & {"websockets", "websocket"})
    why = "its connections are conversations in the process"
    found = answered_at(border, _PLACES, "text")
    answers = _answers(border, found)
    return Mock(
        treated=tuple(ModuleTreatment(top, "faked", why) for top in tops),
        setup=f"answer_websockets({answers!r})\n",
        pieces=("websockets_net",),
        answers=found.listed(answers["default"]),
    )


def _answers(border: Border, found: ServiceAnswers) -> dict[str, object]:
    if found.is_user_declared:
        return found.variants
    names = kept_code(border).called_names
    if "json.loads" in names or ".receive_json" in names or "ws.receive_json" in names:
        parsed = variants_at(border, "json.loads()", kind="json")
        return {**{v.name: v.value for v in parsed}, **found.written_variants}
    return {"default": "text", **found.written_variants}


FAMILY = Family("websockets", stub, applies)
