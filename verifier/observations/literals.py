"""Values as Python writes them, where a literal is equal to what was observed."""

from __future__ import annotations

import builtins
from collections.abc import Iterator

from .model import Node, Observation, Value
from .render import resolve

_BRACKETS = {"list": "[{}]", "set": "{{{}}}", "frozenset": "frozenset({{{}}})", "dict": "{{{}}}"}
_DEPTH = 8
_LONGEST = 300
"""Characters of an answer that is given as a literal."""


def answers(observation: Observation) -> Iterator[str]:
    """What a call returned, as a literal, where there is a short one, or a `raise` like its own."""
    if observation.outcome == "returned":
        text = literal(observation.value, observation)
        if text is not None and len(text) <= _LONGEST:
            yield text
    elif observation.outcome == "raised":
        raised = resolve(observation.exception, observation)
        kind = raised.text("type") if isinstance(raised, Node) else ""
        module, _, name = kind.rpartition(".")
        if module in ("", "builtins") and isinstance(getattr(builtins, name, None), type):
            yield f"raise {name}"


def literal(value: Value, observation: Observation, depth: int = 0) -> str | None:
    """A value as Python writes it; nothing where no literal is equal to it."""
    value = resolve(value, observation)
    if not isinstance(value, Node):
        return repr(value)
    if depth > _DEPTH:
        return None
    items = value.group("items")
    parts = [literal(each, observation, depth + 1) for each in items.values]
    if value.kind == "dict":
        keys = [literal(each, observation, depth + 1) for each in items.keys]
        pairs = zip(keys, parts, strict=True)
        parts = [f"{k}: {v}" if k is not None and v is not None else None for k, v in pairs]
    if any(part is None for part in parts):
        return None
    inner = ", ".join(part for part in parts if part is not None)
    match value.kind:
        case "float" if "n" not in value.text("value"):
            return value.text("value")
        case "int":
            return str(int(value.text("hex"), 16))
        case "str" | "bytes":
            content = bytes.fromhex(value.text("hex"))
            is_text = value.kind == "str"
            return repr(content.decode("utf-8", "surrogatepass") if is_text else content)
        case "tuple":
            return f"({inner}{',' * (len(parts) == 1)})"
        case "set" | "frozenset" if not parts:
            return f"{value.kind}()"
        case kind if kind in _BRACKETS:
            return _BRACKETS[kind].format(inner)
        case _:
            return None
