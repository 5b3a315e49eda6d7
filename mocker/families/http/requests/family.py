"""`requests` stays real: its adapters are answered by `responses`, without a network."""

from __future__ import annotations

from ....answers.services.http_defaults import BodyPlaces, http_defaults
from ....contacts import Border, Contact, Family, Mock, ModuleTreatment

_PLACES = BodyPlaces(
    modules=("requests",),
    json=("requests.*().json()", "requests.Session().*().json()"),
    text=(
        "requests.*().text",
        "requests.*().content",
        "requests.Session().*().text",
        "requests.Session().*().content",
    ),
)


def applies(border: Border) -> tuple[Contact, ...]:
    """Return the contacts with requests."""
    return border.named("requests")


def stub(border: Border, contacts: tuple[Contact, ...]) -> Mock:
    """Each address answers 200 with a body of the shape that the slice reads."""
    del contacts
    http = http_defaults(border, "requests", _PLACES)
    return Mock(
        treated=(
            ModuleTreatment("requests", "faked", "responses answers in place of its HTTP adapter"),
        ),
        setup=f"answer_requests({http.made})\n",
        pieces=("requests_http",),
        requirements=("responses>=0.26",),
        answers=http.answers,
    )


FAMILY = Family("requests", stub, applies)
