"""The SDKs of groq, together, mistralai, cohere and ollama stay real: answered below httpx."""

from __future__ import annotations

from ....answers.services.model_answers import model_places, protocol_pieces, protocol_setup
from ....contacts import Border, Contact, Family, Mock, ModuleTreatment

_SDKS: dict[str, tuple[tuple[str, ...], str]] = {
    "groq": (("openai",), "GROQ_API_KEY"),
    "together": (("openai",), "TOGETHER_API_KEY"),
    "mistralai": (("openai",), "MISTRAL_API_KEY"),
    "cerebras": (("openai",), "CEREBRAS_API_KEY"),
    "openrouter": (("openai",), "OPENROUTER_API_KEY"),
    "cohere": (("cohere",), "CO_API_KEY"),
    "ollama": (("ollama",), ""),
}
_CHAT = "choices[].message.content"
_PLACES = (
    *(
        f"{client}.chat.completions.create().{_CHAT}"
        for client in (
            "groq.Groq()", "groq.AsyncGroq()", "together.Together()", "together.AsyncTogether()",
            "cerebras.cloud.sdk.Cerebras()",
        )
    ),
    *(f"mistralai.Mistral().chat.{name}().{_CHAT}" for name in ("complete", "complete_async")),
    *(f"cohere.{client}().chat().text" for client in ("Client", "AsyncClient")),
    "cohere.ClientV2().chat().message.content[].text",
    "cohere.Client().generate().generations[].text",
    *(
        f"ollama.{client}chat(){content}"
        for client in ("", "Client().", "AsyncClient().")
        for content in (".message.content", "[][]")
    ),
    *(
        f"ollama.{client}generate(){content}"
        for client in ("", "Client().", "AsyncClient().")
        for content in (".response", "[]")
    ),
)  # fmt: skip


def applies(border: Border) -> tuple[Contact, ...]:
    """Return the contacts with these SDKs."""
    return border.named(*_SDKS)


def stub(border: Border, contacts: tuple[Contact, ...]) -> Mock:
    """Each service is answered in its own protocol."""
    used = [name for name in _SDKS if border.named(name)]
    protocols = tuple(dict.fromkeys(p for name in used for p in _SDKS[name][0]))
    keys = [_SDKS[name][1] for name in used if _SDKS[name][1]]
    reason = "its HTTP transport is answered in the script"
    return Mock(
        treated=tuple(ModuleTreatment(name, "faked", reason) for name in used),
        setup=(
            f"at_once({', '.join(map(repr, used))})\n"
            f"{protocol_setup(border, _PLACES, protocols, keys)}"
        ),
        pieces=protocol_pieces(protocols),
        answers=model_places(border, _PLACES),
    )


FAMILY = Family("other models", stub, applies)
