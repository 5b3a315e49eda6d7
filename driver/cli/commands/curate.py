"""`slice-func curate`: which repositories and functions are worth building, by rules."""

from __future__ import annotations

from ..parser import Parser, UsageError, date, per_cent, place, positive

TYPE_CHECKING = False  # type checkers treat the name like typing's; importing typing is slow
if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

    from ...datasets.curation.settings import Settings
    from ...datasets.curation.sources.source import SourceOptions

KEEPABLE = ("forks", "archived", "tests", "generated", "vendored")
NOTHING_LEFT = 1


def parser() -> Parser:
    """Return the grammar of `slice-func curate`."""
    made = Parser(
        "slice-func curate",
        ("sources", "output", "licences", "max_size_mb", "max_functions", "sample", "jobs"),
        usage="slice-func curate [options] SOURCE [SOURCE ...]",
        description="Choose repositories and functions by rules, and say why others are left out.",
    )
    add = made.add_argument_group("where repositories come from, and where rows go").add_argument
    add(
        "sources",
        metavar="SOURCE",
        nargs="+",
        help="folder with clones or other repositories; address, or text file with one a line; "
        "JSONL or CSV file of metadata; github:QUERY for GitHub's search (repeatable)",
    )
    add(
        "-o",
        "--output",
        metavar="PATH",
        type=place,
        help="JSON lines of what is kept, and beside it of what is left out "
        "(repos.rejected.jsonl for repos.jsonl); standard output if not said",
    )
    add("--jobs", metavar="N", type=positive, help="processes (default: one for each core)")
    add(
        "--no-fetch",
        action="store_true",
        help="judge remote repositories by metadata alone; otherwise one commit of each is fetched "
        "and removed again",
    )
    add(
        "--github-api",
        metavar="URL",
        help="another address of GitHub's API (default: GITHUB_API_URL, else api.github.com); its "
        "token is GITHUB_TOKEN or GH_TOKEN",
    )
    _add_repository_rules(made.add_argument_group("which repositories").add_argument)
    _add_function_rules(made.add_argument_group("which functions").add_argument)
    made.add_general()
    return made


def _add_repository_rules(add: Callable[..., object]) -> None:
    add(
        "--licence",
        "--license",
        dest="licences",
        metavar="SPDX",
        action="append",
        help="allowed licence, permissive (default) or any (repeatable)",
    )
    add(
        "--keep",
        metavar="|".join(KEEPABLE),
        choices=KEEPABLE,
        action="append",
        default=[],
        help="keep repositories that are forks or archived, and functions of tests, generated "
        "files or vendored copies (repeatable)",
    )
    add(
        "--max-size",
        dest="max_size_mb",
        metavar="MB",
        type=count,
        default=10,
        help="most megabytes of a repository; 0 is no limit (default 10)",
    )
    add("--min-lines", metavar="N", type=count, default=0, help="least lines of Python")
    add(
        "--min-python",
        metavar="N",
        type=per_cent,
        default=0,
        help="least share of Python among the source code, in per cent",
    )
    add("--created-after", metavar="DATE", type=date, help="created on this date or later")
    add("--created-before", metavar="DATE", type=date, help="created before this date")
    add("--last-commit-before", metavar="DATE", type=date, help="not changed since this date")
    add(
        "--require",
        choices=("tests", "ci"),
        action="append",
        default=[],
        help="only repositories that have tests, or continuous integration (repeatable)",
    )


def _add_function_rules(add: Callable[..., object]) -> None:
    add(
        "--max-functions",
        metavar="N",
        type=count,
        default=0,
        help="most functions of one repository, those with docstrings first (default 0, no limit)",
    )
    add(
        "--max-trivial",
        metavar="N",
        type=count,
        default=0,
        help="most getters, setters, constants and empty functions of one repository (default 0)",
    )
    add(
        "--without-gpu-cloud",
        choices=("words", "imports"),
        help="leave out functions of GPU and cloud tasks: by words in their text, or by what their "
        "slice imports, which takes longer",
    )
    add("--sample", metavar="N", type=positive, help="draw so many functions")
    add(
        "--sample-by",
        choices=("example", "repository"),
        help="draw from all repositories together (default), or whole repositories",
    )
    add("--seed", metavar="N", type=count, default=0, help="another seed draws others (default 0)")


def count(text: str) -> int:
    """Return a whole number, 0 included.

    Raises:
        ArgumentTypeError: the text is no such number.
    """
    return 0 if text == "0" else positive(text)


def run(arguments: argparse.Namespace) -> int:
    """Write rows of the repositories that are kept, and of what is left out.

    Raises:
        UsageError: options that contradict one another.
    """
    import os

    from ...console.streams import say, write_stdout
    from ...datasets.curation.curate import curate
    from ...datasets.curation.row_files import row_bytes, write_rows
    from ...datasets.curation.sources import read_sources
    from ...settings.extras import require

    if arguments.sample_by and not arguments.sample:
        raise UsageError("--sample-by is for --sample", "add --sample N, or leave it out")
    require("datasets", "licenseclassifier", "packaging.licenses")
    settings = _settings(arguments)
    _check_fetching(settings)
    options = _source_options(arguments)
    said = list(read_sources(arguments.sources, options))
    result = curate(said, settings, arguments.jobs or len(os.sched_getaffinity(0)))
    if arguments.output is None:
        write_stdout(row_bytes(result.kept))
    else:
        write_rows(arguments.output, result)
        if options.state is not None:
            options.state.unlink(missing_ok=True)
    for line in result.summary():
        say(line)
    return 0 if result.kept else NOTHING_LEFT


def _check_fetching(settings: Settings) -> None:
    from ...datasets.curation.rules import RULES

    if settings.fetches:
        return
    needy = [rule.name for rule in RULES if rule.needs_files(settings)]
    needy += ["sample"] if settings.sample else []
    if needy:
        raise UsageError(
            f"--no-fetch leaves nothing to judge by: {', '.join(needy)}", "leave out one of both"
        )


def _source_options(arguments: argparse.Namespace) -> SourceOptions:
    import os
    from pathlib import Path

    from ...console.streams import say
    from ...datasets.curation.sources.source import SourceOptions

    output = Path(arguments.output) if arguments.output is not None else None
    return SourceOptions(
        arguments.github_api or os.environ.get("GITHUB_API_URL") or "https://api.github.com",
        os.environ.get("GITHUB_TOKEN") or os.environ.get("GH_TOKEN"),
        output.with_name(f"{output.stem}.pages.jsonl") if output is not None else None,
        say,
    )


def _settings(arguments: argparse.Namespace) -> Settings:
    from ...datasets.curation.contents.licences import spdx
    from ...datasets.curation.settings import ANY, PERMISSIVE, Settings

    licences: list[str] = []
    for given in arguments.licences or (PERMISSIVE,):
        known = given if given in (ANY, PERMISSIVE) else spdx(given)
        if known is None:
            raise UsageError(
                f"--licence {given}: no SPDX identifier", "look it up on https://spdx.org/licenses"
            )
        licences.append(known)
    return Settings(
        licences=tuple(licences),
        keep=frozenset(arguments.keep),
        require=frozenset(arguments.require),
        max_size_mb=arguments.max_size_mb,
        min_lines=arguments.min_lines,
        created_after=arguments.created_after,
        created_before=arguments.created_before,
        last_commit_before=arguments.last_commit_before,
        min_python=arguments.min_python,
        max_functions=arguments.max_functions,
        max_trivial=arguments.max_trivial,
        without_gpu_cloud=arguments.without_gpu_cloud,
        sample=arguments.sample or 0,
        sample_by=arguments.sample_by or "example",
        seed=arguments.seed,
        fetches=not arguments.no_fetch,
    )
