"""What models answer: texts of the shape that a slice reads, and the ways in which they fail."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence

from .model import Border
from .shape import variants_at

ANSWER = "This is the answer."
"""What a model says where nothing is known of what it is asked for."""
_ANY_TEXT = re.compile(r"text-\d+")
"""What is inferred where any text will do: a model would have said more."""
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
    found = {
        variant.name: {"content": text_of(variant.value)}
        for variant in variants_at(border, *places, kind="text")
    }
    answers: dict[str, dict[str, object]] = {}
    for name, answer in found.items():
        content = str(answer["content"])
        is_any = not content or _ANY_TEXT.fullmatch(content)
        answers[name] = {"content": ANSWER if name == "default" and is_any else content}
    default = answers["default"]
    for name, extra in (own or {}).items():
        answers.setdefault(name, {**default, **extra})
    for name, extra in _FAILURES.items():
        answers.setdefault(name, extra)
    return answers


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
        lines.append(f"answer_{protocol}({variants!r})\n")
    return "".join(lines)


def protocol_pieces(protocols: Sequence[str]) -> tuple[str, ...]:
    """The runtime pieces for these protocols."""
    files = {"cohere": "ollama_protocol"}
    return tuple(dict.fromkeys(files.get(name, f"{name}_protocol") for name in protocols))


def text_of(value: object) -> str:
    """A value as the text that a model would have written for it."""
    if isinstance(value, str):
        return value
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
