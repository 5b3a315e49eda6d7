"""`slice-func dataset verify`: whether a dataset is whole, and does what it says."""

from __future__ import annotations

from ..parser import Parser, positive
from ..shared_options import add_executor

TYPE_CHECKING = False  # type checkers treat the name like typing's; importing typing is slow
if TYPE_CHECKING:
    import argparse


CHECK_FAILED = 1


def parser() -> Parser:
    """Return the grammar of `slice-func dataset verify`."""
    made = Parser(
        "slice-func dataset verify",
        ("dataset", "sample", "seed", "json"),
        usage="slice-func dataset verify [options] DATASET",
        description="Check the files of a dataset, and of a sample of its environments that the\n"
        "original passes and an empty body fails.",
    )
    add = made.add_argument_group("what to verify").add_argument
    add("dataset", metavar="DATASET", help="folder or URL of a dataset, or of environments")
    add("--sample", metavar="N", type=positive, default=20, help="environments (default 20)")
    add("--seed", metavar="N", type=int, default=0, help="of the sample (default 0)")
    add_executor(add)
    add = made.add_argument_group("output").add_argument
    add("--json", action="store_true", help="the findings as JSON")
    made.add_general()
    return made


def run(arguments: argparse.Namespace) -> int:
    """Report what is not as the dataset says; return status 1 if there is anything.

    Raises:
        DatasetError: no dataset.
    """
    from ...console.streams import printable, say, write_json, write_stdout
    from ...datasets.maintenance.verify_dataset import (
        check_environment,
        damaged_files,
        findings_json,
        sampled,
    )
    from ...datasets.storage.dataset import open_dataset

    dataset = open_dataset(arguments.dataset)
    findings = list(damaged_files(dataset))
    rows = [] if findings else sampled(dataset, arguments.sample, arguments.seed)
    for number, row in enumerate(rows, 1):
        found = list(check_environment(dataset, row, arguments.executor))
        findings += found
        how = "NOT as it says" if found else "as it says"
        say(f"{number} of {len(rows)}: {row.path}::{row.qualname}: {how}")
    if arguments.json:
        write_json(findings_json(findings, len(rows)))
    else:
        lines = [str(each) for each in findings] or [f"{len(rows)} environments are as they say"]
        write_stdout("".join(f"{printable(line)}\n" for line in lines).encode())
    return CHECK_FAILED if findings else 0
