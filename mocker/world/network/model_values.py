"""What a model could have answered: texts, values of a JSON schema, embeddings."""

from __future__ import annotations

import hashlib
import json
import math
import re
import struct
from typing import Any

ANSWER = "This is the answer."
CREATED = 1_700_000_000


def made_id(prefix: str, *about: object) -> str:
    """An identifier that is the same for the same request."""
    text = json.dumps(about, sort_keys=True, default=str)
    return f"{prefix}{hashlib.sha256(text.encode()).hexdigest()[:24]}"


def counted(value: object) -> int:
    """About as many tokens as a text has; the texts of anything else together."""
    if isinstance(value, str):
        return len(re.findall(r"\w+|[^\w\s]", value))
    if isinstance(value, dict):
        return sum(map(counted, value.values()))
    return sum(map(counted, value)) if isinstance(value, (list, tuple)) else 0


def streamed(text: str) -> list[str]:
    """A text in the pieces in which it is streamed."""
    return re.findall(r"\S+\s*|\s+", text)


def vector_of(value: object, size: int) -> list[float]:
    """An embedding of length one: texts that share words lie near each other."""
    sums = [0.0] * size
    text = value if isinstance(value, str) else json.dumps(value)
    for word in ["", *re.findall(r"\w+", text.lower())]:
        digest = hashlib.sha256(word.encode()).digest()
        for at in range(0, 32, 4):
            number = int.from_bytes(digest[at : at + 4], "big")
            sums[number // 2 % size] += 1.0 if number % 2 else -1.0
    length = math.sqrt(sum(each * each for each in sums)) or 1.0
    exact = [each / length for each in sums]
    return list(struct.unpack(f"<{size}f", struct.pack(f"<{size}f", *exact)))


def value_of_schema(schema: Any, root: Any = None) -> Any:
    """A value that a JSON schema allows: with all of its properties, and the first of choices."""
    root = schema if root is None else root
    if not isinstance(schema, dict):
        return ANSWER
    if "$ref" in schema:
        target = root
        for part in schema["$ref"].lstrip("#/").split("/"):
            target = target.get(part, {})
        return value_of_schema(target, root)
    for key in ("const", "default"):
        if key in schema:
            return schema[key]
    if schema.get("enum"):
        return schema["enum"][0]
    for key in ("anyOf", "oneOf", "any_of"):
        if schema.get(key):
            return value_of_schema(schema[key][0], root)
    if schema.get("allOf"):
        parts = [value_of_schema(part, root) for part in schema["allOf"]]
        whole = [part for part in parts if isinstance(part, dict)]
        return {k: v for part in whole for k, v in part.items()} if whole else parts[0]
    return _of_type(schema, root)


def _of_type(schema: dict[str, Any], root: Any) -> Any:
    kind = schema.get("type", "object" if "properties" in schema else "string")
    kind = str(kind[0] if isinstance(kind, list) else kind).lower()
    if kind == "object":
        return {k: value_of_schema(v, root) for k, v in schema.get("properties", {}).items()}
    if kind == "array":
        first = [value_of_schema(part, root) for part in schema.get("prefixItems", ())]
        count = max(1, schema.get("minItems", 1)) if "items" in schema else 0
        return first or [value_of_schema(schema["items"], root) for _ in range(count)]
    if kind in ("integer", "number"):
        low = schema.get("minimum", schema.get("exclusiveMinimum", 0) + 1)
        low = min(low, schema.get("maximum", low))
        return int(low) if kind == "integer" else float(low)
    if kind == "boolean":
        return True
    return None if kind == "null" else _text_of_schema(schema)


def _text_of_schema(schema: dict[str, Any]) -> str:
    formats = {
        "date-time": "2024-01-01T00:00:00Z", "date": "2024-01-01", "time": "00:00:00",
        "email": "someone@example.com", "uri": "https://example.com/", "duration": "P1D",
        "uuid": "00000000-0000-4000-8000-000000000000",
    }  # fmt: skip
    text = formats.get(schema.get("format", ""), "text")
    return text.ljust(schema.get("minLength", 0), "x")[: schema.get("maxLength")]
