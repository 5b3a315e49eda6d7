"""Every hostile script ends as it must, touches nothing outside, and leaves nothing to the next."""

from __future__ import annotations

import shutil
import socket
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from slicefunc.verifier.execution.executors.interface import Executor, Job, Limits, Outcome
from slicefunc.verifier.sandbox.isolation import landlock

from tests.verifier.execution.executors.hostile_scripts import (
    AT_THE_NEXT,
    PRELUDE,
    THE_FORTY,
    Hostile,
)

LIMITS = Limits(
    cpu_seconds=5,
    memory_bytes=512 << 20,
    disk_bytes=64 << 20,
    file_bytes=32 << 20,
    files=1500,
)
EVERY = (*THE_FORTY, *AT_THE_NEXT)

PROBE = """
import fcntl, gc, json, os, resource, signal, socket, sys, threading, time
def listed(folder):
    try: return sorted(os.listdir(folder))
    except OSError as error: return type(error).__name__
here = os.statvfs(".")
server = socket.socket(); server.bind(("127.0.0.1", 8080))
library = open(os.__file__, "rb")
for _ in range(50):   # other workers' scripts see the same file
    try: fcntl.flock(library, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError: time.sleep(.05)
    else: break
else: raise TimeoutError("locked")
threads = [threading.Thread(target=str) for _ in range(20)]
for each in threads: each.start()
memory = bytearray(100 << 20)
child = os.fork()
if child == 0: os._exit(9)
print(json.dumps({
    "files": [listed(each) for each in (".", "/tmp", "/box", "/dev/shm")],
    "disk": [here.f_blocks, here.f_bfree, here.f_files, here.f_ffree],
    "processes": sorted(int(each) for each in os.listdir("/proc") if each.isdigit()),
    "descriptors": listed("/proc/self/fd"), "environment": dict(os.environ),
    "hash": hash("x"), "id": id(object), "modules": len(sys.modules), "gc": gc.get_threshold(),
    "nice": os.nice(0), "umask": os.umask(0), "child": os.waitpid(child, 0)[1],
    "signals": [str(signal.getsignal(each)) for each in sorted(signal.valid_signals())],
    "limits": [resource.getrlimit(each) for each in range(16) if each != resource.RLIMIT_AS],
    "inotify": __import__("ctypes").CDLL(None).inotify_init() >= 0,
    "unix": listed("/proc/net/unix"), "pid": os.getpid(), "switch": sys.getswitchinterval(),
}, default=str))
"""


@pytest.fixture(scope="module")
def bait() -> Iterator[tuple[str, ...]]:
    """What a script could find outside: a readable secret, a port, two sockets."""
    folder = Path(tempfile.mkdtemp(dir="/var/tmp"))
    folder.chmod(0o777)
    (folder / "canary").write_text("secret")
    abstract = f"slice-func-{folder.name}"
    port = socket.create_server(("127.0.0.1", 0))
    named, nameless = socket.socket(socket.AF_UNIX), socket.socket(socket.AF_UNIX)
    with port, named, nameless:
        named.bind(str(folder / "sock"))
        (folder / "sock").chmod(0o777)
        nameless.bind("\0" + abstract)
        named.listen()
        nameless.listen()
        yield str(folder), str(port.getsockname()[1]), abstract
    assert {each.name for each in folder.iterdir()} == {"canary", "sock"}
    assert (folder / "canary").read_text() == "secret"
    shutil.rmtree(folder)


@pytest.fixture(autouse=True)
def secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CANARY_TOKEN", "CANARY-secret")


def _attack(executor: Executor, hostile: Hostile, bait: tuple[str, ...]) -> Outcome:
    job = Job(PRELUDE + hostile.source, argv=bait)
    for seconds in (hostile.wall_seconds, 30.0):
        limits = replace(LIMITS, wall_seconds=seconds)
        outcome = executor.run(replace(job, limits=limits))
        if outcome.stdout.startswith(b"begin"):
            break  # a busy machine may need longer for that
    assert outcome.end != "infrastructure", outcome.detail
    assert outcome.is_set_up
    assert outcome.stdout.startswith(b"begin"), outcome.stderr[-2000:]
    assert b"BREACH" not in outcome.stdout, outcome.stdout.decode()
    assert outcome.end in hostile.ends, (outcome.end, outcome.detail, outcome.stderr[-2000:])
    shown = outcome.stdout.decode()[-3000:] + outcome.stderr.decode()[-1000:]
    assert outcome.stdout.count(b"refused") >= hostile.refused, shown
    return outcome


@pytest.mark.parametrize("hostile", EVERY, ids=lambda each: each.name)
def test_a_hostile_script_is_contained_and_the_next_one_is_clean(
    sandbox: Executor, hostile: Hostile, bait: tuple[str, ...]
) -> None:
    before = sandbox.run(Job(PROBE, limits=LIMITS))
    assert before.exit_status == 0, before
    _attack(sandbox, hostile, bait)
    after = sandbox.run(Job(PROBE, limits=LIMITS))
    assert after.stdout == before.stdout, after


@pytest.mark.skipif(not landlock.version(), reason="without Landlock it lacks nearly everything")
@pytest.mark.parametrize(
    "hostile", [each for each in EVERY if each.holds_plain], ids=lambda each: each.name
)
def test_the_plain_executor_holds_what_it_says(
    plain: Executor, hostile: Hostile, bait: tuple[str, ...]
) -> None:
    _attack(plain, hostile, bait)


def test_the_suite_has_the_forty_scripts_and_persistence_in_order() -> None:
    names = [each.name for each in THE_FORTY]
    assert len(names) >= 40
    assert names[-2:] == ["persist_1", "persist_2"]
    assert len({each.name for each in EVERY}) == len(EVERY)
