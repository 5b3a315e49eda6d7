"""Files that a case writes before its call: at paths that it passes, or that the target looks
up.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Iterator, Mapping, Sequence

from ...inputs.statements import Statement

_TABLE = "name,value\nitem-1,1\nitem-2,2\n"
_CONTENTS = {
    "json": ('{"key-1": "value-1", "key-2": 2}', "[]", "not what it should be"),
    "csv": (_TABLE, "name,value\n"),
    "tsv": (_TABLE.replace(",", "\t"),),
    "yaml": ("key-1: value-1\nkey-2: 2\n",),
    "yml": ("key-1: value-1\nkey-2: 2\n",),
    "toml": ('key-1 = "value-1"\n[table]\nkey-2 = 2\n',),
    "ini": ("[section]\nkey-1 = value-1\n",),
    "cfg": ("[section]\nkey-1 = value-1\n",),
    "xml": ("<root><item id='1'>text-1</item></root>",),
    "html": ("<html><body><p>text-1</p></body></html>",),
    "py": ("def f():\n    return 1\n",),
}
_PICTURES = frozenset("png jpg jpeg gif bmp tiff webp".split())
_PLAIN = ("line-1\nline-2\n", "", "1\n2\n3\n")
_PICTURES_OF_FOUR_BY_THREE = (
    b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x04\x00\x00\x00\x03\x08\x00\x00\x00"
    b"\x00\x91\x9f\xf1\x1a\x00\x00\x00\x0bIDATx\x9cc`@\x01\x00\x00\x0f\x00\x01\xb5V)>\x00"
    b"\x00\x00\x00IEND\xaeB`\x82",
    b"GIF89a\x04\x00\x03\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff,\x00\x00\x00\x00\x04\x00\x03\x00\x00"
    b"\x02\x03\x84\x8fY\x00;",
    b"\xff\xd8\xff\xe0\x00\x10JFIF\x00\x01\x01\x00\x00\x01\x00\x01\x00\x00\xff\xc0\x00\x0b\x08"
    b"\x00\x03\x00\x04\x01\x01\x11\x00\xff\xd9",
    b"BMF\x00\x00\x00\x00\x00\x00\x006\x00\x00\x00(\x00\x00\x00\x04\x00\x00\x00\x03\x00\x00\x00\x01"
    b"\x00\x18\x00\x00\x00\x00\x00\x10\x00\x00\x00" + bytes(16),
)
_PATH = '__import__("pathlib").Path({path!r})'


_NUMPY = '__import__("numpy")'
_MADE = {
    "npy": (f"{_NUMPY}.save({{path!r}}, {_NUMPY}.arange(6.0).reshape(2, 3))",),
    "npz": (f"{_NUMPY}.savez({{path!r}}, **dict.fromkeys({{names!r}}, {_NUMPY}.arange(6.0)))",),
    "pkl": (f"{_PATH}.write_bytes(__import__('pickle').dumps(dict.fromkeys({{names!r}}, 1)))",),
    "gz": (f"{_PATH}.write_bytes(__import__('gzip').compress({_TABLE.encode()!r}))",),
    "zip": (
        "with __import__('zipfile').ZipFile({path!r}, 'w') as archive:\n"
        "    archive.writestr('file-1.txt', 'text-1\\n')\n"
        "    archive.writestr('folder-1/file-2.csv', 'name,value\\nitem-1,1\\n')",
    ),
    "wav": (
        "with __import__('wave').open({path!r}, 'wb') as sound:\n"
        "    sound.setparams((1, 2, 8000, 0, 'NONE', 'not compressed'))\n"
        "    sound.writeframes(bytes(range(200)))",
    ),
}  # fmt: skip
"""Statements for binary formats, which the library that reads a format also writes."""
_MADE["pickle"] = _MADE["pkl"]
_SHEETS = frozenset("xlsx xlsm".split())
_MOST_NAMES = 4
_LONGEST_NAME = 31
"""Longest name of a worksheet."""


def file_statements(path: str, words: Sequence[str] = ()) -> tuple[Statement, ...]:
    """Return statements that each create a file, or a folder, at a path.

    Args:
        path: path of the file.
        words: literals of the code that reads it, which may name keys, columns and sheets.
    """
    name = path.rpartition("/")[2]
    ending = name.rpartition(".")[2].lower() if "." in name else ""
    place = _PATH.format(path=path)
    names = [word for word in dict.fromkeys(words) if _may_be_name(word)][:_MOST_NAMES]
    if ending in _SHEETS:
        return tuple(_workbook(path, title, names) for title in names or ("Sheet1",))
    if ending == "mo":
        data = _catalogue({"": "Content-Type: text/plain; charset=UTF-8\n", **_numbered(names)})
        return (Statement(f"{place}.write_bytes({data!r})"), text_file(path, ""))
    if ending in _MADE:
        known = names or ["name", "value"]
        return tuple(Statement(text.format(path=path, names=known)) for text in _MADE[ending])
    texts = (*_CONTENTS.get(ending, _PLAIN), *_named(ending, names))
    made = [text_file(path, text) for text in texts]
    pictures = [Statement(f"{place}.write_bytes({data!r})") for data in _PICTURES_OF_FOUR_BY_THREE]
    folder = Statement(f"{place}.mkdir(parents=True)")
    made = [*pictures, *made] if ending in _PICTURES else [*made, *pictures]
    return (*made, folder)


def text_file(path: str, text: str) -> Statement:
    """Return a statement that writes a text file."""
    return Statement(f"{_PATH.format(path=path)}.write_text({text!r})")


def in_folder(path: str, statement: Statement) -> Statement:
    """Return the statement, preceded by one that creates the parent folder where there is one."""
    folder = path.rpartition("/")[0]
    if not folder:
        return statement
    made = f"{_PATH.format(path=folder)}.mkdir(parents=True, exist_ok=True)"
    return Statement(f"{made}\n{statement.text}")


def content_of(name: str, words: Sequence[str] = ()) -> str:
    """Return a text that a file of that name may hold.

    Args:
        name: name of the file.
        words: literals of the code that reads it.
    """
    ending = name.rpartition(".")[2].lower() if "." in name else ""
    names = [word for word in dict.fromkeys(words) if _may_be_name(word)][:_MOST_NAMES]
    return next(_named(ending, names), _CONTENTS.get(ending, _PLAIN)[0])


def _may_be_name(word: str) -> bool:
    is_short = 0 < len(word) <= _LONGEST_NAME
    return is_short and word.replace(" ", "").replace("_", "").replace("-", "").isalnum()


def _workbook(path: str, title: str, names: Sequence[str]) -> Statement:
    """Return the statements for a workbook: one sheet with a header row and some values."""
    names = names or ("name", "value")
    rows = [[*names], [f"{name}-1" for name in names], [*range(1, len(names) + 1)], [None, "a"]]
    return Statement("\n".join((
        'workbook = __import__("openpyxl").Workbook()',
        f"workbook.active.title = {title!r}",
        f"for row in {rows!r}:",
        "    workbook.active.append(row)",
        f"workbook.save({path!r})",
    )))  # fmt: skip


def _numbered(names: Sequence[str]) -> dict[str, str]:
    return {name: f"{name}-1" for name in names}


def _catalogue(messages: Mapping[str, str]) -> bytes:
    """Return translations in the binary format of GNU gettext (`.mo`)."""
    pairs = sorted((one.encode(), other.encode()) for one, other in messages.items())
    columns = [[one for one, _ in pairs], [other for _, other in pairs]]
    head = 7 * 4
    at = head + 2 * 8 * len(pairs)
    tables, texts = b"", b""
    for column in columns:
        for each in column:
            tables += struct.pack("<II", len(each), at + len(texts))
            texts += each + b"\0"
    ends = (head, head + 8 * len(pairs), 0, 0)
    return struct.pack("<7I", 0x950412DE, 0, len(pairs), *ends) + tables + texts


def _named(ending: str, names: Sequence[str]) -> Iterator[str]:
    """Yield contents of that format with the names that the code knows."""
    if not names:
        return
    values = _numbered(names)
    match ending:
        case "json":
            yield from (json.dumps(values), json.dumps([values, dict.fromkeys(names, 1)]))
        case "yaml" | "yml":
            yield "".join(f"{json.dumps(name)}: {value}\n" for name, value in values.items())
        case "csv":
            rows = (names, values.values(), map(str, range(1, len(names) + 1)))
            yield "".join(",".join(row) + "\n" for row in rows)
        case _:
            return


def may_be_path(text: str) -> bool:
    """Whether a text can be a relative path of a file."""
    is_short = 0 < len(text) <= 100
    return is_short and text.isprintable() and "://" not in text and not text.startswith("/")
