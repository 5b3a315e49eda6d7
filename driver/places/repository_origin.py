"""The origin of a repository, read without running any program that the repository names."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path

from .commit_time import commit_time

_LICENCE_FILE = re.compile(r"(un)?licen[cs]e\b(?!.*\.py$)|copying\b", re.IGNORECASE)
_URL = re.compile(r'^\[remote "origin"\][^[]*?^\s*url\s*=\s*(\S+)', re.M | re.S)
_SECRET = re.compile(r"(?<=://)[^/@]*@")
_HASH = re.compile(r"[0-9a-f]{40,64}")


@dataclass(frozen=True, slots=True)
class Origin:
    """The identity of a repository."""

    repo: str
    """Address of `origin` without secrets; else the folder's name."""
    commit: str | None
    licence: str | None
    """Title of the licence file, or else the licence in the project's metadata."""
    time: str | None = None
    """Time of the commit, as RFC 3339 in UTC."""


def origin_of(folder: Path) -> Origin:
    """Return the origin of the repository in a folder."""
    git = git_folder(folder)
    repo = (origin_address(git) if git else None) or folder.resolve().name
    commit = commit_of(git) if git else None
    time = commit_time(common_folder(git), commit) if git and commit else None
    return Origin(repo, commit, _licence(folder), time)


def origin_address(git: Path) -> str | None:
    """Return the address of `origin` without secrets; `None` if there is none."""
    url = _URL.search(_text(git / "config"))
    return _SECRET.sub("", url[1]) if url else None


def git_folder(folder: Path) -> Path | None:
    """Return the folder with the `HEAD` of a work tree; `None` if it is none."""
    place = folder / ".git"
    if place.is_file():  # a work tree beside its repository
        _, _, inner = _text(place).partition("gitdir:")
        place = folder / inner.strip()
        common = _text(place / "commondir").strip()
        if common and not (place / "config").exists():
            return place  # HEAD is here; references may be in the common folder
    return place if place.is_dir() else None


def commit_of(git: Path) -> str | None:
    """Return the commit of a git folder's HEAD; `None` if it names none."""
    head = _text(git / "HEAD").strip()
    if _HASH.fullmatch(head):
        return head
    name = head.removeprefix("ref: ")
    for place in (git, common_folder(git)):
        found = _text(place / name).strip()
        if _HASH.fullmatch(found):
            return found
        packed = re.search(rf"^([0-9a-f]+) {re.escape(name)}$", _text(place / "packed-refs"), re.M)
        if packed:
            return packed[1]
    return None


def common_folder(git: Path) -> Path:
    """Return the git folder that the work trees of one repository share."""
    return git / _text(git / "commondir").strip()


def _licence(folder: Path) -> str | None:
    files = (each for each in folder.iterdir() if each.is_file())
    for file in sorted(each for each in files if _LICENCE_FILE.match(each.name)):
        lines = [line.strip(" \t#") for line in _text(file).splitlines()]
        title = next((line for line in lines if line), None)
        if title:
            return title[:200]
    return _licence_of_project(folder)


def _licence_of_project(folder: Path) -> str | None:
    """Return the metadata's licence: an expression, or a table with a text (PEP 639, PEP 621)."""
    try:
        match tomllib.loads(_text(folder / "pyproject.toml")):
            case {"project": {"license": str() as licence}}:
                return licence[:200] or None
            case {"project": {"license": {"text": str() as licence}}}:
                return next(iter(licence.strip().splitlines()), "")[:200] or None
            case _:
                return None
    except tomllib.TOMLDecodeError:
        return None


def _text(file: Path) -> str:
    try:
        return file.read_text("utf-8", "replace")
    except (OSError, ValueError):
        return ""
