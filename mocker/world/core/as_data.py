"""Values as the effect log has them."""

from __future__ import annotations

from typing import Any


def as_data(value: Any, depth: int = 4) -> Any:
    """A value as data for the effect log: no objects, no addresses."""
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, (bytes, bytearray)):
        return bytes(value[:200])
    if depth > 0 and isinstance(value, dict):
        return {str(k): as_data(v, depth - 1) for k, v in value.items()}
    if depth > 0 and isinstance(value, (list, tuple)):
        return [as_data(v, depth - 1) for v in value]
    if depth > 0 and isinstance(value, (set, frozenset)):
        return sorted((as_data(v, depth - 1) for v in value), key=repr)
    if hasattr(value, "to_dict"):
        try:
            return as_data(value.to_dict(), depth - 1)
        except Exception:
            pass
    return f"<{type(value).__name__}>"
