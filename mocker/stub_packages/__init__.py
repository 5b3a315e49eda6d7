"""Modules that are written instead of installed: from what is declared of them, and from uses."""

from .build import stub_packages
from .guesses import guessed
from .kept import import_of, kept_files, kept_nodes
from .names import imported_from
from .usage import Usage, usage_of
from .written import written_values

__all__ = [
    "Usage",
    "guessed",
    "import_of",
    "imported_from",
    "kept_files",
    "kept_nodes",
    "stub_packages",
    "usage_of",
    "written_values",
]
