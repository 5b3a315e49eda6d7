"""Options that several commands have."""

from __future__ import annotations

from ...verifier.execution.executors import NAMES as EXECUTORS
from .parser import UsageError, money, per_cent

TYPE_CHECKING = False  # type checkers treat the name like typing's; importing typing is slow
if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

    from ...llm.client.model_settings import Settings


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


def add_references(add: Callable[..., object]) -> None:
    """Add the options that name reference sets, and say how alike is too alike."""
    add(
        "--against",
        metavar="FILE",
        action="append",
        default=[],
        help="reference set: .jsonl, .json, .parquet, .py, or a folder of them (repeatable)",
    )
    add(
        "--field",
        dest="fields",
        metavar="NAME",
        action="append",
        default=[],
        help="field with code in records of other names than HumanEval's, MBPP's, RepoEval's and "
        "SWE-bench's (repeatable: the texts are joined)",
    )
    add(
        "--same-repository",
        action="store_true",
        help="also leave out all of a repository that a reference names as its repo",
    )
    add(
        "--similarity",
        metavar="N",
        type=per_cent,
        default=70,
        help="how alike two functions are of which one is left out, in per cent (default 70)",
    )


def require_references(arguments: argparse.Namespace) -> None:
    """Check that fields are named of reference sets alone.

    Raises:
        UsageError: no set is named.
    """
    if arguments.fields and not arguments.against:
        raise UsageError("--field names fields of reference sets", "name one with --against")


def add_model(add: Callable[..., object]) -> None:
    """Add the options that name a model and its service."""
    add("--model", metavar="NAME", help="as the service calls it (or OPENAI_MODEL)")
    add(
        "--base-url",
        metavar="URL",
        help="of any service with OpenAI's protocol (or OPENAI_BASE_URL; default OpenAI's own)",
    )


def add_model_budget(add: Callable[..., object]) -> None:
    """Add the options that say what a model may take, and where its answers are stored."""
    add("--llm-replay", action="store_true", help="take answers that were stored, and ask nobody")
    add("--llm-budget", metavar="USD", type=money, help="that this run may spend at most")
    add("--llm-cache", metavar="FILE", help="where answers are stored, so that none is paid twice")


def model_settings(arguments: argparse.Namespace, place: str, **more: object) -> Settings:
    """Return the settings that these options and the user's table give.

    Args:
        arguments: the parsed options.
        place: what is worked on, whose own table may name nothing but the model.
        more: further settings.

    Raises:
        OptionError: no model is named, or the table is wrong.
    """
    from pathlib import Path

    from ...llm.client.model_settings import read_settings

    given = {
        "model": arguments.model,
        "base_url": arguments.base_url,
        "run_usd": arguments.llm_budget,
        "cache": arguments.llm_cache,
        "is_replay": arguments.llm_replay or None,
        **more,
    }
    return read_settings(Path(place), given)
