"""The MCP server: tools over stdio, or over streamable HTTP.

On stdio, standard output carries the protocol alone: the library moves it out of reach while it
serves, and whatever else is printed goes to standard error.
"""

from __future__ import annotations

import multiprocessing
import os
import socket
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

import anyio
import anyio.to_thread
from mcp.server import Server, ServerRequestContext
from mcp.server.stdio import stdio_server
from mcp_types import (
    CallToolRequestParams,
    CallToolResult,
    ListToolsResult,
    PaginatedRequestParams,
    TextContent,
    ToolAnnotations,
)
from mcp_types import Tool as ToolDescription

from ...slicer.errors import OptionError, SliceFuncError
from ..console.streams import printable
from .bearer_token import RequireToken
from .tools import TOOLS, Workspace

if TYPE_CHECKING:
    from starlette.types import ASGIApp

    from ...llm.tools import Tool

PATH = "/mcp"
"""Path of the endpoint over HTTP."""
INSTRUCTIONS = """\
Tools that read one Python repository without running it, and that turn its functions into verified
environments. To find code: get_relevant_code, then get_class_info, get_signature, get_method_body.
To understand a function: slice (all that it needs), explain (why), graph (who calls whom). To
rewrite a function safely: make_environment, then score each version. Results that are cut end with
a note that says how to see the rest. Files may be edited between calls; results show the new state.
"""
_PROGRESS_SECONDS = 5.0
_GOODBYE_SECONDS = 2


@dataclass(frozen=True, slots=True)
class HttpOptions:
    """Where the server listens."""

    host: str = "127.0.0.1"
    port: int = 8000
    """0 for any free one."""
    token: str | None = None


def serve_stdio(workspace: Workspace) -> None:
    """Serve one client on standard input and output, until it closes them."""
    try:
        anyio.run(_serve_streams, make_server(workspace))
    finally:
        _end_builds()


def serve_http(workspace: Workspace, options: HttpOptions, report: Callable[[str], None]) -> None:
    """Serve clients over streamable HTTP, until a signal comes.

    Args:
        workspace: what the tools read.
        options: where to listen.
        report: receives messages for people, line by line.

    Raises:
        OptionError: the port cannot be taken, or others could reach it without a token.
    """
    import uvicorn

    if options.token is None and not _is_loopback(options.host):
        raise OptionError(
            f"{options.host} can be reached by others, and no token is set",
            "name a file with --token-file, or serve on 127.0.0.1",
        )
    app = make_app(workspace, options)
    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=_GOODBYE_SECONDS,
    )
    with _listening(options) as listener:
        host, port = listener.getsockname()[:2]
        place = f"[{host}]" if ":" in host else host
        report(f"serving {len(TOOLS)} tools on http://{place}:{port}{PATH}")
        try:
            uvicorn.Server(config).run([listener])
        finally:
            _end_builds()


def make_app(workspace: Workspace, options: HttpOptions) -> ASGIApp:
    """Return the ASGI application, behind the token if there is one."""
    app = make_server(workspace).streamable_http_app(streamable_http_path=PATH, host=options.host)
    return RequireToken(app, options.token) if options.token else app


def make_server(workspace: Workspace) -> Server[Any]:
    """Return the server of the tools, for any transport."""
    tools = {tool.name: tool for tool in TOOLS}

    async def list_tools(
        _context: ServerRequestContext[Any], _params: PaginatedRequestParams | None
    ) -> ListToolsResult:
        return ListToolsResult(tools=[_described(tool) for tool in TOOLS])

    async def call_tool(
        context: ServerRequestContext[Any], params: CallToolRequestParams
    ) -> CallToolResult:
        tool = tools.get(params.name)
        if tool is None:
            return _result(
                _error_text(f"there is no tool {params.name}", f"there are {', '.join(tools)}"),
                is_error=True,
            )
        return await _called(context, tool, workspace, params.arguments or {})

    return Server(
        "slice-func",
        version=version("slice-func"),
        title="slice-func",
        instructions=INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )


async def _serve_streams(server: Server[Any]) -> None:
    async with stdio_server() as (reading, writing):
        await server.run(reading, writing, server.create_initialization_options())


def _described(tool: Tool[Workspace]) -> ToolDescription:
    return ToolDescription(
        name=tool.name,
        title=tool.title,
        description=tool.description,
        input_schema=tool.schema(),
        annotations=ToolAnnotations(
            title=tool.title,
            read_only_hint=tool.is_read_only,
            destructive_hint=False,
            idempotent_hint=True,
            open_world_hint=False,
        ),
    )


async def _called(
    context: ServerRequestContext[Any],
    tool: Tool[Workspace],
    workspace: Workspace,
    arguments: dict[str, Any],
) -> CallToolResult:
    """Call a tool in a thread; its client hears that it goes on, if that takes long."""
    call = partial(_outcome, tool, workspace, arguments)
    results: list[CallToolResult] = []
    async with anyio.create_task_group() as group:
        group.start_soon(_tell_progress, context, tool.title)
        results.append(await anyio.to_thread.run_sync(call, abandon_on_cancel=True))
        group.cancel_scope.cancel()
    return results[0]


async def _tell_progress(context: ServerRequestContext[Any], title: str) -> None:
    started = time.monotonic()
    while True:
        await anyio.sleep(_PROGRESS_SECONDS)
        seconds = round(time.monotonic() - started)
        await context.session.report_progress(seconds, None, f"{title}: {seconds} s")


def _outcome(
    tool: Tool[Workspace], workspace: Workspace, arguments: dict[str, Any]
) -> CallToolResult:
    """Return a tool's result, or its error as one line and what to do."""
    try:
        return _result(tool.call(workspace, arguments))
    except SliceFuncError as error:
        return _result(_error_text(error.problem, error.advice), is_error=True)
    except OSError as error:
        text = _error_text(str(error), "look at what the system says")
    except (RecursionError, MemoryError):
        text = _error_text(
            "the source is nested too deeply, or too large, to be analysed", "name a smaller target"
        )
    except Exception as error:  # noqa: BLE001 - the model sees one line, and the server goes on
        if os.environ.get("SLICE_FUNC_DEBUG"):
            traceback.print_exc()
        text = _error_text(
            f"internal: {type(error).__name__}: {error}",
            "this is a bug in slice-func: report it, or ask in another way",
        )
    return _result(text, is_error=True)


def _error_text(problem: str, advice: str) -> str:
    lines = [f"error: {printable(problem)}"]
    return "\n".join([*lines, f"what to do: {printable(advice)}"] if advice else lines)


def _result(text: str, *, is_error: bool = False) -> CallToolResult:
    sendable = text.encode("utf-8", "backslashreplace").decode("utf-8")
    return CallToolResult(content=[TextContent(type="text", text=sendable)], is_error=is_error)


def _end_builds() -> None:
    """End the processes that make environments for clients who have left."""
    for child in multiprocessing.active_children():
        child.terminate()


def _is_loopback(host: str) -> bool:
    return host in {"localhost", "::1"} or host.startswith("127.")


def _listening(options: HttpOptions) -> socket.socket:
    """Return a listening socket.

    Raises:
        OptionError: the address cannot be taken.
    """
    family = socket.AF_INET6 if ":" in options.host else socket.AF_INET
    try:
        return socket.create_server((options.host, options.port), family=family)
    except OSError as error:
        raise OptionError(
            f"{options.host}:{options.port} cannot be served: {error.strerror or error}",
            "choose another --port, or 0 for any free one",
        ) from error
