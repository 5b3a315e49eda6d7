"""Data files that name modules and their members: `two = conv.two:make` in an `.ini` file."""

from __future__ import annotations

import re

from ..closure.kept_definitions import Reason
from ..closure.worklist import Closure
from ..repo.module_paths import module_paths
from ..repo.repository import Module, Repository
from ..syntax.memo import memo
from .data_files import MAX_FILE, DataFile, files_read
from .reads import reads_of

_TEXTS = (
    ".json",
    ".toml",
    ".ini",
    ".cfg",
    ".conf",
    ".yaml",
    ".yml",
    ".txt",
    ".csv",
    ".xml",
    ".env",
)
_WORD = re.compile(r"[^\W\d]\w*")


def keep_named_in_data(closure: Closure) -> bool:
    """Keep what data files name, if the slice imports by strings; return whether any."""
    if not closure.loads_paths:
        return False
    before = closure.size, len(closure.modules)
    repository = closure.names.repository
    modules = {kept.module.path: kept.module for kept in closure.modules.values()}
    for read in reads_of(closure).places:
        for found in files_read(closure, read):
            if (
                isinstance(found, DataFile)
                and found.path.endswith(_TEXTS)
                and found.size <= MAX_FILE
            ):
                reader = modules.get(read.path)
                if reader is not None:
                    _follow(closure, repository, reader, found)
    return (closure.size, len(closure.modules)) != before


def _follow(closure: Closure, repository: Repository, reader: Module, file: DataFile) -> None:
    paths, words = _named(repository, reader, file.path)
    why = Reason(f"named in {file.path}", "", reader.path, file.line)
    for path in paths:
        closure.name_path(reader, path, why)
    for word in words if paths else ():
        closure.class_keeper.questions.add_string(word)


@memo
def _named(
    repository: Repository, reader: Module, path: str
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the module paths in a file, and all of its words."""
    text = repository.read_data(path).decode("utf-8", "replace")
    paths = dict.fromkeys(module_paths(text, reader, repository))
    return tuple(paths), tuple(sorted(set(_WORD.findall(text)))) if paths else ()
