"""Rules for combining options of the main command.

Every start loads this module, so it imports nothing.
"""

from __future__ import annotations

TYPE_CHECKING = False  # type checkers treat the name like typing's; importing typing is slow
if TYPE_CHECKING:
    import argparse


class UsageError(Exception):
    """Arguments of the command line that contradict one another; the text is one line."""


def check(given: argparse.Namespace) -> None:
    """Refuse combinations that argparse cannot express.

    Raises:
        UsageError: options that exclude each other, or lack one that they need.
    """
    if given.pipeline == "repost":
        _check_repost(given)
        return
    if given.all:
        _check_all(given)
        return
    for option in ("jobs", "resume", "limit", "include", "exclude", "function_seconds"):
        if getattr(given, option):
            raise UsageError(f"--{option.replace('_', '-')} is for --all only")
    if not given.targets and "::" in str(given.repo):
        raise UsageError("no target: write REPO and PATH::QUALNAME apart, as two arguments")
    if not given.targets:
        raise UsageError("no target: name PATH::QUALNAME after the repository, or use --all")
    _check_verify(given)
    if _writes_tree(given.emit) and given.output is None:
        raise UsageError("--emit package writes a folder: name it with -o")


def _check_repost(given: argparse.Namespace) -> None:
    """Check `--pipeline repost`: one target, a model, no options of slices and environments."""
    if len(given.targets) != 1:
        raise UsageError("--pipeline repost takes one target")
    if not (given.llm or given.llm_replay):
        raise UsageError("--pipeline repost needs --llm, or --llm-replay")
    others = ("test", "cases", "verify", "env", "explain", "keep", "stubs", "mock", "search")
    of_all = ("all", "jobs", "resume", "limit", "include", "exclude", "function_seconds")
    for option in (*others, *of_all, "llm_stages", "min_killed", "min_unseen"):
        if getattr(given, option) not in (None, False, []):
            name = {"keep": "with", "stubs": "stub", "llm_stages": "llm-stage"}.get(option, option)
            raise UsageError(f"--{name.replace('_', '-')} is for --pipeline slice")
    if given.emit != "script":
        raise UsageError("--emit is for --pipeline slice")
    _check_asked(given)


def _check_all(given: argparse.Namespace) -> None:
    if given.cases:
        raise UsageError("--cases is for a named target only")
    if given.targets:
        raise UsageError(f"--all takes no target, but {given.targets[0]!r} is given")
    if given.explain is not None:
        raise UsageError("--explain is for named targets; --all reports with --json")
    if given.test and not (given.verify or given.env):
        raise UsageError("--all with --test needs --verify or --env")
    if given.verify and _writes_tree(given.emit):
        raise UsageError("--verify takes one script: use another layout than package")
    if given.function_seconds and not (given.verify or given.env):
        raise UsageError("--function-seconds is for --all with --verify or --env")
    if given.resume and given.output is None and given.env is None:
        raise UsageError("--resume needs -o or --env, the folder of the run to go on with")
    _check_runs(given)


def _check_verify(given: argparse.Namespace) -> None:
    if given.cases and not (given.verify or given.env):
        raise UsageError("--cases is for --verify and --env")
    _check_runs(given)
    if (given.verify or given.env or given.test) and len(given.targets) > 1:
        raise UsageError("--verify, --test and --env take one target")


def _check_model(given: argparse.Namespace) -> None:
    _check_asked(given)
    if given.llm_stages and not (given.llm or given.llm_replay):
        raise UsageError("--llm-stage is for --llm")
    if (given.llm or given.llm_replay) and not (given.test and (given.verify or given.env)):
        raise UsageError("--llm is for --test with --verify or --env")


def _check_asked(given: argparse.Namespace) -> None:
    if given.llm is False and given.llm_replay:
        raise UsageError("--no-llm and --llm-replay exclude each other")
    is_asked = given.llm or given.llm_replay
    for option in ("llm_model", "llm_base_url", "llm_budget", "llm_cache"):
        if getattr(given, option) is not None and not is_asked:
            raise UsageError(f"--{option.replace('_', '-')} is for --llm")


def _check_runs(given: argparse.Namespace) -> None:
    if given.env and not (given.cases or given.test):
        raise UsageError("--env needs --test, or --cases, a file of calls of the target")
    for option in ("min_branches", "min_killed", "min_unseen"):
        if getattr(given, option) is not None and not (given.cases or given.test):
            raise UsageError(f"--{option.replace('_', '-')} needs --test or --cases")
    _check_model(given)
    if given.search and not (given.test and (given.verify or given.env)):
        raise UsageError("--search is for --test with --verify or --env")
    if given.no_install and not (given.verify or given.env):
        raise UsageError("--no-install is for --verify and --env")
    if given.executor and not (given.verify or given.env or given.test):
        raise UsageError("--executor is for --verify, --test and --env")


def _writes_tree(emit: str) -> bool:
    from ...slicer.emission.choose_layout import candidates

    return candidates(emit)[0].is_tree
