"""`slice-func eval compare`: runs side by side."""

from __future__ import annotations

from ..parser import Parser, UsageError
from .eval import numbers

TYPE_CHECKING = False  # type checkers treat the name like typing's; importing typing is slow
if TYPE_CHECKING:
    import argparse

FORMS = ("text", "markdown", "latex", "json")
STRATA = ("family", "repository", "length", "scope", "dependencies")


def parser() -> Parser:
    """Return the grammar of `slice-func eval compare`."""
    made = Parser(
        "slice-func eval compare",
        ("runs", "ks", "by", "pivot", "measure", "form", "plots"),
        usage="slice-func eval compare [options] RUN [RUN ...]",
        description="Compare runs: measures with intervals, and paired differences with McNemar's "
        "test and a bootstrap over repositories.",
    )
    add = made.add_argument_group("what is compared").add_argument
    add("runs", metavar="RUN", nargs="+", help="folders that slice-func eval has written")
    add(
        "-k",
        dest="ks",
        metavar="K[,K]",
        type=numbers,
        default=(1,),
        help="Pass@k to report, for example 1,10 (default 1)",
    )
    add(
        "--by",
        choices=STRATA,
        action="append",
        default=[],
        help="also a table of Pass@k by this (repeatable)",
    )
    add(
        "--pivot",
        metavar="ROWS,COLUMNS",
        type=_two_settings,
        action="append",
        default=[],
        help="also a table with one setting as rows and one as columns, for example model,context "
        "(repeatable)",
    )
    add(
        "--measure",
        metavar="NAME",
        default="",
        help="in that table: pass@K (default, with the first K), test_rate, codebleu, cost, …",
    )
    add = made.add_argument_group("output").add_argument
    add("--form", choices=FORMS, default="text", help="of the tables (default text)")
    add("--plots", metavar="DIR", help="also write plots there, as SVG (needs matplotlib)")
    made.add_general()
    return made


def _two_settings(text: str) -> tuple[str, str]:
    """Return the names of two settings.

    Raises:
        ArgumentTypeError: they are none.
    """
    import argparse

    from ...evaluation.tables.comparison import SETTINGS

    rows, _, columns = text.partition(",")
    if rows == columns or not {rows, columns} <= set(SETTINGS):
        raise argparse.ArgumentTypeError(f"{text!r} is not two of {', '.join(SETTINGS)}")
    return rows, columns


def run(arguments: argparse.Namespace) -> int:
    """Print the comparison.

    Raises:
        UsageError: no run has so many samples.
        SliceFuncError: a folder holds no run, or a library is missing.
    """
    from pathlib import Path

    from ...console.streams import printable, say, write_json, write_stdout
    from ...settings.extras import require

    require("eval", "pyarrow", "fsspec")
    if arguments.plots:
        require("plots", "matplotlib")
    from ...evaluation.runs import read_run
    from ...evaluation.tables.compare_tables import compare_tables
    from ...evaluation.tables.comparison import comparison
    from ...evaluation.tables.pivot import pivot_table

    runs = [read_run(each) for each in arguments.runs]
    most = max(run.settings["samples"] for run in runs)
    if arguments.ks[0] > most:
        raise UsageError(f"-k {arguments.ks[0]}: no run has so many samples", f"give -k {most}")
    found = comparison(runs, arguments.ks)
    if arguments.plots:
        from ...evaluation.tables.plots import write_plots

        for file in write_plots(found, Path(arguments.plots)):
            say(f"wrote {file}")
    if arguments.form == "json":
        write_json(found)
        return 0
    pivots: list[tuple[str, str]] = arguments.pivot
    measure = arguments.measure or f"pass@{arguments.ks[0]}"
    tables = [
        *compare_tables(found, arguments.by),
        *(pivot_table(found["runs"], rows, columns, measure) for rows, columns in pivots),
    ]
    text = "\n".join(table.render(arguments.form) for table in tables)
    lines = "".join(f"{printable(line)}\n" for line in text.splitlines())
    write_stdout(lines.encode("utf-8", "backslashreplace"))
    return 0
