"""Channels of gRPC that end in this process: Google's clients stay real above them."""

from __future__ import annotations

from typing import Any

from ..core.on_import import on_import
from ..core.world import choices, chosen_name, replace

grpc_methods: dict[str, Any] = {}
"""`Service/Method` → function of a request that gives its reply, or the replies of a stream."""


class GrpcRefusal(Exception):  # noqa: N818
    """What a service answers instead: the name of a status, and a message."""

    def __init__(self, status: str, message: str) -> None:
        super().__init__(status, message)
        self.status = status
        self.message = message


def google_channels(methods: dict[str, Any]) -> None:
    """Answer these methods; any other gives an empty reply."""
    grpc_methods.update(methods)
    for name in ("grpc_helpers", "grpc_helpers_async"):
        on_import(f"google.api_core.{name}", _patch_helpers)


def _patch_helpers(module: Any) -> None:
    import grpc

    # clients and helpers look at what a channel and a method is
    grpc.Channel.register(MemoryChannel)
    grpc.UnaryStreamMultiCallable.register(_Stream)
    kind = MemoryChannel
    if module.__name__.endswith("async"):
        import grpc.aio

        grpc.aio.Channel.register(AsyncMemoryChannel)
        grpc.aio.UnaryUnaryMultiCallable.register(_AwaitedReply)
        grpc.aio.UnaryStreamMultiCallable.register(_AwaitedStream)
        kind = AsyncMemoryChannel
    replace(module, "create_channel", lambda target="", *_, **__: kind(target))


def _answered_call(method: str, request: Any, deserialize: Any) -> Any:
    name = method.strip("/").rpartition(".")[2]
    place = f"google.{name.partition('/')[0].lower()}"
    refusals = {"forbidden": "PERMISSION_DENIED", "unauthenticated": "UNAUTHENTICATED"}
    variant = chosen_name(place, choices.get(place, "default"), "default", *refusals)
    if variant in refusals:
        raise _grpc_error(GrpcRefusal(refusals[variant], variant))
    known = grpc_methods.get(name)
    try:
        return deserialize(b"") if known is None else known(request)
    except GrpcRefusal as refusal:
        raise _grpc_error(refusal) from None


def _grpc_error(refusal: GrpcRefusal) -> Exception:
    import grpc

    class Refused(grpc.RpcError, grpc.Call):
        def code(self) -> Any:
            return getattr(grpc.StatusCode, refusal.status)

        def details(self) -> str:
            return refusal.message

        def trailing_metadata(self) -> Any:
            return ()

        initial_metadata = trailing_metadata

        def is_active(self) -> bool:
            return False

        def time_remaining(self) -> None:
            return None

        def cancel(self) -> bool:
            return False

        def result(self, timeout: Any = None) -> Any:
            raise self

        def exception(self, timeout: Any = None) -> Any:
            return self

        def add_callback(self, callback: Any) -> bool:
            return False

        def __str__(self) -> str:
            return refusal.message

    return Refused(refusal.message)


class _Answered:
    """A call that has ended: its replies, one after another, and what is told of a call."""

    def __init__(self, replies: Any = (), value: Any = None) -> None:
        self.replies = iter(replies)
        self.value = value

    def __iter__(self) -> Any:
        return self

    def __next__(self) -> Any:
        return next(self.replies)

    def __aiter__(self) -> Any:
        return self

    async def __anext__(self) -> Any:
        for reply in self.replies:
            return reply
        raise StopAsyncIteration

    def __await__(self) -> Any:
        return self.value
        yield

    async def wait_for_connection(self) -> None:
        return None

    def result(self, timeout: Any = None) -> Any:
        return self.value

    def code(self) -> Any:
        return None

    def details(self) -> str:
        return ""

    def trailing_metadata(self) -> Any:
        return ()

    initial_metadata = trailing_metadata

    def exception(self, timeout: Any = None) -> None:
        return None

    traceback = exception

    def cancel(self) -> bool:
        return True

    def cancelled(self) -> bool:
        return False

    def done(self) -> bool:
        return True

    def is_active(self) -> bool:
        return False

    def running(self) -> bool:
        return False

    def time_remaining(self) -> None:
        return None

    def add_callback(self, callback: Any) -> bool:
        return False

    def add_done_callback(self, callback: Any) -> None:
        callback(self)


class _OneReply:
    """A method that answers once."""

    def __init__(self, method: str, deserialize: Any) -> None:
        self.method = method
        self.deserialize = deserialize

    def __call__(self, request: Any, *_args: Any, **_options: Any) -> Any:
        return _answered_call(self.method, request, self.deserialize)

    def with_call(self, request: Any, *args: Any, **options: Any) -> Any:
        return self(request), _Answered()

    def future(self, request: Any, *args: Any, **options: Any) -> Any:
        return _Answered(value=self(request))


class _Stream(_OneReply):
    """A method that answers several times."""

    def __call__(self, request: Any, *_args: Any, **_options: Any) -> Any:
        found = _answered_call(self.method, request, self.deserialize)
        return _Answered(found if isinstance(found, (list, tuple)) else [])


class _AwaitedReply(_OneReply):
    """A method that answers once, when it is awaited."""

    def __call__(self, request: Any, *_args: Any, **_options: Any) -> Any:
        return _AwaitedCall(lambda: _answered_call(self.method, request, self.deserialize))


class _AwaitedStream(_Stream):
    """A method that answers several times, for `async for`."""


class _AwaitedCall(_Answered):
    def __init__(self, ask: Any) -> None:
        super().__init__()
        self.ask = ask

    def __await__(self) -> Any:
        return self.ask()
        yield


class MemoryChannel:
    """A channel; `grpc` knows it by its methods."""

    def __init__(self, target: Any = "") -> None:
        self.target = target
        self._unary_unary_interceptors: list[Any] = []

    def unary_unary(
        self,
        method: str,
        request_serializer: Any = None,
        response_deserializer: Any = None,
        *_: Any,
        **__: Any,
    ) -> Any:
        return _OneReply(method, response_deserializer)

    def unary_stream(
        self,
        method: str,
        request_serializer: Any = None,
        response_deserializer: Any = None,
        *_: Any,
        **__: Any,
    ) -> Any:
        return _Stream(method, response_deserializer)

    stream_stream = unary_stream
    stream_unary = unary_unary

    def subscribe(self, callback: Any, try_to_connect: Any = False) -> None:
        """Nobody is told of its state."""

    def unsubscribe(self, callback: Any) -> None:
        """Nobody was told."""

    def close(self, *_args: Any) -> None:
        """Nothing is open."""

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *_error: object) -> None:
        return None


class AsyncMemoryChannel(MemoryChannel):
    """A channel whose calls are awaited."""

    def unary_unary(
        self,
        method: str,
        request_serializer: Any = None,
        response_deserializer: Any = None,
        *_: Any,
        **__: Any,
    ) -> Any:
        return _AwaitedReply(method, response_deserializer)

    def unary_stream(
        self,
        method: str,
        request_serializer: Any = None,
        response_deserializer: Any = None,
        *_: Any,
        **__: Any,
    ) -> Any:
        return _AwaitedStream(method, response_deserializer)

    stream_stream = unary_stream
    stream_unary = unary_unary

    async def close(self, *_args: Any) -> None:
        """Nothing is open."""

    async def __aenter__(self) -> Any:
        return self

    async def __aexit__(self, *_error: object) -> None:
        return None
