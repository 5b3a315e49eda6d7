"""`slice-func dataset decontaminate`: leave out what evaluations know, and duplicates."""

from __future__ import annotations

from ..parser import Parser, UsageError

TYPE_CHECKING = False  # type checkers treat the name like typing's; importing typing is slow
if TYPE_CHECKING:
    import argparse

SIMILARITY = 0.7


def parser() -> Parser:
    """Return the grammar of `slice-func dataset decontaminate`."""
    made = Parser(
        "slice-func dataset decontaminate",
        ("dataset", "output", "against", "eval_since"),
        usage="slice-func dataset decontaminate [options] DATASET --against FILE -o OUT",
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
    add(
        "--against",
        metavar="FILE",
        action="append",
        default=[],
        help="reference set: .jsonl, .json, .parquet, .py, or a folder of them (repeatable)",
    )
    add(
        "--field",
        dest="fields",
        metavar="NAME",
        action="append",
        default=[],
        help="field with code in records of other names than HumanEval's, MBPP's, RepoEval's and "
        "SWE-bench's (repeatable: the texts are joined)",
    )
    add(
        "--same-repository",
        action="store_true",
        help="also leave out all of a repository that a reference names as its repo",
    )
    add = made.add_argument_group("how they are compared").add_argument
    add(
        "--similarity",
        metavar="S",
        type=_similarity,
        default=SIMILARITY,
        help=f"least Jaccard similarity of near duplicates, above 0 to 1 (default {SIMILARITY})",
    )
    add(
        "--eval-since",
        metavar="DATE",
        type=_date,
        help="functions of repositories created since YYYY-MM-DD evaluate, older ones train",
    )
    made.add_general()
    return made


def _similarity(text: str) -> float:
    """Return a number above 0 and at most 1.

    Raises:
        ArgumentTypeError: the text is none.
    """
    import argparse

    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value <= 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no number above 0 and at most 1")
    return value


def _date(text: str) -> str:
    """Return a date as it was given.

    Raises:
        ArgumentTypeError: the text is none.
    """
    import argparse
    from datetime import date

    try:
        return date.fromisoformat(text).isoformat()
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no date such as 2026-01-31") from None


def run(arguments: argparse.Namespace) -> int:
    """Write the dataset without what falls, and print the report.

    Raises:
        UsageError: there is something at OUT, or options exclude each other.
    """
    if arguments.fields and not arguments.against:
        raise UsageError("--field names fields of reference sets", "name one with --against")
    from ...console import printable, write_json, write_stdout
    from ...extras import require

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
    options = Options(arguments.similarity, arguments.eval_since, arguments.same_repository)
    report = decontaminate(dataset, store, references, options)
    if arguments.json:
        write_json(report)
    else:
        lines = "".join(f"{printable(line)}\n" for line in report_lines(report))
        write_stdout(lines.encode("utf-8", "backslashreplace"))
    return 0
