"""Where a repository comes from: read from its files, no program is started."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

_LICENCE_FILES = ("LICENSE", "LICENCE", "COPYING")
_URL = re.compile(r'^\[remote "origin"\][^[]*?^\s*url\s*=\s*(\S+)', re.M | re.S)
_SECRET = re.compile(r"(?<=://)[^/@]*@")
_HASH = re.compile(r"[0-9a-f]{40,64}")


@dataclass(frozen=True, slots=True)
class Origin:
    """What identifies a repository."""

    repo: str
    """Address of `origin` without what may be secret in it; else the folder's name."""
    commit: str | None
    licence: str | None
    """Title of the licence file."""


def origin_of(folder: Path) -> Origin:
    """What is known about the repository in a folder."""
    git = _git_folder(folder)
    url = _URL.search(_text(git / "config")) if git else None
    repo = _SECRET.sub("", url[1]) if url else folder.resolve().name
    return Origin(repo, _commit(git) if git else None, _licence(folder))


def _git_folder(folder: Path) -> Path | None:
    place = folder / ".git"
    if place.is_file():  # a work tree beside its repository
        _, _, inner = _text(place).partition("gitdir:")
        place = folder / inner.strip()
        common = _text(place / "commondir").strip()
        if common and not (place / "config").exists():
            return place  # HEAD is here; references may be in the common folder
    return place if place.is_dir() else None


def _commit(git: Path) -> str | None:
    head = _text(git / "HEAD").strip()
    if _HASH.fullmatch(head):
        return head
    name = head.removeprefix("ref: ")
    common = _text(git / "commondir").strip()
    for place in (git, git / common):
        found = _text(place / name).strip()
        if _HASH.fullmatch(found):
            return found
        packed = re.search(rf"^([0-9a-f]+) {re.escape(name)}$", _text(place / "packed-refs"), re.M)
        if packed:
            return packed[1]
    return None


def _licence(folder: Path) -> str | None:
    for name in _LICENCE_FILES:
        for file in sorted(folder.glob(f"{name}*")):
            lines = [line.strip() for line in _text(file).splitlines()]
            title = next((line for line in lines if line), None)
            if title:
                return title[:200]
    return None


def _text(file: Path) -> str:
    try:
        return file.read_text("utf-8", "replace")
    except (OSError, ValueError):
        return ""
