"""Warm executors: who wants one like another that was given back gets that one."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from slicefunc.verifier.errors import SandboxError
from slicefunc.verifier.execution.executors.choose_executor import Choice, with_warm_executors
from slicefunc.verifier.execution.executors.interface import (
    Capabilities,
    Executor,
    Job,
    Outcome,
    Profile,
)
from slicefunc.verifier.execution.executors.warm_executors import WarmExecutors

JOB = Job("")


class _Counted:
    """An executor that says how often it was started and closed."""

    def __init__(self, *, breaks: bool = False) -> None:
        self.profiles: list[Profile] = []
        self.closes = 0
        self.breaks = breaks

    def start(self, profile: Profile) -> None:
        self.profiles.append(profile)
        if self.breaks:
            raise SandboxError("no sandbox")

    def run(self, job: Job) -> Outcome:
        if self.breaks or job.name == "interrupted":
            raise KeyboardInterrupt
        return Outcome("exited", stdout=str(id(self)).encode())

    def close(self) -> None:
        self.closes += 1

    def capabilities(self) -> Capabilities:
        return Capabilities("counted", (), ())


def _making(made: list[_Counted], *, breaks: bool = False) -> Callable[[], Executor]:
    def make() -> Executor:
        made.append(_Counted(breaks=breaks))
        return made[-1]

    return make


def _used(warm: WarmExecutors, profile: Profile) -> bytes:
    executor = warm.make()
    executor.start(profile)
    try:
        return executor.run(JOB).stdout
    finally:
        executor.close()


def test_an_executor_is_started_once_for_each_profile() -> None:
    made: list[_Counted] = []
    profiles = [Profile(), Profile(hash_seed=1), Profile(preload=("json",))]
    with WarmExecutors(_making(made)) as warm:
        first = [_used(warm, profile) for profile in profiles]
        assert [_used(warm, profile) for profile in profiles] == first
        assert [each.closes for each in made] == [0, 0, 0]
    assert [each.profiles for each in made] == [[profile] for profile in profiles]
    assert [each.closes for each in made] == [1, 1, 1]


def test_two_at_a_time_are_two() -> None:
    made: list[_Counted] = []
    with WarmExecutors(_making(made)) as warm:
        one, other = warm.make(), warm.make()
        one.start(Profile())
        other.start(Profile())
        assert one.run(JOB).stdout != other.run(JOB).stdout
        one.close()
        other.close()


def test_the_one_that_was_not_used_for_longest_is_closed() -> None:
    made: list[_Counted] = []
    with WarmExecutors(_making(made), most=2) as warm:
        for seed in (0, 1, 0, 2):
            _used(warm, Profile(hash_seed=seed))
        assert [each.closes for each in made] == [0, 1, 0]


def test_those_that_are_expected_are_started_before_anyone_wants_them() -> None:
    made: list[_Counted] = []
    wanted, unwanted = Profile(hash_seed=1), Profile(hash_seed=2)
    with WarmExecutors(_making(made)) as warm:
        warm.expect([wanted, unwanted])
        warm.expect([wanted])
        while len(made) < 2 or not made[1].profiles:
            time.sleep(0.001)
        assert _used(warm, wanted) == str(id(made[0])).encode()
    assert [each.profiles for each in made] == [[wanted], [unwanted]]
    assert [each.closes for each in made] == [1, 1]


def test_one_that_does_not_start_is_told_to_who_wants_it() -> None:
    made: list[_Counted] = []
    with WarmExecutors(_making(made, breaks=True)) as warm:
        warm.expect([Profile(), Profile(hash_seed=1)])
        with pytest.raises(SandboxError):
            warm.make().start(Profile())
    assert made[0].closes == 1


def test_one_that_does_not_start_is_not_kept() -> None:
    made: list[_Counted] = []
    with WarmExecutors(_making(made, breaks=True)) as warm:
        for _ in range(2):
            with pytest.raises(SandboxError):
                warm.make().start(Profile())
    assert [each.closes for each in made] == [1, 1]


def test_one_that_was_interrupted_in_a_job_is_not_kept() -> None:
    made: list[_Counted] = []
    with WarmExecutors(_making(made)) as warm:
        executor = warm.make()
        executor.start(Profile())
        with pytest.raises(KeyboardInterrupt):
            executor.run(Job("", name="interrupted"))
        executor.close()
        assert made[0].closes == 1
        _used(warm, Profile())
    assert len(made) == 2


@pytest.mark.parametrize("wanted", [Profile(), Profile(hash_seed=1)])
def test_the_executor_that_a_choice_keeps_is_the_first_that_is_warm(wanted: Profile) -> None:
    made: list[_Counted] = []
    choice = Choice("counted", _making(made), Capabilities("counted", (), ()), ())
    with with_warm_executors(choice, Profile()) as warm:
        (kept,) = made
        executor = warm.make()
        executor.start(wanted)
        assert executor.run(JOB).stdout == str(id(made[-1])).encode()
        assert (made[-1] is kept) == (wanted == Profile())
        executor.close()
    assert kept.profiles == []  # it was started by who chose it
    assert [each.closes for each in made] == [1] * len(made)
