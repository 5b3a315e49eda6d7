"""`slice-func eval simulate`: models that need no key, and whose answers are known."""

from __future__ import annotations

from ..parser import Parser, port

TYPE_CHECKING = False  # type checkers treat the name like typing's; importing typing is slow
if TYPE_CHECKING:
    import argparse


def parser() -> Parser:
    """Return the grammar of `slice-func eval simulate`."""
    made = Parser(
        "slice-func eval simulate",
        ("dataset", "host", "port"),
        usage="slice-func eval simulate [options] DATASET",
        description="Serve simulated models with OpenAI's protocol: gold-0.3 writes the original "
        "with that probability, and a wrong function otherwise; varied-0.3 uses other words; "
        "the others show what contexts, feedback and tools do.",
    )
    add = made.add_argument_group("what to serve").add_argument
    add("dataset", metavar="DATASET", help="dataset, or folder of tasks, that they know")
    add = made.add_argument_group("where").add_argument
    add(
        "--host",
        metavar="ADDRESS",
        default="127.0.0.1",
        help="address to listen on (default 127.0.0.1)",
    )
    add("--port", metavar="N", type=port, default=8001, help="0 for any free one (default 8001)")
    made.add_general()
    return made


def run(arguments: argparse.Namespace) -> int:
    """Serve until a signal comes.

    Raises:
        SliceFuncError: no dataset, no port, no library.
    """
    from ...console.streams import say
    from ...settings.extras import require

    require("eval", "starlette", "uvicorn", "pyarrow", "fsspec")
    from ...evaluation.simulation.server import serve

    serve(arguments.dataset, arguments.host, arguments.port, say)
    return 0
