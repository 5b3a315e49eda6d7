"""The executors of this machine, each started once for all tests that leave it as it was."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from slicefunc.verifier.errors import SandboxError
from slicefunc.verifier.execution.executors.choose_executor import ORDER
from slicefunc.verifier.execution.executors.docker.docker_client import connect
from slicefunc.verifier.execution.executors.interface import Executor, Profile

SANDBOXES = tuple(name for name, _, is_sandbox in ORDER if is_sandbox)
EVERY = tuple(name for name, _, _ in ORDER)


def make(name: str) -> Executor:
    """A new executor of this name."""
    return next(make for each, make, _ in ORDER if each == name)()


@pytest.fixture(scope="session")
def started() -> Iterator[dict[str, Executor | str]]:
    """Executors by name, or why one does not work here."""
    executors: dict[str, Executor | str] = {}
    yield executors
    for executor in executors.values():
        if not isinstance(executor, str):
            executor.close()


def _started(name: str, executors: dict[str, Executor | str]) -> Executor:
    if name not in executors:
        executor = make(name)
        try:
            executor.start(Profile())
            executors[name] = executor
        except SandboxError as error:
            executors[name] = str(error)
    found = executors[name]
    if isinstance(found, str):
        pytest.skip(found)
    return found


@pytest.fixture(params=EVERY)
def executor(request: pytest.FixtureRequest, started: dict[str, Executor | str]) -> Executor:
    """Each executor that works here."""
    return _started(request.param, started)


@pytest.fixture(params=SANDBOXES)
def sandbox(request: pytest.FixtureRequest, started: dict[str, Executor | str]) -> Executor:
    """Each that is a sandbox."""
    return _started(request.param, started)


@pytest.fixture
def plain(started: dict[str, Executor | str]) -> Executor:
    """The one that is none."""
    return _started("plain", started)


@pytest.fixture
def daemon() -> Iterator[Any]:
    """A connection to the Docker daemon."""
    try:
        client = connect()
    except SandboxError as error:
        pytest.skip(str(error))
    yield client
    client.close()
