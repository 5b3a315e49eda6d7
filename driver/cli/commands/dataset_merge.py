"""`slice-func dataset merge`: one dataset of several."""

from __future__ import annotations

from ..parser import Parser, UsageError, per_cent

TYPE_CHECKING = False  # type checkers treat the name like typing's; importing typing is slow
if TYPE_CHECKING:
    import argparse


def parser() -> Parser:
    """Return the grammar of `slice-func dataset merge`."""
    made = Parser(
        "slice-func dataset merge",
        ("datasets", "output", "similarity", "keep_duplicates"),
        usage="slice-func dataset merge [options] DATASET DATASET [DATASET ...] -o DATASET",
        description="Write one dataset of several that were built with the same options, as by\n"
        "slice-func build --shard.",
    )
    add = made.add_argument_group("what to merge").add_argument
    add("datasets", metavar="DATASET", nargs="+", help="folders or URLs of datasets")
    add(
        "--similarity", metavar="N", type=per_cent, default=70,
        help="how alike two functions are of which one is left out, in per cent (default 70)",
    )  # fmt: skip
    add("--keep-duplicates", action="store_true", help="leave none of them out")
    add = made.add_argument_group("output").add_argument
    add("-o", "--output", metavar="DATASET", required=True, help="new folder or URL")
    made.add_general()
    return made


def run(arguments: argparse.Namespace) -> int:
    """Merge the datasets.

    Raises:
        UsageError: fewer than two datasets.
        SliceFuncError: one is no dataset, or they do not fit together.
    """
    from ...console.streams import say
    from ...datasets.deduplication.function import Options
    from ...datasets.maintenance.combine import merge_datasets
    from ...datasets.storage.dataset import open_built
    from ...datasets.storage.store import new_store

    if len(arguments.datasets) < 2:
        raise UsageError("one dataset is merged with nothing", "name at least two")
    parts = [open_built(each) for each in arguments.datasets]
    duplicates = Options(max(arguments.similarity, 1) / 100)
    manifest = merge_datasets(
        parts, new_store(arguments.output), None if arguments.keep_duplicates else duplicates
    )
    say(f"{arguments.output}: {manifest['counts']['environments']} environments")
    return 0
