"""Run cases in a plain process of their own, and encode values in this one."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import slicefunc.verifier.sandbox
from slicefunc.verifier.observation.compare_observations import Comparison, first_difference
from slicefunc.verifier.observation.decode_records import decode_text
from slicefunc.verifier.observation.observation import Observation
from slicefunc.verifier.observation.run_records import Run, decode_run
from slicefunc.verifier.sandbox.encoders.encode import encode

FOLDER = str(Path(slicefunc.verifier.sandbox.__file__).parent.parent)
STRICT = Comparison(mode="strict")

CHILD = """
import json, os, sys
sys.path.insert(0, sys.argv[1])
from sandbox.cases.case_runner import run_cases
del sys.path[0]
for name in [name for name in sys.modules if name.partition(".")[0] == "sandbox"]:
    del sys.modules[name]   # as a sandbox does: a script cannot import them
request = json.loads(os.environ.pop("REQUEST"))
channel = os.open(sys.argv[2], os.O_WRONLY | os.O_CREAT | os.O_APPEND)
run_cases(request, lambda line: os.write(channel, line.encode() + b"\\n"))
"""


def run_records(
    folder: Path,
    source: str,
    target: str,
    *cases: str,
    hash_seed: int = 0,
    **request: object,
) -> list[str]:
    """The records of a run of cases, each the body of a function; `async` in front makes it one."""
    work = folder / "box"
    work.mkdir(exist_ok=True)
    records = folder / "records"
    records.unlink(missing_ok=True)
    request |= {"source": source, "name": "example.py", "target": target}
    request["cases"] = [_case(f"case_{number}", body) for number, body in enumerate(cases)]
    done = subprocess.run(
        [sys.executable, "-s", "-P", "-B", "-c", CHILD, FOLDER, records],
        cwd=work,
        env={
            "REQUEST": json.dumps(request),
            "PYTHONHASHSEED": str(hash_seed),
            "PATH": os.environ["PATH"],
        },
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert records.exists(), done.stderr.decode()
    return records.read_text(encoding="ascii").splitlines()


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
