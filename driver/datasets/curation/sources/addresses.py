"""Addresses of git repositories, and the names that they give."""

from __future__ import annotations

import re

_URL = re.compile(r"(?:https?|ssh|git|file)://(?:[^/@]*@)?(?P<place>[^\s]+)")
_SCP = re.compile(r"(?:[\w.-]+@)?[\w.-]+:(?P<place>(?!//)[^\s:]+)")
_SHORT = re.compile(r"[A-Za-z0-9][\w.-]*/[\w.-]+")
_SECRET = re.compile(r"https?://[^/]*@|\w+://[^/@]*:[^/@]*@")
_SEPARATOR = re.compile(r"_{2,3}|\+")
COMMIT = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")


def is_address(text: str) -> bool:
    """Whether the text is an address that git can clone."""
    return bool(_URL.fullmatch(text) or _SCP.fullmatch(text))


def has_secret(address: str) -> bool:
    """Whether the address holds a password, or what may be a token."""
    return bool(_SECRET.match(address))


def is_short_name(text: str) -> bool:
    """Whether the text is `owner/name`, as on GitHub."""
    return bool(_SHORT.fullmatch(text)) and not text.startswith(".")


def github_address(name: str) -> str:
    """Return the address of `owner/name` on GitHub."""
    return f"https://github.com/{name}"


def name_of_address(address: str) -> str | None:
    """Return the last two parts of an address's path; `None` if it is no address."""
    found = _URL.fullmatch(address) or _SCP.fullmatch(address)
    if found is None:
        return None
    parts = [part for part in found["place"].rstrip("/").removesuffix(".git").split("/") if part]
    return "/".join(parts[-2:]) if parts else None


def name_of_folder(name: str) -> str:
    """Return `owner/name` of a clone's folder, if that is spelled `owner__name` or `owner+name`."""
    owner, name_part = (*_SEPARATOR.split(name, maxsplit=1), "")[:2]
    return f"{owner}/{name_part}" if owner and name_part else name
