"""The wire to the sandbox: a job as a request, limits as an order, records as lines."""

from __future__ import annotations

import base64
import json
from dataclasses import asdict
from functools import lru_cache
from typing import Any

from ....sandbox.cases.carried_code import mark_of
from ....sandbox.isolation.isolate import WORKING_FOLDER
from ....sandbox.isolation.supervise import More, OutputLimits
from ....sandbox.isolation.wire import Order
from ..interface import Case, Job, Limits, Module


def request_of(job: Job, folder: str = WORKING_FOLDER, *, goes_on: bool = False) -> bytes:
    """Return what the script's process reads: the job without its limits, and its folder.

    Args:
        job: the job to run.
        folder: the script's working folder.
        goes_on: whether it waits for more cases after the first.
    """
    request: dict[str, Any] = {
        "folder": folder,
        "source": job.source,
        "task": job.task,
        "name": job.name,
        "argv": job.argv,
        "stdin": _text(job.stdin),
        "files": [(path, _text(content)) for path, content in job.files],
        "cases": [_case(each) for each in job.cases],
        "modules": [_module(each) for each in job.modules],
        "isolated": job.isolated,
        "goes_on": goes_on,
        "target": job.target,
        "aliases": job.aliases,
        "trace": job.trace,
        "trace_file": job.trace_file,
        "seconds": job.seconds,
        "mutants": [asdict(mutant) for mutant in job.mutants],
        "instrumented": job.instrumented,
        "suite": asdict(job.suite) if job.suite else None,
        "determinism": asdict(job.determinism),
    }
    return json.dumps(request).encode()


def more_of(job: Job) -> More | None:
    """Return the callback for more cases after a job's cases are observed, if it has one."""
    then = job.then
    if then is None:
        return None

    def more(records: bytes) -> bytes:
        cases = then(lines_of(records))
        return json.dumps([_case(each) for each in cases]).encode() if cases else b""

    return more


def _module(module: Module) -> dict[str, Any]:
    """Return a module; with compiled code its text is in the script."""
    if not module.compiled:
        return {"path": module.path, "text": module.text, "compiled": ""}
    return {"path": module.path, "mark": _mark_of(module), "compiled": module.compiled}


@lru_cache(maxsize=256)
def _mark_of(module: Module) -> int:
    return mark_of(module.text)


def _case(case: Case) -> dict[str, str]:
    return {"name": case.name, "code": case.code, "compiled": case.compiled}


def order_of(limits: Limits) -> Order:
    """Return the forker's order."""
    return Order(
        wall_seconds=limits.wall_seconds,
        cpu_seconds=limits.cpu_seconds,
        memory_bytes=limits.memory_bytes,
        processes=limits.processes,
        open_files=limits.open_files,
        file_bytes=limits.file_bytes,
        disk_bytes=limits.disk_bytes,
        files=limits.files,
    )


def caps_of(limits: Limits) -> OutputLimits:
    """Return the supervisor's limits on output."""
    return OutputLimits(limits.output_bytes, limits.record_bytes)


def lines_of(data: bytes) -> tuple[str, ...]:
    """Return complete lines of the result channel; a last one without its end was cut off."""
    *lines, _rest = data.decode("utf-8", "replace").split("\n")
    return tuple(lines)


def _text(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")
