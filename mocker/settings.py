"""What the user says about mocking: options, and `[tool.slice-func]` in the repository."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from ..slicer.errors import OptionError
from ..slicer.requirement import normal

if TYPE_CHECKING:
    from ..slicer import Repository

_KEYS = ("mock", "stub", "real")


@dataclass(frozen=True, slots=True)
class Settings:
    """What is to be mocked, beside what the policy says."""

    mock: bool = True
    stubs: tuple[str, ...] = ()
    """Distributions, or modules, that are stubbed even where they could be installed."""
    real: tuple[str, ...] = ()
    """Distributions, or modules, that stay real whatever the policy says."""
    asked: tuple[str, ...] = ()
    """Those of `stubs` that were asked for with this very slice: it is told when they miss it."""


def read_settings(
    repository: Repository, *, mock: str | None = None, stubs: Sequence[str] = ()
) -> Settings:
    """Options of the command line over those of the repository's `pyproject.toml`.

    Raises:
        OptionError: the table cannot be read, or holds what it cannot hold.
    """
    table = _table(repository)
    for key in table:
        if key not in _KEYS:
            raise OptionError(f"pyproject.toml: tool.slice-func has no {key}, but {_listed(_KEYS)}")
    said = mock or table.get("mock", "auto")
    if said not in ("auto", "none"):
        raise OptionError(f"pyproject.toml: tool.slice-func.mock is {said!r}; use auto or none")
    kept = _names(table, "real")
    both = sorted({*map(normal, _names(table, "stub"))} & {*map(normal, kept)})
    if both:
        raise OptionError(f"pyproject.toml: tool.slice-func has {both[0]} both as stub and as real")
    real = tuple(name for name in kept if normal(name) not in map(normal, stubs))
    return Settings(said == "auto", (*stubs, *_names(table, "stub")), real, tuple(stubs))


def _listed(names: Sequence[str]) -> str:
    return f"{', '.join(names[:-1])} and {names[-1]}"


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
    except ValueError as error:
        raise OptionError(f"pyproject.toml cannot be read: {error}") from error
    for key in ("tool", "slice-func"):
        table = cast("dict[str, object]", table).get(key, {}) if isinstance(table, dict) else {}
    if not isinstance(table, dict):
        raise OptionError("pyproject.toml: tool.slice-func is not a table")
    return cast("dict[str, object]", table)
