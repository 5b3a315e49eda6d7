"""What the texts of files say of imports, read once for a repository."""

from __future__ import annotations

from .import_names import ImportNames, import_names
from .repository import Repository
from .surfaces import importing_functions, run_on_import


def imports_of(repository: Repository, name: str, path: str, text: str) -> ImportNames:
    """What the module of that name and path imports."""
    table: dict[tuple[str, str], ImportNames]
    table = repository.__dict__.setdefault("_import_names", {})
    known = table.get((name, path))
    if known is None:
        known = table[name, path] = import_names(name, path, text)
    return known


def run_text(repository: Repository, path: str, text: str) -> str:
    """What of the text runs while the file is imported."""
    table: dict[str, str] = repository.__dict__.setdefault("_run_texts", {})
    if path not in table:
        table[path] = run_on_import(text)
    return table[path]


def functions_that_import(repository: Repository, path: str, text: str) -> frozenset[str]:
    """Functions, methods and classes of the file that import when they are called."""
    table: dict[str, frozenset[str]]
    table = repository.__dict__.setdefault("_importing_functions", {})
    if path not in table:
        table[path] = importing_functions(text)
    return table[path]
