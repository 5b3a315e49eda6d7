"""Sample values: readable texts and small numbers, all different."""

from __future__ import annotations

from .name_hints import extension, hint_kind, stem, words

_TEXTS = {
    "date": "2024-01-0{n}T10:00:00",
    "url": "https://example.com/{stem}-{n}",
    "email": "user{n}@example.com",
    "path": "{stem}-{n}{extension}",
    "uuid": "00000000-0000-4000-8000-00000000000{n}",
}
_ENCODINGS = ("utf-8", "ascii", "latin-1", "utf-16", "cp1252")
"""Samples for names of encodings: encodings that Python knows."""
BROKEN = "not what it should be"
"""A text in none of the parsed formats."""


_STATUS = frozenset({"status_code", "http_status", "http_status_code"})
"""Names of HTTP statuses, which few numbers can be."""


def sample(kind: str, name_hint: str, n: int) -> object:
    """Return the n-th sample of a kind; if the kind is open, one that the name suggests."""
    hinted = hint_kind(name_hint)
    match kind:
        case "int" | "number" if name_hint.lower() in _STATUS:
            return 200
        case "int":
            return n
        case "number" | "float":
            # an integer can also be counted with
            return n + 0.5 if kind == "float" or hinted == "number" else n
        case "bool":
            return n % 2 == 1
        case "char":
            return chr(ord("a") + (n - 1) % 26)
        case "bytes":
            return f"{stem(name_hint)}-{n}".encode()
        case "none":
            return None
        case "text":
            return text(name_hint, n)
        case _:
            if hinted in ("int", "number", "bool"):
                return sample(hinted, name_hint, n)
            return text(name_hint, n)


def text(name_hint: str, n: int) -> str:
    """Return the n-th sample text."""
    if words(name_hint)[-1:] in (["encoding"], ["encodings"]):
        return _ENCODINGS[(n - 1) % len(_ENCODINGS)]
    form = _TEXTS.get(hint_kind(name_hint), "{stem}-{n}")
    return form.format(stem=stem(name_hint), n=n, extension=extension(name_hint))
