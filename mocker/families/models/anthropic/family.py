"""`anthropic` stays real: requests of its clients are answered below httpx."""

from __future__ import annotations

from ....answers.services.model_answers import (
    model_places,
    places_of,
    protocol_pieces,
    protocol_setup,
)
from ....contacts import Border, Contact, Family, Mock, ModuleTreatment

_CLIENTS = ("Anthropic()", "AsyncAnthropic()", "AnthropicBedrock()", "AnthropicVertex()")
_PLACES = (
    *places_of("anthropic", _CLIENTS, "messages", ("create()",), "content[].text"),
    *places_of("anthropic", _CLIENTS, "beta.messages", ("create()",), "content[].text"),
    *places_of("anthropic", _CLIENTS, "completions", ("create()",), "completion"),
    *places_of("anthropic", _CLIENTS, "messages", ("stream()",), "text_stream[]"),
)


def applies(border: Border) -> tuple[Contact, ...]:
    """Return the contacts with anthropic."""
    return border.named("anthropic")


def stub(border: Border, contacts: tuple[Contact, ...]) -> Mock:
    """Each message is answered in the protocol's form, with a text that the slice can read."""
    del contacts
    setup = protocol_setup(border, _PLACES, ("anthropic",), ("ANTHROPIC_API_KEY",))
    return Mock(
        treated=(
            ModuleTreatment("anthropic", "faked", "its HTTP transport is answered in the script"),
        ),
        setup=f'at_once("anthropic")\n{setup}',
        pieces=protocol_pieces(("anthropic",)),
        answers=model_places(border, _PLACES),
    )


FAMILY = Family("anthropic", stub, applies)
