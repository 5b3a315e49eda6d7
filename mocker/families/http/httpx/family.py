"""`httpx` stays real: its transports are answered by `respx`, without a network."""

from __future__ import annotations

from ....answers.services.http_defaults import BodyPlaces, http_defaults
from ....contacts import Border, Contact, Family, Mock, ModuleTreatment

_ROOTS = ("httpx.*()", "httpx.Client().*()", "httpx.AsyncClient().*()")
_PLACES = BodyPlaces(
    modules=("httpx",),
    json=tuple(f"{root}.json()" for root in _ROOTS),
    text=tuple(f"{root}.{name}" for root in _ROOTS for name in ("text", "content")),
)


def applies(border: Border) -> tuple[Contact, ...]:
    """Return the contacts with httpx."""
    return border.named("httpx")


def stub(border: Border, contacts: tuple[Contact, ...]) -> Mock:
    """Each address answers 200 with a body of the shape that the slice reads."""
    del contacts
    http = http_defaults(border, "httpx", _PLACES)
    return Mock(
        treated=(ModuleTreatment("httpx", "faked", "respx answers in place of its transports"),),
        setup=f"answer_httpx({http.made})\n",
        pieces=("httpx_http",),
        requirements=("respx>=0.22",),
        answers=http.answers,
    )


FAMILY = Family("httpx", stub, applies)
