"""Environments: what scripts import, locked, installed once, and shared by all that need the same.

Installing is the only step of the project that uses the network, and takes wheels only unless told
otherwise. An environment holds foreign code that runs whenever its interpreter starts (`.pth`
files), so nothing here starts it once something is installed: that is for executors.
"""

from .cache import Cache, Environment
from .errors import InstallError
from .locks import Lock, LockedPackage, read_lock
from .merge import Merged, merge_locks
from .policy import Policy
from .provide import Provided, provide, provide_merged
from .pythons import find_python
from .reasons import Problem, ReasonCode
from .repair import Addition, Repaired, missing_distribution, run_with_repairs
from .resolve import Resolution, resolve

__all__ = [
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
