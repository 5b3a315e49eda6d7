"""`slice-func mcp`, tried with the client of the protocol's own library."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from slicefunc.driver.services.mcp_server import make_server
from slicefunc.driver.services.tools import TOOLS, Workspace
from slicefunc.driver.services.tools.workspace import WorkspaceOptions

from tests.driver.conftest import run
from tests.driver.record.test_environment import needs_sandbox

COMMAND = [sys.executable, "-m", "slicefunc.driver.cli.command"]
CASES = "from shop.tax import add_tax\n\n\ndef case_1():\n    return add_tax(100)\n"


@pytest.fixture
def workspace(repo: Path, tmp_path: Path) -> Workspace:
    return Workspace(WorkspaceOptions(str(repo), tmp_path / "environments"))


def call(server: Any, tool: str, **arguments: Any) -> tuple[str, bool]:
    """The text that a tool answers, and whether it is an error."""

    async def called() -> tuple[str, bool]:
        async with Client(server) as client:
            result = await client.call_tool(tool, arguments)
            return result.content[0].text, result.is_error  # type: ignore[union-attr]

    return anyio.run(called)


def answer(workspace: Workspace, tool: str, **arguments: Any) -> str:
    text, is_error = call(make_server(workspace), tool, **arguments)
    assert not is_error, text
    return text


def refusal(workspace: Workspace, tool: str, **arguments: Any) -> str:
    """What a refused call is told: one line on what is wrong, and one on what to do."""
    text, is_error = call(make_server(workspace), tool, **arguments)
    assert is_error, text
    problem, advice = text.split("\n")
    assert problem.startswith("error: ")
    assert advice.startswith("what to do: ")
    return text


def test_the_tools_are_listed_in_their_order(workspace: Workspace) -> None:
    async def listed() -> list[str]:
        async with Client(make_server(workspace)) as client:
            return [tool.name for tool in (await client.list_tools()).tools]

    assert anyio.run(listed) == [tool.name for tool in TOOLS]


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_a_model_can_tell_what_a_tool_takes(tool: Any) -> None:
    assert len(tool.description) > 150
    schema = tool.schema()
    assert all(len(each["description"]) > 15 for each in schema["properties"].values())


def test_a_slice_holds_what_the_function_needs(workspace: Workspace) -> None:
    text = answer(workspace, "slice", target="shop/orders.py::Order.total")
    assert text.startswith("# layout flat")
    assert "def add_tax(net):" in text
    assert "unrelated" not in text


def test_a_name_alone_is_a_target_if_it_is_unique(workspace: Workspace) -> None:
    assert "RATE = 20" in answer(workspace, "slice", target="add_tax")


def test_a_chain_of_reasons_is_explained(workspace: Workspace) -> None:
    text = answer(workspace, "explain", target="Order.total", name="add_tax")
    assert [line.strip().split()[0] for line in text.splitlines()] == ["Order.total", "add_tax"]


def test_the_graph_goes_both_ways(workspace: Workspace) -> None:
    edge = "shop.orders.Order.total calls shop.tax.add_tax  (shop/orders.py:10)"
    assert edge in answer(workspace, "graph", target="Order.total")
    assert edge in answer(workspace, "graph", target="add_tax", direction="needed_by")


def test_an_edited_file_is_seen(workspace: Workspace, repo: Path) -> None:
    assert "RATE = 20" in answer(workspace, "slice", target="add_tax")
    (repo / "shop/tax.py").write_text("RATE = 7\n\n\ndef add_tax(net):\n    return RATE * net\n")
    assert "RATE = 7" in answer(workspace, "slice", target="add_tax")
    (repo / "shop/new.py").write_text("def fresh():\n    return 1\n")
    assert "def fresh" in answer(workspace, "get_method_body", method_name="fresh")


@pytest.mark.parametrize(
    "target", ["../outside.py::f", "/etc/passwd::f", "link.py::f", "linked/inner.py::f"]
)
@pytest.mark.parametrize("tool", ["slice", "explain", "graph", "why_not", "make_environment"])
def test_paths_do_not_leave_the_repository(
    workspace: Workspace, repo: Path, tool: str, target: str
) -> None:
    outside = repo.parent / "outside"
    outside.mkdir()
    for file in (repo.parent / "outside.py", outside / "inner.py"):
        file.write_text("def f():\n    return 'secret'\n")
    (repo / "link.py").symlink_to(repo.parent / "outside.py")
    (repo / "linked").symlink_to(outside)
    assert "secret" not in refusal(workspace, tool, target=target)


@pytest.mark.parametrize(
    ("tool", "arguments", "told"),
    [
        ("nothing", {}, "there is no tool nothing"),
        ("slice", {}, "the argument target is missing"),
        ("slice", {"target": "shop/tax.py::add_tx"}, "did you mean"),
        ("slice", {"target": "add_tx"}, "did you mean shop/tax.py::add_tax"),
        ("slice", {"target": "a\x00b::c"}, "no such file"),
        ("slice", {"target": "add_tax", "layout": "package"}, "layout"),
        ("explain", {"target": "add_tax", "name": "Order"}, "Order is not kept"),
        ("graph", {"target": "add_tax", "depth": 0}, "depth"),
        ("make_environment", {"target": "Order"}, "is a class"),
        ("score", {"environment": "../../x", "candidate": "y"}, "there is no environment"),
    ],
)  # fmt: skip
def test_bad_input_is_told_in_one_line(
    workspace: Workspace, tool: str, arguments: dict[str, Any], told: str
) -> None:
    text = refusal(workspace, tool, **arguments)
    assert told in text
    assert "Traceback" not in text


def test_a_bug_is_one_line_too(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Workspace, "sliced", lambda *_: 1 / 0)
    assert "internal: ZeroDivisionError" in refusal(workspace, "slice", target="add_tax")


@needs_sandbox
def test_a_candidate_is_scored(workspace: Workspace, repo: Path, tmp_path: Path) -> None:
    cases = tmp_path / "cases.py"
    cases.write_text(CASES)
    folder = tmp_path / "environments/any"
    folder.parent.mkdir()
    run(repo, "shop/tax.py::add_tax", "--cases", cases, "--verify", "--env", folder, "--no-install")
    right = answer(workspace, "score", environment="add_tax", candidate="return net + net // 5\n")
    assert right.startswith("verdict: passed\nreward: 1.0\n")
    wrong = answer(workspace, "score", environment="shop/tax.py::add_tax", candidate="return net\n")
    assert "verdict: failed" in wrong
    assert "expected: 120\nobserved: 100" in wrong


@needs_sandbox
@pytest.mark.nightly
def test_an_environment_is_made_of_a_function_and_scores(workspace: Workspace) -> None:
    made = answer(workspace, "make_environment", target="add_tax")
    assert made.startswith("environment: shop/tax.py::add_tax\n")
    assert "becomes an environment" in answer(workspace, "why_not", target="add_tax")
    scored = answer(workspace, "score", environment="add_tax", candidate="return net\n")
    assert scored.startswith("verdict: failed")


@needs_sandbox
@pytest.mark.nightly
def test_what_is_in_the_way_of_an_environment_is_told(workspace: Workspace, repo: Path) -> None:
    (repo / "shop/odd.py").write_text("import os\n\n\ndef odd():\n    return os.urandom(8)\n")
    told = answer(workspace, "why_not", target="odd")
    assert "shop/odd.py::odd does not become an environment" in told
    assert "\n- shop/odd.py" in told


# ------------------------------------------------------------------ transports


def test_stdio_carries_the_protocol_alone(repo: Path) -> None:
    server = StdioServerParameters(
        command=COMMAND[0], args=[*COMMAND[1:], "mcp", str(repo)], env=dict(os.environ)
    )
    text, is_error = call(server, "slice", target="add_tax")
    assert not is_error
    assert "def add_tax" in text


def test_what_is_no_protocol_is_passed_over_and_the_end_of_input_ends_the_server(
    repo: Path,
) -> None:
    done = subprocess.run(
        [*COMMAND, "mcp", str(repo)],
        input="no JSON\n",
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert all(line.startswith("{") for line in done.stdout.splitlines())
    assert "Traceback" not in done.stderr


@contextmanager
def _served(*words: str | Path, env: dict[str, str] | None = None) -> Generator[str]:
    """The address of a server over HTTP."""
    process = subprocess.Popen(
        [*COMMAND, "mcp", *map(str, words), "--http", "--port", "0"],
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, **(env or {})},
    )
    try:
        assert process.stderr
        line = process.stderr.readline()
        yield re.findall(r"http://\S+", line)[0]
    finally:
        process.terminate()
        assert process.wait(20) in {0, -15, 143}, process.stderr and process.stderr.read()


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server over HTTP that wants a token."""
    folder = tmp_path_factory.mktemp("guarded")
    (folder / "one.py").write_text("def one():\n    return 1\n")
    token = folder / "token"
    token.write_text("let-me-in\n")
    with _served(folder, "--token-file", token) as url:
        yield url


def _over_http(url: str, headers: dict[str, str]) -> Any:
    return streamable_http_client(url, http_client=httpx2.AsyncClient(headers=headers, timeout=30))


def test_http_serves_who_sends_the_token(guarded: str) -> None:
    headers = {"Authorization": "Bearer let-me-in"}
    text, is_error = call(_over_http(guarded, headers), "get_method_body", method_name="one")
    assert not is_error
    assert "return 1" in text


@pytest.mark.parametrize("value", ["", "Bearer wrong", "let-me-in"])
def test_http_refuses_who_does_not(guarded: str, value: str) -> None:
    answer = httpx2.post(guarded, json={}, headers={"Authorization": value} if value else {})
    assert answer.status_code == 401
    assert answer.headers["www-authenticate"] == "Bearer"


def test_http_refuses_pages_of_other_origins(guarded: str) -> None:
    headers = {
        "Authorization": "Bearer let-me-in", "Origin": "https://evil.example",
        "Accept": "application/json, text/event-stream",
    }  # fmt: skip
    assert httpx2.post(guarded, json={}, headers=headers).status_code == 403


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--port", "80"), "--port is for --http"),
        (("--http", "--host", "0.0.0.0"), "0.0.0.0 can be reached by others"),
        (("--http", "--token-file", "missing"), "missing: no token"),
        (("--http", "--port", "99999"), "argument --port"),
    ],
)
def test_wrong_options_are_refused(
    repo: Path, words: tuple[str, ...], told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SLICE_FUNC_TOKEN", raising=False)
    assert told in run("mcp", repo, *words).error


def test_a_missing_repository_is_refused(tmp_path: Path) -> None:
    assert "no such repository" in run("mcp", tmp_path / "none").error
