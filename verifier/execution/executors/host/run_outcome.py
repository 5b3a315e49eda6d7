"""How a run ended: by itself, at a limit, or through a fault of the sandbox (`infrastructure`)."""

from __future__ import annotations

import signal
from dataclasses import replace

from ....sandbox.isolation.supervise import Report
from ..interface import Limits, Outcome
from .wire_format import lines_of


def outcome_of(
    report: Report, limits: Limits, *, promised: tuple[str, ...], also: tuple[str, ...] = ()
) -> Outcome:
    """Return the outcome for a report.

    Args:
        report: the supervisor's report.
        limits: limits of the job.
        promised: protections that the sandbox promised.
        also: protections outside it, which always hold.
    """
    inside = tuple(report.protections or ())
    measured = report.measured or {}
    seen = Outcome(
        end="infrastructure",
        detail=report.lost,
        stdout=report.stdout,
        stderr=report.stderr,
        records=lines_of(report.records),
        wall_seconds=report.wall_seconds,
        cpu_seconds=measured.get("cpu_seconds", 0.0),
        peak_bytes=measured.get("peak_bytes", 0),
        is_set_up=report.protections is not None and set(promised) <= set(inside),
        protections=(*inside, *also),
    )
    if report.lost:
        return seen
    if not seen.is_set_up and report.stopped != "timeout":
        return replace(seen, detail="the script's process ended before it was set up")
    if report.stopped == "timeout":
        return replace(seen, end="timeout", detail=f"more than {limits.wall_seconds:g} s")
    if report.stopped == "output":
        return replace(seen, end="output", detail=_passed_cap(report, limits))
    return _ended(seen, measured["wait_status"], limits)


def _ended(seen: Outcome, wait_status: int, limits: Limits) -> Outcome:
    if wait_status & 0x7F == 0:
        return replace(seen, end="exited", exit_status=wait_status >> 8)
    number = wait_status & 0x7F
    is_at_limit = number == signal.SIGKILL and seen.cpu_seconds >= limits.cpu_seconds
    if number == signal.SIGXCPU or is_at_limit:
        detail = f"more than {limits.cpu_seconds:g} s of processor time"
        return replace(seen, end="cpu", signal=number, detail=detail)
    return replace(seen, end="signaled", signal=number, detail=signal.strsignal(number) or "")


def _passed_cap(report: Report, limits: Limits) -> str:
    for name, data, cap in (
        ("standard output", report.stdout, limits.output_bytes),
        ("standard error", report.stderr, limits.output_bytes),
    ):
        if len(data) >= cap:
            return f"more than {cap} bytes on {name}"
    return f"more than {limits.record_bytes} bytes of results"
