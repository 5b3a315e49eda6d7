"""Addresses of git repositories: one on the command line, or a text file with one a line.

A line is an address, or `owner/name` on GitHub, and may have a commit after it. Empty lines and
comments after `#` are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from .....slicer.errors import OptionError
from ..candidates import Candidate, Rejection
from .addresses import (
    COMMIT,
    github_address,
    has_secret,
    is_address,
    is_short_name,
    name_of_address,
)
from .source import Said, Source, SourceOptions

_COMMENT = re.compile(r"(?:^|\s)#.*")
_LOCAL = "it is a folder here: give folders as words of the command"
_ENDINGS = (".txt", ".list", "")


def _read_file(word: str, _options: SourceOptions) -> Iterator[Said]:
    """Yield the repositories of a text file; a line that names none is a rejection.

    Raises:
        OptionError: no line names one.
    """
    said: list[Said] = []
    for number, line in enumerate(Path(word).read_text("utf-8", "replace").splitlines(), 1):
        words = _COMMENT.sub("", line).split()
        if words:
            said.append(_of_words(words, f"{word}:{number}"))
    if all(isinstance(each, Rejection) for each in said):
        local = [e.repo for e in said if isinstance(e, Rejection) and e.reason == _LOCAL]
        raise OptionError(
            f"{word} names no repository",
            f"give folders as words: slice-func curate {local[0]} …"
            if local
            else "write an address or owner/name on each line",
        )
    yield from said


def _of_words(words: list[str], place: str) -> Said:
    first, commit = words[0], words[1] if len(words) > 1 else None
    if first.startswith(("/", "./", "../", "~")):
        return Rejection(first, place, "address", _LOCAL)
    address = github_address(first) if is_short_name(first) else first
    if has_secret(address):
        reason = "the address has a password in it, which rows would show; use ssh, or a clone"
        return Rejection(place, place, "address", reason)
    repo = name_of_address(address)
    if repo is None or not is_address(address):
        return Rejection(first, place, "address", "it is no address of a git repository")
    if commit is not None and not COMMIT.fullmatch(commit):
        return Rejection(repo, place, "address", f"{commit} is no whole hash of a commit")
    return Candidate(repo, address, commit)


def _takes_file(word: str) -> bool:
    return Path(word).is_file() and Path(word).suffix in _ENDINGS


def _read_address(word: str, _options: SourceOptions) -> Iterator[Said]:
    yield _of_words([word], word)


FILE = Source(_takes_file, _read_file)
ADDRESS = Source(is_address, _read_address)
