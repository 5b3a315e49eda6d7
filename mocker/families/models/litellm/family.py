"""`litellm` stays real: every service that it calls is answered below httpx.

Its import fetches tables from the network, so the family also listens to modules that import it.
"""

from __future__ import annotations

from ....answers.services.model_answers import model_places, protocol_pieces, protocol_setup
from ....contacts import Border, Contact, Family, Mock, ModuleTreatment, is_below

_ROOTS = tuple(
    f"litellm.{name}"
    for name in ("completion()", "acompletion()", "Router().completion()", "Router().acompletion()")
)
_PLACES = tuple(
    place
    for root in _ROOTS
    for place in (
        f"{root}.choices[].message.content", f"{root}[].choices[].delta.content",
        f"{root}[][][][]",
    )
)  # fmt: skip
_PROTOCOLS = ("openai", "anthropic", "google", "ollama", "cohere")
_KEYS = tuple(
    f"{name}_API_KEY"
    for name in (
        "OPENAI", "AZURE", "ANTHROPIC", "GEMINI", "GROQ", "TOGETHERAI", "MISTRAL", "DEEPSEEK",
        "OPENROUTER", "XAI", "PERPLEXITYAI", "FIREWORKS_AI", "CEREBRAS", "COHERE",
    )
)  # fmt: skip


def stub(border: Border, contacts: tuple[Contact, ...]) -> Mock:
    """Each service is answered in its own protocol."""
    asks = any(map(_may_send, contacts))
    setup = protocol_setup(border, _PLACES, _PROTOCOLS, _KEYS) if asks else ""
    return Mock(
        treated=(
            ModuleTreatment(
                "litellm", "faked", "the services that it calls are answered below httpx"
            ),
        ),
        setup="litellm_at_home()\n" + (f'at_once("openai")\n{setup}' if asks else ""),
        pieces=("model_libraries", *(protocol_pieces(_PROTOCOLS) if asks else ())),
        answers=model_places(border, _PLACES) if asks else (),
    )


def _may_send(contact: Contact) -> bool:
    """Whether a contact is more than one of litellm's types or exceptions, which send nothing."""
    name = contact.name.partition("(")[0].rpartition(".")[2]
    is_type = name[:1].isupper() and not name.endswith("Router")
    return not (is_type and is_below(contact.name, "litellm"))


FAMILY = Family("litellm", stub)
