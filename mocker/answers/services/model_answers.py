"""Answers of models: texts of the shape that a slice reads, and failures."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence

from ...contacts import Border
from ...source.kept_code import kept_code
from .service_answers import answered_at, as_text

ANSWER = "This is the answer."
"""A model's answer if the expected form is unknown."""
_FAILURES: dict[str, dict[str, object]] = {
    "empty": {"content": ""},
    "prose": {"content": ANSWER},
    "rate limit": {"status": 429},
    "unauthorized": {"status": 401},
    "server error": {"status": 500},
    "timeout": {"fails": "timeout"},
    "no connection": {"fails": "connection"},
}


def model_variants(
    border: Border,
    places: Sequence[str],
    own: Mapping[str, Mapping[str, object]] | None = None,
) -> dict[str, dict[str, object]]:
    """Return the variants of a model's answer: `default` first, then others it may give."""
    found = answered_at(border, places, "text")
    answers: dict[str, dict[str, object]] = {
        name: {"content": text_of(value)} for name, value in found.variants.items()
    }
    if not found.is_user_declared:
        answers["default"] = {"content": ANSWER}
    default = answers["default"]
    for name, extra in (own or {}).items():
        answers.setdefault(name, {**default, **extra})
    for name, extra in _FAILURES.items():
        answers.setdefault(name, extra)
    return answers


def model_places(border: Border, places: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Return the places that the slice reads, with a model's default answer there."""
    found = answered_at(border, places, "text")
    return found.listed(text_of(found.variants["default"]) if found.is_user_declared else ANSWER)


_WORD = re.compile(r"\w+")
_OBJECTS = (
    r"(?i:files?|threads|assistants?|vector_stores?|batches|fine_tun.*|finetun.*|uploads?|runs|evals|"
    r"containers)"
)
_OWN: dict[str, dict[str, dict[str, object]]] = {
    "openai": {
        "calls a tool": {"calls": True},
        "cut off": {"finish": "length"},
        "filtered": {"finish": "content_filter"},
        "refusal": {"refuses": True},
        "flagged": {"flags": True},
        "another schema": {"ignores_schema": True},
        "run failed": {"run": "failed"},
    },
    "anthropic": {
        "calls a tool": {"calls": True},
        "cut off": {"finish": "length"},
        "refusal": {"finish": "content_filter"},
    },
    "google": {
        "calls a tool": {"calls": True},
        "cut off": {"finish": "length"},
        "filtered": {"finish": "content_filter"},
    },
    "ollama": {"calls a tool": {"calls": True}, "cut off": {"finish": "length"}},
    "cohere": {},
}


def protocol_setup(
    border: Border, places: Sequence[str], protocols: Sequence[str], keys: Sequence[str] = ()
) -> str:
    """Return statements that answer these protocols with texts of the shape read at the places.

    Args:
        border: the border of the slice.
        places: where the slice gets texts that a model has written.
        protocols: `openai`, `anthropic`, `google`, `ollama`, `cohere`.
        keys: environment variables that the clients require.
    """
    lines = [f"supply_keys({', '.join(map(repr, keys))})\n"] if keys else []
    for protocol in protocols:
        variants = model_variants(border, places, _OWN[protocol])
        more = f", {_services(border)}" if protocol == "openai" else ""
        lines.append(f"answer_{protocol}({variants!r}{more})\n")
    return "".join(lines)


_SERVICES: tuple[tuple[str, str, str], ...] = (
    (r"/chat/completions$", "chat", ""),
    (r"/completions$", "completion", r"completions|Completion|text_completion|\0"),
    (r"/responses(/[^/]+)?$", "response", r"responses|\0"),
    (r"/embeddings$", "embeddings", r"(?i:.*embed.*)|\0"),
    (r"/images/(generations|edits|variations)$", "images", r"(?i:.*image.*)"),
    (r"/audio/(transcriptions|translations|speech)$", "audio",
     r"(?i:.*(audio|transcri|translat|speech|whisper|tts).*)"),
    (r"/moderations$", "moderations", r".*moderat.*"),
    (r"/models(/.+)?$", "models", r"models|Model|Engine|\0"),
    (r"<openai>/v1/(.+)$", "objects", _OBJECTS),
    (r"/openai/(?:v1/)?((?:files|threads|assistants|vector_stores|batches).*)$", "objects",
     _OBJECTS),
)  # fmt: skip
r"""Pattern of an address in OpenAI's protocol, its responder, and the names in a slice that may use
it; `\\0` stands for a library that may use it unseen."""
_ABOVE = (
    "langchain", "langchain_core", "langchain_openai", "langchain_community", "langgraph",
    "litellm", "liteswarm", "crewai", "llama_index", "pydantic_ai", "instructor", "dspy", "autogen",
    "agents", "smolagents", "guidance", "outlines", "haystack", "semantic_kernel", "ragas", "mem0",
    "chromadb", "autogen_agentchat", "autogen_ext", "swarm", "marvin", "agno", "phi",
)  # fmt: skip


def _services(border: Border) -> str:
    """Return the responders of OpenAI's protocol that the slice can reach, as source."""
    names = {word for contact in border.contacts for word in _WORD.findall(contact.name)}
    names.update(kept_code(border).uses)
    is_passed_on = not any(
        re.fullmatch(words, name) for _, _, words in _SERVICES for name in names
    ) and not names & {"chat", "ChatCompletion"}
    if is_passed_on or border.modules(*_ABOVE):
        names.add("\0")
    used = [
        f"{pattern!r}: openai_{name}"
        for pattern, name, words in _SERVICES
        if not words or any(re.fullmatch(words, each) for each in names)
    ]
    return f"{{{', '.join(used)}}}"


def protocol_pieces(protocols: Sequence[str]) -> tuple[str, ...]:
    """Return the runtime pieces of these protocols."""
    files = {"cohere": "ollama_protocol"}
    return tuple(dict.fromkeys(files.get(name, f"{name}_protocol") for name in protocols))


def text_of(value: object) -> str:
    """Return a value as the text that a model would write for it."""
    if isinstance(value, str | bytes):
        return as_text(value)
    return "" if value in (None, {}, []) else json.dumps(value)


def places_of(
    module: str, clients: Sequence[str], resource: str, calls: Sequence[str], rest: str
) -> tuple[str, ...]:
    """Return the places of answers below each of a module's clients."""
    return tuple(
        ".".join(filter(None, (module, client, resource, call + rest if rest[0] == "[" else call)))
        + ("" if rest[0] == "[" else f".{rest}")
        for client in clients
        for call in calls
    )
