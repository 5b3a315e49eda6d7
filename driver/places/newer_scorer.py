"""A scorer under a newer Python, for environments whose code this one cannot parse.

The other process is as trusted as this one: it reads the environment and candidates, and runs
candidates in a sandbox of its own. One line of JSON goes each way for a candidate.
"""

from __future__ import annotations

import json
import subprocess
import tempfile
import threading
import weakref
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import IO, Any

from ...slicer.errors import SliceFuncError, SourceError
from ...slicer.repo.source import parse_text
from ...verifier.scoring.score import Candidate
from ...verifier.scoring.verdict import FirstDifference, Score
from ...verifier.script.source_map import carried_texts
from ..record.environment_files import Environment, content_of
from .environment_scorer import ScoreOptions
from .newer_python import command_under, newer_python

_WORKER = "slicefunc.driver.places.score_worker"


class ScorerProcessError(SliceFuncError):
    """The process that scores under another Python has ended."""

    advice = "look at the lines above; the other environments are not concerned"


def python_for(environment: Environment) -> Path | None:
    """Return the newer Python that an environment's code needs; `None` if this one can read it.

    Raises:
        SourceError: it needs a newer one, and none is found.
    """
    if not environment.python:
        return None
    oracle = environment.oracle
    imports = ((oracle.path, each.code) for each in oracle.imports)
    carried = carried_texts(oracle.script).items()
    for path, text in ((oracle.path, oracle.script), *carried, *imports):
        try:
            parse_text(text, path)
        except SourceError as error:
            found = newer_python(environment.python)
            if found is None:
                raise SourceError(
                    f"environment {environment.record['id']}: {error.problem}",
                    f"install Python {environment.python}",
                    needs_python=environment.python,
                ) from None
            return found
    return None


class NewerScorer:
    """Scores candidates for one environment in a process of another Python. Thread-safe."""

    def __init__(self, python: Path, environment: Environment, options: ScoreOptions) -> None:
        """Start the process, which ends with this object."""
        self._folder = tempfile.TemporaryDirectory(prefix="slice-func-environment-")
        for name, content in content_of(environment).items():
            (Path(self._folder.name) / name).write_bytes(content)
        words = [self._folder.name, json.dumps(asdict(options))]
        self._process = subprocess.Popen(  # noqa: S603 - words of our own
            command_under(python, _WORKER, words),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._to: IO[str] = self._process.stdin
        self._from: IO[str] = self._process.stdout
        self._lock = threading.Lock()
        weakref.finalize(self, _end, self._process, self._folder)

    def score(self, candidate: Candidate) -> Score:
        """Return the verdict on a candidate.

        Raises:
            ScorerProcessError: the process has ended.
        """
        with self._lock:
            try:
                self._to.write(json.dumps([candidate.name, candidate.text]) + "\n")
                self._to.flush()
                line = self._from.readline()
            except OSError:
                line = ""
        if not line:
            raise ScorerProcessError("the scorer under a newer Python has ended")
        return score_from(json.loads(line))


def score_from(values: dict[str, Any]) -> Score:
    """Return the score that `Score.to_json` gave."""
    first: dict[str, str] | None = values.pop("first_difference")
    del values["reward"]
    return Score(**values, first_difference=FirstDifference(**first) if first else None)


def _end(process: subprocess.Popen[str], folder: tempfile.TemporaryDirectory[str]) -> None:
    """Let the process end at the end of its input, and remove its folder."""
    if process.stdin is not None:
        with suppress(OSError):  # it may have ended already
            process.stdin.close()
    process.wait()
    folder.cleanup()
