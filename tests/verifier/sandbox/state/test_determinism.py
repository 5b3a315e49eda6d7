"""Two runs of one script see the same random numbers, clocks and entropy."""

from __future__ import annotations

import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.verifier.observation.running import run_records

CLOCK = """import asyncio, datetime, time
from datetime import date, datetime as Moment
class Later(Moment): pass
def f():
    first = (time.time(), time.time_ns(), Moment.now(), datetime.datetime.utcnow(), date.today(),
             Later.now(), Moment.now(datetime.timezone.utc), time.localtime(), time.strftime("%c"),
             time.ctime())
    time.sleep(3600)
    asyncio.run(asyncio.sleep(0.001))
    return first, time.time(), type(Moment.now()) is datetime.datetime
"""

ENTROPY = """import os, random, secrets, tempfile, uuid
def f():
    return (random.random(), random.Random().random(), random.SystemRandom().random(),
            os.urandom(4), uuid.uuid1(), uuid.uuid4(), secrets.token_hex(),
            os.path.basename(tempfile.mktemp()))
"""


def _records(folder: Path, source: str, *cases: str, **settings: object) -> list[str]:
    return run_records(folder, source, "f", *(cases or ("f()",)), determinism=settings)


def test_clocks_stand_still_and_sleeping_moves_them(tmp_path: Path) -> None:
    first = _records(tmp_path, CLOCK, clock=1_000_000_000.25)
    assert first == _records(tmp_path, CLOCK, clock=1_000_000_000.25)
    assert "2001-09-09T01:46:40.250000" in first[1]
    assert "1000003600.25" in first[1]


def test_nothing_takes_time_while_clocks_stand(tmp_path: Path) -> None:
    source = """import time
def f():
    begin = time.perf_counter(), time.perf_counter_ns(), time.process_time(), time.time()
    sum(range(100_000))
    middle = time.perf_counter() - begin[0]
    time.sleep(5)
    return begin, middle, time.perf_counter() - begin[0], time.thread_time_ns(), time.monotonic()
"""
    first = _records(tmp_path, source, clock=1_000_000_000)
    assert first == _records(tmp_path, source, clock=1_000_000_000)
    assert "0.0" in first[1]
    assert "5.0" in first[1]
    assert first[1].count("1000000005.0") == 1


def test_what_stands_in_goes_by_its_true_name(tmp_path: Path) -> None:
    source = """import os, time, uuid
def f():
    known = time.perf_counter, time.monotonic, time.time_ns, time.localtime, os.urandom, uuid.uuid1
    return [(each.__module__, each.__name__) for each in known]
"""
    patched = _records(tmp_path, source, clock=1_000_000_000, entropy=True)
    assert patched[1] == _records(tmp_path, source)[1]


def test_random_numbers_are_seeded_and_entropy_only_where_asked(tmp_path: Path) -> None:
    first = _records(tmp_path, ENTROPY, seed=3, entropy=True)
    assert first == _records(tmp_path, ENTROPY, seed=3, entropy=True)
    assert first != _records(tmp_path, ENTROPY, seed=4, entropy=True)
    assert _records(tmp_path, ENTROPY, seed=3) != _records(tmp_path, ENTROPY, seed=3)


def test_every_case_starts_from_the_same_state(tmp_path: Path) -> None:
    found = _records(tmp_path, "import random\ndef f(): return random.random()", "f()", "f()")
    assert found[1].replace("case_0", "") == found[2].replace("case_1", "")


def test_observations_do_not_depend_on_the_hash_seed(tmp_path: Path) -> None:
    source = """class N:
    def __init__(self, name): self.name, self.near = name, set()
def f():
    nodes = {c: N(c) for c in "abcdefgh"}
    for a, b in zip("abcdefgh", "bcdefgha"):
        nodes[a].near.add(nodes[b]); nodes[b].near.add(nodes[a])
    names = set("abcdefgh")
    return names, set(nodes.values()), {frozenset(p): 1 for p in ("ab", "bc", "ca")}, iter(names)
"""
    found = {"\n".join(run_records(tmp_path, source, "f", "f()", hash_seed=s)) for s in (0, 1, 2)}
    assert len(found) == 1


PLAIN = st.one_of(st.integers(-5, 5), st.text(max_size=3), st.booleans(), st.none())
HASHABLE = st.recursive(
    PLAIN, lambda inner: st.one_of(st.frozensets(inner), st.tuples(inner, inner)), max_leaves=8
)


@settings(max_examples=4, deadline=None)
@given(st.lists(st.one_of(st.sets(HASHABLE), st.dictionaries(HASHABLE, HASHABLE)), max_size=30))
def test_no_value_depends_on_the_hash_seed(values: list[object]) -> None:
    source = "def f(): return " + repr(values)
    with tempfile.TemporaryDirectory() as folder:
        found = [run_records(Path(folder), source, "f", "f()", hash_seed=s) for s in (1, 2)]
    assert found[0] == found[1]
    assert '"outcome":"returned"' in found[0][1]
