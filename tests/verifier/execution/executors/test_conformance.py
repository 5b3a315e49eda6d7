"""What every executor must do: a script runs as the interpreter would run it, within its limits."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from slicefunc.verifier.errors import SandboxError
from slicefunc.verifier.execution.executors.interface import (
    Case,
    Determinism,
    Executor,
    Job,
    Limits,
    Outcome,
    Profile,
)

from tests.verifier.execution.executors.conftest import EVERY, make

QUICK = Limits(wall_seconds=1.0)


def _run(executor: Executor, source: str, limits: Limits | None = None, **given: object) -> Outcome:
    outcome = executor.run(Job(textwrap.dedent(source), limits=limits or Limits(), **given))  # pyright: ignore[reportArgumentType]
    assert outcome.end != "infrastructure", outcome.detail
    assert outcome.is_set_up
    assert outcome.protections
    return outcome


def _printed(executor: Executor, source: str, **given: object) -> str:
    outcome = _run(executor, source, **given)  # pyright: ignore[reportArgumentType]
    assert (outcome.end, outcome.exit_status) == ("exited", 0), outcome.stderr.decode()
    return outcome.stdout.decode().strip()


# -- a script runs as the interpreter would run it


def test_what_it_prints_and_its_exit_status_come_back(executor: Executor) -> None:
    outcome = _run(executor, "import sys; print('é'); print('bad', file=sys.stderr); sys.exit(3)")
    assert (outcome.end, outcome.exit_status) == ("exited", 3)
    assert outcome.stdout.decode() == "é\n"
    assert outcome.stderr == b"bad\n"
    assert outcome.wall_seconds > 0
    assert outcome.peak_bytes > 0


@pytest.mark.parametrize(
    ("source", "status", "message"),
    [
        ("raise SystemExit", 0, ""),
        ("raise SystemExit('no')", 1, "no\n"),
        ("raise SystemExit(300)", 44, ""),
        ("import os; os._exit(7)", 7, ""),
        ("def f(:", 1, "SyntaxError"),
        ("1/0", 1, 'script.py", line 1, in <module>\n'),
        ("import threading; threading.Thread(target=lambda: 1/0).start()", 0, "ZeroDivisionError"),
        (
            "import sys; sys.excepthook = lambda *a: print('mine', file=sys.stderr); 1/0",
            1,
            "mine\n",
        ),
    ],
)
def test_a_script_ends_as_it_would_without_us(
    executor: Executor, source: str, status: int, message: str
) -> None:
    outcome = _run(executor, source)
    assert outcome.exit_status == status
    assert message in outcome.stderr.decode()
    assert "sandboxed" not in outcome.stderr.decode()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL, signal.SIGABRT, signal.SIGSEGV])
def test_a_signal_is_reported_as_one(executor: Executor, number: signal.Signals) -> None:
    outcome = _run(executor, f"import os; os.kill(os.getpid(), {int(number)})")
    assert (outcome.end, outcome.signal, outcome.exit_status) == ("signaled", number, None)


def test_it_is_the_main_module_in_its_own_folder(executor: Executor) -> None:
    source = """
        import inspect, os, pickle, sys
        class Point:
            '''Here.'''
        print(__name__, os.path.basename(__file__), __doc__, sys.argv[1:], os.listdir())
        print(inspect.getsource(Point).splitlines()[1].strip())
        print(type(pickle.loads(pickle.dumps(Point()))) is Point, sys.path[0] == os.getcwd())
        print(sys.modules["__main__"].Point is Point, sorted(set(globals()) - {"Point"}))
    """
    lines = _printed(executor, source, argv=("a", "b c")).splitlines()
    assert lines[0] == "__main__ script.py None ['a', 'b c'] ['script.py']"
    assert lines[1:3] == ["'''Here.'''", "True True"]
    assert lines[3].startswith("True ['__annotations__', '__builtins__', '__cached__', '__doc__', ")


def test_nothing_of_ours_is_in_its_modules(executor: Executor) -> None:
    source = "import sys; print([name for name in sys.modules if 'sandboxed' in name])"
    assert _printed(executor, source) == "[]"


def test_files_and_input_are_given(executor: Executor) -> None:
    source = "print(input(), open('a/b.bin', 'rb').read()); import mine; print(mine.x)"
    given = (("a/b.bin", b"\0\xff"), ("mine.py", b"x = 5"))
    shown = _printed(executor, source, stdin="ü\n".encode(), files=given)
    assert shown == "ü b'\\x00\\xff'\n5"


def test_input_is_empty_unless_given(executor: Executor) -> None:
    assert _printed(executor, "import sys; print(repr(sys.stdin.read()))") == "''"


def test_exit_functions_threads_and_finalisers_run(executor: Executor) -> None:
    source = """
        import atexit, threading, time
        class Last:
            def __del__(self): print("finaliser")
        last = Last()
        atexit.register(print, "exit function")
        threading.Thread(target=lambda: (time.sleep(.05), print("thread"))).start()
        print("end")
    """
    assert _printed(executor, source).splitlines() == [
        "end",
        "thread",
        "exit function",
        "finaliser",
    ]


@pytest.mark.parametrize(
    "source",
    [
        "import subprocess as s, sys; print(s.check_output([sys.executable, '-c', 'print(1)']))",
        "import os; r = os.waitpid(os.fork() or os._exit(4), 0); assert r[1] == 4 << 8",
        "import sqlite3; sqlite3.connect('x.db').execute('create table t (a)')",
        "import tempfile; tempfile.TemporaryFile().write(b'x')",
        "import signal, time; signal.signal(signal.SIGALRM, lambda *a: print('on time'));"
        " signal.alarm(1); signal.pause()",
        "import asyncio; asyncio.run(asyncio.sleep(0))",
        "import unittest; unittest.main(argv=['x'], exit=False)",
        "import concurrent.futures as c; assert [*c.ThreadPoolExecutor(4).map(abs, [-1])] == [1]",
        "import socket; a, b = socket.socketpair(); a.send(b'x'); assert b.recv(1) == b'x'",
        "import locale, datetime; print(locale.getpreferredencoding(), datetime.datetime.now())",
        "import pathlib, getpass; pathlib.Path.home(); pathlib.Path('~').expanduser()",
    ],
)
def test_ordinary_programs_work(executor: Executor, source: str) -> None:
    _printed(executor, source)


@pytest.mark.parametrize(
    "source",
    [
        "import multiprocessing as m\nif __name__ == '__main__':\n"
        f"    assert m.get_context('{method}').Pool(2).map(abs, [-1, -2]) == [1, 2]"
        for method in ("fork", "spawn")
    ]
    + [
        "from multiprocessing import shared_memory as s\n"
        "a = s.SharedMemory(create=True, size=9); a.close(); a.unlink()",
        "import threading, urllib.request as u\n"
        "from http.server import BaseHTTPRequestHandler as B, HTTPServer as H\n"
        "class A(B):\n"
        "    def do_GET(s): s.send_response(200); s.end_headers(); s.wfile.write(b'hi')\n"
        "h = H(('localhost', 0), A); threading.Thread(None, h.serve_forever, daemon=True).start()\n"
        "assert u.urlopen(f'http://localhost:{h.server_port}').read() == b'hi'",
        "import getpass, socket; assert getpass.getuser() == 'sandbox' == socket.gethostname()",
    ],
)
def test_programs_that_need_a_machine_of_their_own_work(sandbox: Executor, source: str) -> None:
    _printed(sandbox, source)


@pytest.mark.parametrize(
    "text", ["# a\0b", "x = '\ud800'", "print('\U0001f600')", "", "\ufeffx = 1"]
)
def test_any_text_is_taken_as_the_interpreter_takes_it(executor: Executor, text: str) -> None:
    outcome = _run(executor, text)
    direct = subprocess.run(
        [
            sys.executable,
            "-I",
            "-c",
            "import sys; exec(compile(sys.stdin.buffer.read(), 'x', 'exec'))",
        ],
        input=text.encode("utf-8", "surrogatepass"),
        capture_output=True,
        check=False,
    )
    assert outcome.exit_status == direct.returncode


# -- within its limits


def test_a_loop_ends_at_the_clock_and_its_output_is_kept(executor: Executor) -> None:
    outcome = _run(executor, "print('so far', flush=True)\nwhile True: pass", QUICK)
    assert (outcome.end, outcome.stdout) == ("timeout", b"so far\n")
    assert 1.0 <= outcome.wall_seconds < 5.0


def test_a_loop_ends_at_its_processor_time(executor: Executor) -> None:
    outcome = _run(executor, "while True: pass", Limits(cpu_seconds=1, wall_seconds=20))
    assert outcome.end == "cpu"
    assert outcome.cpu_seconds > 0.5


def test_a_loop_that_ignores_the_signal_ends_too(executor: Executor) -> None:
    source = "import signal; signal.signal(signal.SIGXCPU, signal.SIG_IGN)\nwhile True: pass"
    assert _run(executor, source, Limits(cpu_seconds=1, wall_seconds=20)).end == "cpu"


@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_a_flood_ends_at_the_cap(executor: Executor, stream: str) -> None:
    source = f"import sys\nwhile True: sys.{stream}.write('x' * 999)"
    outcome = _run(executor, source, Limits(output_bytes=5000))
    assert outcome.end == "output"
    assert len(getattr(outcome, stream)) == 5000


def test_output_of_exactly_the_cap_is_no_flood(executor: Executor) -> None:
    outcome = _run(executor, "print('x' * 4999)", Limits(output_bytes=5000))
    assert (outcome.end, len(outcome.stdout)) == ("exited", 5000)


def test_memory_runs_out_as_an_exception(executor: Executor) -> None:
    source = "try: bytearray(400 << 20)\nexcept MemoryError: print('none')\nbytearray(50 << 20)"
    assert _run(executor, source, Limits(memory_bytes=200 << 20)).stdout == b"none\n"


def test_files_and_descriptors_are_bounded(executor: Executor) -> None:
    source = """
        import os
        try: open("big", "wb").write(bytes(2 << 20))
        except OSError as error: print(error.strerror)
        try:
            for _ in range(100): os.dup(0)
        except OSError as error: print(error.strerror)
    """
    shown = _printed(executor, source, limits=Limits(file_bytes=1 << 20, open_files=50))
    assert shown == "File too large\nToo many open files"


def test_processes_are_bounded(sandbox: Executor) -> None:
    source = """
        import os, time
        made = 0
        try:
            while True:
                if os.fork() == 0: time.sleep(50)
                made += 1
        except OSError: print(made)
    """
    made = int(_printed(sandbox, source, limits=Limits(processes=20)))
    assert 15 <= made <= 25


def test_disk_is_bounded_over_all_folders(sandbox: Executor) -> None:
    source = """
        total = 0
        for path in ("/tmp/a", "/box/b", "/dev/shm/c"):
            try:
                with open(path, "wb", 0) as file:
                    while True: total += file.write(bytes(1 << 18))
            except OSError: pass
        print(total >> 20)
    """
    assert 3 <= int(_printed(sandbox, source, limits=Limits(disk_bytes=4 << 20))) <= 4


def test_limits_hold_for_one_job_only(executor: Executor) -> None:
    _run(executor, "pass", Limits(memory_bytes=50 << 20, open_files=20, file_bytes=1000))
    _printed(executor, "open('f', 'wb').write(bytes(1 << 20)); bytearray(300 << 20)")


# -- apart from everything else


def test_nothing_of_our_environment_is_seen(
    executor: Executor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SECRET", "x")
    source = "import os; print(sorted(k for k in os.environ if not k.endswith('_NUM_THREADS')))"
    shown = _printed(executor, source)
    assert "SECRET" not in shown
    assert "PYTHONHASHSEED" in shown


def test_only_standard_streams_are_open(executor: Executor) -> None:
    assert _printed(executor, "import os; print(os.listdir('/proc/self/fd'))") == (
        "['0', '1', '2', '3']"  # the last is the listing itself
    )


def test_a_run_leaves_nothing_for_the_next(executor: Executor) -> None:
    leave = """
        import builtins, os, sys
        builtins.left = sys.left = 1
        open("left", "w").close()
        os.umask(0)
    """
    look = """
        import builtins, os, sys
        print(hasattr(builtins, "left"), hasattr(sys, "left"), os.listdir(), os.umask(0))
    """
    _printed(executor, leave)
    assert _printed(executor, look) == "False False ['script.py'] 18"


@pytest.mark.parametrize("name", EVERY)
def test_hashes_follow_the_profile_and_repeat(name: str) -> None:
    seen: dict[int, set[str]] = {0: set(), 7: set()}
    for seed, shown in seen.items():
        executor = _started(name, Profile(hash_seed=seed))
        shown |= {_printed(executor, "print(hash('x'), [*set('abcdef')])") for _ in range(2)}
        executor.close()
    assert all(len(shown) == 1 for shown in seen.values())
    assert seen[0] != seen[7]


ADDRESSES = """
    kept = [
        [make() for _ in range(40)]
        for make in (
            object, list, dict, set, lambda: (lambda: 0), lambda: [1, 2, 3],
            lambda: float("1.5"), lambda: int("70000"),
            *(lambda size=size: bytes(size) for size in range(2, 480, 16)),
            lambda: type("C", (), {}), lambda: bytearray(1 << 19),
        )
    ]
    print([id(one) for row in kept for one in row])
"""


def test_addresses_repeat(sandbox: Executor) -> None:
    forks = "import os\nfor _ in range(40):\n    os.fork() or os._exit(0)\nprint(1)"
    shown: set[str] = set()
    for number in range(8):
        shown.add(_printed(sandbox, ADDRESSES))
        # what is ready for the next job has other limits every other time
        _printed(sandbox, forks, limits=Limits(wall_seconds=20 + number // 2))
    assert len(shown) == 1


@pytest.mark.parametrize("version", ["3.12", "3.13"])
def test_addresses_repeat_on_other_interpreters(version: str) -> None:
    executor = _started("embedded", Profile(python=_interpreter(version)))
    shown = {_printed(executor, ADDRESSES) for _ in range(4)}
    executor.close()
    assert len(shown) == 1


# -- the sandbox's own failure


def test_a_failed_set_up_is_not_the_scripts_failure(sandbox: Executor) -> None:
    outcome = sandbox.run(Job("print(1)", limits=Limits(disk_bytes=-1)))
    assert (outcome.end, outcome.is_set_up) == ("infrastructure", False)
    assert "mount" in outcome.detail
    assert sandbox.run(Job("print(1)")).stdout == b"1\n"


@pytest.mark.parametrize("name", EVERY)
def test_an_interpreter_that_is_not_there_is_refused_at_the_start(name: str) -> None:
    with pytest.raises(SandboxError, match="no interpreter at /nowhere/python"):
        make(name).start(Profile(python=Path("/nowhere/python")))


@pytest.mark.parametrize("name", EVERY)
def test_it_can_be_closed_twice_and_used_again(name: str) -> None:
    executor = _started(name, Profile())
    executor.close()
    executor.close()
    assert executor.run(Job("print(1)")).stdout == b"1\n"
    executor.close()


def test_capabilities_are_told(executor: Executor) -> None:
    told = executor.capabilities()
    assert told.name in EVERY
    assert set(_run(executor, "pass").protections) == set(told.protections)


@pytest.mark.parametrize("name", EVERY)
@pytest.mark.parametrize("version", ["3.12", "3.13", "3.9"])
def test_other_interpreters_run(version: str, name: str) -> None:
    python = _interpreter(version)
    executor = _started(name, Profile(python=python, preload=("json", "no_such_module")))
    shown = _printed(executor, "import sys; print('%d.%d' % sys.version_info[:2])")
    executor.close()
    assert shown == version


@pytest.mark.parametrize("name", EVERY)
def test_clocks_stand_in_what_was_imported_before(name: str) -> None:
    executor = _started(name, Profile(preload=("timeit",)))
    source = "from timeit import default_timer as now; begin = now(); print(now() - begin)"
    standing = _printed(executor, source, determinism=Determinism(clock=1_000_000_000))
    moving = _printed(executor, source)
    executor.close()
    assert float(standing) == 0
    assert float(moving) > 0


def _interpreter(version: str) -> Path:
    found = [*Path.home().glob(f".pyenv/versions/{version}.*/bin/python{version}")]
    if not found:
        pytest.skip(f"no Python {version} here")
    return found[0]


def _started(name: str, profile: Profile) -> Executor:
    executor = make(name)
    try:
        executor.start(profile)
    except SandboxError as error:
        pytest.skip(str(error))
    return executor


@pytest.mark.parametrize("name", EVERY)
def test_a_readable_folder_is_seen_wherever_it_lies_and_cannot_be_written(
    name: str, tmp_path: Path
) -> None:
    (tmp_path / "given").write_text("text")
    tmp_path.chmod(0o755)
    executor = _started(name, Profile(readable=(tmp_path,)))
    source = f"""
        print(open({str(tmp_path / "given")!r}).read())
        try: open({str(tmp_path / "new")!r}, "w")
        except OSError: print("refused")
    """
    assert _printed(executor, source) == "text\nrefused"
    executor.close()
    assert [each.name for each in tmp_path.iterdir()] == ["given"]


@pytest.mark.parametrize("name", EVERY)
def test_a_hidden_folder_is_covered_or_refused(name: str, tmp_path: Path) -> None:
    shown, hidden = tmp_path / "shown", tmp_path / "shown/hidden"
    hidden.mkdir(parents=True)
    (shown / "given").write_text("text")
    (hidden / "answer").write_text("secret")
    for folder in (tmp_path, shown, hidden):
        folder.chmod(0o755)
    link = tmp_path / "link"
    link.symlink_to(hidden)
    source = f"""
        import os
        def read(path):
            try: return open(path).read()
            except PermissionError: return "refused"
        for folder, _, names in os.walk({str(shown)!r}):
            print(*[read(os.path.join(folder, each)) for each in names])
    """
    seen = make(name)
    try:
        seen.start(Profile(readable=(shown,)))
    except SandboxError as error:
        pytest.skip(str(error))
    assert "secret" in _printed(seen, source)
    seen.close()
    covering = make(name)
    told = ""
    try:
        covering.start(Profile(readable=(shown,), hidden=(link,)))
    except SandboxError as error:
        told = str(error)
    if told:
        assert str(hidden) in told
        return
    assert _printed(covering, source) in ("text", "text\nrefused")  # or names alone are seen
    covering.close()


def test_what_waits_for_ever_does_not_keep_what_is_recorded(executor: Executor) -> None:
    source = "import threading\ndef f(): threading.Thread(target=threading.Event().wait).start()\n"
    case = Case("case_a", "def case_a():\n    return f()\n")
    job = Job(source, task="cases", cases=(case,), target="f", limits=Limits(wall_seconds=60))
    outcome = executor.run(job)
    assert outcome.end == "exited"
    assert json.loads(outcome.records[-1]) == {"kind": "end"}
