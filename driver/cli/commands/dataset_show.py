"""`slice-func dataset show`: what a dataset holds."""

from __future__ import annotations

from ..parser import Parser, positive

TYPE_CHECKING = False  # type checkers treat the name like typing's; importing typing is slow
if TYPE_CHECKING:
    import argparse


def parser() -> Parser:
    """Return the grammar of `slice-func dataset show`."""
    made = Parser(
        "slice-func dataset show",
        ("dataset", "identity", "limit", "json"),
        usage="slice-func dataset show [options] DATASET [ID]",
        description="Print what a dataset holds, or one environment of it.",
    )
    add = made.add_argument_group("what to show").add_argument
    add("dataset", metavar="DATASET", help="folder or URL of a dataset, or of environments")
    add("identity", metavar="ID", nargs="?", help="id of an environment, or how it begins")
    add("--limit", metavar="N", type=positive, default=20, help="environments listed (default 20)")
    add = made.add_argument_group("output").add_argument
    add("--json", action="store_true", help="the manifest, or the record of the environment")
    made.add_general()
    return made


def run(arguments: argparse.Namespace) -> int:
    """Print the counts and some rows of a dataset, or one environment.

    Raises:
        DatasetError: no dataset, or no such environment.
    """
    from itertools import islice

    from ...console.streams import printable, write_json, write_stdout
    from ...datasets.maintenance.summary import environment_lines, summary_lines
    from ...datasets.storage.dataset import find_row, open_dataset

    dataset = open_dataset(arguments.dataset)
    if arguments.identity:
        row = find_row(dataset, arguments.identity)
        if arguments.json:
            write_json(dataset.environment(row.id).record)
            return 0
        lines = list(environment_lines(row))
    elif arguments.json:
        write_json(dataset.manifest)
        return 0
    else:
        rows = islice(dataset.rows(), arguments.limit)
        lines = [
            *summary_lines(dataset),
            *(printable(f"{r.id[:12]}  {r.repo}  {r.path}::{r.qualname}") for r in rows),
        ]
    text = "".join(f"{printable(line)}\n" for each in lines for line in each.split("\n"))
    write_stdout(text.encode("utf-8", "backslashreplace"))
    return 0
