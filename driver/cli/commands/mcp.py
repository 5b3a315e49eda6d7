"""`slice-func mcp`: tools for agents."""

from __future__ import annotations

from ..parser import Parser, UsageError, port
from ..shared_options import add_executor, add_root

TYPE_CHECKING = False  # type checkers treat the name like typing's; importing typing is slow
if TYPE_CHECKING:
    import argparse
    from pathlib import Path


def parser() -> Parser:
    """Return the grammar of `slice-func mcp`."""
    made = Parser(
        "slice-func mcp",
        ("repo", "http", "port", "token_file", "environments"),
        usage="slice-func mcp [options] REPO",
        description="Serve tools for agents that work on REPO, with the Model Context Protocol:\n"
        "slice, explain, graph, environments and scores, and six tools that search its code.",
    )
    add = made.add_argument_group("what to serve").add_argument
    add("repo", metavar="REPO", help="folder of the repository")
    add_root(add)
    add(
        "--environments",
        metavar="DIR",
        help="where environments are kept (default: a folder in the cache)",
    )
    add = made.add_argument_group("where").add_argument
    add("--http", action="store_true", help="streamable HTTP instead of standard input and output")
    add("--host", metavar="ADDRESS", help="where to listen (default 127.0.0.1)")
    add("--port", metavar="N", type=port, help="0 for any free one (default 8000)")
    add(
        "--token-file",
        metavar="FILE",
        help="file with the token that clients send as Authorization: Bearer; else the variable "
        "SLICE_FUNC_TOKEN; without one only loopback is served",
    )
    add = made.add_argument_group("how scripts are run").add_argument
    add_executor(add)
    add("--no-install", action="store_true", help="nothing is installed for scripts")
    made.add_general()
    return made


def run(arguments: argparse.Namespace) -> int:
    """Serve until the client leaves, or a signal comes.

    Raises:
        UsageError: options of HTTP without it.
        SliceFuncError: no repository, no port, no library.
    """
    for option in ("host", "port", "token_file"):
        if getattr(arguments, option) is not None and not arguments.http:
            name = option.replace("_", "-")
            raise UsageError(f"--{name} is for --http", "add --http, or leave it out")
    from pathlib import Path

    from ...console.streams import say
    from ...settings.extras import require

    require("mcp", "mcp", "pydantic", "uvicorn")
    from ...services.bearer_token import read_token
    from ...services.mcp_server import HttpOptions, serve_http, serve_stdio
    from ...services.tools.workspace import Workspace, WorkspaceOptions

    given = arguments.environments
    workspace = Workspace(
        WorkspaceOptions(
            arguments.repo,
            Path(given) if given else _default_folder(arguments.repo),
            tuple(arguments.roots),
            arguments.executor,
            installs=not arguments.no_install,
            report=say,
        )
    )
    if not arguments.http:
        serve_stdio(workspace)
        return 0
    options = HttpOptions(
        arguments.host or "127.0.0.1",
        8000 if arguments.port is None else arguments.port,
        read_token(arguments.token_file),
    )
    serve_http(workspace, options, say)
    return 0


def _default_folder(repository: str) -> Path:
    """Return the folder of a repository's environments in the cache."""
    from hashlib import sha256
    from pathlib import Path

    from ...settings.cache_folders import cache_folder

    whole = Path(repository).resolve()
    digest = sha256(str(whole).encode("utf-8", "surrogateescape")).hexdigest()[:12]
    return cache_folder() / "mcp" / f"{whole.name}-{digest}"
