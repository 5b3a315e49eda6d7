"""Arguments of effects as plain data: what has an address or a class of its own becomes a text."""

from __future__ import annotations

from typing import Any


def plain_values(values: Any) -> Any:
    """Parameters as texts, numbers, lists and dictionaries."""
    if isinstance(values, dict):
        return {str(key): plain_values(value) for key, value in values.items()}
    if isinstance(values, (set, frozenset)):
        return sorted((plain_values(value) for value in values), key=repr)
    if values is None or type(values) in (bool, int, float, str, bytes):
        return values
    if isinstance(values, (bytearray, memoryview)):
        return bytes(values)
    if hasattr(values, "__iter__") and not isinstance(values, (str, bytes)):
        return [plain_values(value) for value in values]
    text = str(values)
    return type(values).__name__ if " at 0x" in text else text
