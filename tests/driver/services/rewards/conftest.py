"""Small environments, and services that are started on loopback."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from slicefunc.driver.record.environment_files import environment_of, write_environment
from slicefunc.verifier.errors import SandboxError
from slicefunc.verifier.execution.executors.choose_executor import choose
from slicefunc.verifier.execution.executors.interface import Case, Limits, Profile
from slicefunc.verifier.scoring.oracle.hidden_oracle import with_hidden
from slicefunc.verifier.scoring.oracle.oracle import Oracle, record

SCRIPTS = {
    "added": "def added(a, b):\n    return a + b\n",
    "longest": "def longest(words):\n    return max(words, key=len)\n",
}
CALLS = {
    "added": ("added(1, 2)", "added(-1, 1)", "added('a', 'b')"),
    "longest": ("longest(['a', 'bb'])", "longest([])"),
}
HIDDEN = {"added": ("added(7, 8)", "added([1], [2])"), "longest": ("longest(['ccc', 'dd'])",)}


def _cases(calls: tuple[str, ...], kind: str) -> list[Case]:
    names = [f"{kind}_{n}" for n in range(len(calls))]
    return [
        Case(name, f"def {name}():\n    return {call}\n")
        for name, call in zip(names, calls, strict=True)
    ]


@pytest.fixture(scope="session")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, str]]:
    """A folder of environments, and their ids by name."""
    root = tmp_path_factory.mktemp("dataset")
    try:
        executor = choose().make()
    except SandboxError as error:
        pytest.skip(str(error))
    executor.start(Profile())
    ids: dict[str, str] = {}
    for name, script in SCRIPTS.items():
        oracle, _ = record(
            executor.run, Oracle(script, f"{name}.py", name, ()), _cases(CALLS[name], "case")
        )
        oracle, _ = with_hidden(executor.run, oracle, _cases(HIDDEN[name], "hidden"), Limits())
        about = {"accepted": True, "compares": "outcome", "repo": "shop", "reasons": []}
        environment = environment_of(oracle, about)
        write_environment(root / name, environment)
        ids[name] = environment.record["id"]
    executor.close()
    return root, ids


Started = tuple[str, subprocess.Popen[str]]
"""Address and process of a service."""


@contextmanager
def serving(root: Path, *words: str, **variables: str) -> Iterator[Started]:
    """A service of the command line on a free port."""
    script = "import sys; from slicefunc.driver.cli.command import main; sys.exit(main())"
    process = subprocess.Popen(
        [sys.executable, "-c", script, "serve", str(root), "--port", "0", *words],
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, **variables},
    )
    try:
        assert process.stderr is not None
        for line in process.stderr:
            if found := re.search(r"http://\S+", line):
                yield found[0], process
                break
        else:
            raise AssertionError("it does not start")
    finally:
        process.kill()
        process.wait()
        process.stderr.close()
