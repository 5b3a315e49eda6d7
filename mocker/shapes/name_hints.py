"""What the names of variables suggest about their values."""

from __future__ import annotations

import re
from typing import Literal

HintKind = Literal[
    "int", "number", "bool", "date", "time", "url", "email", "path", "uuid", "list", "mapping",
    "text", "",
]  # fmt: skip

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_LAST: tuple[tuple[HintKind, frozenset[str]], ...] = (
    ("int", frozenset(
        "id count counts num number size index idx total page pages limit offset year month "
        "day hour minute port age width height length n i j k qty quantity rank level step steps "
        "epoch epochs seed votes likes views stars forks timestamp ts number dim dims pin "
        "tokens rows cols columns batch channels layers iterations retries attempts tries capacity "
        "maxsize minsize maxlen minlen days hours minutes".split()
    )),
    ("number", frozenset(
        "price amount score rate ratio lat lon lng latitude longitude temp temperature weight "
        "value percent percentage balance cost volume avg mean min max sum humidity pressure "
        "speed distance duration seconds secs ttl timeout delay interval lifetime x y z alpha beta "
        "threshold eps epsilon lr".split()
    )),
    ("date", frozenset("date datetime created updated published modified expires at".split())),
    ("url", frozenset("url uri href link src endpoint homepage website".split())),
    ("email", frozenset("email mail".split())),
    ("path", frozenset("path file filename filepath dir folder directory dirname fname".split())),
    ("uuid", frozenset("uuid guid".split())),
)  # fmt: skip
_COUNTS = frozenset("n num nb no number count max min".split())
_BOOLEAN = frozenset("is has can should use enable enabled disabled verbose debug force".split())


def words(name: str) -> list[str]:
    """Return the words of an identifier, in lower case."""
    return [found.lower() for found in _WORD.findall(name)]


def hint_kind(name: str) -> HintKind:
    """Return the usual kind of a value of that name; "" if the name suggests none."""
    parts = words(name)
    if not parts:
        return ""
    if parts[0] in _BOOLEAN:
        return "bool"
    if parts[0] in _COUNTS and len(parts) > 1:
        return "int"
    for kind, names in _LAST:
        if parts[-1] in names:
            return kind
    return ""


def stem(name: str) -> str:
    """Return the stem of sample texts of that name."""
    text = "-".join(words(name)) or "text"
    return text[:-1] if len(text) > 3 and text.endswith("s") and not text.endswith("ss") else text


_EXTENSIONS = {
    "json": "json", "csv": "csv", "yaml": "yaml", "yml": "yaml", "xml": "xml", "html": "html",
    "image": "png", "img": "png", "png": "png", "jpg": "jpg", "picture": "png", "video": "mp4",
    "audio": "wav", "wav": "wav", "mp3": "mp3", "excel": "xlsx", "xlsx": "xlsx", "xls": "xlsx",
    "pdf": "pdf", "db": "db", "database": "db", "log": "log", "toml": "toml", "ini": "ini",
    "zip": "zip", "pickle": "pkl", "pkl": "pkl", "md": "md", "model": "pt", "weights": "pt",
    "config": "json", "dir": "", "folder": "", "directory": "", "dirname": "",
}  # fmt: skip


def extension(name: str) -> str:
    """Return the file extension, with its dot, that a variable's name suggests."""
    for part in words(name):
        if part in _EXTENSIONS:
            return _EXTENSIONS[part] and f".{_EXTENSIONS[part]}"
    return ".txt"
