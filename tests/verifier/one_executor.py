"""An executor that tests share which leave it as it was."""

from __future__ import annotations

from functools import cache

from slicefunc.verifier.execution.executors.choose_executor import choose
from slicefunc.verifier.execution.executors.interface import Executor, Profile

BARE = Profile()


@cache
def one_executor(profile: Profile = BARE) -> Executor:
    """The same for all tests of a process.

    It is a sandbox where one works: that forks for each job, while the plain executor starts an
    interpreter, which takes longer than what a search runs in it.
    """
    executor = choose(profile, allow_unshielded=True, keeps=True).make()
    executor.start(profile)
    return executor
