"""Values that a repository documents for environment variables.

Templates of `.env` files come first, then the files that start the program: compose files, images,
continuous integration, settings of test runners, and commands in the README.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ....slicer import Repository

_TEMPLATES = (
    ".env.example", ".env.sample", ".env.template", ".env.dist", "env.example", "example.env",
    "sample.env", ".env.local.example", ".env.test", ".env.development",
)  # fmt: skip
_STARTS = (
    "docker-compose.yml", "docker-compose.yaml", "compose.yml", "compose.yaml",
    "docker-compose.dev.yml", "docker-compose.test.yml", "Dockerfile", "tox.ini", "setup.cfg",
    "pytest.ini", "pyproject.toml", ".travis.yml", ".gitlab-ci.yml", "Makefile", "Procfile",
    "app.json",
)  # fmt: skip
_TEXTS = ("README.md", "README.rst", "README.txt", "README", "docs/README.md")
_WORKFLOWS = ".github/workflows"

_LINE = re.compile(
    r"""^\s*(?:-\s+|(?:export|set|ENV|ARG|\$)\s+)*["']?([A-Z_][A-Z0-9_]*)["']?\s*(?:=|:\s)\s*(.*)$"""
    r"""|^\s*ENV\s+([A-Z_][A-Z0-9_]*)\s+(.*)$"""
)
"""`NAME=value`, `NAME: value`, `- NAME=value`, `export NAME=value`, `ENV NAME value`."""
_TEMPLATE_LINE = re.compile(r"\s*(?:export\s+)?([A-Za-z_]\w*)\s*=\s*(.*)")
_OPEN = re.compile(r"(?i)^$|your|<|\.\.\.|xxx|change|here|todo|\$\{|\$\(|\{\{|^\$")


def documented(repository: Repository) -> dict[str, list[str]]:
    """Return the name of a variable → its documented values that can be used unchanged."""
    found: dict[str, list[str]] = {}
    for path, pattern in _sources(repository):
        if repository.is_file(path):
            for line in repository.read_data(path).decode("utf-8", "replace").splitlines():
                match = pattern.match(line)
                name, text = _parts(match)
                if value := _plain(text):
                    found.setdefault(name, []).append(value)
    return found


def _sources(repository: Repository) -> Iterator[tuple[str, re.Pattern[str]]]:
    for path in _TEMPLATES:
        yield path, _TEMPLATE_LINE
    workflows = [f"{_WORKFLOWS}/{name}" for name in sorted(repository.listing(_WORKFLOWS))]
    for path in (*_STARTS, *workflows, *_TEXTS):
        yield path, _LINE


def _parts(match: re.Match[str] | None) -> tuple[str, str]:
    name, text, *_ = [part for part in match.groups() if part is not None] if match else ("", "")
    return name, text


def _plain(text: str) -> str:
    """Return a value without quotes and comment; "" if it is only a placeholder."""
    text = text.strip().rstrip("\\").rstrip()
    if text[:1] in ("'", '"') and text.find(text[0], 1) > 0:
        text = text[1 : text.index(text[0], 1)]
    else:
        text = text.split(" #")[0].strip().rstrip(",").strip("'\"")
    return "" if _OPEN.search(text) or "\n" in text else text
