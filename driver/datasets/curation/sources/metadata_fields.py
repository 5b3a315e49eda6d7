"""Fields of metadata rows, under the names that dumps and APIs give them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, cast

from ..candidates import Candidate, Rejection
from ..contents.licences import spdx
from .addresses import COMMIT, github_address, is_address, is_short_name, name_of_address
from .source import Said

_NAMES = {
    "repo": "full_name repo_name nameWithOwner name_with_owner repository repo max_stars_repo_name",
    "source": "clone_url html_url git_url repo_url repository_url url source",
    "commit": "commit commit_id commit_sha sha revision head_sha max_stars_repo_head_hexsha",
    "licence": "licence license license_spdx_id spdx_id licenseInfo license_key license_name "
    "licenses max_stars_repo_licenses detected_licenses",
    "created": "created created_at createdAt repo_created_at creation_date",
    "pushed": "pushed pushed_at pushedAt last_commit lastCommit last_commit_at updated_at "
    "updatedAt",
    "size": "size_kb size diskUsage disk_usage",
    "fork": "fork isFork is_fork forked",
    "archived": "archived isArchived is_archived",
}
"""Fact → names of the field that holds it, in the order in which they are tried."""
_EXTRA = {
    "description": "description",
    "language": "language mainLanguage main_language primary_language primaryLanguage",
    "stars": "stargazers_count stargazerCount stargazers stars star_count watchers_count "
    "max_stars_count",
    "topics": "topics",
}
"""Further fields that rows keep as metadata."""
_TRUE = frozenset({"true", "1", "yes", "t"})
_FALSE = frozenset({"false", "0", "no", "f", ""})
_MOST_TEXT = 500


def candidate_of_fields(row: Mapping[str, Any], place: str) -> Said:
    """Return the repository that a row is about, or why there is none.

    Args:
        row: the fields.
        place: file and line, for the rejection.
    """
    if "repo" not in row and "name" in row and is_short_name(str(row["name"])):
        row = {"repo": row["name"], **row}
    address = next((v for v in _all(row, "source") if isinstance(v, str) and is_address(v)), None)
    repo = _first(row, _NAMES["repo"])
    named = repo if isinstance(repo, str) and is_short_name(repo) else None
    if named is None and address is not None:
        named = name_of_address(address)
    if named is None:
        return Rejection(place, place.rpartition(":")[0], "metadata", "it names no repository")
    commit = _first(row, _NAMES["commit"])
    extra = {name: _first(row, names) for name, names in _EXTRA.items()}
    return Candidate(
        named,
        address or github_address(named),
        commit if isinstance(commit, str) and COMMIT.fullmatch(commit) else None,
        _licence(_first(row, _NAMES["licence"])),
        _date(_first(row, _NAMES["created"])),
        _date(_first(row, _NAMES["pushed"])),
        _number(_first(row, _NAMES["size"])),
        _flag(_first(row, _NAMES["fork"])),
        _flag(_first(row, _NAMES["archived"])),
        {name: _plain(value) for name, value in extra.items() if value not in (None, "", [])},
    )


def _all(row: Mapping[str, Any], kind: str) -> list[Any]:
    return [row[name] for name in _NAMES[kind].split() if row.get(name) not in (None, "")]


def _first(row: Mapping[str, Any], names: str) -> Any:  # noqa: ANN401 - values of JSON
    found = (row[name] for name in names.split() if row.get(name) not in (None, ""))
    return next(found, None)


def _licence(value: object) -> str | None:
    """Return the SPDX expression of a name, of GitHub's object, or of a list of names."""
    match value:
        case str():
            if value.startswith("[") and value.endswith("]"):
                return _licence(re.findall(r"[\w.+-]+", value))
            return spdx(value)
        case dict():
            fields = cast("dict[str, object]", value)
            found = (_licence(fields.get(name)) for name in ("spdx_id", "spdxId", "key", "name"))
            return next((each for each in found if each), None)
        case list():
            names = [_licence(each) for each in cast("list[object]", value)]
            known = sorted({each for each in names if each})
            return " AND ".join(known) if known and None not in names else None
        case _:
            return None


def _date(value: object) -> str | None:
    """Return the date of a time: ISO 8601 in UTC or with an offset, or seconds since 1970."""
    try:
        if isinstance(value, str) and not value.isdigit():
            text = value.strip().removesuffix(" UTC")
            moment = datetime.fromisoformat(text)
            return (moment.astimezone(UTC) if moment.tzinfo else moment).date().isoformat()
        if isinstance(value, int | float | str):
            seconds = float(value)
            seconds = seconds / 1000 if seconds > 1e11 else seconds
            return datetime.fromtimestamp(seconds, UTC).date().isoformat()
    except (ValueError, OverflowError, OSError):
        pass
    return None


def _number(value: object) -> int | None:
    try:
        return int(float(value)) if isinstance(value, int | float | str) else None
    except (ValueError, OverflowError):
        return None


def _flag(value: object) -> bool | None:
    text = str(value).lower()
    return True if text in _TRUE else False if text in _FALSE else None


def _plain(value: object) -> object:
    """Return a value for the row: GitHub's objects have a name, and texts are cut off."""
    if isinstance(value, dict):
        return cast("dict[str, object]", value).get("name")
    return value[:_MOST_TEXT] if isinstance(value, str) else value
