"""Files that a case lays out before its call: for paths that are handed in, and asked for."""

from __future__ import annotations

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


def file_statements(path: str) -> tuple[str, ...]:
    """Statements of which each makes a file, or a folder, of that path."""
    name = path.rpartition("/")[2]
    ending = name.rpartition(".")[2].lower() if "." in name else ""
    place = _PATH.format(path=path)
    made = [f"{place}.write_text({text!r})" for text in _CONTENTS.get(ending, _PLAIN)]
    pictures = [f"{place}.write_bytes({data!r})" for data in _PICTURES_OF_FOUR_BY_THREE]
    folder = f"{place}.mkdir(parents=True)"
    made = [*pictures, *made] if ending in _PICTURES else [*made, *pictures]
    return (*made, folder)


def may_be_path(text: str) -> bool:
    """Whether a text can be the path of a file."""
    is_short = 0 < len(text) <= 100
    return is_short and text.isprintable() and "://" not in text and not text.startswith("/")
