"""Modules that are generated instead of installed: from declarations, and from uses."""

from .build_stubs import stub_packages
from .example_settings import written_values
from .external_paths import imported_from
from .external_usage import Usage, usage_of
from .kept_syntax import import_of, kept_files, kept_syntax_nodes
from .setting_guesses import guessed

__all__ = [
    "Usage",
    "guessed",
    "import_of",
    "imported_from",
    "kept_files",
    "kept_syntax_nodes",
    "stub_packages",
    "usage_of",
    "written_values",
]
