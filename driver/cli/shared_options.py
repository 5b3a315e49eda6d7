"""Options that several commands have."""

from __future__ import annotations

from ...verifier.execution.executors import NAMES as EXECUTORS

TYPE_CHECKING = False  # type checkers treat the name like typing's; importing typing is slow
if TYPE_CHECKING:
    from collections.abc import Callable


def add_root(add: Callable[..., object]) -> None:
    """Add `--root`."""
    add(
        "--root",
        dest="roots",
        metavar="DIR",
        action="append",
        default=[],
        help="extra import root inside REPO (repeatable)",
    )


def add_executor(add: Callable[..., object]) -> None:
    """Add `--executor`."""
    add(
        "--executor",
        choices=EXECUTORS,
        help="what runs it: the first of embedded and docker that works, if not said; plain is no "
        "sandbox",
    )
