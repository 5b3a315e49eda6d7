"""A Java file without its class, and an answer in its place: the file is the class."""

from __future__ import annotations

import re

from .source import java_file

_PLACEHOLDER = "// the class {name} belongs here\n"


def without_java_class(package: str, name: str) -> str:
    """Return the file at the start: its package, and a comment where the class belongs."""
    head = f"package {package};\n\n" if package else ""
    return head + _PLACEHOLDER.format(name=name)


def in_package(code: str, start: str) -> str:
    """Return a whole file with the package line of the start, whatever the file says itself."""
    package = java_file("", start).package
    wanted = f"package {package};" if package else ""
    own = java_file("", code).package
    if own:
        line = re.compile(rf"^[ \t]*package\s+{re.escape(own)}\s*;", re.M)
        return line.sub(lambda _found: wanted, code, count=1)
    return f"{wanted}\n\n{code}" if wanted else code
