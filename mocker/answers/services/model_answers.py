"""What models answer: texts of the shape that a slice reads, and the ways in which they fail."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence

from ...contacts import Border
from ...source.kept_code import kept_code
from .service_answers import answered_at, as_text

ANSWER = "This is the answer."
"""What a model says where nothing is known of what it is asked for."""
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
    """The variants of a model's answer: `default` first, then what the slice may also meet."""
    found = answered_at(border, places, "text")
    answers: dict[str, dict[str, object]] = {
        name: {"content": text_of(value)} for name, value in found.variants.items()
    }
    if not found.is_said:
        answers["default"] = {"content": ANSWER}
    default = answers["default"]
    for name, extra in (own or {}).items():
        answers.setdefault(name, {**default, **extra})
    for name, extra in _FAILURES.items():
        answers.setdefault(name, extra)
    return answers


def model_places(border: Border, places: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Those of the places that the slice reads, with what a model says there by default."""
    found = answered_at(border, places, "text")
    return found.listed(text_of(found.variants["default"]) if found.is_said else ANSWER)


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
    """Statements that answer these protocols with texts of the shape that is read at the places.

    Args:
        border: of the slice.
        places: where the slice gets texts that a model has written.
        protocols: `openai`, `anthropic`, `google`, `ollama`, `cohere`.
        keys: variables of the environment that clients ask for.
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
"""Pattern of an address of OpenAI's protocol, what answers it, and the names in a slice that call
for it; `\\0` stands for a library that may call for it unseen."""
_ABOVE = (
    "langchain", "langchain_core", "langchain_openai", "langchain_community", "langgraph",
    "litellm", "liteswarm", "crewai", "llama_index", "pydantic_ai", "instructor", "dspy", "autogen",
    "agents", "smolagents", "guidance", "outlines", "haystack", "semantic_kernel", "ragas", "mem0",
    "chromadb", "autogen_agentchat", "autogen_ext", "swarm", "marvin", "agno", "phi",
)  # fmt: skip


def _services(border: Border) -> str:
    """The answers of OpenAI's protocol that the slice can ask for, as the script writes them."""
    names = {word for contact in border.contacts for word in _WORD.findall(contact.name)}
    names.update(kept_code(border).uses)
    is_handed_on = not any(
        re.fullmatch(words, name) for _, _, words in _SERVICES for name in names
    ) and not names & {"chat", "ChatCompletion"}
    if is_handed_on or border.modules(*_ABOVE):
        names.add("\0")
    used = [
        f"{pattern!r}: openai_{name}"
        for pattern, name, words in _SERVICES
        if not words or any(re.fullmatch(words, each) for each in names)
    ]
    return f"{{{', '.join(used)}}}"


def protocol_pieces(protocols: Sequence[str]) -> tuple[str, ...]:
    """The runtime pieces for these protocols."""
    files = {"cohere": "ollama_protocol"}
    return tuple(dict.fromkeys(files.get(name, f"{name}_protocol") for name in protocols))


def text_of(value: object) -> str:
    """A value as the text that a model would have written for it."""
    if isinstance(value, str | bytes):
        return as_text(value)
    return "" if value in (None, {}, []) else json.dumps(value)


def places_of(
    module: str, clients: Sequence[str], resource: str, calls: Sequence[str], rest: str
) -> tuple[str, ...]:
    """Places of answers below each of the clients of a module."""
    return tuple(
        ".".join(filter(None, (module, client, resource, call + rest if rest[0] == "[" else call)))
        + ("" if rest[0] == "[" else f".{rest}")
        for client in clients
        for call in calls
    )
