"""Every `def` of the packages' own files, by what makes it a function of its own or not.

    python -m benchmarks.slices.definitions [--package NAME ...]

Counts of definitions in a package hold more than its functions: overload stubs, the reader, the
setter and the deleter of one property, what is defined twice in branches, and functions inside of
functions. One table says how the two numbers belong together.
"""

from __future__ import annotations

import argparse
import ast
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from ..common.report import table
from ..sources.functions import FUNCTION, named_functions
from ..sources.sdist import Sdist, is_measured
from ..sources.sdists import DEFAULT_WORK, fetch_sdist, sdist_named

PACKAGES = ("attrs", "click", "flask", "requests", "starlette")
_KINDS = (
    "definitions",
    "inside of functions",
    "overload stubs",
    "the same name again",
    "functions",
)


def main(argv: list[str] | None = None) -> int:
    """Print one row for each package, and one for all."""
    parser = argparse.ArgumentParser(prog="benchmarks.slices.definitions", description=__doc__)
    parser.add_argument("--package", nargs="*", default=PACKAGES)
    parser.add_argument("--work", type=Path, default=DEFAULT_WORK)
    options = parser.parse_args(argv)
    total: Counter[str] = Counter()
    rows: list[list[object]] = []
    for name in options.package:
        found = counted(sdist_named(name), fetch_sdist(name, options.work))
        total += found
        rows.append([name, *(found[kind] for kind in _KINDS)])
    rows.append(["together", *(total[kind] for kind in _KINDS)])
    print(table(["package", *_KINDS], rows))
    return 0


def counted(sdist: Sdist, folder: Path) -> Counter[str]:
    """Definitions of the package proper by kind; the last kind is what the others leave."""
    found: Counter[str] = Counter()
    for package in sdist.packages:
        for file in sorted((folder / package).rglob("*.py")):
            if is_measured(file.relative_to(folder).as_posix(), sdist):
                found += _of_file(ast.parse(file.read_bytes()))
    return found


def _of_file(tree: ast.Module) -> Counter[str]:
    every = [node for node in ast.walk(tree) if isinstance(node, FUNCTION)]
    named = list(named_functions(tree.body))
    names = {name for name, _ in named}
    bodies = {name for name, node in named if not _is_stub(node)}
    # a name with stubs alone, as in a protocol, is a function all the same
    stubs = sum(_is_stub(node) and name in bodies for name, node in named)
    return Counter(
        {
            "definitions": len(every),
            "inside of functions": len(every) - len(named),
            "overload stubs": stubs,
            "the same name again": len(named) - stubs - len(names),
            "functions": len(names),
        }
    )


def _is_stub(node: ast.stmt) -> bool:
    return any(each == "overload" for each in _decorators(node))


def _decorators(node: ast.stmt) -> Iterator[str]:
    for each in getattr(node, "decorator_list", ()):
        yield ast.unparse(each).rpartition(".")[2]


if __name__ == "__main__":
    sys.exit(main())
