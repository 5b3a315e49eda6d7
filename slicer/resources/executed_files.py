"""Files that a slice runs by path, as `runpy` does: they are kept with their dependencies."""

from __future__ import annotations

import ast
from contextlib import suppress

from ..analysis.names.name_resolution import ImportedModule, ImportedName
from ..closure.kept_definitions import Reason
from ..closure.worklist import Closure
from ..errors import SourceError
from ..repo.repository import Module
from ..syntax.nodes import walk
from .data_files import CODE, IMPORTERS, LOADERS, DataFile, files_read, runs_files
from .reads import reads_of


def keep_run_files(closure: Closure) -> bool:
    """Keep dependencies of files that the slice runs as modules; return whether any were kept."""
    if LOADERS.isdisjoint(closure.mentioned) and IMPORTERS.isdisjoint(closure.mentioned):
        return False
    before = closure.size
    repository = closure.names.repository
    loads = not LOADERS.isdisjoint(closure.mentioned)
    for read in reads_of(closure).places:
        if not runs_files(closure, read):
            continue
        for found in files_read(closure, read):
            is_run = isinstance(found, DataFile) and (loads or not found.is_named)
            if isinstance(found, DataFile) and is_run and found.path.endswith(CODE):
                with suppress(SourceError):
                    _keep_imported(closure, repository.module_at(found.path))
    return closure.size != before


def _keep_imported(closure: Closure, module: Module) -> None:
    """Keep what the file imports from the repository; the file itself runs from its own text."""
    text = f"{module.path} may be run, and imports it"
    for node in walk(module.source.tree):
        if not isinstance(node, (ast.Import, ast.ImportFrom)):
            continue
        for alias in node.names:
            why = Reason(text, "", module.path, node.lineno)
            match closure.names.imported(module, node, alias):
                case ImportedName(module=source) if alias.name == "*":
                    closure.keep_entire(source, text)
                case ImportedName(module=source, name=name):
                    closure.load(source)
                    closure.keep_name(source, name, "value", why)
                case ImportedModule(module=Module() as found):
                    closure.keep_entire(found, text)
                case _:
                    continue
