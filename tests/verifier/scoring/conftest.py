"""What the tests of scoring share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from slicefunc.verifier.errors import SandboxError
from slicefunc.verifier.execution.executors.embedded_executor import EmbeddedExecutor
from slicefunc.verifier.execution.executors.interface import Executor, Profile


@pytest.fixture(scope="module")
def executor() -> Iterator[Executor]:
    executor = EmbeddedExecutor()
    try:
        executor.start(Profile())
    except SandboxError as error:
        pytest.skip(str(error))
    yield executor
    executor.close()
