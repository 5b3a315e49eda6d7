"""`slice-func report`: a page about a dataset that opens from disk."""

from __future__ import annotations

from ..parser import Parser, positive

TYPE_CHECKING = False  # type checkers treat the name like typing's; importing typing is slow
if TYPE_CHECKING:
    import argparse


def parser() -> Parser:
    """Return the grammar of `slice-func report`."""
    made = Parser(
        "slice-func report",
        ("dataset", "output", "pages"),
        usage="slice-func report [options] DATASET|ENV -o FILE",
        description="Write one HTML page about a dataset: from repositories to environments by\n"
        "reason, yields, distributions, cost, and each environment. It needs no network.",
    )
    add = made.add_argument_group("what to report on").add_argument
    add(
        "dataset",
        metavar="DATASET",
        help="folder or URL of a dataset, folder of environments, or one environment",
    )
    add(
        "--pages",
        metavar="N",
        type=positive,
        default=2000,
        help="environments that get a page of their own; others are rows alone (default 2000)",
    )
    add = made.add_argument_group("output").add_argument
    add("-o", "--output", metavar="FILE", required=True, help="HTML file to write")
    made.add_general()
    return made


def run(arguments: argparse.Namespace) -> int:
    """Write the page.

    Raises:
        SliceFuncError: no dataset, a damaged one, or a file that cannot be written.
    """
    from pathlib import Path, PurePosixPath

    from ...console.progress import Progress, format_size
    from ...console.streams import say
    from ...datasets.storage.dataset import open_dataset
    from ...record.output_files import require_parent, write_file
    from ...reports.dataset_page.html_page import report_page

    output = Path(arguments.output)
    require_parent(output)
    title = PurePosixPath(arguments.dataset.rstrip("/")).name or "dataset"
    dataset = open_dataset(arguments.dataset)
    total = min(len(dataset.ids()), arguments.pages)
    with Progress(total, what="pages") as progress:
        page = report_page(dataset, title, arguments.pages, lambda: progress.add(is_good=True))
    content = page.encode("utf-8", "replace")
    write_file(output, content)
    say(f"{output}: {format_size(len(content))}")
    return 0
