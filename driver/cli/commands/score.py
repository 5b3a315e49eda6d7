"""`slice-func score`: whether candidates do what the target of an environment does."""

from __future__ import annotations

from ..parser import Parser, UsageError, positive
from ..shared_options import add_executor

TYPE_CHECKING = False  # type checkers treat the name like typing's; importing typing is slow
if TYPE_CHECKING:
    import argparse

    from ....verifier.scoring.verdict import Score

COMPARES = ("outcome", "strict")


def parser() -> Parser:
    """Return the grammar of `slice-func score`."""
    made = Parser(
        "slice-func score",
        ("environment", "candidates", "json", "no_feedback", "jobs"),
        usage="slice-func score [options] ENV CANDIDATE [CANDIDATE ...]",
        description="Say of each candidate whether it does what the target of an environment does.",
    )
    add = made.add_argument_group("what to score").add_argument
    add("environment", metavar="ENV", help="folder that --env has written")
    add(
        "candidates",
        metavar="CANDIDATE",
        nargs="+",
        help="file with the target, its body, or an answer in Markdown; - is standard input",
    )
    add = made.add_argument_group("output").add_argument
    add("--json", action="store_true", help="a list of all verdicts on standard output")
    add(
        "--no-feedback",
        action="store_true",
        help="verdict and reward alone: no counts, no differences, no reasons",
    )
    add(
        "--hidden-counts",
        action="store_true",
        help="in how many hidden cases each agrees; nothing to show to whoever writes candidates",
    )
    add = made.add_argument_group("how candidates are run and compared").add_argument
    add("--jobs", metavar="N", type=positive, help="workers (default 1)")
    add(
        "--compare",
        choices=COMPARES,
        help="what must agree; the environment says if this does not",
    )
    add(
        "--candidate-seconds",
        metavar="N",
        type=positive,
        help="time for one run of a candidate, with all cases or with one where they are run apart "
        "(default 10)",
    )
    add_executor(add)
    made.add_general()
    return made


def run(arguments: argparse.Namespace) -> int:
    """Report for each candidate whether it behaves like the target.

    Raises:
        UsageError: counts without feedback, or standard input twice.
    """
    from ...console.streams import printable, say, write_json, write_stdout
    from ...places.environment_scorer import ScoreOptions
    from .score_files import exit_status, line_of, score_files

    if arguments.no_feedback and arguments.hidden_counts:
        raise UsageError("--hidden-counts is feedback, and --no-feedback has none", "leave one out")
    if arguments.candidates.count("-") > 1:
        raise UsageError(
            "standard input (-) is given twice", "it holds one candidate: name it once"
        )
    options = ScoreOptions(
        arguments.compare,
        arguments.jobs or 1,
        arguments.executor,
        hidden_counts=arguments.hidden_counts,
        seconds=arguments.candidate_seconds,
    )
    has_feedback = not arguments.no_feedback
    scores: list[Score] = []
    for score in score_files(arguments.environment, arguments.candidates, options, say):
        scores.append(score)
        if not arguments.json:
            line = printable(line_of(score, has_feedback=has_feedback))
            write_stdout(f"{line}\n".encode("utf-8", "backslashreplace"))
    if arguments.json:
        write_json([score.to_json(has_feedback=has_feedback) for score in scores])
    return exit_status(scores)
