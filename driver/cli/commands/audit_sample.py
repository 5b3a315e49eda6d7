"""`slice-func audit sample`: blind sheets on some environments of a dataset."""

from __future__ import annotations

from ..parser import Parser, per_cent, positive
from ..shared_options import add_executor

TYPE_CHECKING = False  # type checkers treat the name like typing's; importing typing is slow
if TYPE_CHECKING:
    import argparse


def parser() -> Parser:
    """Return the grammar of `slice-func audit sample`."""
    made = Parser(
        "slice-func audit sample",
        ("dataset", "number", "output", "seed", "altered"),
        usage="slice-func audit sample [options] DATASET -o DIR",
        description="Write blind sheets for people who judge environments: is the slice the same\n"
        "function, are the tests right, could you solve it, how hard is it.",
    )
    add = made.add_argument_group("what to sample").add_argument
    add("dataset", metavar="DATASET", help="dataset, or folder with environments")
    add(
        "-n",
        "--number",
        metavar="N",
        type=positive,
        default=20,
        help="environments (default 20)",
    )
    add("--split", metavar="NAME", help="only environments of this split")
    add("--seed", metavar="N", type=int, default=0, help="another sample for another number")
    add(
        "--altered",
        metavar="N",
        type=per_cent,
        default=25,
        help="slices that get a fault, and as many others a wrong test, in per cent (default 25)",
    )
    add = made.add_argument_group("output").add_argument
    add(
        "-o",
        "--output",
        metavar="DIR",
        required=True,
        help="new folder for sheet/, which people get, and key/, which they do not",
    )
    add = made.add_argument_group("how faults are tried").add_argument
    add_executor(add)
    made.add_general()
    return made


def run(arguments: argparse.Namespace) -> int:
    """Write the sheets and the key.

    Raises:
        SliceFuncError: no dataset, no sandbox, or a folder that is not empty.
    """
    from functools import partial
    from pathlib import Path

    from ...console.streams import say
    from ...settings.extras import require

    require("datasets", "pyarrow", "fsspec")
    from ...datasets.storage.dataset import open_dataset
    from ...record.output_files import require_empty, require_writable, write_or_keep
    from ...reports.audit.sheet_files import KEY, PAGE, write_audit
    from ...reports.audit.sheets import SampleOptions, sample

    folder = Path(arguments.output)
    require_writable(folder)
    require_empty(folder)
    options = SampleOptions(
        arguments.number, arguments.seed, arguments.altered, arguments.split, arguments.executor
    )
    audit = sample(open_dataset(arguments.dataset), options, say)
    write_or_keep(arguments.output, partial(write_audit, audit=audit))
    slices = sum(each.is_altered for each in audit.key)
    tests = sum(each.are_tests_altered for each in audit.key)
    altered = f"{slices} with an altered slice, {tests} with an altered test"
    say(f"{folder / PAGE}: {len(audit.items)} items, {altered}")
    say(f"keep {folder / KEY} from those who fill it in")
    return 0
