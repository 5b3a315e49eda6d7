"""Format a text as a readable Python literal that evaluates to exactly that text."""

from __future__ import annotations


def text_literal(text: str) -> str:
    """Return a triple-quoted literal whose value is the text (which ends with a line end)."""
    if "\r" not in text:
        for quote in ("'''", '"""'):
            if quote in text or text.endswith(quote[0]):
                continue
            prefix = "r" if "\\" in text else ""
            if prefix and text.endswith("\\"):
                continue
            return f"{prefix}{quote}{text}{quote}"
    escaped = text.replace("\\", "\\\\").replace("'''", "''\\'").replace("\r", "\\r")
    if escaped.endswith("'"):
        escaped = escaped[:-1] + "\\'"
    return f"'''{escaped}'''"
