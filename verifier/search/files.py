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
_PATH = '__import__("pathlib").Path({path!r})'


def file_statements(path: str) -> tuple[str, ...]:
    """Statements of which each makes a file, or a folder, of that path."""
    name = path.rpartition("/")[2]
    ending = name.rpartition(".")[2].lower() if "." in name else ""
    place = _PATH.format(path=path)
    made: list[str] = []
    if ending in _PICTURES:
        image = '__import__("PIL.Image", fromlist=["new"]).new("RGB", (4, 3))'
        made.append(f"{image}.save({path!r})")
    made += [f"{place}.write_text({text!r})" for text in _CONTENTS.get(ending, _PLAIN)]
    made += [f"{place}.write_bytes(b'\\x89PNG\\r\\n\\x1a\\n\\x00')", f"{place}.mkdir(parents=True)"]
    return tuple(made)


def may_be_path(text: str) -> bool:
    """Whether a text can be the path of a file."""
    is_short = 0 < len(text) <= 100
    return is_short and text.isprintable() and "://" not in text and not text.startswith("/")
