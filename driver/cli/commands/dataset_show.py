"""`slice-func dataset show`: what a dataset holds."""

from __future__ import annotations

from ..parser import Parser, UsageError, positive

TYPE_CHECKING = False  # type checkers treat the name like typing's; importing typing is slow
if TYPE_CHECKING:
    import argparse


def parser() -> Parser:
    """Return the grammar of `slice-func dataset show`."""
    made = Parser(
        "slice-func dataset show",
        ("dataset", "identity", "limit", "rejected", "json"),
        usage="slice-func dataset show [options] DATASET [ID]",
        description="Print what a dataset holds, or one environment of it.",
    )
    add = made.add_argument_group("what to show").add_argument
    add("dataset", metavar="DATASET", help="folder or URL of a dataset, or of environments")
    add("identity", metavar="ID", nargs="?", help="id of an environment, or how it begins")
    add(
        "--rejected", action="store_true",
        help="a line for each function that became no environment: repository, function, reason "
        "codes, the first reason in words",
    )  # fmt: skip
    add(
        "--limit", metavar="N", type=positive,
        help="environments listed (default 20), or lines of --rejected (default all)",
    )  # fmt: skip
    add = made.add_argument_group("output").add_argument
    add("--json", action="store_true", help="the manifest, or the record of the environment")
    made.add_general()
    return made


def run(arguments: argparse.Namespace) -> int:
    """Print the counts and some rows of a dataset, or one environment.

    Raises:
        UsageError: options that exclude each other.
        DatasetError: no dataset, or no such environment.
    """
    if arguments.rejected and (arguments.identity or arguments.json):
        raise UsageError("--rejected lists functions", "leave ID and --json out")
    from itertools import islice

    from ...console.streams import printable, write_json, write_stdout
    from ...datasets.maintenance.summary import environment_lines, rejected_lines, summary_lines
    from ...datasets.storage.dataset import find_row, open_dataset

    dataset = open_dataset(arguments.dataset)
    if arguments.identity:
        row = find_row(dataset, arguments.identity)
        if arguments.json:
            write_json(dataset.environment(row.id).record)
            return 0
        lines = list(environment_lines(row))
    elif arguments.rejected:
        lines = list(islice(rejected_lines(dataset), arguments.limit))
    elif arguments.json:
        write_json(dataset.manifest)
        return 0
    else:
        rows = islice(dataset.rows(), arguments.limit or 20)
        lines = [
            *summary_lines(dataset),
            *(printable(f"{r.id[:12]}  {r.repo}  {r.path}::{r.qualname}") for r in rows),
        ]
    text = "".join(f"{printable(line)}\n" for each in lines for line in each.split("\n"))
    write_stdout(text.encode("utf-8", "backslashreplace"))
    return 0
