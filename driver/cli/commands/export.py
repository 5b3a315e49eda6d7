"""`slice-func export`: a dataset in the format of a trainer or a harness."""

from __future__ import annotations

from ...datasets.exports import FORMATS
from ..parser import Parser, place, positive

TYPE_CHECKING = False  # type checkers treat the name like typing's; importing typing is slow
if TYPE_CHECKING:
    import argparse

SPLITS = ("train", "eval")


def parser() -> Parser:
    """Return the grammar of `slice-func export`."""
    made = Parser(
        "slice-func export",
        ("dataset", "to", "output", "split", "limit"),
        usage="slice-func export DATASET --to FORMAT -o DIR",
        description="Write a dataset in the format of a trainer or a harness.",
    )
    add = made.add_argument_group("what to export").add_argument
    add("dataset", metavar="DATASET", help="folder or address of a dataset, or of environments")
    add("--split", choices=SPLITS, help="only environments of this split")
    add("--limit", metavar="N", type=positive, help="at most N environments")
    add = made.add_argument_group("output").add_argument
    add(
        "--to",
        metavar="FORMAT",
        choices=FORMATS,
        required=True,
        help=f"the format: {', '.join(FORMATS)}",
    )
    add("-o", "--output", metavar="DIR", type=place, required=True, help="a new or empty folder")
    made.add_general()
    return made


def run(arguments: argparse.Namespace) -> int:
    """Write the export."""
    from ...console.streams import say
    from ...datasets.exports.write_export import write_export
    from ...datasets.storage.dataset import open_dataset

    count = write_export(
        open_dataset(arguments.dataset),
        arguments.to,
        arguments.output,
        split=arguments.split,
        limit=arguments.limit,
    )
    say(f"{count} environment{'s' if count > 1 else ''} as {arguments.to}: {arguments.output}")
    return 0
