"""Resolve an import name to the distribution that provides it, without a network.

The sources are, in order: the repository's own declarations, the metadata of installed
distributions, the curated tables, and the import name itself. Modules of the repository are
excluded.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from functools import lru_cache

from ..errors import SourceError
from ..repo.file_tree import join
from ..repo.repository import STDLIB, Repository
from ..repo.source import decode
from ..syntax.memo import memo
from ..syntax.requirement import normal
from .distribution_names import (
    DISTRIBUTIONS,
    DOTTED_NAMESPACES,
    NAMESPACES,
    NOT_DISTRIBUTED,
    PIPREQS,
)
from .local_import_names import EXAMPLE_WORDS, LOCAL_NAMES, OWN_NAMES

_VERSIONED = re.compile(r"_v\d+\w*$")


@lru_cache(maxsize=4096)
def distribution_of(
    module: str, declared: tuple[str, ...], installed: str | None = None
) -> str | None:
    """Return the distribution to install for an import.

    Args:
        module: dotted name of the module; an imported name may follow.
        declared: names of the distributions that the repository declares.
        installed: the installed distribution that has the module, if known.

    Returns:
        The name as the repository spells it, else as the package index does; `None` for modules of
        the standard library and others that no distribution provides.
    """
    top = module.split(".", maxsplit=1)[0]
    if top in STDLIB or top in NOT_DISTRIBUTED:
        return None
    found = declared_distribution(module, declared)
    if found:
        return found
    known = _known(module)
    if installed and not _in_namespace(module):
        # if the table has the name, the table's spelling
        return next((name for name in known if normal(name) == normal(installed)), installed)
    if known:
        return known[0]
    return _in_namespace(module) or PIPREQS.get(top) or top


@lru_cache(maxsize=4096)
def declared_distribution(module: str, declared: tuple[str, ...]) -> str | None:
    """Return the declared distribution that provides the module, as the repository spells it."""
    top = module.split(".", maxsplit=1)[0]
    if not declared or top in STDLIB or top in NOT_DISTRIBUTED:
        return None
    wanted = _by_normal(declared)
    known = _known(module)
    for name in known:
        if normal(name) in wanted:
            return wanted[normal(name)]
    if known:
        return None
    in_namespace = _in_namespace(module)
    listed = (PIPREQS[top],) if top in PIPREQS else ()
    customary = (in_namespace, *prefixes(module)) if in_namespace else (
        top, *prefixes(module), *listed, *_guesses(top))  # fmt: skip
    for name in customary:
        if normal(name) in wanted and name not in NAMESPACES:
            return wanted[normal(name)]
    return None


def is_known(module: str) -> bool:
    """Whether a distribution is known to provide the module, so that no folder does."""
    top = module.split(".", maxsplit=1)[0]
    return top in OWN_NAMES or bool(_known(module)) or _in_namespace(module) is not None


def is_local(repository: Repository, module: str) -> bool:
    """Whether an undeclared import means a module of the repository rather than one of an index.

    A name that no import root has, but another folder does, was run from that folder or with it on
    the path. A file that is ignored by git, that an example file shows, or whose name only a
    program's own modules have, is merely not checked in.
    """
    return _is_local(repository, module.split(".", maxsplit=1)[0])


@memo
def _is_local(repository: Repository, top: str) -> bool:
    if top in LOCAL_NAMES or f"{top}.py" in _ignored_files(repository):
        return True
    for folder in ("", *repository.python_folders):
        names = repository.listing(folder)
        if f"{top}.py" in names or any(example in names for example in _examples(top)):
            return True
        if f"{top}/" in names and repository.holds_python(join(folder, top)):
            return True
    return False


@lru_cache(maxsize=256)
def _examples(top: str) -> tuple[str, ...]:
    """Return names of example files that show a module which is not checked in."""
    return tuple(
        name
        for word in EXAMPLE_WORDS
        for name in (f"{top}.{word}.py", f"{top}-{word}.py", *(f"{top}.py{s}{word}" for s in "._-"))
    )


@memo
def _ignored_files(repository: Repository) -> frozenset[str]:
    """Return the names of files that the repository's `.gitignore` lists literally."""
    text = ""
    if repository.is_file(".gitignore"):
        with suppress(SourceError):
            text = decode(repository.read_data(".gitignore"), ".gitignore")
    return frozenset(line.strip().rpartition("/")[2] for line in text.splitlines())


@lru_cache(maxsize=64)
def _by_normal(declared: tuple[str, ...]) -> dict[str, str]:
    return {normal(name): name for name in reversed(declared)}


def prefixes(module: str) -> Iterator[str]:
    """Yield the dotted name and its parent packages, longest first."""
    while module:
        yield module
        module = module.rpartition(".")[0]


def _known(module: str) -> tuple[str, ...]:
    """Return the entry for the longest matching module prefix."""
    for prefix in prefixes(module):
        if prefix in NAMESPACES and prefix != module:
            return ()  # another part of the namespace may be another distribution
        if prefix in DISTRIBUTIONS:
            return DISTRIBUTIONS[prefix]
    return ()


def _in_namespace(module: str) -> str | None:
    """Return the distribution's name by the naming custom of the longest enclosing namespace."""
    for prefix in prefixes(module):
        if prefix in NAMESPACES:
            parts = [_VERSIONED.sub("", part) for part in module.split(".")[: NAMESPACES[prefix]]]
            while len(parts) > prefix.count(".") + 1 and not parts[-1].islower():
                parts.pop()  # a class taken from the namespace package itself
            if parts[0] in DOTTED_NAMESPACES:
                return ".".join(parts)
            return "-".join(parts).replace("_", "-")
    return None


def _guesses(top: str) -> tuple[str, ...]:
    """Return customary spellings of the distribution, used only if the repository declares one."""
    return (
        f"python-{top}", f"{top}-python", f"py{top}", f"{top}-py", f"python3-{top}", f"py-{top}",
        f"django-{top}", f"{top}-client", f"{top}-sdk", top.lstrip("_"),
    )  # fmt: skip
