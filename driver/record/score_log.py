"""The log of a reward service: one JSON object a line for each scored candidate, in order of time.

A trainer's policy changes while it runs, so that order shows what a mean over all hides. The log
holds candidates and counts of hidden cases: it is for whoever runs the service, not for policies.
"""

from __future__ import annotations

import fcntl
import json
import math
import queue
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, Any, get_args

from ...slicer.errors import OptionError, SliceFuncError
from ...verifier.scoring.verdict import Verdict

_WAITING = 4096
"""Most lines that wait to be written. Further ones are lost, and counted."""
_LONGEST_LINE = 16 << 20
"""Longest line that is read, in bytes."""


class ScoreLogError(SliceFuncError):
    """A file that is no log of scores."""

    advice = "name a file that slice-func serve --log has written"


@dataclass(frozen=True, slots=True)
class LoggedScore:
    """One line: a candidate, and what was answered."""

    time: float
    """Seconds since the epoch."""
    environment: str
    """Id of the environment."""
    candidate: str
    """Text of the candidate."""
    verdict: str
    reward: float | None
    """`None` where nothing is known about the candidate."""
    cases_passed: int = 0
    cases: int | None = None
    hidden_passed: int | None = None
    hidden: int | None = None


class ScoreLog:
    """Appends lines to a file, in a thread of its own. Whatever fails here stops no service."""

    def __init__(self, place: Path, report: Callable[[str], None]) -> None:
        """Open the file for this process alone.

        Args:
            place: the file, which may hold lines of an earlier service.
            report: prints a line for people.

        Raises:
            OptionError: it cannot be written, or another service writes it.
        """
        self._place = place
        self._report = report
        self._lines: queue.Queue[str | None] = queue.Queue(_WAITING)
        self.lost = 0
        """Number of scores that could not be written."""
        self._has_said = False
        if place.is_dir() or place.is_fifo() or place.is_socket():
            raise OptionError(f"{place}: no plain file", "name a file with --log")
        try:
            self._file: IO[bytes] = place.open("ab", buffering=0)
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            self._is_whole = _ends_with_line(place)
        except BlockingIOError:
            problem = f"{place}: another service writes this log"
            raise OptionError(problem, "name another file with --log") from None
        except OSError as error:
            problem = f"{place}: the log cannot be written: {error.strerror or error}"
            raise OptionError(problem, "name another file with --log") from None
        self._thread = threading.Thread(target=self._write_all, name="score-log", daemon=True)
        self._thread.start()

    def add(self, environment: str, candidate: str, answer: Mapping[str, Any]) -> None:
        """Log an answer with all its counts. Thread-safe, and it never waits."""
        names = ("verdict", "reward", "cases_passed", "cases", "hidden_passed", "hidden")
        fields = {name: answer[name] for name in names}
        line = LoggedScore(round(time.time(), 3), environment, candidate, **fields)
        try:
            self._lines.put_nowait(json.dumps(asdict(line), separators=(",", ":")))
        except queue.Full:
            self._lose("it cannot be written fast enough")

    def close(self) -> None:
        """Write what waits, and close the file."""
        self._lines.put(None)
        self._thread.join()
        with suppress(OSError):
            self._file.close()
        if self.lost:
            self._report(f"warning: {self._place}: {self.lost} scores are not in the log")

    def _write_all(self) -> None:
        while (line := self._lines.get()) is not None:
            # a line that was cut off must not swallow the next
            content = ("" if self._is_whole else "\n") + line + "\n"
            left = memoryview(content.encode("utf-8", "surrogatepass"))
            try:
                while left:
                    written = self._file.write(left)
                    self._is_whole = self._is_whole and not written
                    left = left[written:]
                self._is_whole = True
            except OSError as error:
                self._lose(error.strerror or str(error))

    def _lose(self, why: str) -> None:
        self.lost += 1
        if not self._has_said:
            self._has_said = True
            self._report(f"warning: {self._place}: scores are not logged: {why}")


def _ends_with_line(place: Path) -> bool:
    with place.open("rb") as file:
        size = file.seek(0, 2)
        file.seek(max(0, size - 1))
        return file.read(1) in (b"", b"\n")


def read_score_log(place: Path) -> tuple[tuple[LoggedScore, ...], int]:
    """Return the scores of a log in the order of time, and the number of damaged lines.

    Raises:
        ScoreLogError: it cannot be read, or has no line of a score.
    """
    found: list[LoggedScore] = []
    damaged = 0
    try:
        for line in _lines_of(place):
            score = _score_of(line)
            damaged += score is None
            if score is not None:
                found.append(score)
    except OSError as error:
        raise ScoreLogError(f"{place}: {error.strerror}") from None
    if not found:
        raise ScoreLogError(f"{place}: no log of scores: no line of it is one")
    return tuple(sorted(found, key=lambda each: each.time)), damaged


def _lines_of(place: Path) -> Iterator[bytes]:
    with place.open("rb") as file:
        while line := file.readline(_LONGEST_LINE):
            if line.strip():
                yield line


def _score_of(line: bytes) -> LoggedScore | None:
    """Return the score of a line that anybody may have written; `None` if it is none."""
    try:
        match json.loads(line):
            case {
                "time": int() | float() as when,
                "environment": str() as environment,
                "candidate": str() as candidate,
                "verdict": str() as verdict,
                "reward": (int() | float() | None) as reward,
                **rest,
            }:
                is_known = verdict in get_args(Verdict) and math.isfinite(when)
                if not is_known or (reward is not None and reward != (verdict == "passed")):
                    return None
                counts = {
                    name: value
                    for name in ("cases", "hidden_passed", "hidden")
                    if isinstance(value := rest.get(name), int)
                }
                passed = rest.get("cases_passed")
                return LoggedScore(
                    float(when), environment, candidate, verdict,
                    None if reward is None else float(reward),
                    passed if isinstance(passed, int) else 0, **counts,
                )  # fmt: skip
            case _:
                return None
    except (ValueError, OverflowError, RecursionError):
        return None
