"""Run cases in a plain process of their own, and encode values in this one."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import slicefunc.verifier.sandbox
from slicefunc.verifier.observation.compare_observations import Comparison, first_difference
from slicefunc.verifier.observation.decode_records import decode_text
from slicefunc.verifier.observation.observation import Observation
from slicefunc.verifier.observation.run_records import Run, decode_run
from slicefunc.verifier.sandbox.encoders.encode import encode

FOLDER = str(Path(slicefunc.verifier.sandbox.__file__).parent.parent)
STRICT = Comparison(mode="strict")
SECONDS = 60
"""Until a run is given up."""

SERVER = """
import json, os, sys
sys.path.insert(0, sys.argv[1])
from sandbox.cases.case_runner import run_cases
del sys.path[0]
for name in [name for name in sys.modules if name.partition(".")[0] == "sandbox"]:
    del sys.modules[name]   # as a sandbox does: a script cannot import them
for name in sys.argv[2:]:
    __import__(name)
for line in iter(sys.stdin.readline, ""):
    asked = json.loads(line)
    child = os.fork()
    if not child:
        for number, path in enumerate((os.devnull, asked["out"], asked["out"])):
            os.dup2(os.open(path, os.O_RDWR), number)
        os.closerange(3, 1024)
        os.chdir(asked["cwd"])
        request, records, sys.argv[2:] = asked["request"], asked["records"], [asked["records"]]
        del asked, line, child, number, path
        channel = os.open(records, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        try:
            run_cases(request, lambda line: os.write(channel, line.encode() + b"\\n"))
        except BaseException:
            sys.excepthook(*sys.exc_info())
        os._exit(0)
    os.waitpid(child, 0)
    os.write(1, b"\\n")
"""
"""Forks a process for each line that it is given: to start one anew would be most of the time."""


def run_records(
    folder: Path,
    source: str,
    target: str,
    *cases: str,
    hash_seed: int = 0,
    preload: tuple[str, ...] = (),
    **request: object,
) -> list[str]:
    """The records of a run of cases, each the body of a function; `async` in front makes it one.

    Libraries that are loaded beforehand are loaded once for all runs.
    """
    work = folder / "box"
    work.mkdir(exist_ok=True)
    records = folder / "records"
    records.unlink(missing_ok=True)
    request |= {"source": source, "name": "example.py", "target": target}
    request["cases"] = [_case(f"case_{number}", body) for number, body in enumerate(cases)]
    server = _server(hash_seed, preload)
    with tempfile.NamedTemporaryFile() as out:
        asked = {"request": request, "cwd": str(work), "records": str(records), "out": out.name}
        _ask(server, json.dumps(asked))
        assert records.exists(), out.read().decode()
    return records.read_text(encoding="ascii").splitlines()


@cache
def _server(hash_seed: int, preload: tuple[str, ...]) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-s", "-P", "-B", "-c", SERVER, FOLDER, *preload],
        env={"PYTHONHASHSEED": str(hash_seed), "PATH": os.environ["PATH"]},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        start_new_session=True,
    )


def _ask(server: subprocess.Popen[bytes], line: str) -> None:
    assert server.stdin
    assert server.stdout
    server.stdin.write(line.encode() + b"\n")
    server.stdin.flush()
    if not select.select([server.stdout], [], [], SECONDS)[0]:
        os.killpg(server.pid, signal.SIGKILL)
        _server.cache_clear()
        raise TimeoutError(f"a run took {SECONDS} s")
    assert server.stdout.readline()


def run(folder: Path, source: str, target: str, *cases: str, **request: object) -> Run:
    """The same, decoded."""
    records = run_records(folder, source, target, *cases, **request)  # type: ignore[arg-type]
    found = decode_run(
        records, [f"case_{n}" for n in range(len(cases))], has_arcs="trace" in request
    )
    assert isinstance(found, Run), found
    return found


def observe(folder: Path, source: str, target: str, case: str, **request: object) -> Observation:
    """What one case shows."""
    ((_, found),) = run(folder, source, target, case, **request).observations
    return found


def _case(name: str, body: str) -> Mapping[str, str]:
    first = ""
    if body.startswith("async "):
        first, body = "async ", body.removeprefix("async ")
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    return {"name": name, "code": f"{first}def {name}():\n{lines}"}


def seen(value: object, *, drives: bool = False) -> Observation:
    """The observation of a call that returned this value."""
    text = encode(value, ("__main__",), drives)
    found = decode_text('{"outcome":"returned",' + text.removeprefix("{"))
    assert isinstance(found, Observation), found
    return found


def difference(left: object, right: object, comparison: Comparison | None = None) -> str | None:
    """The first difference of two values, in words."""
    found = first_difference(seen(left), seen(right), comparison or Comparison())
    return None if found is None else str(found)
