"""`slice-func serve`: rewards over HTTP."""

from __future__ import annotations

from ..parser import Parser, UsageError, port, positive, whole
from ..shared_options import add_executor
from .score import COMPARES

TYPE_CHECKING = False  # type checkers treat the name like typing's; importing typing is slow
if TYPE_CHECKING:
    import argparse

_MIB = 1 << 20


def parser() -> Parser:
    """Return the grammar of `slice-func serve`."""
    made = Parser(
        "slice-func serve",
        ("dataset", "host", "port", "workers", "queue", "token_file"),
        usage="slice-func serve [options] DATASET",
        description="Score candidates over HTTP: POST /score takes an environment's id and a "
        "candidate, and answers with verdict and reward.",
    )
    add = made.add_argument_group("what to serve").add_argument
    add("dataset", metavar="DATASET", help="dataset, or folder with environments")
    add = made.add_argument_group("where").add_argument
    add(
        "--host",
        metavar="ADDRESS",
        default="127.0.0.1",
        help="address to listen on (default 127.0.0.1)",
    )
    add("--port", metavar="N", type=port, default=8000, help="0 for any free one (default 8000)")
    add(
        "--token-file",
        metavar="FILE",
        help="file with the token that clients send as Authorization: Bearer; else the variable "
        "SLICE_FUNC_TOKEN; without one only loopback is served",
    )
    add = made.add_argument_group("how much").add_argument
    add("--workers", metavar="N", type=positive, help="candidates scored at once (default 2)")
    add(
        "--queue",
        metavar="N",
        type=positive,
        help="candidates that may wait; more are answered 429 (default 32 for each worker)",
    )
    add(
        "--remember",
        metavar="N",
        type=whole,
        default=10_000,
        help="verdicts kept, so that the same candidate is not run again; 0 for none (default "
        "10000)",
    )
    add(
        "--sandbox-memory",
        metavar="MIB",
        type=positive,
        help="memory for warm sandboxes (default 2048)",
    )
    add(
        "--log",
        metavar="FILE",
        help="append each candidate with its verdict and counts to this file, a line of JSON each, "
        "for slice-func report",
    )
    _add_scoring(made)
    made.add_general()
    return made


def _add_scoring(made: Parser) -> None:
    add = made.add_argument_group("how candidates are run and compared").add_argument
    add(
        "--compare",
        choices=COMPARES,
        help="what must agree; the environment says if this does not",
    )
    add(
        "--candidate-seconds",
        metavar="N",
        type=positive,
        help="time for one run of a candidate (default 10)",
    )
    add("--no-feedback", action="store_true", help="answers have verdict and reward alone")
    add(
        "--hidden-counts",
        action="store_true",
        help="answers have counts of hidden cases; nothing to show to whoever writes candidates",
    )
    add_executor(add)


def run(arguments: argparse.Namespace) -> int:
    """Serve until a signal comes.

    Raises:
        UsageError: counts without feedback.
        SliceFuncError: no dataset, no sandbox, no port, no library, no place for the log.
    """
    from pathlib import Path

    from ...console.streams import say
    from ...settings.extras import require

    if arguments.no_feedback and arguments.hidden_counts:
        raise UsageError("--hidden-counts is feedback, and --no-feedback has none", "leave one out")
    require("serve", "starlette", "uvicorn", "prometheus_client")
    from ...places.environment_scorer import ScoreOptions
    from ...services.bearer_token import read_token
    from ...services.rewards.reward_service import ServiceOptions
    from ...services.rewards.run_service import ServeOptions, serve

    workers = arguments.workers or 2
    service = ServiceOptions(
        workers,
        arguments.queue or 32 * workers,
        arguments.remember,
        has_feedback=not arguments.no_feedback,
        hidden_counts=arguments.hidden_counts,
    )
    options = ServeOptions(
        host=arguments.host,
        port=arguments.port,
        token=read_token(arguments.token_file),
        memory_bytes=(arguments.sandbox_memory or 2048) * _MIB,
        score=ScoreOptions(
            arguments.compare,
            service.threads,
            executor=arguments.executor,
            hidden_counts=arguments.hidden_counts,
            seconds=arguments.candidate_seconds,
        ),
        service=service,
        log=None if arguments.log is None else Path(arguments.log),
    )
    serve(arguments.dataset, options, say)
    return 0
