"""Read and write the header of a script that lists its dependencies (PEP 723)."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import cast

from .requirement import Requirement, parse_requirement

_BLOCK = re.compile(
    r"^# /// (?P<type>[a-zA-Z0-9-]+)[ \t]*\r?\n(?P<content>(?:#(?:| .*)\r?\n)+)# ///[ \t]*\r?$",
    re.MULTILINE,
)
_BEGIN = re.compile(r"^# /// script[ \t]*\r?$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Header:
    """The requirements of a script on its environment."""

    dependencies: tuple[Requirement, ...]
    requires_python: str = ""
    """Allowed versions of Python, as a specifier; empty for any."""
    text: str = ""
    """The header's text in the script that it was read from."""

    def block(self) -> str:
        """Return the lines of the header: the original ones if it was read from a script."""
        if self.text:
            return self.text
        python = [f"requires-python = {_quoted(self.requires_python)}"]
        lines = [
            *(python if self.requires_python else ()),
            "dependencies = [",
            *(f"    {_quoted(str(requirement))}," for requirement in self.dependencies),
            "]",
        ]
        return "".join(f"{line}\n" for line in ("# /// script", *map(_commented, lines), "# ///"))


def _commented(line: str) -> str:
    return f"# {line}"


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def has_header(text: str) -> bool:
    """Whether a line of the text begins a header; of two headers, neither counts."""
    return "# /// script" in text and _BEGIN.search(text) is not None


def header_lines(text: str) -> tuple[int, int]:
    """Return the first and last line of a script's header; (1, 0) if it has none."""
    found = _find(text)
    if found is None:
        return 1, 0
    first = text.count("\n", 0, found.start()) + 1
    return first, first + found[0].count("\n")


def read_header(text: str) -> Header | None:
    """Return the header of a script; `None` if there is none, or if it is not valid."""
    found = _find(text)
    if found is None:
        return None
    content = "".join(f"{_uncommented(line)}\n" for line in found["content"].splitlines())
    try:
        table: dict[str, object] = tomllib.loads(content)
    except ValueError:
        return None
    python = table.get("requires-python")
    return Header(
        tuple(_requirements(table.get("dependencies"))),
        python if isinstance(python, str) else "",
        "".join(f"{line}\n" for line in found[0].splitlines()),
    )


def _find(text: str) -> re.Match[str] | None:
    if not has_header(text):
        return None
    blocks = [block for block in _BLOCK.finditer(text) if block["type"] == "script"]
    return blocks[0] if len(blocks) == 1 else None


def _uncommented(line: str) -> str:
    return line[2:] if line.startswith("# ") else line[1:]


def _requirements(value: object) -> Iterable[Requirement]:
    for line in cast("list[object]", value) if isinstance(value, list) else ():
        found = parse_requirement(line) if isinstance(line, str) else None
        if found:
            yield found
