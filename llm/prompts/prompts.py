"""Prompts: texts in files that people can edit, and the values of their placeholders.

Text from a repository stands between marks that it cannot contain itself. The first message says
that it is data, so a request inside it is not an instruction.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from string import Template

from ...slicer.errors import OptionError
from ..client.questions import Message

_FOLDER = Path(__file__).parent
_RULES = "rules"


def messages(
    name: str, parts: Mapping[str, str], folder: Path | None = None, *, rules: str = _RULES
) -> tuple[Message, ...]:
    """Return the general rules, and the question of that name.

    Args:
        name: name of the file, without its extension.
        parts: values of the question's placeholders; all of them are data.
        folder: folder of the user's files, which replace the built-in ones.
        rules: name of the file with the rules.

    Raises:
        OptionError: a file cannot be read, or has a placeholder without a value.
    """
    mark = _mark("".join(parts[key] for key in sorted(parts)))
    first = _filled(rules, {"mark": mark}, folder)
    return Message("system", first), Message("user", _marked(name, parts, mark, folder))


def question(
    name: str, parts: Mapping[str, str], folder: Path | None = None, *, context: str = ""
) -> str:
    """Return one more question, whose mark occurs in none of the texts beside it.

    Raises:
        OptionError: a file cannot be read, or has a placeholder without a value.
    """
    mark = _mark("".join((*(parts[key] for key in sorted(parts)), context)))
    return _marked(name, parts, mark, folder)


def plain_text(name: str, parts: Mapping[str, str], folder: Path | None = None) -> str:
    """Return the text of that name for a model that is measured: its parts stand without marks.

    Raises:
        OptionError: a file cannot be read, or has a placeholder without a value.
    """
    return _filled(name, parts, folder).rstrip("\n")


def bounded(text: str, limit: int) -> str:
    """Return the beginning of a long text, and the number of characters left out."""
    more = len(text) - limit
    return f"{text[:limit]}\n# … and {more} characters more" if more > 0 else text


def _marked(name: str, parts: Mapping[str, str], mark: str, folder: Path | None) -> str:
    given = {key: f"<{mark}>\n{text.rstrip()}\n</{mark}>" for key, text in parts.items()}
    return _filled(name, {**given, "mark": mark}, folder)


def _mark(text: str) -> str:
    """Return a word that does not occur in the text, and is the same for the same text."""
    mark = "data-" + hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:12]
    while mark in text:
        mark = "data-" + hashlib.sha256(mark.encode()).hexdigest()[:12]
    return mark


def _filled(name: str, parts: Mapping[str, str], folder: Path | None) -> str:
    own = folder / f"{name}.md" if folder else None
    file = own if own is not None and own.is_file() else _FOLDER / f"{name}.md"
    try:
        return Template(file.read_text("utf-8")).substitute(parts)
    except (OSError, UnicodeDecodeError) as error:
        raise OptionError(f"{file}: {error}", "mend the prompt, or take it away") from error
    except (KeyError, ValueError) as error:
        known = ", ".join(f"${key}" for key in sorted(parts))
        raise OptionError(f"{file}: a place that nothing is there for", f"use {known}") from error
