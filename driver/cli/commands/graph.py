"""`slice-func graph`: the call graph and the dependency graph of a repository."""

from __future__ import annotations

from ..parser import Parser, UsageError, place, positive
from ..shared_options import add_root

TYPE_CHECKING = False  # type checkers treat the name like typing's; importing typing is slow
if TYPE_CHECKING:
    import argparse

FORMATS = ("json", "dot", "pycg")
INFERRERS = ("jedi",)
"""Libraries that `--infer` can query."""
INFER_SECONDS = 60


def parser() -> Parser:
    """Return the grammar of `slice-func graph`."""
    made = Parser(
        "slice-func graph",
        ("repo", "target", "output", "format"),
        usage="slice-func graph [options] REPO [PATH::QUALNAME]",
        description="Print the call graph and the dependency graph of REPO, or of what one\n"
        "target reaches, with the kind of each edge.",
    )
    add = made.add_argument_group("what to look at").add_argument
    add("repo", metavar="REPO", help="folder of the repository")
    add("target", metavar="PATH::QUALNAME", nargs="?", help="only what this definition reaches")
    add_root(add)
    add = made.add_argument_group("output").add_argument
    add("-o", "--output", metavar="PATH", type=place, help="file instead of standard output")
    add(
        "--format",
        choices=FORMATS,
        default="json",
        help="json (default), dot: each edge with its kind; pycg: calls only",
    )
    add = made.add_argument_group("calls that stay open").add_argument
    add(
        "--infer",
        choices=INFERRERS,
        help="ask jedi what calls mean that the graph leaves open",
    )
    add(
        "--infer-seconds",
        metavar="N",
        type=positive,
        help=f"time for --infer (default {INFER_SECONDS})",
    )
    made.add_general()
    return made


def run(arguments: argparse.Namespace) -> int:
    """Print the call graph and the dependency graph in the requested format.

    Raises:
        UsageError: a time limit for libraries that are not queried.
    """
    import gc

    from ....slicer.syntax.gc_pause import paused
    from ...console.streams import write_stdout
    from .graph_text import GraphOptions, graph_text

    if arguments.infer_seconds and not arguments.infer:
        raise UsageError("--infer-seconds is for --infer", "add --infer jedi, or leave it out")
    options = GraphOptions(
        roots=tuple(arguments.roots),
        form=arguments.format,
        infers=arguments.infer is not None,
        seconds=float(arguments.infer_seconds or INFER_SECONDS),
    )
    with paused():
        text = graph_text(arguments.repo, arguments.target, options)
        content = text.encode("utf-8", "backslashreplace")
        if arguments.output is None:
            write_stdout(content)
        else:
            from functools import partial

            from ...record.output_files import write_file, write_or_keep

            write_or_keep(arguments.output, partial(write_file, content=content))
        gc.freeze()  # else the collection at exit would traverse every tree
    return 0
