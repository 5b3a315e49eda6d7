"""How many docstrings of authors the check of generated ones refuses, and for what.

    python -m benchmarks.cases.docstring_checks [--package NAME]... [--write]

Authors tell what their functions do without giving the code away, so what is refused should be what
does hold code, or is no docstring that a model may write. Docstrings of under twenty characters are
left out and counted: a model may not write them either, and they say nothing about the check.
"""

from __future__ import annotations

import argparse
import ast
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from slicefunc.llm.stages.target_docstrings import LEAST_CHARACTERS, faults
from slicefunc.verifier.script.source_map import lines_of

from ..common.report import machine, write_result
from ..sources.functions import functions_of, named_functions
from ..sources.sdist import Sdist
from ..sources.sdists import DEFAULT_WORK, SDISTS, fetch_sdist, sdist_named

_NAMES = tuple(sdist.name for sdist in SDISTS if sdist.name != "sympy")
"""Sympy alone has ten times as many as the others together, with formulas in most."""
_DETAIL = re.compile(r"[:(`].*|\d+", re.DOTALL)


def main(argv: list[str] | None = None) -> int:
    """Count and print."""
    parser = argparse.ArgumentParser(prog="benchmarks.cases.docstring_checks", description=__doc__)
    parser.add_argument("--package", action="append", choices=_NAMES, metavar="NAME")
    parser.add_argument("--work", type=Path, default=DEFAULT_WORK)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args(argv)
    checked, short = 0, 0
    reasons: Counter[str] = Counter()
    refused: list[str] = []
    for name in options.package or _NAMES:
        for target, docstring, source in _documented(sdist_named(name), options.work):
            if len(docstring) < LEAST_CHARACTERS:
                short += 1
                continue
            checked += 1
            found = faults(docstring, source)
            if found:
                refused.append(f"{name}: {target}: {found[0]}")
                reasons.update({_DETAIL.sub("", fault).strip() for fault in found})
    print(f"{len(refused)} of {checked} docstrings refused; {short} shorter ones left out")
    for reason, count in sorted(reasons.items(), key=lambda pair: (-pair[1], pair[0])):
        print(f"{count:5}  {reason}")
    if options.write:
        counts = {"checked": checked, "left_out_as_short": short, "reasons": dict(reasons)}
        print(write_result("docstring_checks", {**counts, "refused": refused, **machine()}))
    return 0


def _documented(sdist: Sdist, work: Path) -> Iterator[tuple[str, str, str]]:
    """Target, docstring and source of each function that has one."""
    folder = fetch_sdist(sdist.name, work)
    paths = sorted({path for path, _ in functions_of(sdist, folder)})
    for path in paths:
        text = (folder / path).read_text("utf-8")
        for qualname, node in named_functions(ast.parse(text).body):
            assert isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
            docstring = ast.get_docstring(node)
            if docstring:
                lines = lines_of(text)[node.lineno - 1 : node.end_lineno]
                yield f"{path}::{qualname}", docstring, "\n".join(lines)


if __name__ == "__main__":
    raise SystemExit(main())
