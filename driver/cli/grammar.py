"""The command line's grammar: its arguments, and the text of `--help`.

Every start loads this module, so it imports nothing that a run may not need. The command that uses
the passes and their data imports them.
"""

from __future__ import annotations

import argparse

from ...slicer.emission.layouts import NAMES as LAYOUTS
from .commands import FIRST_WORDS
from .option_rules import check_slice
from .parser import Parser, Version, glob, money, per_cent, place, positive
from .shared_options import add_executor, add_root

TYPE_CHECKING = False  # type checkers treat the name like typing's; importing typing is slow
if TYPE_CHECKING:
    from collections.abc import Sequence

EMITS = ("script", *LAYOUTS)
MOCKS = ("auto", "none")
PIPELINES = ("slice", "repost")
STAGES = ("inputs", "answers", "distributions", "tests", "docstring", "rivals")
"""Stages of the pipeline for which a model can be used."""
COMMON = (
    *("repo", "targets", "all", "output", "emit", "json", "explain", "keep", "mock"),
    *("verify", "test", "cases", "env", "jobs", "resume"),
)
"""Names of the options that `slice-func --help` shows."""


def parse_slice(argv: Sequence[str]) -> argparse.Namespace:
    """Read the arguments of `slice-func REPO TARGET…`.

    Raises:
        UsageError: an unknown option, a missing word, or options that exclude each other.
    """
    arguments = slice_parser().read(argv)
    _read_explained(arguments)
    check_slice(arguments)
    return arguments


def _read_explained(arguments: argparse.Namespace) -> None:
    """Correct a NAME of `--explain` that is really a word of the command."""
    if arguments.explain and "::" in arguments.repo:
        arguments.repo, arguments.targets, arguments.explain = (
            arguments.explain,
            [arguments.repo, *arguments.targets],
            "",
        )
    elif arguments.explain and not arguments.targets and not arguments.all:
        arguments.targets, arguments.explain = [arguments.explain], ""


def slice_parser() -> Parser:
    """Return the grammar of the main command."""
    parser = Parser(
        "slice-func",
        COMMON,
        usage="slice-func [options] REPO (PATH::QUALNAME [PATH::QUALNAME ...] | --all)\n"
        f"       slice-func {'|'.join(FIRST_WORDS[:7])}|\n"
        f"                  {'|'.join(FIRST_WORDS[7:])} ...\n"
        "       (each has --help; a folder of such a name is ./graph)",
        description="Print one script that holds a function of REPO and all that it needs.",
    )
    _add_targets(parser)
    _add_output(parser)
    _add_mocks(parser)
    _add_verify(parser)
    _add_all(parser)
    _add_model(parser)
    add = parser.add_general()
    add("--version", action=Version, nargs=0, help="show the version and exit")
    return parser


def _add_targets(parser: Parser) -> None:
    group = parser.add_argument_group("what to slice")
    group.add_argument("repo", metavar="REPO", help="folder of the repository")
    group.add_argument(
        "targets",
        metavar="PATH::QUALNAME",
        nargs="*",
        help="file in REPO, and a function, method or class in it (repeatable)",
    )
    group.add_argument(
        "--with",
        dest="keep",
        metavar="PATH::QUALNAME",
        action="append",
        default=[],
        help="keep this too, a parameter's class for example (repeatable)",
    )
    group.add_argument("--all", action="store_true", help="every function of REPO, and a report")
    add_root(group.add_argument)


def _add_output(parser: Parser) -> None:
    add = parser.add_argument_group("output").add_argument
    add(
        "-o",
        "--output",
        metavar="PATH",
        type=place,
        help="file; or folder with --all, or with a layout of several files",
    )
    add(
        "--emit",
        choices=EMITS,
        default="script",
        metavar="LAYOUT",
        help=f"{', '.join(LAYOUTS)}; script (default) is the first that fits a file",
    )
    add(
        "--json",
        action="store_true",
        help="the manifest on standard output; the script then only goes to -o",
    )
    add(
        "--explain",
        nargs="?",
        const="",
        metavar="NAME",
        help="why each definition was kept; or the one chain that keeps NAME",
    )


def _add_mocks(parser: Parser) -> None:
    add = parser.add_argument_group("mocks").add_argument
    add(
        "--mock",
        choices=MOCKS,
        help="auto (default) replaces network, servers, hardware; none does not",
    )
    add(
        "--stub",
        dest="stubs",
        metavar="NAME",
        action="append",
        default=[],
        help="stub this distribution even if it could be installed (repeatable)",
    )


def _add_verify(parser: Parser) -> None:
    add = parser.add_argument_group("cases and checks, in a sandbox").add_argument
    add(
        "--verify",
        action="store_true",
        help="check that the script is the repository's code, and runs",
    )
    add(
        "--test",
        action="store_true",
        help="find cases, without a model; -o is then an eval script",
    )
    add("--cases", metavar="FILE", help="cases by hand: functions, one call of the target each")
    add("--env", metavar="DIR", help="write an environment, which scores candidates (with --test)")
    add(
        "--min-branches",
        metavar="N",
        type=per_cent,
        help="branches of the target that the cases take, in per cent (default 80)",
    )
    add(
        "--min-killed",
        metavar="N",
        type=per_cent,
        help="mutants of the target that the cases kill, in per cent (default 80)",
    )
    add(
        "--min-unseen",
        metavar="N",
        type=per_cent,
        help="the same of the third of them that no case was made for (default 80)",
    )
    add(
        "--search",
        choices=("plain", "crosshair"),
        help="with crosshair, a solver looks for arguments that take the branches which are left "
        "(needs --test with --verify or --env)",
    )
    add_executor(add)
    add(
        "--no-install",
        action="store_true",
        help="run it with this interpreter and what that has; nothing is installed",
    )


def _add_model(parser: Parser) -> None:
    title = "what a model is asked (needs --test with --verify or --env)"
    add = parser.add_argument_group(title).add_argument
    add(
        "--pipeline",
        choices=PIPELINES,
        default="slice",
        help="with repost, the model of --llm does nearly every step, as RepoST has it do, for "
        "comparison: the result is its eval script (default slice)",
    )
    add(
        "--llm",
        action=argparse.BooleanOptionalAction,
        help="ask for what the search has left open; text of REPO is sent. The key is "
        "read from OPENAI_API_KEY (default --no-llm)",
    )
    add(
        "--llm-stage",
        dest="llm_stages",
        choices=STAGES,
        action="append",
        help="what it is asked for: inputs that reach what is left, answers of stand-ins, "
        "distributions of modules that could not be had, tests whose calls are tried, a docstring "
        "beside the original's, rivals that cases must tell from it (repeatable; default inputs, "
        "answers and distributions)",
    )
    add("--llm-replay", action="store_true", help="take answers that were stored, and ask nobody")
    add("--llm-model", metavar="NAME", help="as the service calls it (or OPENAI_MODEL)")
    add(
        "--llm-base-url",
        metavar="URL",
        help="of any service with OpenAI's protocol (or OPENAI_BASE_URL; default OpenAI's own)",
    )
    add("--llm-budget", metavar="USD", type=money, help="that this run may spend at most")
    add("--llm-cache", metavar="FILE", help="where answers are stored, so that none is paid twice")


def _add_all(parser: Parser) -> None:
    add = parser.add_argument_group("many functions (needs --all)").add_argument
    add(
        "--jobs",
        metavar="N",
        type=positive,
        help="processes (default 1; with --verify or --env one for each core)",
    )
    add(
        "--resume",
        action="store_true",
        help="go on with the run whose folder is -o, or else --env",
    )
    add("--limit", metavar="N", type=positive, help="only the first N functions")
    add(
        "--include",
        metavar="GLOB",
        action="append",
        default=[],
        type=glob,
        help="only functions whose path in REPO, or PATH::QUALNAME, matches, as in a .gitignore "
        "(repeatable)",
    )
    add(
        "--exclude",
        metavar="GLOB",
        action="append",
        default=[],
        type=glob,
        help="leave out those that match, its tests for example (repeatable)",
    )
    add(
        "--function-seconds",
        metavar="N",
        type=positive,
        help="time for one function with --verify or --env (default 120)",
    )
