"""Rules for combining options: an option without effect is refused, with the reason.

Every start loads this module, so it imports nothing heavy.
"""

from __future__ import annotations

from .parser import UsageError

TYPE_CHECKING = False  # type checkers treat the name like typing's; importing typing is slow
if TYPE_CHECKING:
    import argparse

_OF_ALL = ("jobs", "resume", "limit", "include", "exclude", "function_seconds")
_OF_SLICES = (
    *("test", "cases", "verify", "env", "explain", "keep", "stubs", "mock", "search", "all"),
    *(*_OF_ALL, "llm_stages", "min_killed", "min_unseen"),
)
_OF_MODEL = ("llm_stages", "llm_model", "llm_base_url", "llm_budget", "llm_cache")
_SPELLED = {"keep": "with", "stubs": "stub", "llm_stages": "llm-stage"}


def check_slice(arguments: argparse.Namespace) -> None:
    """Refuse combinations that argparse cannot express.

    Raises:
        UsageError: options that exclude each other, or lack one that they need.
    """
    if arguments.llm is False and arguments.llm_replay:
        raise UsageError("--no-llm and --llm-replay exclude each other", "give one of them")
    uses_model = arguments.llm or arguments.llm_replay
    _refuse(
        arguments, () if uses_model else _OF_MODEL, "is for --llm", "add --llm, or leave it out"
    )
    if arguments.pipeline == "repost":
        _check_repost(arguments)
        return
    if arguments.all:
        _check_all(arguments)
    else:
        _check_named(arguments)
    _check_runs(arguments)
    if arguments.stubs and arguments.mock == "none":
        raise UsageError("--mock none replaces nothing, and --stub NAME would", "leave one out")
    if arguments.output and arguments.env and arguments.output == arguments.env:
        raise UsageError(f"-o and --env both name {arguments.env}", "name two places")


def _check_repost(arguments: argparse.Namespace) -> None:
    """Check `--pipeline repost`: one target, a model, no options of slices and environments."""
    if len(arguments.targets) != 1:
        raise UsageError("--pipeline repost takes one target", "name one PATH::QUALNAME")
    if not (arguments.llm or arguments.llm_replay):
        raise UsageError("--pipeline repost asks a model", "add --llm, or --llm-replay")
    _refuse(arguments, _OF_SLICES, "is for --pipeline slice", "leave it out")
    if arguments.emit != "script":
        raise UsageError("--emit is for --pipeline slice", "leave it out")


def _check_all(arguments: argparse.Namespace) -> None:
    if arguments.targets:
        raise UsageError(
            f"--all takes every function, but {arguments.targets[0]!r} is given",
            "leave out one of them; --include GLOB takes a part",
        )
    if arguments.cases:
        raise UsageError("--cases calls one target, and --all takes every function", "use --test")
    if arguments.explain is not None:
        raise UsageError("--explain is for named targets", "use --json, which has all reasons")
    if arguments.test and not (arguments.verify or arguments.env):
        raise UsageError("--all with --test makes no scripts of cases", "add --verify or --env DIR")
    if arguments.function_seconds and not (arguments.verify or arguments.env):
        raise UsageError("--function-seconds bounds what is run", "add --verify or --env DIR")
    if arguments.resume and arguments.output is None and arguments.env is None:
        raise UsageError("--resume goes on in the folder of a run", "name it with -o or --env")


def _check_named(arguments: argparse.Namespace) -> None:
    _refuse(arguments, _OF_ALL, "is for many functions", "add --all, or leave it out")
    if not arguments.targets and "::" in str(arguments.repo):
        raise UsageError(
            "no repository, or no target", "write REPO and PATH::QUALNAME apart, as two arguments"
        )
    if not arguments.targets:
        raise UsageError("no target", "name PATH::QUALNAME after the repository, or use --all")
    if arguments.cases and not (arguments.verify or arguments.env):
        raise UsageError("--cases is for --verify and --env", "add one of them")
    if (arguments.verify or arguments.env or arguments.test) and len(arguments.targets) > 1:
        raise UsageError(
            "--verify, --test and --env take one target", "run the command once for each"
        )
    if _writes_tree(arguments.emit) and arguments.output is None:
        raise UsageError(f"--emit {arguments.emit} writes a folder", "name it with -o")


def _check_runs(arguments: argparse.Namespace) -> None:
    is_recorded = arguments.verify or arguments.env
    if arguments.env and not (arguments.cases or arguments.test):
        raise UsageError(
            "--env needs cases", "add --test, or --cases FILE with calls of the target"
        )
    if not (is_recorded and (arguments.cases or arguments.test)):
        thresholds = ("min_branches", "min_killed", "min_unseen")
        advice = "add --verify or --env DIR, and --test or --cases FILE"
        _refuse(arguments, thresholds, "is a threshold for cases that are verified", advice)
    if (is_recorded or arguments.test) and _writes_tree(arguments.emit):
        raise UsageError("--verify, --test and --env take one script", "leave --emit out")
    if not (arguments.test and is_recorded):
        advice = "add --test, and --verify or --env DIR"
        _refuse(arguments, ("llm", "llm_replay", "search"), "is for the search for cases", advice)
    if arguments.no_install and not is_recorded:
        raise UsageError("--no-install is for --verify and --env", "leave it out")
    if arguments.executor and not (is_recorded or arguments.test):
        raise UsageError("--executor is for --verify, --test and --env", "leave it out")


def _writes_tree(emit: str) -> bool:
    from ...slicer.emission.choose_layout import candidates

    return candidates(emit)[0].is_tree


def _refuse(arguments: argparse.Namespace, names: tuple[str, ...], why: str, advice: str) -> None:
    """Refuse the first of these options that is given."""
    for name in names:
        if getattr(arguments, name) not in (None, False, []):
            raise UsageError(f"--{_SPELLED.get(name, name).replace('_', '-')} {why}", advice)
