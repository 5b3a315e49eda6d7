"""`[tool.slice-func]` in the repository's `pyproject.toml`, and its settings for distributions."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from keyword import iskeyword
from typing import cast

from ..errors import OptionError
from ..repo.repository import Repository
from ..syntax.memo import memo
from ..syntax.requirement import Requirement, plain_requirement

_PLACE = "pyproject.toml: tool.slice-func"
_AT_LINE = re.compile(r" \(at line (\d+), column \d+\)$")
_FORM = 'write [tool.slice-func.distributions], and below it module = "requirement"'


@memo
def tool_table(repository: Repository) -> dict[str, object]:
    """Return the table, which must not be changed; empty if there is none. Memoised for a
    repository.

    Raises:
        OptionError: it cannot be read, or is no table.
    """
    if not repository.is_file("pyproject.toml"):
        return {}
    content = repository.read_data("pyproject.toml")
    if b"slice-func" not in content:
        return {}
    try:
        table: object = tomllib.loads(content.decode("utf-8"))
    except ValueError as error:
        place, problem = "pyproject.toml", str(error)
        if found := _AT_LINE.search(problem):  # errors of `tomllib` know their line from 3.14 on
            place, problem = f"{place}:{found[1]}", problem[: found.start()]
        raise OptionError(f"{place}: does not parse: {problem}", "mend it there") from error
    for key in ("tool", "slice-func"):
        table = cast("dict[str, object]", table).get(key, {}) if isinstance(table, dict) else {}
    if not isinstance(table, dict):
        raise OptionError(f"{_PLACE} is not a table", "write [tool.slice-func] above its keys")
    return cast("dict[str, object]", table)


def configured_distributions(
    repository: Repository, arguments: Iterable[tuple[str, str]] = ()
) -> Mapping[str, Requirement]:
    """Return module → requirement, for modules whose distribution the user or the table gives.

    Args:
        repository: the repository whose table is read.
        arguments: modules and requirements that override those of the table.

    Raises:
        OptionError: a key is no module, or its value is no plain requirement.
    """
    more = dict(_entry("distributions", *each) for each in arguments)
    return {**_distributions(repository), **more}


@memo
def _distributions(repository: Repository) -> Mapping[str, Requirement]:
    """Return the distributions that the table gives for modules."""
    table = tool_table(repository).get("distributions", {})
    if not isinstance(table, dict):
        raise OptionError(f"{_PLACE}.distributions is not a table", _FORM)
    entries = cast("dict[str, object]", table).items()
    return dict(_entry(f"{_PLACE}.distributions", *each) for each in entries)


def _entry(place: str, module: str, text: object) -> tuple[str, Requirement]:
    if not all(part.isidentifier() and not iskeyword(part) for part in module.split(".")):
        raise OptionError(f"{place}: {module!r} is no module", _FORM)
    if isinstance(text, dict):  # `acme.cloud = …` is nested
        raise OptionError(f"{place}: {module} is a table", "write a dotted module in quotes")
    if not isinstance(text, str):
        raise OptionError(f"{place}: {module} is {text!r}, not a requirement", _FORM)
    found, fault = plain_requirement(text)
    if found is None:
        raise OptionError(f"{place}: {module}: {fault}", _FORM)
    return module, found
