"""Insert the script header that lists dependencies (PEP 723) into a written script."""

from __future__ import annotations

from dataclasses import replace

from ..syntax.script_header import Header, has_header
from .emission import Emission


def with_header(emission: Emission, header: Header | None) -> Emission:
    """The script under its header; comments leave docstring and `__future__` lines what they are.

    Unchanged where there is nothing to name, where the emission is a tree of files, and where a
    line of the script looks like a header already: two of them would make it invalid.
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
