"""Python literals that equal observed values."""

from __future__ import annotations

import builtins
from collections.abc import Iterator

from ..observation import Node, Observation, Value
from ..short_text import resolve

_BRACKETS = {"list": "[{}]", "set": "{{{}}}", "frozenset": "frozenset({{{}}})", "dict": "{{{}}}"}
_DEPTH = 8
_LONGEST = 300
"""Longest answer in characters that is written as a literal."""


def answers(observation: Observation) -> Iterator[str]:
    """Yield a short literal for what a call returned, or a `raise` like its own."""
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


def literal(
    value: Value, observation: Observation, depth: int = 0, modules: set[str] | None = None
) -> str | None:
    """Return a literal that equals a value, or `None`.

    Args:
        value: the observed value.
        observation: the observation with the value.
        depth: number of containers around it.
        modules: collects the modules of the classes that the text calls; if `None`, only pure
            literals are returned.
    """
    value = resolve(value, observation)
    if not isinstance(value, Node):
        return repr(value)
    if depth > _DEPTH:
        return None
    items = value.group("items")
    parts = [literal(each, observation, depth + 1, modules) for each in items.values]
    if value.kind == "dict":
        keys = [literal(each, observation, depth + 1, modules) for each in items.keys]
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
        case "value" if modules is not None:
            return _constructed(value, observation, modules)
        case "object" if modules is not None:
            return _of_state(value, observation, modules)
        case _:
            return None


_FROM_TEXT = {
    "decimal.Decimal": "decimal.Decimal",
    "pathlib.PosixPath": "pathlib.Path",
    "pathlib._local.PosixPath": "pathlib.Path",
    "uuid.UUID": "uuid.UUID",
    "datetime.date": "datetime.date.fromisoformat",
    "datetime.datetime": "datetime.datetime.fromisoformat",
    "datetime.time": "datetime.time.fromisoformat",
}
"""Maps a type to what makes a value from its text."""
_FROM_STATE = {
    "datetime.timedelta": ("datetime.timedelta", ("days", "seconds", "microseconds")),
    "zoneinfo.ZoneInfo": ("zoneinfo.ZoneInfo", ("key",)),
}
"""Maps a type to what makes a value, and the attributes it is made from."""


def _constructed(value: Node, observation: Observation, modules: set[str]) -> str | None:
    maker, parts = _FROM_TEXT.get(value.text("type")), value.group("parts")
    found = {
        str(key): literal(part, observation, 1, modules)
        for key, part in zip(parts.keys, parts.values, strict=True)
    }
    if value.text("type") == "datetime.timezone":
        modules.add("datetime")
        return found["offset"] and f"datetime.timezone({found['offset']})"
    text = found.pop("text", None)
    if maker is None or text is None or None in found.values():
        return None
    if maker == "decimal.Decimal" and "n" in text.lower():
        return None  # NaN does not equal itself
    more = {name: each for name, each in found.items() if each not in {"0", "None"}}
    if not more.keys() <= {"fold", "tzinfo"}:
        return None
    modules.add(maker.partition(".")[0])
    set_ = ", ".join(f"{name}={each}" for name, each in sorted(more.items()))
    return f"{maker}({text}).replace({set_})" if more else f"{maker}({text})"


def _of_state(value: Node, observation: Observation, modules: set[str]) -> str | None:
    maker, names = _FROM_STATE.get(value.text("type"), ("", ()))
    group = value.group("state")
    state = dict(zip(group.keys, group.values, strict=True))
    if not maker or {*state} != {*names}:
        return None
    modules.add(maker.partition(".")[0])
    parts = [(name, literal(state[name], observation)) for name in names]
    return f"{maker}({', '.join(f'{name}={text}' for name, text in parts if text != '0')})"
