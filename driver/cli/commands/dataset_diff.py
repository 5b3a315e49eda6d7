"""`slice-func dataset diff`: what differs between two datasets."""

from __future__ import annotations

from ..parser import Parser

TYPE_CHECKING = False  # type checkers treat the name like typing's; importing typing is slow
if TYPE_CHECKING:
    import argparse


CHECK_FAILED = 1


def parser() -> Parser:
    """Return the grammar of `slice-func dataset diff`."""
    made = Parser(
        "slice-func dataset diff",
        ("older", "newer", "json"),
        usage="slice-func dataset diff [options] OLDER NEWER",
        description="Print which environments are new, gone, moved or changed, and what changed.\n"
        "Do so too for functions that are no environment, and for repositories.",
    )
    add = made.add_argument_group("what to compare").add_argument
    add("older", metavar="OLDER", help="folder or URL of a dataset")
    add("newer", metavar="NEWER", help="folder or URL of a later one")
    add = made.add_argument_group("output").add_argument
    add("--json", action="store_true", help="the differences as JSON")
    made.add_general()
    return made


def run(arguments: argparse.Namespace) -> int:
    """Print the differences; return status 1 if there is any, as diff does.

    Raises:
        DatasetError: one is no dataset.
    """
    from dataclasses import asdict

    from ...console.streams import printable, write_json, write_stdout
    from ...datasets.maintenance.differences import differences
    from ...datasets.storage.dataset import open_dataset

    found = list(differences(open_dataset(arguments.older), open_dataset(arguments.newer)))
    if arguments.json:
        write_json([asdict(each) for each in found])
    elif not found:
        write_stdout(b"no differences\n")
    else:
        text = "".join(f"{printable(str(each))}\n" for each in found)
        write_stdout(text.encode("utf-8", "backslashreplace"))
    return CHECK_FAILED if found else 0
