"""FastAPI and Starlette: requests for endpoints that are called directly, and dependencies."""

from __future__ import annotations

import asyncio
import concurrent.futures
import functools
import inspect
import json
from typing import Any
from urllib.parse import urlencode

from .....world.core.on_import import on_import
from .....world.core.world import chosen, replace

__all__ = ["starlette_request"]  # what cases may call


class AsgiCalls:
    """The requests that can come in: variant → what is sent."""

    requests: dict[str, dict[str, Any]] = {}


def give_asgi_requests(requests: dict[str, dict[str, Any]]) -> None:
    """Let endpoints be called directly: a default that asks for injection is injected."""
    AsgiCalls.requests = requests
    on_import("fastapi.routing", _patch_routes)
    on_import("starlette.staticfiles", _patch_static)


def starlette_request(**sent: Any) -> Any:
    """A request as an endpoint gets it; what the case has chosen where nothing is said.

    `starlette_request(method="POST", path="/x", json={…}, form={…}, args={…}, headers={…})`
    """
    from starlette.requests import Request

    sent = sent or dict(chosen("request", AsgiCalls.requests or {"default": {}}))
    headers = {"host": "testserver", **sent.get("headers", {})}
    body = b""
    if "json" in sent:
        body = json.dumps(sent["json"]).encode()
        headers["content-type"] = "application/json"
    elif "form" in sent:
        body = urlencode(sent["form"], doseq=True).encode()
        headers["content-type"] = "application/x-www-form-urlencoded"
    elif "data" in sent:
        body = sent["data"] if isinstance(sent["data"], bytes) else str(sent["data"]).encode()
    if sent.get("cookies"):
        headers["cookie"] = "; ".join(f"{k}={v}" for k, v in sent["cookies"].items())
    scope = {
        "type": "http",
        "http_version": "1.1",
        "method": sent.get("method", "POST" if body else "GET"),
        "scheme": "http",
        "server": ("testserver", 80),
        "client": ("testclient", 50000),
        "root_path": "",
        "path": sent.get("path", "/"),
        "path_params": sent.get("path_params", {}),
        "query_string": urlencode(sent.get("args", {}), doseq=True).encode(),
        "headers": [(k.lower().encode(), str(v).encode()) for k, v in headers.items()],
        "session": sent.get("session", {}),
        "state": {},
        "app": _asgi_application(),
    }

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": body, "more_body": False}

    return Request(scope, receive)


@functools.cache
def _asgi_application() -> Any:
    from starlette.applications import Starlette

    return Starlette()


def _patch_static(module: Any) -> None:
    real = module.StaticFiles.__init__

    def init(files: Any, *positional: Any, **named: Any) -> None:
        """The folder of the files need not be there."""
        real(files, *positional, **{**named, "check_dir": False})

    replace(module.StaticFiles, "__init__", init)


# ----------------------------------------------------------------------------- injection


_ROUTE_METHODS = ("get", "post", "put", "patch", "delete", "options", "head", "trace", "websocket")


def _patch_routes(module: Any) -> None:
    for name in _ROUTE_METHODS:  # those of an application call these
        _patch_decorator(module.APIRouter, name)


def _patch_decorator(owner: Any, name: str) -> None:
    real = getattr(owner, name)

    @functools.wraps(real)
    def route(router: Any, *positional: Any, **named: Any) -> Any:
        decorate = real(router, *positional, **named)

        def decorated(endpoint: Any) -> Any:
            given = decorate(endpoint)
            return injecting(given) if inspect.isfunction(given) else given

        return decorated

    replace(owner, name, route)


def injecting(endpoint: Any) -> Any:
    """The endpoint, which gets its dependencies also when it is called as a function."""
    try:
        signature = inspect.signature(endpoint)
    except (TypeError, ValueError):
        return endpoint
    if not any(_is_marker(p.default) or _in_annotation(p) for p in signature.parameters.values()):
        return endpoint

    async def inject(args: tuple[Any, ...], kwargs: dict[str, Any], opened: list[Any]) -> Any:
        bound = signature.bind_partial(*args, **kwargs)
        for name, marker in _missing_parameters(signature, bound):
            bound.arguments[name] = await _injected(marker, opened)
        return bound

    if inspect.iscoroutinefunction(endpoint):

        @functools.wraps(endpoint)
        async def called_later(*args: Any, **kwargs: Any) -> Any:
            opened: list[Any] = []
            bound = await inject(args, kwargs, opened)
            try:
                return await endpoint(*bound.args, **bound.kwargs)
            finally:
                await _close_dependencies(opened)

        return called_later

    @functools.wraps(endpoint)
    def called(*args: Any, **kwargs: Any) -> Any:
        opened: list[Any] = []
        bound = _run_to_end(inject(args, kwargs, opened))
        try:
            return endpoint(*bound.args, **bound.kwargs)
        finally:
            _run_to_end(_close_dependencies(opened))

    return called


async def _close_dependencies(opened: list[Any]) -> None:
    """Let dependencies that yield go on to their end."""
    for generator in reversed(opened):
        if inspect.isgenerator(generator):
            next(generator, None)
        else:
            await anext(generator, None)


def _run_to_end(coroutine: Any) -> Any:
    """Run a coroutine to its end, also where a loop is already running."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(coroutine)
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, coroutine).result()


def _is_marker(default: Any) -> bool:
    module = type(default).__module__
    return module in ("fastapi.params", "fastapi.param_functions")


def _in_annotation(parameter: inspect.Parameter) -> Any:
    """The marker in `Annotated[…]`, if there is one."""
    return next(filter(_is_marker, getattr(parameter.annotation, "__metadata__", ())), None)


def _missing_parameters(
    signature: inspect.Signature, bound: inspect.BoundArguments
) -> list[tuple[str, Any]]:
    """Parameters that nobody gave, and what says where they come from."""
    found = []
    for name, parameter in signature.parameters.items():
        if name in bound.arguments:
            continue
        if _is_marker(parameter.default):
            found.append((name, parameter.default))
        elif parameter.default is parameter.empty and _in_annotation(parameter):
            found.append((name, _in_annotation(parameter)))
    return found


async def _injected(marker: Any, opened: list[Any]) -> Any:
    """What a marker stands for."""
    if not hasattr(marker, "dependency"):
        default = marker.get_default(call_default_factory=True)
        return None if _says_nothing(default) else default
    dependency = marker.dependency
    signature = inspect.signature(dependency)
    named = {}
    for name, parameter in signature.parameters.items():
        inner = parameter.default if _is_marker(parameter.default) else _in_annotation(parameter)
        if inner is not None:
            named[name] = await _injected(inner, opened)
        elif _is_connection(parameter.annotation):
            named[name] = starlette_request()
    found = dependency(**named)
    if inspect.isgenerator(found) or inspect.isasyncgen(found):
        opened.append(found)
        return next(found) if inspect.isgenerator(found) else await anext(found)
    return await found if inspect.isawaitable(found) else found


def _is_connection(annotation: Any) -> bool:
    name = str(getattr(annotation, "__name__", annotation)).rpartition(".")[2]
    return name.strip("'") in ("Request", "HTTPConnection")


def _says_nothing(default: Any) -> bool:
    return default is ... or type(default).__name__ == "PydanticUndefinedType"
