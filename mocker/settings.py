"""The user's settings of mocking: options, and `[tool.slice-func]` in the repository."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from ..slicer.errors import OptionError, SourceError
from ..slicer.packaging.declared_requirements import declared_distributions
from ..slicer.packaging.distributions import distribution_of
from ..slicer.packaging.tool_table import configured_distributions, tool_table
from ..slicer.repo.file_tree import join
from ..slicer.syntax.memo import memo
from ..slicer.syntax.requirement import normal

if TYPE_CHECKING:
    from ..slicer import Repository

_IMPORT = re.compile(rb"^[ \t]*(?:from[ \t]+(\w+)|import[ \t]+([\w., \t]+))", re.MULTILINE)
_KEYS = ("mock", "stub", "real", "answers")
_OTHERS = ("distributions", "llm")
"""Tables below `[tool.slice-func]` that other modules read."""


@dataclass(frozen=True, slots=True)
class Settings:
    """The user's choice of what is mocked, in addition to the policy."""

    mock: bool = True
    stubs: tuple[str, ...] = ()
    """Distributions or modules that are stubbed even if they could be installed."""
    real: tuple[str, ...] = ()
    """Distributions or modules that stay real whatever the policy says."""
    requested_stubs: tuple[str, ...] = ()
    """Items of `stubs` requested for this slice alone: a warning says if the slice lacks one."""
    warnings: tuple[str, ...] = ()
    """Settings of the repository's table that have no effect."""
    answers: tuple[tuple[str, str], ...] = ()
    """Place → its answer as a literal, which takes precedence over inferred ones."""
    variants: tuple[tuple[str, str], ...] = ()
    """Place → one more literal that a case may choose."""


def read_settings(
    repository: Repository,
    *,
    mock: str | None = None,
    stubs: Sequence[str] = (),
    variants: Sequence[tuple[str, str]] = (),
) -> Settings:
    """Return the settings: command-line options take precedence over `pyproject.toml`.

    Raises:
        OptionError: the table cannot be read, or holds an invalid value.
    """
    table = tool_table(repository)
    for key in table:
        if key not in (*_KEYS, *_OTHERS):
            known = _listed((*_KEYS, *_OTHERS))
            raise OptionError(f"pyproject.toml: tool.slice-func has no {key}", f"it has {known}")
    mode = mock or table.get("mock", "auto")
    if mode not in ("auto", "none"):
        raise OptionError(f"pyproject.toml: tool.slice-func.mock is {mode!r}", "use auto or none")
    kept = _names(table, "real")
    both = sorted({*map(normal, _names(table, "stub"))} & {*map(normal, kept)})
    if both:
        raise OptionError(
            f"pyproject.toml: tool.slice-func has {both[0]} both as stub and as real",
            "take it out of one of them",
        )
    real = tuple(name for name in kept if normal(name) not in map(normal, stubs))
    warnings = _idle(repository, table, is_off=mock is None and mode == "none")
    listed = (*stubs, *_names(table, "stub"))
    return Settings(
        mode == "auto",
        listed,
        real,
        tuple(stubs),
        tuple(warnings),
        tuple(sorted(_answers(table).items())),
        tuple(_checked(variants)),
    )


def _checked(variants: Sequence[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    for place, text in variants:
        try:
            ast.literal_eval(text)
        except (ValueError, SyntaxError, RecursionError, MemoryError) as error:
            raise OptionError(
                f"the answer of {place} is no literal: {text[:80]}", "write a Python literal"
            ) from error
        yield place, text


def _answers(table: dict[str, object]) -> dict[str, str]:
    """Return place → its value in the table, as a Python literal."""
    found = table.get("answers", {})
    if not isinstance(found, dict):
        raise OptionError(
            "pyproject.toml: tool.slice-func.answers is not a table",
            "write [tool.slice-func.answers] above its keys",
        )
    texts = {place: repr(value) for place, value in cast("dict[str, object]", found).items()}
    for place, text in texts.items():
        try:
            ast.literal_eval(text)
        except (ValueError, SyntaxError, RecursionError, MemoryError) as error:
            raise OptionError(
                f"pyproject.toml: tool.slice-func.answers: {place} is no plain value",
                "write a text, a number, a boolean, a list or a table",
            ) from error
    return texts


def _idle(repository: Repository, table: dict[str, object], *, is_off: bool) -> Iterator[str]:
    """Yield a warning for each table entry that affects no function of the repository."""
    place = "pyproject.toml: tool.slice-func"
    idle = [key for key in ("stub", "answers") if is_off and table.get(key)]
    yield from (f"{place}.{key} does nothing: mock is none" for key in idle)
    for module in configured_distributions(repository):
        if module.partition(".")[0] not in _imported(repository):
            yield f"{place}.distributions: nothing in the repository imports {module}"
    if is_off and _names(table, "stub"):
        return
    for key in ("stub", "real"):
        for name in _names(table, key):
            if not _is_outside(repository, name):
                yield f"{place}.{key}: nothing in the repository imports {name}"


def _is_outside(repository: Repository, name: str) -> bool:
    """Whether the repository declares a distribution or imports a module of that name."""
    configured = (each.name for each in configured_distributions(repository).values())
    if normal(name) in map(normal, (*declared_distributions(repository), *configured)):
        return True
    tops = _imported(repository)
    return name.partition(".")[0] in tops or any(
        normal(distribution_of(top, ()) or top) == normal(name) for top in tops
    )


@memo
def _imported(repository: Repository) -> frozenset[str]:
    """Return the top-level names of all imported modules."""
    return frozenset(
        name.strip().partition(b".")[0].partition(b" ")[0].decode()
        for content in _python_files(repository)
        for match in _IMPORT.finditer(content)
        for name in (match[1] or match[2]).split(b",")
    )


def _python_files(repository: Repository) -> Iterator[bytes]:
    for folder in dict.fromkeys(("", *repository.python_folders)):
        for name in repository.listing(folder):
            if name.endswith(".py"):
                with suppress(SourceError):  # too large to be code
                    yield repository.read_data(join(folder, name))


def _listed(names: Sequence[str]) -> str:
    return f"{', '.join(names[:-1])} and {names[-1]}"


def _names(table: dict[str, object], key: str) -> tuple[str, ...]:
    value = table.get(key, [])
    items = cast("list[object]", value) if isinstance(value, list) else [None]
    if not all(isinstance(item, str) for item in items):
        raise OptionError(
            f"pyproject.toml: tool.slice-func.{key} is not a list of names",
            f'write {key} = ["name", ...]',
        )
    return tuple(cast("list[str]", items))
