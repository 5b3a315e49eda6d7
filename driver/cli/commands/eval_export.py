"""`slice-func eval export`: the conversations of runs, for trainers."""

from __future__ import annotations

from ..parser import Parser

TYPE_CHECKING = False  # type checkers treat the name like typing's; importing typing is slow
if TYPE_CHECKING:
    import argparse

FORMATS = ("trl", "openai", "llama-factory", "verl")


def parser() -> Parser:
    """Return the grammar of `slice-func eval export`."""
    made = Parser(
        "slice-func eval export",
        ("runs", "format", "passed", "output"),
        usage="slice-func eval export [options] RUN [RUN ...] -o DIR",
        description="Write the conversations of runs, with tool calls, in the format of a trainer.",
    )
    add = made.add_argument_group("what is written").add_argument
    add("runs", metavar="RUN", nargs="+", help="folders that slice-func eval has written")
    add("--format", choices=FORMATS, default="trl", help="of the files (default trl)")
    add("--passed", action="store_true", help="only samples that passed all cases")
    add = made.add_argument_group("output").add_argument
    add("-o", "--output", metavar="DIR", required=True, help="new or empty folder")
    made.add_general()
    return made


def run(arguments: argparse.Namespace) -> int:
    """Write the files.

    Raises:
        SliceFuncError: a folder holds no run, no sample is left, or the folder is taken.
    """
    from ....slicer.errors import OptionError
    from ....slicer.model import EmittedFile
    from ...console.streams import say
    from ...record.output_files import write_tree
    from ...settings.extras import require

    require("eval", "pyarrow", "fsspec")
    from ...evaluation.conversations import conversations, training_files
    from ...evaluation.runs import read_run

    found = [
        each
        for place in arguments.runs
        for each in conversations(read_run(place), passed=arguments.passed)
    ]
    if not found:
        why = "no sample passed" if arguments.passed else "no sample"
        raise OptionError(f"{', '.join(arguments.runs)}: {why}", "name other runs")
    files = training_files(arguments.format, found)
    write_tree(
        arguments.output, [EmittedFile(name, content) for name, content in sorted(files.items())]
    )
    say(f"wrote {len(found)} conversations to {arguments.output}")
    return 0
