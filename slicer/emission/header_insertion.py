"""Insert the script header that lists dependencies (PEP 723) into a written script."""

from __future__ import annotations

from dataclasses import replace

from ..syntax.script_header import Header, has_header
from .emission import Emission


def with_header(emission: Emission, header: Header | None) -> Emission:
    """Return the script under its header; the comments leave docstring and `__future__` lines in
    place.

    The emission is unchanged if there is nothing to list, if it is a tree of files, or if a line of
    the script already looks like a header: two headers would make the script invalid.
    """
    if header is None or emission.layout.is_tree or has_header(emission.source):
        return emission
    block = header.block() + "\n"
    above = block.count("\n")
    source = block + emission.source
    (file,) = emission.files
    return replace(
        emission,
        source=source,
        files=(replace(file, content=source.encode("utf-8")),),
        lines=tuple(replace(run, script_line=run.script_line + above) for run in emission.lines),
    )
