"""`openai` stays real: requests of its clients are answered below httpx."""

from __future__ import annotations

from ....answers.services.model_answers import (
    model_places,
    places_of,
    protocol_pieces,
    protocol_setup,
)
from ....contacts import Border, Contact, Family, Mock, ModuleTreatment

_CLIENTS = ("OpenAI()", "AsyncOpenAI()", "AzureOpenAI()", "AsyncAzureOpenAI()")
_MESSAGE = ("create()", "parse()")
_PLACES = (
    *places_of("openai", _CLIENTS, "chat.completions", _MESSAGE, "choices[].message.content"),
    *places_of("openai", _CLIENTS, "beta.chat.completions", _MESSAGE, "choices[].message.content"),
    *places_of("openai", _CLIENTS, "chat.completions", ("create()",), "[].choices[].delta.content"),
    *places_of("openai", _CLIENTS, "responses", _MESSAGE, "output_text"),
    *places_of("openai", _CLIENTS, "responses", _MESSAGE, "output[].content[].text"),
    *places_of("openai", _CLIENTS, "completions", ("create()",), "choices[].text"),
    *places_of("openai", _CLIENTS, "audio.transcriptions", ("create()",), "text"),
    *places_of("openai", _CLIENTS, "audio.translations", ("create()",), "text"),
    *places_of(
        "openai", _CLIENTS, "beta.threads.messages", ("list()",), "data[].content[].text.value"
    ),
    *places_of("openai", ("",), "chat.completions", ("create()",), "choices[].message.content"),
)
_OLD = tuple(
    f"openai.{name}"
    for name in (
        "ChatCompletion", "Completion", "Embedding", "Image", "Audio", "Moderation", "Edit",
        "File", "Model", "FineTune", "FineTuningJob", "error", "openai_object", "Engine",
    )
)  # fmt: skip


def applies(border: Border) -> tuple[Contact, ...]:
    """Return the contacts with openai, unless its old interface is used."""
    return () if border.named(*_OLD) else border.named("openai")


def stub(border: Border, contacts: tuple[Contact, ...]) -> Mock:
    """Each request is answered in the protocol's form, with a text that the slice can read."""
    del contacts
    keys = ("OPENAI_API_KEY", "AZURE_OPENAI_API_KEY")
    return Mock(
        treated=(
            ModuleTreatment("openai", "faked", "its HTTP transport is answered in the script"),
        ),
        setup=f'at_once("openai")\n{protocol_setup(border, _PLACES, ("openai",), keys)}',
        pieces=protocol_pieces(("openai",)),
        answers=model_places(border, _PLACES),
    )


FAMILY = Family("openai", stub, applies)
