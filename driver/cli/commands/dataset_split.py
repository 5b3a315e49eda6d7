"""`slice-func dataset split`: a dataset a value of a column, or training and evaluation."""

from __future__ import annotations

from ..parser import Parser, UsageError, share

TYPE_CHECKING = False  # type checkers treat the name like typing's; importing typing is slow
if TYPE_CHECKING:
    import argparse


COLUMNS = ("split", "licence", "repo")


def parser() -> Parser:
    """Return the grammar of `slice-func dataset split`."""
    made = Parser(
        "slice-func dataset split",
        ("dataset", "by", "fraction", "seed", "output"),
        usage="slice-func dataset split DATASET (--by COLUMN | --fraction N) -o FOLDER",
        description="Write a dataset for each value of a column; or one for training and one for\n"
        "evaluation, with no repository in both.",
    )
    add = made.add_argument_group("what to split").add_argument
    add("dataset", metavar="DATASET", help="folder or URL of a dataset")
    add("--by", choices=COLUMNS, help="a dataset for each value of this column")
    add(
        "--fraction", metavar="N", type=share,
        help="share of the repositories for evaluation: in per cent (10), or below 1 (0.1)",
    )  # fmt: skip
    add("--seed", metavar="N", type=int, default=0, help="of --fraction (default 0)")
    add = made.add_argument_group("output").add_argument
    add("-o", "--output", metavar="FOLDER", required=True, help="new folder or URL for all parts")
    made.add_general()
    return made


def run(arguments: argparse.Namespace) -> int:
    """Split the dataset.

    Raises:
        UsageError: neither or both ways to split it.
        SliceFuncError: no dataset, or the place is not empty.
    """
    from ...console.streams import say
    from ...datasets.maintenance.combine import write_part
    from ...datasets.maintenance.parts import by_column, by_fraction, part_names
    from ...datasets.storage.dataset import open_built
    from ...datasets.storage.store import new_store

    if (arguments.by is None) == (arguments.fraction is None):
        raise UsageError("--by COLUMN or --fraction N says how to split", "give one of them")
    dataset = open_built(arguments.dataset)
    part_of = (
        by_column(dataset, arguments.by)
        if arguments.by
        else by_fraction(dataset, arguments.fraction, arguments.seed)
    )
    store = new_store(arguments.output)
    for name in part_names(dataset, part_of):
        manifest = write_part(
            dataset,
            store.within(name),
            lambda row, name=name: part_of(row) == name,
            None if arguments.by else name,
        )
        say(f"{arguments.output}/{name}: {manifest['counts']['environments']} environments")
    return 0
