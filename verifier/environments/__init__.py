"""Environments: what scripts import, locked, installed once, and shared by all that need the same.

Installing is the only step of the project that uses the network, and takes wheels only unless told
otherwise. An environment holds foreign code that runs whenever its interpreter starts (`.pth`
files), so nothing here starts it once something is installed: that is for executors.

What Python code takes from it is loaded on first use: who scores candidates resolves nothing.
"""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False  # what a type checker takes for typing's own; importing typing costs a start
if TYPE_CHECKING:
    from .cache import Cache, Environment
    from .errors import InstallError
    from .locks import Lock, LockedPackage, read_lock
    from .merge import Merged, merge_locks
    from .policy import Policy
    from .provision import Provided, provide, provide_merged
    from .pythons import find_python
    from .reasons import Problem, ReasonCode
    from .repair import REPAIRS, Addition, Repaired, missing_distribution, run_with_repairs
    from .resolution import Resolution, resolve

__all__ = [
    "REPAIRS",
    "Addition",
    "Cache",
    "Environment",
    "InstallError",
    "Lock",
    "LockedPackage",
    "Merged",
    "Policy",
    "Problem",
    "Provided",
    "ReasonCode",
    "Repaired",
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
    "REPAIRS": "repair",
    "Addition": "repair",
    "Cache": "cache",
    "Environment": "cache",
    "InstallError": "errors",
    "Lock": "locks",
    "LockedPackage": "locks",
    "Merged": "merge",
    "Policy": "policy",
    "Problem": "reasons",
    "Provided": "provision",
    "ReasonCode": "reasons",
    "Repaired": "repair",
    "Resolution": "resolution",
    "find_python": "pythons",
    "merge_locks": "merge",
    "missing_distribution": "repair",
    "provide": "provision",
    "provide_merged": "provision",
    "read_lock": "locks",
    "resolve": "resolution",
    "run_with_repairs": "repair",
}
"""Name → the module that has it."""


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{_HOMES[name]}", __name__), name)
