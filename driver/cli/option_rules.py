"""Rules for combining options of the main command.

Every start loads this module, so it imports nothing.
"""

from __future__ import annotations

TYPE_CHECKING = False  # type checkers treat the name like typing's; importing typing is slow
if TYPE_CHECKING:
    import argparse


class UsageError(Exception):
    """Arguments of the command line that contradict one another; the text is one line."""


def check(arguments: argparse.Namespace) -> None:
    """Refuse combinations that argparse cannot express.

    Raises:
        UsageError: options that exclude each other, or lack one that they need.
    """
    if arguments.pipeline == "repost":
        _check_repost(arguments)
        return
    if arguments.all:
        _check_all(arguments)
        return
    for option in ("jobs", "resume", "limit", "include", "exclude", "function_seconds"):
        if getattr(arguments, option):
            raise UsageError(f"--{option.replace('_', '-')} is for --all only")
    if not arguments.targets and "::" in str(arguments.repo):
        raise UsageError("no target: write REPO and PATH::QUALNAME apart, as two arguments")
    if not arguments.targets:
        raise UsageError("no target: name PATH::QUALNAME after the repository, or use --all")
    _check_verify(arguments)
    if _writes_tree(arguments.emit) and arguments.output is None:
        raise UsageError("--emit package writes a folder: name it with -o")


def _check_repost(arguments: argparse.Namespace) -> None:
    """Check `--pipeline repost`: one target, a model, no options of slices and environments."""
    if len(arguments.targets) != 1:
        raise UsageError("--pipeline repost takes one target")
    if not (arguments.llm or arguments.llm_replay):
        raise UsageError("--pipeline repost needs --llm, or --llm-replay")
    others = ("test", "cases", "verify", "env", "explain", "keep", "stubs", "mock", "search")
    of_all = ("all", "jobs", "resume", "limit", "include", "exclude", "function_seconds")
    for option in (*others, *of_all, "llm_stages", "min_killed", "min_unseen"):
        if getattr(arguments, option) not in (None, False, []):
            name = {"keep": "with", "stubs": "stub", "llm_stages": "llm-stage"}.get(option, option)
            raise UsageError(f"--{name.replace('_', '-')} is for --pipeline slice")
    if arguments.emit != "script":
        raise UsageError("--emit is for --pipeline slice")
    _check_asked(arguments)


def _check_all(arguments: argparse.Namespace) -> None:
    if arguments.cases:
        raise UsageError("--cases is for a named target only")
    if arguments.targets:
        raise UsageError(f"--all takes no target, but {arguments.targets[0]!r} is given")
    if arguments.explain is not None:
        raise UsageError("--explain is for named targets; --all reports with --json")
    if arguments.test and not (arguments.verify or arguments.env):
        raise UsageError("--all with --test needs --verify or --env")
    if arguments.verify and _writes_tree(arguments.emit):
        raise UsageError("--verify takes one script: use another layout than package")
    if arguments.function_seconds and not (arguments.verify or arguments.env):
        raise UsageError("--function-seconds is for --all with --verify or --env")
    if arguments.resume and arguments.output is None and arguments.env is None:
        raise UsageError("--resume needs -o or --env, the folder of the run to go on with")
    _check_runs(arguments)


def _check_verify(arguments: argparse.Namespace) -> None:
    if arguments.cases and not (arguments.verify or arguments.env):
        raise UsageError("--cases is for --verify and --env")
    _check_runs(arguments)
    if (arguments.verify or arguments.env or arguments.test) and len(arguments.targets) > 1:
        raise UsageError("--verify, --test and --env take one target")


def _check_model(arguments: argparse.Namespace) -> None:
    _check_asked(arguments)
    if arguments.llm_stages and not (arguments.llm or arguments.llm_replay):
        raise UsageError("--llm-stage is for --llm")
    is_verified = arguments.test and (arguments.verify or arguments.env)
    if (arguments.llm or arguments.llm_replay) and not is_verified:
        raise UsageError("--llm is for --test with --verify or --env")


def _check_asked(arguments: argparse.Namespace) -> None:
    if arguments.llm is False and arguments.llm_replay:
        raise UsageError("--no-llm and --llm-replay exclude each other")
    is_asked = arguments.llm or arguments.llm_replay
    for option in ("llm_model", "llm_base_url", "llm_budget", "llm_cache"):
        if getattr(arguments, option) is not None and not is_asked:
            raise UsageError(f"--{option.replace('_', '-')} is for --llm")


def _check_runs(arguments: argparse.Namespace) -> None:
    if arguments.env and not (arguments.cases or arguments.test):
        raise UsageError("--env needs --test, or --cases, a file of calls of the target")
    for option in ("min_branches", "min_killed", "min_unseen"):
        if getattr(arguments, option) is not None and not (arguments.cases or arguments.test):
            raise UsageError(f"--{option.replace('_', '-')} needs --test or --cases")
    _check_model(arguments)
    if arguments.search and not (arguments.test and (arguments.verify or arguments.env)):
        raise UsageError("--search is for --test with --verify or --env")
    if arguments.no_install and not (arguments.verify or arguments.env):
        raise UsageError("--no-install is for --verify and --env")
    if arguments.executor and not (arguments.verify or arguments.env or arguments.test):
        raise UsageError("--executor is for --verify, --test and --env")


def _writes_tree(emit: str) -> bool:
    from ...slicer.emission.choose_layout import candidates

    return candidates(emit)[0].is_tree
