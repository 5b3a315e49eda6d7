"""Shell completion: a script for each shell, and the words that it requests while a user types.

`slice-func completion bash` prints the script. The script calls `slice-func completion line TEXT`
or `slice-func completion words WORD…`, which print one line for each possible word: the word, a
tab, its meaning. The line `:files` or `:dirs` leaves the completion to the shell.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from .commands import NAMES, command_named, find_command
from .grammar import slice_parser

if TYPE_CHECKING:
    import argparse

    from .parser import Parser

_FILES = ":files"
_FOLDERS = ":dirs"
_BY_NAME = {
    "repo": _FOLDERS,
    "environment": _FOLDERS,
    "roots": _FOLDERS,
    "env": _FOLDERS,
    "output": _FILES,
    "cases": _FILES,
    "candidates": _FILES,
    "sources": _FILES,
    "llm_cache": _FILES,
}
"""Name of a value → function that completes it."""
_TARGETS = frozenset({"target", "targets", "keep"})
_MOST_FILES = 2000
"""Maximum number of files that are searched for a name."""


def completed(words: Sequence[str]) -> Iterator[str]:
    """Yield the completion lines for the last word; see the module's text."""
    for word, meaning in _candidates(words):
        yield f"{word}\t{meaning}"


def split_line(text: str) -> list[str]:
    """Return the words after the command; the last is being typed, and may be empty."""
    try:
        words = shlex.split(text)
    except ValueError:  # a quote that is still open
        words = text.split()
    return [*words[1:], *([""] if text[-1:].isspace() else [])] or [""]


def _candidates(words: Sequence[str]) -> Iterator[tuple[str, str]]:
    *before, typed = words
    parser = slice_parser()
    found = find_command(before)
    if found is not None:
        name, before = found
        parser = command_named(name).parser()
    else:
        yield from _command_words(before, typed)
    action, others = _place(parser, before)
    repository = others[0] if others else ""
    if action is None and typed.startswith("-"):
        every = ((each, option.help or "") for each, option in parser.options())
        yield from _starting(typed, every)
        return
    action = action or parser.positional(len(others))
    if action is None:
        return
    if action.choices:
        yield from _starting(typed, ((str(each), "") for each in action.choices))
    elif action.dest in _TARGETS:
        yield from _targets(Path(repository), typed)
    elif action.dest in _BY_NAME:
        yield _BY_NAME[action.dest], ""


def _command_words(before: Sequence[str], typed: str) -> Iterator[tuple[str, str]]:
    """Yield the next word of each command that begins with the words before."""
    next_words: dict[str, str] = {}
    for name in NAMES:
        own = name.split()
        if own[: len(before)] == list(before):
            description = command_named(name).parser().description or ""
            next_words.setdefault(own[len(before)], description.partition("\n\n")[0])
    yield from _starting(typed, iter(next_words.items()))


def _place(parser: Parser, before: Sequence[str]) -> tuple[argparse.Action | None, list[str]]:
    """Return the option that waits for a value, if any, and the positional words."""
    waiting: argparse.Action | None = None
    others: list[str] = []
    options = dict(parser.options())
    for word in before:
        if waiting is not None:
            waiting = None
        elif word.startswith("-") and word != "-":
            option = options.get(word)
            waiting = option if option is not None and option.nargs is None else None
        else:
            others.append(word)
    return waiting, others


def _starting(typed: str, every: Iterator[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    for word, meaning in every:
        if word.startswith(typed):
            yield word, " ".join(meaning.split())


def _targets(repository: Path, typed: str) -> Iterator[tuple[str, str]]:
    """Yield files and folders of the repository, then definitions of a file, or by name."""
    with suppress(OSError):
        path, separator, qualname = typed.partition("::")
        if separator:
            found = _definitions(repository, path)
            yield from (each for each in found if each[0].startswith(f"{path}::{qualname}"))
            return
        files = list(_files(repository, typed))
        yield from files
        if not files and typed.isidentifier():
            yield from _named(repository, typed)


def _files(repository: Path, typed: str) -> Iterator[tuple[str, str]]:
    folder, _, start = typed.rpartition("/")
    inside = f"{folder}/" if folder else ""
    with os.scandir(repository / folder) as entries:
        for entry in sorted(entries, key=lambda each: each.name):
            if entry.name.startswith(start) and (start or entry.name[0] not in "._"):
                if Path(entry).is_dir():
                    yield f"{inside}{entry.name}/", ""
                elif entry.name.endswith(".py"):
                    yield f"{inside}{entry.name}::", ""


def _definitions(repository: Path, path: str) -> Iterator[tuple[str, str]]:
    """Yield the definitions in a file, each with its first line."""
    from ...slicer.errors import SourceError
    from ...slicer.repo.source import read_source
    from ...slicer.repo.target_paths import walk_definitions

    with suppress(SourceError):
        source = read_source(repository / path, path)
        lines = source.text.splitlines()
        for name, node in walk_definitions(source.tree.body):
            yield f"{path}::{name}", lines[node.lineno - 1].strip()


def _named(repository: Path, typed: str) -> Iterator[tuple[str, str]]:
    """Yield the definitions in any file whose last name begins with the typed text."""
    from itertools import islice

    from ...slicer.errors import SourceError
    from ...slicer.repo.file_tree import FileTree
    from ...slicer.repo.source import read_bytes

    pattern = re.compile(rb"^[ \t]*(?:async +)?(?:def|class) +" + typed.encode(), re.MULTILINE)
    for path in islice(FileTree(repository.resolve()).python_files(), _MOST_FILES):
        with suppress(SourceError):
            if pattern.search(read_bytes(repository / path, path)):
                for target, line in _definitions(repository, path):
                    if re.split(r"::|\.", target)[-1].startswith(typed):
                        yield target, line
