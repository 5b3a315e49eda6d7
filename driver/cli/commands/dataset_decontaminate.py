"""`slice-func dataset decontaminate`: leave out what evaluations know, and duplicates."""

from __future__ import annotations

from ..parser import Parser, UsageError, date
from ..shared_options import add_references, require_references

TYPE_CHECKING = False  # type checkers treat the name like typing's; importing typing is slow
if TYPE_CHECKING:
    import argparse


def parser() -> Parser:
    """Return the grammar of `slice-func dataset decontaminate`."""
    made = Parser(
        "slice-func dataset decontaminate",
        ("dataset", "output", "against", "eval_since"),
        usage="slice-func dataset decontaminate [options] DATASET "
        "(--against FILE | --eval-since DATE) -o OUT",
        description="Write DATASET without functions that stand in reference sets, that resemble\n"
        "its own evaluation split, or that it has twice. Say what was left out, and why.",
    )
    add = made.add_argument_group("what is read and written").add_argument
    add("dataset", metavar="DATASET", help="dataset, or folder of environments")
    add(
        "-o", "--output", metavar="OUT", required=True, help="new folder, or URL such as s3://…"
    )  # fmt: skip
    add("--json", action="store_true", help="a report of all that is left out on standard output")
    add = made.add_argument_group("what must not be in it").add_argument
    add_references(add)
    add(
        "--eval-since",
        metavar="DATE",
        type=date,
        help="functions of repositories created then or later are for evaluation, others for "
        "training",
    )
    made.add_general()
    return made


def run(arguments: argparse.Namespace) -> int:
    """Write the dataset without what falls, and print the report.

    Raises:
        UsageError: there is something at OUT, or it is not said what to leave out.
    """
    if not arguments.against and arguments.eval_since is None:
        raise UsageError(
            "--against FILE or --eval-since DATE says what must not be in it", "give one or both"
        )
    require_references(arguments)
    from ...console.streams import printable, write_json, write_stdout
    from ...settings.extras import require

    require("datasets", "numpy", "pyarrow")
    from ...datasets.deduplication.decontaminate import decontaminate
    from ...datasets.deduplication.function import Options
    from ...datasets.deduplication.references import read_references
    from ...datasets.deduplication.report import report_lines
    from ...datasets.storage.dataset import open_dataset
    from ...datasets.storage.store import Store

    store = Store.at(arguments.output)
    if store.exists() and store.names():
        raise UsageError(f"{arguments.output}: not empty", "name a new folder with -o")
    dataset = open_dataset(arguments.dataset)
    references = list(read_references(arguments.against, arguments.fields))
    similarity = max(arguments.similarity, 1) / 100
    options = Options(similarity, arguments.eval_since, arguments.same_repository)
    report = decontaminate(dataset, store, references, options)
    if arguments.json:
        write_json(report)
    else:
        lines = "".join(f"{printable(line)}\n" for line in report_lines(report))
        write_stdout(lines.encode("utf-8", "backslashreplace"))
    return 0
