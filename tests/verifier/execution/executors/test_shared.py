"""Sandboxes are shared between users of one profile, within a bound."""

from __future__ import annotations

from dataclasses import dataclass, field

from slicefunc.verifier.execution.executors.interface import Capabilities, Job, Outcome, Profile
from slicefunc.verifier.execution.executors.shared_sandboxes import SharedSandboxes

SEEDS = [Profile(hash_seed=seed) for seed in range(3)]
SIZE = 64 << 20
"""What a sandbox counts that cannot be measured."""


@dataclass
class _Executor:
    """Records what becomes of it."""

    log: list[str]
    ends: list[str] = field(default_factory=list)
    profile: Profile = field(default_factory=Profile)

    def start(self, profile: Profile) -> None:
        self.profile = profile
        self.log.append(f"start {profile.hash_seed}")

    def run(self, job: Job) -> Outcome:
        return Outcome("infrastructure" if job.source == "lost" else "exited")

    def close(self) -> None:
        self.log.append(f"close {self.profile.hash_seed}")

    def capabilities(self) -> Capabilities:
        return Capabilities("recording", (), ())


def _shared(log: list[str], most: int) -> SharedSandboxes:
    return SharedSandboxes(lambda: _Executor(log), most * SIZE)


def test_a_profile_starts_once() -> None:
    log: list[str] = []
    shared = _shared(log, 9)
    for profile in (SEEDS[0], SEEDS[1], SEEDS[0], SEEDS[1]):
        assert shared.run(profile, Job("")).end == "exited"
    assert log == ["start 0", "start 1"]
    shared.close()
    assert log[2:] == ["close 0", "close 1"]
    assert (shared.usage().warm, shared.usage().bytes, shared.usage().starts) == (0, 0, 2)


def test_the_least_recently_used_one_makes_room() -> None:
    log: list[str] = []
    shared = _shared(log, 2)
    for profile in (SEEDS[0], SEEDS[1], SEEDS[0], SEEDS[2]):
        shared.run(profile, Job(""))
    assert log == ["start 0", "start 1", "start 2", "close 1"]
    assert shared.usage().bytes == 2 * SIZE


def test_a_lost_one_is_not_used_again() -> None:
    log: list[str] = []
    shared = _shared(log, 2)
    assert shared.run(SEEDS[0], Job("lost")).end == "infrastructure"
    assert shared.run(SEEDS[0], Job("")).end == "exited"
    assert log == ["start 0", "close 0", "start 0"]


def test_after_the_end_nothing_starts() -> None:
    log: list[str] = []
    shared = _shared(log, 2)
    shared.close()
    assert shared.run(SEEDS[0], Job("")).end == "infrastructure"
    assert log == []


def test_who_borrows_one_leaves_it_running() -> None:
    log: list[str] = []
    shared = _shared(log, 2)
    for _ in range(2):
        borrower = shared.lend()
        borrower.start(SEEDS[1])
        assert borrower.run(Job("")).end == "exited"
        borrower.close()
    assert log == ["start 1"]
