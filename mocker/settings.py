"""What the user says about mocking: options, and `[tool.slice-func]` in the repository."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from ..slicer.errors import OptionError

if TYPE_CHECKING:
    from ..slicer import Repository


@dataclass(frozen=True, slots=True)
class Settings:
    """What is to be mocked, beside what the policy says."""

    mock: bool = True
    stubs: tuple[str, ...] = ()
    """Distributions, or modules, that are stubbed even where they could be installed."""
    real: tuple[str, ...] = ()
    """Distributions, or modules, that stay real whatever the policy says."""


def read_settings(
    repository: Repository, *, mock: str | None = None, stubs: Sequence[str] = ()
) -> Settings:
    """Options of the command line over those of the repository's `pyproject.toml`.

    Raises:
        OptionError: a value in the table is not of its type.
    """
    table = _table(repository)
    said = mock or table.get("mock", "auto")
    if said not in ("auto", "none"):
        raise OptionError(f"pyproject.toml: tool.slice-func.mock is {said!r}; use auto or none")
    return Settings(said == "auto", (*stubs, *_names(table, "stub")), _names(table, "real"))


def _names(table: dict[str, object], key: str) -> tuple[str, ...]:
    value = table.get(key, [])
    items = cast("list[object]", value) if isinstance(value, list) else [None]
    if not all(isinstance(item, str) for item in items):
        raise OptionError(f"pyproject.toml: tool.slice-func.{key} is not a list of names")
    return tuple(cast("list[str]", items))


def _table(repository: Repository) -> dict[str, object]:
    if not repository.is_file("pyproject.toml"):
        return {}
    content = repository.read_data("pyproject.toml")
    if b"slice-func" not in content:
        return {}
    try:
        table: object = tomllib.loads(content.decode("utf-8"))
    except ValueError:
        return {}
    for key in ("tool", "slice-func"):
        table = cast("dict[str, object]", table).get(key) if isinstance(table, dict) else None
    return cast("dict[str, object]", table) if isinstance(table, dict) else {}
