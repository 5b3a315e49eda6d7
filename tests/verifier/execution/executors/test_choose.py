"""The choice of an executor is never silent."""

from __future__ import annotations

import pytest
from slicefunc.verifier.errors import SandboxError
from slicefunc.verifier.execution.executors.choose_executor import choose
from slicefunc.verifier.execution.executors.docker.docker_client import connect
from slicefunc.verifier.execution.executors.interface import Job, Profile


@pytest.fixture
def no_bubblewrap(monkeypatch: pytest.MonkeyPatch, tmp_path: object) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("DOCKER_HOST", f"unix://{tmp_path}/docker.sock")  # nor a daemon


def test_the_first_that_works_is_taken_and_tells_what_it_lacks() -> None:
    try:
        choice = choose()
    except SandboxError as error:
        pytest.skip(str(error))
    assert choice.capabilities.name == choice.name
    passed, lacks = len(choice.refusals), choice.capabilities.missing_protections
    assert len(choice.lines()) == passed + 1 + len(lacks)
    assert choice.lines()[passed].startswith(f"executor {choice.name}: ")


def test_without_bubblewrap_nothing_is_taken_silently(no_bubblewrap: None) -> None:
    with pytest.raises(SandboxError, match="install the package `bubblewrap`") as raised:
        choose()
    assert "plain: it is no sandbox, and was not asked for" in str(raised.value)
    assert raised.value.exit_status == 4


def test_what_is_no_sandbox_is_taken_when_allowed_and_says_why(no_bubblewrap: None) -> None:
    choice = choose(allow_unshielded=True)
    assert choice.name == "plain"
    assert any("bubblewrap is not installed" in line for line in choice.lines())
    assert any(line.startswith("executor plain lacks network") for line in choice.lines())


def test_one_can_be_asked_for_by_name() -> None:
    assert choose(wanted="plain").name == "plain"
    with pytest.raises(SandboxError, match="no executor is called docker-in-docker"):
        choose(wanted="docker-in-docker")


def test_the_executor_that_was_tried_is_the_first_that_is_made_and_starts_once() -> None:
    choice = choose(keeps=True)
    first, second = choice.make(), choice.make()
    first.start(Profile())
    assert first.run(Job("print(1)")).stdout == b"1\n"
    assert type(second) is not type(first)
    for each in (first, second):
        each.close()
    first.start(Profile())
    assert first.run(Job("print(2)")).stdout == b"2\n"
    first.close()


@pytest.mark.parametrize("host", ["unix:///nowhere.sock", "tcp://127.0.0.1:1"])
def test_docker_is_refused_in_plain_words(host: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("docker")
    monkeypatch.setenv("DOCKER_HOST", host)
    with pytest.raises(SandboxError, match="no Docker daemon answers") as found:
        connect()
    assert "(" not in found.value.problem
