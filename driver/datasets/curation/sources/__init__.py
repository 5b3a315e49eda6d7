"""Sources of repositories: a file each, the first of `SOURCES` that takes a word reads it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .....slicer.errors import OptionError
from . import address_lists, github_search, local_folders, metadata_files
from .source import Said, Source, SourceOptions

SOURCES: tuple[Source, ...] = (
    github_search.SOURCE,
    local_folders.SOURCE,
    metadata_files.SOURCE,
    address_lists.FILE,
    address_lists.ADDRESS,
)


def read_sources(words: Sequence[str], options: SourceOptions) -> Iterator[Said]:
    """Yield the repositories of all sources, each as its source gives it.

    Raises:
        SliceFuncError: a word means no source, or a source cannot be read.
    """
    for word in words:
        source = next((each for each in SOURCES if each.takes(word)), None)
        if source is None:
            raise OptionError(
                f"{word}: no such file, folder or address",
                "name a folder, a list of addresses, a JSONL or CSV file, or github:QUERY",
            )
        yield from source.read(word, options)
