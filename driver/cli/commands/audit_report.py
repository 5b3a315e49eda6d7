"""`slice-func audit report`: what filled sheets show."""

from __future__ import annotations

from ..parser import Parser
from ..shared_options import add_executor

TYPE_CHECKING = False  # type checkers treat the name like typing's; importing typing is slow
if TYPE_CHECKING:
    import argparse


def parser() -> Parser:
    """Return the grammar of `slice-func audit report`."""
    made = Parser(
        "slice-func audit report",
        ("sheets", "key", "dataset", "json"),
        usage="slice-func audit report [options] SHEET [SHEET ...] --key KEY",
        description="Report how far people agree with each other and with our checks, and what\n"
        "they could solve, with intervals.",
    )
    add = made.add_argument_group("what to read").add_argument
    add("sheets", metavar="SHEET", nargs="+", help="CSV files that people have filled in")
    add("--key", metavar="KEY", required=True, help="key.json of audit sample")
    add(
        "--dataset",
        metavar="DATASET",
        help="also score the solutions that people wrote, with the environments of this dataset",
    )
    add = made.add_argument_group("output").add_argument
    add("--json", action="store_true", help="JSON instead of text")
    add = made.add_argument_group("how solutions are run").add_argument
    add_executor(add)
    made.add_general()
    return made


def run(arguments: argparse.Namespace) -> int:
    """Print the report.

    Raises:
        SliceFuncError: a file is no sheet or key, or no sandbox works.
    """
    from ...console.streams import printable, say, write_json, write_stdout
    from ...reports.audit.filled_sheets import read_key, read_sheets, with_known_items
    from ...reports.audit.findings import findings
    from ...reports.audit.report_text import report_lines
    from ...settings.extras import require

    key = read_key(arguments.key)
    responses = with_known_items(read_sheets(arguments.sheets, key.sheet, say), key.items)
    verdicts = None
    if arguments.dataset:
        require("datasets", "pyarrow", "fsspec")
        from ...datasets.storage.dataset import open_dataset
        from ...reports.audit.solutions import score_solutions

        dataset = open_dataset(arguments.dataset)
        verdicts = score_solutions(dataset, responses, key.items, arguments.executor, say)
    found = findings(responses, key.items, verdicts)
    if arguments.json:
        write_json(found)
        return 0
    lines = "".join(f"{printable(line)}\n" for line in report_lines(found))
    write_stdout(lines.encode("utf-8", "backslashreplace"))
    return 0
