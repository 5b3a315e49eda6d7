"""`aiohttp`'s client stays real: its connections are answered without a network.

`aioresponses` replaces the session's request as a whole, and breaks when aiohttp's internals change
(as in 3.14). Connections that are answered byte by byte keep redirects, cookies, forms, streams and
errors aiohttp's own, and work with every version.
"""

from __future__ import annotations

from ....answers.services.http_defaults import BodyPlaces, http_defaults
from ....contacts import Border, Contact, Family, Mock, ModuleTreatment

_ROOTS = ("aiohttp.ClientSession().*()", "aiohttp.request()", "aiohttp.*()")
_PLACES = BodyPlaces(
    modules=("aiohttp",),
    json=tuple(f"{root}.json()" for root in _ROOTS),
    text=tuple(f"{root}.{name}()" for root in _ROOTS for name in ("text", "read")),
)


def applies(border: Border) -> tuple[Contact, ...]:
    """Return the contacts with aiohttp, unless only its server is used."""
    found = border.named("aiohttp")
    return found if any(not c.name.startswith("aiohttp.web.") for c in found) else ()


def stub(border: Border, contacts: tuple[Contact, ...]) -> Mock:
    """Each address answers 200 with a body of the shape that the slice reads."""
    del contacts
    http = http_defaults(border, "aiohttp", _PLACES)
    return Mock(
        treated=(ModuleTreatment("aiohttp", "faked", "its connectors are connected with answers"),),
        setup=f"answer_aiohttp({http.made})\n",
        pieces=("aiohttp_http",),
        answers=http.answers,
    )


FAMILY = Family("aiohttp", stub, applies)
