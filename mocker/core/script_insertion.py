"""Inserts a prelude into a script: below its header, docstring and `__future__` imports."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ...slicer.syntax.requirement import Requirement, normal, parse_requirement
from ...slicer.syntax.script_header import Header, header_lines, read_header
from ..contacts import Mock, ModuleTreatment, is_below

if TYPE_CHECKING:
    from ...slicer.model import EmittedFile, LineMap, Slice

MOCKS_FILE = "slice_func_mocks.py"


def with_prelude(sliced: Slice, block: str, mocks: Sequence[Mock]) -> Slice:
    """Return the slice with the block in its script and the mocks' needs in its header."""
    source, lines = _inserted(sliced.source, block, sliced.manifest.lines)
    header = _header(sliced, mocks)
    source, lines = _with_header(source, lines, header)
    manifest = replace(
        sliced.manifest,
        lines=lines,
        requirements=tuple(map(str, header.dependencies)) if header else (),
    )
    (file,) = sliced.files
    written: EmittedFile = replace(file, content=source.encode("utf-8"))
    return replace(sliced, source=source, files=(written,), manifest=manifest)


def with_module(sliced: Slice, text: str) -> Slice:
    """Return a tree of files with the mocks as one more file; the others are unchanged."""
    file = replace(sliced.files[0], path=MOCKS_FILE, content=text.encode("utf-8"))
    warning = f"{MOCKS_FILE} holds the mocks: import it before anything else of the package"
    manifest = replace(sliced.manifest, warnings=(*sliced.manifest.warnings, warning))
    return replace(sliced, files=(*sliced.files, file), manifest=manifest)


def _inserted(source: str, block: str, lines: Sequence[LineMap]) -> tuple[str, tuple[LineMap, ...]]:
    written = source.splitlines(keepends=True)
    at = _after_future(source)
    if at and not written[at - 1].endswith(("\n", "\r")):
        written[at - 1] += "\n"
    above = "\n" if at else ""
    text = f"{above}{block}"
    added = text.count("\n")
    moved = tuple(
        replace(run, script_line=run.script_line + added) if run.script_line > at else run
        for run in lines
    )
    return "".join((*written[:at], text, *written[at:])), moved


def _after_future(source: str) -> int:
    """Return the last line that stays on top: of the docstring, `__future__` or header."""
    last = header_lines(source)[1]
    for index, node in enumerate(ast.parse(source).body):
        match node:
            case ast.Expr(value=ast.Constant(value=str())) if index == 0:
                last = node.end_lineno or last
            case ast.ImportFrom(module="__future__"):
                last = node.end_lineno or last
            case _:
                break
    return last


# ----------------------------------------------------------------------------- header


def _header(sliced: Slice, mocks: Sequence[Mock]) -> Header | None:
    """Return the script's new header: without stubbed distributions, with the fakes."""
    old = read_header(sliced.source) or Header(())
    stubbed = _stubbed(sliced, [treated for mock in mocks for treated in mock.treated])
    found = {normal(r.name): r for r in old.dependencies if normal(r.name) not in stubbed}
    for mock in mocks:
        for text in mock.requirements:
            added = parse_requirement(text)
            if added is not None:
                found[normal(added.name)] = _joined(found.get(normal(added.name)), added)
    if not found:
        return None
    return Header(tuple(found[name] for name in sorted(found)), old.requires_python)


def _joined(declared: Requirement | None, added: Requirement) -> Requirement:
    """Return the repository's pin if there is one, else the range tested with a fake."""
    return declared if declared is not None and declared.specifier else added


def _stubbed(sliced: Slice, treated: Sequence[ModuleTreatment]) -> frozenset[str]:
    """Return the distributions whose imported modules are all stubbed."""
    kept: set[str] = set()
    stubbed: set[str] = set()
    for external in sliced.manifest.externals:
        if external.distribution:
            fitting = [t for t in treated if is_below(external.module, t.module)]
            best = max(fitting, key=lambda t: len(t.module), default=None)
            is_stubbed = best is not None and best.treatment == "stubbed"
            (stubbed if is_stubbed else kept).add(normal(external.distribution))
    return frozenset(stubbed - kept)


def _with_header(
    source: str, lines: tuple[LineMap, ...], header: Header | None
) -> tuple[str, tuple[LineMap, ...]]:
    first, last = header_lines(source)
    written = source.splitlines(keepends=True)
    block = header.block() if header else ""
    if last == 0 and block:
        block += "\n"
    change = block.count("\n") - (last - first + 1)
    moved = tuple(replace(run, script_line=run.script_line + change) for run in lines)
    return "".join((*written[: first - 1], block, *written[last:])), moved
