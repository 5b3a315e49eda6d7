"""Locks are kept as text, name their environment, and are merged where they agree."""

from __future__ import annotations

import itertools

import pytest
from slicefunc.verifier.execution.environments import Lock, LockedPackage, merge_locks, read_lock
from slicefunc.verifier.execution.environments.merged_locks import agree

OUTPUT = """\
b-c==2.0 ; python_version >= '3.8' \\
    --hash=sha256:22 \\
    --hash=sha256:11
A.a==1.0+cpu
# a comment
"""


def lock(*pins: str, python: str = "3.11") -> Lock:
    packages = (
        LockedPackage(name, version) for name, _, version in (p.partition("==") for p in pins)
    )
    return Lock(python, "linux-x86_64", tuple(sorted(packages)))


def test_the_installer_s_output_is_read() -> None:
    assert read_lock(OUTPUT).packages == (
        LockedPackage("a-a", "1.0+cpu"),
        LockedPackage("b-c", "2.0", "python_version >= '3.8'", ("sha256:11", "sha256:22")),
    )


def test_a_lock_survives_as_text() -> None:
    whole = Lock("3.12", "linux-aarch64", read_lock(OUTPUT).packages, "2024-01-01T00:00:00Z")
    assert read_lock(whole.text()) == whole
    assert read_lock(lock().text()) == lock()


def test_what_is_installed_names_the_environment() -> None:
    one = Lock("3.11", "linux-x86_64", (LockedPackage("a", "1", "", ("sha256:11",)),), "2024")
    assert one.digest == lock("a==1").digest
    others = [lock("a==2"), lock("a==1", "b==1"), lock("a==1", python="3.12"), lock()]
    assert len({made.digest for made in [one, *others]}) == 5


def test_locks_that_agree_are_merged() -> None:
    given = [lock("a==1"), lock("a==2"), lock("a==1", "b==1"), lock("c==1", "b==1"), lock()]
    merged = merge_locks(given)
    assert [[p.name + p.version for p in made.packages] for made in merged.locks] == [
        ["a1", "b1", "c1"],
        ["a2"],
    ]
    assert merged.of == (0, 1, 0, 0, 0)
    assert merged.summary() == "2 environments serve 5 scripts"


@pytest.mark.parametrize("order", list(itertools.permutations(range(4))))
def test_the_order_of_scripts_does_not_matter(order: tuple[int, ...]) -> None:
    given = [lock("a==1", "b==1"), lock("a==2", "b==1"), lock("b==1", "c==1"), lock("c==2")]
    merged = merge_locks([given[i] for i in order])
    assert merged.locks == merge_locks(given).locks
    for place, number in enumerate(order):
        held = set(merged.locks[merged.of[place]].packages)
        assert set(given[number].packages) <= held


def test_other_pythons_and_markers_do_not_agree() -> None:
    assert not agree(lock("a==1"), lock("b==1", python="3.12"))
    marked = Lock("3.11", "linux-x86_64", (LockedPackage("a", "1", "extra == 'x'"),))
    assert not agree(lock("a==1"), marked)
    assert agree(lock("a==1"), lock("b==1"))


def test_rivals_are_not_brought_together() -> None:
    plain, headless = lock("opencv-python==1"), lock("opencv-python-headless==1")
    assert not agree(plain, headless)
    assert agree(plain, plain)
    both = lock("opencv-python==1", "opencv-python-headless==1")
    assert agree(both, both)
    assert not agree(both, plain)


def test_a_merged_lock_is_bounded_where_all_are() -> None:
    early, late = (Lock("3.11", "l", (), bound) for bound in ("2020", "2021"))
    assert merge_locks([early, late]).locks[0].exclude_newer == "2021"
    assert merge_locks([early, Lock("3.11", "l", ())]).locks[0].exclude_newer == ""
