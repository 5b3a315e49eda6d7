"""The command line's grammar: its arguments, and the text of `--help`.

Every start loads this module, so it imports nothing that a run may not need. The command that uses
the passes and their data imports them.
"""

from __future__ import annotations

import argparse

from ...slicer.emission.layouts import NAMES as LAYOUTS
from ...verifier.execution.executors import NAMES as EXECUTORS
from .option_rules import UsageError, check

TYPE_CHECKING = False  # type checkers treat the name like typing's; importing typing is slow
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Never

    from ...slicer.graph.receivers import Tool

EMITS = ("script", *LAYOUTS)
MOCKS = ("auto", "none")
PIPELINES = ("slice", "repost")
STAGES = ("inputs", "answers", "distributions", "tests", "docstring", "rivals")
"""Stages of the pipeline for which a model can be used."""
COMPARES = ("outcome", "strict")
GRAPH_FORMATS = ("json", "dot", "pycg")
INFERRERS: dict[str, tuple[Tool, ...]] = {
    "jedi": ("jedi",),
    "astroid": ("astroid",),
    "both": ("jedi", "astroid"),
}
"""`--infer` → the libraries in the order of their queries."""
INFER_SECONDS = 60
EXIT_STATUSES = """\
exit status: 0 done; 1 a check failed; 2 wrong target, option or source; 3 not supported yet;
4 the sandbox or the model service failed; 70 a bug in slice-func.
"""
HELP_WIDTH = 96


class _Formatter(argparse.RawDescriptionHelpFormatter):
    """Help text with one width and form, on every terminal and every Python."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=27, width=HELP_WIDTH)

    def _format_action_invocation(self, action: argparse.Action) -> str:
        if not action.option_strings or action.nargs == 0:
            return super()._format_action_invocation(action)
        value = self._format_args(action, action.dest.upper())
        return f"{', '.join(action.option_strings)} {value}"


class _Parser(argparse.ArgumentParser):
    """A parser that raises where argparse would print its usage and exit."""

    def error(self, message: str) -> Never:
        raise UsageError(f"{message} (see {self.prog} --help)")


class _Version(argparse.Action):
    """`--version`, which looks up the number only when needed."""

    def __call__(self, parser: argparse.ArgumentParser, *_rest: object) -> None:
        from importlib.metadata import version  # slow to import, and needed only here

        print(f"slice-func {version('slice-func')}")
        parser.exit()


def parse_slice(argv: Sequence[str]) -> argparse.Namespace:
    """Read the arguments of `slice-func REPO TARGET…`.

    Raises:
        UsageError: an unknown option, a missing word, or options that exclude each other.
    """
    given = slice_parser().parse_intermixed_args(list(argv))
    _read_explained(given)
    check(given)
    return given


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


def parse_graph(argv: Sequence[str]) -> argparse.Namespace:
    """Read the arguments of `slice-func graph REPO [TARGET]`.

    Raises:
        UsageError: an unknown option, a missing word, or an option that means nothing here.
    """
    given = graph_parser().parse_intermixed_args(list(argv))
    if given.infer_seconds and not given.infer:
        raise UsageError("--infer-seconds is for --infer only")
    return given


def parse_score(argv: Sequence[str]) -> argparse.Namespace:
    """Read the arguments of `slice-func score ENV CANDIDATE…`.

    Raises:
        UsageError: an unknown option, or a missing word.
    """
    return score_parser().parse_intermixed_args(list(argv))


def _place(text: str) -> str | None:
    """Return the output path; `-` is standard output, like no path."""
    return None if text == "-" else text


def slice_parser() -> argparse.ArgumentParser:
    """Return the grammar of the main command."""
    parser = _Parser(
        prog="slice-func",
        usage="slice-func [options] REPO PATH::QUALNAME [PATH::QUALNAME ...]\n"
        "       slice-func [options] REPO --all\n"
        "       slice-func graph [options] REPO [PATH::QUALNAME]\n"
        "       slice-func score [options] ENV CANDIDATE [CANDIDATE ...]",
        description="Print one standalone script that holds a function of REPO and everything\n"
        "that it needs from there, verbatim.",
        epilog="A folder that is called graph or score is written ./graph or ./score.\n\n"
        + EXIT_STATUSES,
        formatter_class=_Formatter,
        allow_abbrev=False,
    )
    add = parser.add_argument
    add("repo", metavar="REPO", help="folder of the repository")
    add(
        "targets",
        metavar="PATH::QUALNAME",
        nargs="*",
        help="file inside REPO, and function, method or class in it; several share one script",
    )
    add(
        "-o",
        "--output",
        metavar="PATH",
        type=_place,
        help="file, or folder with --emit package or --all",
    )
    add(
        "--emit",
        choices=EMITS,
        default="script",
        help="layout; script (default) is flat where that is safe, and modules otherwise",
    )
    add(
        "--mock",
        choices=MOCKS,
        help="auto (default) replaces the network, servers, hardware and the like; none does not",
    )
    add(
        "--stub",
        dest="stubs",
        metavar="NAME",
        action="append",
        default=[],
        help="stub this distribution even if it could be installed (repeatable)",
    )
    _add_root(parser)
    add(
        "--with",
        dest="keep",
        metavar="PATH::QUALNAME",
        action="append",
        default=[],
        help="keep this too, a parameter's class for example (repeatable)",
    )
    add(
        "--explain",
        nargs="?",
        const="",
        metavar="NAME",
        help="why each definition was kept, on standard error; or the one chain that keeps NAME",
    )
    add(
        "--json",
        action="store_true",
        help="the manifest on standard output; the script then only goes to -o",
    )
    _add_verify(parser)
    _add_model(parser)
    _add_all(parser)
    add("--version", action=_Version, nargs=0, help="show the version and exit")
    return parser


def _add_verify(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("running it, in a sandbox")
    group.add_argument(
        "--verify",
        action="store_true",
        help="check that it is the repository's code and runs alone; the report on standard error",
    )
    group.add_argument(
        "--test",
        action="store_true",
        help="also synthesise cases, without a model; alone, the script becomes an eval script "
        "that compares a new implementation with the original",
    )
    group.add_argument(
        "--cases",
        metavar="FILE",
        help="cases written by hand: functions in a Python file, one call of the target each",
    )
    group.add_argument(
        "--min-branches",
        metavar="N",
        type=_per_cent,
        help="branches of the target that the cases take, in per cent (default 80)",
    )
    group.add_argument(
        "--min-killed",
        metavar="N",
        type=_per_cent,
        help="mutants of the target that the cases kill, in per cent (default 80)",
    )
    group.add_argument(
        "--min-unseen",
        metavar="N",
        type=_per_cent,
        help="the same of the third of them that no case was made for (default 80)",
    )
    group.add_argument(
        "--search",
        choices=("plain", "crosshair"),
        help="with crosshair, a solver looks for arguments that take the branches which are left "
        "(needs --test with --verify or --env)",
    )
    _add_executor(group.add_argument)
    group.add_argument(
        "--no-install",
        action="store_true",
        help="run it with this interpreter and what that has; nothing is installed",
    )
    group.add_argument(
        "--env",
        metavar="DIR",
        help="write the environment that scores candidates (needs --test or --cases)",
    )


def _add_model(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("what a model is asked (needs --test with --verify or --env)")
    group.add_argument(
        "--pipeline",
        choices=PIPELINES,
        default="slice",
        help="with repost, the model of --llm does nearly every step, as RepoST has it do, for "
        "comparison: the result is its eval script (default slice)",
    )
    group.add_argument(
        "--llm",
        action=argparse.BooleanOptionalAction,
        help="ask for what the search has left open; text of REPO is sent. The key is "
        "read from OPENAI_API_KEY (default --no-llm)",
    )
    group.add_argument(
        "--llm-stage",
        dest="llm_stages",
        choices=STAGES,
        action="append",
        help="what it is asked for: inputs that reach what is left, answers of stand-ins, "
        "distributions of modules that could not be had, tests whose calls are tried, a docstring "
        "beside the original's, rivals that cases must tell from it (repeatable; default inputs, "
        "answers and distributions)",
    )
    group.add_argument(
        "--llm-replay", action="store_true", help="take answers that were stored, and ask nobody"
    )
    group.add_argument(
        "--llm-model", metavar="NAME", help="as the service calls it (or OPENAI_MODEL)"
    )
    group.add_argument(
        "--llm-base-url",
        metavar="URL",
        help="of any service with OpenAI's protocol (or OPENAI_BASE_URL; default OpenAI's own)",
    )
    group.add_argument(
        "--llm-budget", metavar="USD", type=_money, help="that this run may spend at most"
    )
    group.add_argument(
        "--llm-cache", metavar="FILE", help="where answers are stored, so that none is paid twice"
    )


def _add_all(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("every function of REPO")
    group.add_argument(
        "--all",
        action="store_true",
        help="slice each one, run it if asked to, and report on all; --env then has a folder for "
        "each that passes",
    )
    group.add_argument(
        "--jobs",
        metavar="N",
        type=_positive,
        help="processes (default 1; with --verify or --env one for each core)",
    )
    group.add_argument(
        "--resume",
        action="store_true",
        help="go on with the run whose folder is -o, or else --env",
    )
    group.add_argument("--limit", metavar="N", type=_positive, help="only the first N functions")
    group.add_argument(
        "--include",
        metavar="GLOB",
        action="append",
        default=[],
        type=_glob,
        help="only functions whose path in REPO, or PATH::QUALNAME, matches, as in a .gitignore "
        "(repeatable)",
    )
    group.add_argument(
        "--exclude",
        metavar="GLOB",
        action="append",
        default=[],
        type=_glob,
        help="leave out those that match, its tests for example (repeatable)",
    )
    group.add_argument(
        "--function-seconds",
        metavar="N",
        type=_positive,
        help="time for one function with --verify or --env (default 120)",
    )


def _add_root(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--root",
        dest="roots",
        metavar="DIR",
        action="append",
        default=[],
        help="extra import root inside REPO (repeatable)",
    )


def graph_parser() -> argparse.ArgumentParser:
    """Return the grammar of `slice-func graph`."""
    parser = _Parser(
        prog="slice-func graph",
        usage="slice-func graph [options] REPO [PATH::QUALNAME]",
        description="Print the call graph and the dependency graph of REPO, or of what one\n"
        "target reaches, with the kind of each edge.",
        epilog=EXIT_STATUSES,
        formatter_class=_Formatter,
        allow_abbrev=False,
    )
    parser.add_argument("repo", metavar="REPO", help="folder of the repository")
    parser.add_argument(
        "target", metavar="PATH::QUALNAME", nargs="?", help="only what this definition reaches"
    )
    parser.add_argument(
        "-o", "--output", metavar="PATH", type=_place, help="file instead of standard output"
    )
    parser.add_argument(
        "--format",
        choices=GRAPH_FORMATS,
        default="json",
        help="json (default) and dot have every edge with its kind; pycg has the calls only",
    )
    _add_root(parser)
    parser.add_argument(
        "--infer",
        choices=tuple(INFERRERS),
        help="ask these libraries what calls mean that the graph leaves open; both: astroid is "
        "asked what jedi does not know",
    )
    parser.add_argument(
        "--infer-seconds",
        metavar="N",
        type=_positive,
        help=f"time for --infer (default {INFER_SECONDS})",
    )
    return parser


def score_parser() -> argparse.ArgumentParser:
    """Return the grammar of `slice-func score`."""
    parser = _Parser(
        prog="slice-func score",
        usage="slice-func score [options] ENV CANDIDATE [CANDIDATE ...]",
        description="Say of each candidate whether it does what the target of an environment does.",
        epilog=EXIT_STATUSES,
        formatter_class=_Formatter,
        allow_abbrev=False,
    )
    add = parser.add_argument
    add("environment", metavar="ENV", help="folder that --env has written")
    add(
        "candidates",
        metavar="CANDIDATE",
        nargs="+",
        help="file with a definition of the target, its body, or an answer in Markdown; - is "
        "standard input",
    )
    add("--json", action="store_true", help="a list of all verdicts on standard output")
    add(
        "--compare",
        choices=COMPARES,
        help="what must agree; the environment says if this does not",
    )
    add(
        "--no-feedback",
        action="store_true",
        help="the verdict and the reward alone: neither counts nor differences nor reasons",
    )
    add(
        "--hidden-counts",
        action="store_true",
        help="in how many hidden cases each agrees; nothing to show to whoever writes candidates",
    )
    add("--jobs", metavar="N", type=_positive, help="workers (default 1)")
    add(
        "--candidate-seconds",
        metavar="N",
        type=_positive,
        help="time for one run of a candidate, with all cases or with one where they are run apart "
        "(default 10)",
    )
    _add_executor(add)
    return parser


def _add_executor(add: Callable[..., object]) -> None:
    add(
        "--executor",
        choices=EXECUTORS,
        help="what runs it: the first of embedded and docker that works, if not said; plain is no "
        "sandbox",
    )


def _per_cent(text: str) -> int:
    number = int(text) if text.isascii() and text.isdigit() else -1
    if not 0 <= number <= 100:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 0 to 100")
    return number


def _money(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if not 0 <= number < float("inf"):
        raise argparse.ArgumentTypeError(f"{text!r} is no amount of money")
    return number


def _glob(text: str) -> str:
    if not text.strip("/"):
        raise argparse.ArgumentTypeError(f"{text!r} is no pattern of paths")
    return text


def _positive(text: str) -> int:
    number = int(text) if text.isascii() and text.isdigit() else 0
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number above 0")
    return number
