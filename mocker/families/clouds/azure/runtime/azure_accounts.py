"""Accounts of Azure in this process: any credential is good, and services answer below the pipeline."""

from __future__ import annotations

import sys
from typing import Any, NamedTuple

from .....world.core.on_import import on_import
from .....world.core.world import record, replace
from .....world.network.http_answers import shown_bytes
from .....world.network.session_servers import Sent, Served, serve_session, served_json

azure_services: dict[str, Any] = {}
"""Part of the name by which a client calls itself → function that answers its requests."""
AZURE_STRING = (
    "DefaultEndpointsProtocol=https;AccountName=account;AccountKey=a2V5;"
    "EndpointSuffix=core.windows.net"
)


class AzureToken(NamedTuple):
    """What credentials give."""

    token: str = "token"
    expires_on: int = 4102444800
    token_type: str = "Bearer"
    refresh_on: Any = None


def azure_accounts() -> None:
    """Answer every client of Azure's SDK, and let every credential be good."""
    on_import("azure.core.pipeline.transport._requests_basic", _patch_azure_transport)
    on_import("azure.core.pipeline.transport._aiohttp", _patch_azure_async)
    on_import("azure.identity", _patch_identity)
    on_import("azure.identity.aio", _patch_identity)
    for service in ("blob", "queue"):
        on_import(f"azure.storage.{service}._shared.base_client", _patch_storage_strings)


def _patch_azure_transport(module: Any) -> None:
    transport = module.RequestsTransport
    begin = transport._init_session

    def init(self: Any, session: Any) -> None:
        begin(self, session)
        serve_session(session, _ask_azure)

    replace(transport, "_init_session", init)


def _patch_azure_async(module: Any) -> None:
    """Whoever awaits is answered below requests, too."""
    from azure.core.pipeline.transport._requests_asyncio import AsyncioRequestsTransport

    replace(module, "AioHttpTransport", AsyncioRequestsTransport)


def _patch_identity(module: Any) -> None:
    is_async = module.__name__.endswith("aio")

    def get_token(self: Any, *scopes: str, **_options: Any) -> Any:
        return AzureToken()

    async def get_token_later(self: Any, *scopes: str, **_options: Any) -> Any:
        return AzureToken()

    for name in module.__all__:
        owner = getattr(module, name)
        for method in ("get_token", "get_token_info"):
            if isinstance(owner, type) and hasattr(owner, method):
                replace(owner, method, get_token_later if is_async else get_token)


def _patch_storage_strings(module: Any) -> None:
    parse = module.parse_connection_str

    def parsed(conn_str: Any, credential: Any, service: Any) -> Any:
        """The parts of a connection string; those of some account where it is none."""
        try:
            return parse(conn_str, credential, service)
        except (ValueError, AttributeError):
            return parse(AZURE_STRING, credential, service)

    replace_in_package(module.__name__.partition("._shared")[0], parse, parsed)


def replace_in_package(package: str, before: Any, after: Any) -> None:
    """Replace a function in each module of a package that has taken it from where it is defined."""
    for name, module in list(sys.modules.items()):
        if name.startswith(package) and getattr(module, before.__name__, None) is before:
            replace(module, before.__name__, after)


def _ask_azure(sent: Sent) -> Served:
    agent = sent.headers.get("User-Agent") or ""
    agent = agent.decode() if isinstance(agent, bytes) else agent
    answer = next((each for name, each in azure_services.items() if name in agent), None)
    if answer is not None:
        return answer(sent)
    record("request", f"{sent.method} https://{sent.host}{sent.path}", shown_bytes(sent.body))
    return served_json({})
