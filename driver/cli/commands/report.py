"""`slice-func report`: a page about a dataset, or what the rewards of a run are worth."""

from __future__ import annotations

from ..parser import Parser, UsageError, positive, whole
from ..shared_options import add_executor

TYPE_CHECKING = False  # type checkers treat the name like typing's; importing typing is slow
if TYPE_CHECKING:
    import argparse
    from pathlib import Path

_OF_RUNS = ("dataset", "fresh", "drift", "seed", "json", "executor")
"""Options that only the report of a run has."""


def parser() -> Parser:
    """Return the grammar of `slice-func report`."""
    made = Parser(
        "slice-func report",
        ("source", "output", "pages", "dataset", "json"),
        usage="slice-func report [options] DATASET|ENV -o FILE\n"
        "       slice-func report [options] RUN|LOG --dataset DATASET",
        description="Write one HTML page about a dataset: from repositories to environments by\n"
        "reason, yields, distributions, cost, and each environment. It needs no network.\n"
        "Of a run, or a log of rewards, say what its rewards are worth: passing candidates that\n"
        "fresh inputs refute, verdicts that drift, duplicates, lengths, and weak cases.",
    )
    add = made.add_argument_group("what to report on").add_argument
    add(
        "source",
        metavar="SOURCE",
        help="folder or URL of a dataset, folder of environments, or one environment; or a folder "
        "that slice-func eval has written; or a file that slice-func serve --log has written",
    )
    add(
        "--pages",
        metavar="N",
        type=positive,
        default=2000,
        help="environments that get a page of their own; others are rows alone (default 2000)",
    )
    add = made.add_argument_group("a run").add_argument
    add("--dataset", metavar="DATASET", help="of the run, for fresh inputs and scoring again")
    add(
        "--fresh",
        metavar="N|all",
        type=_number_or_all,
        default=200,
        help="distinct passing candidates that fresh inputs are asked about (default 200)",
    )
    add(
        "--drift",
        metavar="N|all",
        type=_number_or_all,
        default=200,
        help="candidates that are scored again (default 200)",
    )
    add(
        "--seed", metavar="N", type=whole, default=0, help="of samples and fresh inputs (default 0)"
    )
    add_executor(add)
    add = made.add_argument_group("output").add_argument
    add("-o", "--output", metavar="FILE", help="HTML file to write; of a run, text by default")
    add("--json", action="store_true", help="the report of a run as JSON on standard output")
    made.add_general()
    return made


def _number_or_all(text: str) -> int | None:
    """Return a number; `None` for all."""
    return None if text == "all" else whole(text)


def run(arguments: argparse.Namespace) -> int:
    """Write the page, or print the report.

    Raises:
        UsageError: options that do not fit what is reported on.
        SliceFuncError: no dataset and no run, a damaged one, or a file that cannot be written.
    """
    from pathlib import Path

    from ...record.output_files import require_parent
    from ...reports.reward_report.scored_candidates import is_run

    output = Path(arguments.output) if arguments.output else None
    if output is not None:
        require_parent(output)
    if is_run(arguments.source):
        return _report_run(arguments, output)
    defaults = parser()
    for name in _OF_RUNS:
        if getattr(arguments, name) != defaults.get_default(name):
            problem = f"--{name} is for a run, and {arguments.source} is none"
            raise UsageError(problem, "name a run, or leave it out")
    if output is None:
        raise UsageError("a page about a dataset needs a file", "name one with -o FILE")
    return _report_dataset(arguments, output)


def _report_dataset(arguments: argparse.Namespace, output: Path) -> int:
    from pathlib import PurePosixPath

    from ...console.progress import Progress
    from ...datasets.storage.dataset import open_dataset
    from ...reports.dataset_page.html_page import report_page

    title = PurePosixPath(arguments.source.rstrip("/")).name or "dataset"
    dataset = open_dataset(arguments.source)
    total = min(len(dataset.ids()), arguments.pages)
    with Progress(total, what="pages") as progress:
        page = report_page(dataset, title, arguments.pages, lambda: progress.add(is_good=True))
    _write(output, page)
    return 0


def _report_run(arguments: argparse.Namespace, output: Path | None) -> int:
    from pathlib import PurePosixPath

    from ...console.progress import Progress
    from ...console.streams import printable, say, write_json, write_stdout
    from ...reports.reward_report.report_tables import report_text
    from ...reports.reward_report.reward_page import reward_page
    from ...reports.reward_report.reward_report import (
        RewardOptions,
        candidates_to_run,
        reward_report,
    )
    from ...reports.reward_report.scored_candidates import read_candidates
    from ...settings.extras import require

    require("eval", "pyarrow", "fsspec")
    found = read_candidates(arguments.source)
    options = RewardOptions(
        arguments.dataset, arguments.fresh, arguments.drift, arguments.seed, arguments.executor
    )
    with Progress(candidates_to_run(found, options), what="candidates") as progress:
        report = reward_report(found, options, say, lambda: progress.add(is_good=True))
    if output is not None:
        name = PurePosixPath(arguments.source.rstrip("/")).name or "run"
        _write(output, reward_page(report, f"Rewards of {name}"))
    if arguments.json:
        write_json(report)
    elif output is None:
        lines = "".join(f"{printable(line)}\n" for line in report_text(report).splitlines())
        write_stdout(lines.encode("utf-8", "backslashreplace"))
    return 0


def _write(output: Path, page: str) -> None:
    from ...console.progress import format_size
    from ...console.streams import say
    from ...record.output_files import write_file

    content = page.encode("utf-8", "replace")
    write_file(output, content)
    say(f"{output}: {format_size(len(content))}")
