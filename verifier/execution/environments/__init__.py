"""Environments: the packages that scripts import, locked, installed once, and shared.

Installing is the only step that uses the network, and it takes wheels only unless told otherwise.
An environment holds foreign code that runs whenever its interpreter starts (`.pth` files), so
nothing here starts it once something is installed; executors do.

Names of this package are imported on first use, since scoring candidates resolves nothing.
"""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False  # type checkers know this name; importing `typing` would slow each start
if TYPE_CHECKING:
    from .environment_cache import Cache, Environment
    from .environment_locks import Lock, LockedPackage, read_lock
    from .install_policy import Policy
    from .install_reasons import Problem, ReasonCode
    from .install_repair import (
        REPAIRS,
        Addition,
        RepairedRun,
        missing_distribution,
        run_with_repairs,
    )
    from .installer.environment_errors import InstallError
    from .installer.pythons import find_python
    from .merged_locks import MergedLocks, merge_locks
    from .provisioning import ProvidedEnvironment, provide, provide_merged
    from .resolve_versions import Resolution, resolve

__all__ = [
    "REPAIRS",
    "Addition",
    "Cache",
    "Environment",
    "InstallError",
    "Lock",
    "LockedPackage",
    "MergedLocks",
    "Policy",
    "Problem",
    "ProvidedEnvironment",
    "ReasonCode",
    "RepairedRun",
    "Resolution",
    "find_python",
    "merge_locks",
    "missing_distribution",
    "provide",
    "provide_merged",
    "read_lock",
    "resolve",
    "run_with_repairs",
]
_HOMES = {
    "REPAIRS": "install_repair",
    "Addition": "install_repair",
    "Cache": "environment_cache",
    "Environment": "environment_cache",
    "InstallError": "installer.environment_errors",
    "Lock": "environment_locks",
    "LockedPackage": "environment_locks",
    "MergedLocks": "merged_locks",
    "Policy": "install_policy",
    "Problem": "install_reasons",
    "ProvidedEnvironment": "provisioning",
    "ReasonCode": "install_reasons",
    "RepairedRun": "install_repair",
    "Resolution": "resolve_versions",
    "find_python": "installer.pythons",
    "merge_locks": "merged_locks",
    "missing_distribution": "install_repair",
    "provide": "provisioning",
    "provide_merged": "provisioning",
    "read_lock": "environment_locks",
    "resolve": "resolve_versions",
    "run_with_repairs": "install_repair",
}
"""Maps each name to its module."""


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{_HOMES[name]}", __name__), name)
