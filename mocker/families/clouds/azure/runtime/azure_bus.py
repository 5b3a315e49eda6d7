"""Azure's Service Bus in this process: what is sent waits until it is received."""

from __future__ import annotations

from typing import Any

from .....world.core.as_data import as_data
from .....world.core.on_import import on_import
from .....world.core.world import chosen, record, replace, restart_with
from .azure_accounts import replace_in_package


class BusWorld:
    """The queues and topics of all namespaces."""

    bodies: dict[str, Any] = {}
    """What waits where nobody has sent anything; `None` for nothing."""
    waiting: dict[str, list[Any]] = {}
    asked: set[str] = set()
    numbers: list[int] = []


def azure_bus(bodies: dict[str, Any]) -> None:
    """Answer Service Bus; the first look into a queue finds one of these texts."""
    BusWorld.bodies = {**bodies, "empty": None}
    for held in (BusWorld.waiting, BusWorld.asked, BusWorld.numbers):
        restart_with(held.clear)
    on_import("azure.servicebus._base_handler", _patch_bus_strings)
    on_import("azure.servicebus._common.message", _patch_batches)
    for way, end in (("", ""), ("aio.", "_async")):
        on_import(f"azure.servicebus.{way}_servicebus_sender{end}", _patch_sender)
        on_import(f"azure.servicebus.{way}_servicebus_receiver{end}", _patch_receiver)


def _patch_bus_strings(module: Any) -> None:
    parse = module._parse_conn_str

    def parsed(conn_str: Any, *args: Any, **options: Any) -> Any:
        """The parts of a connection string; those of some account where it is none."""
        try:
            return parse(conn_str, *args, **options)
        except (ValueError, AttributeError):
            made = "Endpoint=sb://namespace.servicebus.windows.net/;SharedAccessKeyName=name;SharedAccessKey=a2V5"
            return parse(made, *args, **options)

    replace_in_package("azure.servicebus", parse, parsed)


def _patch_batches(module: Any) -> None:
    """Batches remember what is in them."""
    batch = module.ServiceBusMessageBatch
    add = batch._add

    def kept(self: Any, message: Any, *args: Any, **options: Any) -> Any:
        found = add(self, message, *args, **options)
        vars(self).setdefault("_kept", []).append(message)
        return found

    replace(batch, "_add", kept)


def _as_async(function: Any, *, is_async: bool) -> Any:
    if not is_async:
        return function

    async def later(*args: Any, **options: Any) -> Any:
        return function(*args, **options)

    return later


def _patch_sender(module: Any) -> None:
    is_async = module.__name__.endswith("_async")
    sender = module.ServiceBusSender

    def begin(self: Any, *_args: Any, **_options: Any) -> None:
        self._running = True
        self._max_message_size_on_link = self._max_batch_size_on_link = 262144

    def send(self: Any, message: Any, *_args: Any, **_options: Any) -> None:
        for each in getattr(message, "_kept", None) or [message]:
            _keep_on_bus(self._entity_name, each)

    def schedule(self: Any, messages: Any, at: Any, **_options: Any) -> list[int]:
        listed = messages if isinstance(messages, (list, tuple)) else [messages]
        return [_keep_on_bus(self._entity_name, each, at=str(at)) for each in listed]

    for name, function in (("_open", begin), ("_send", send), ("schedule_messages", schedule)):
        replace(sender, name, _as_async(function, is_async=is_async))


def _keep_on_bus(place: str, message: Any, **said: str) -> int:
    body = message if isinstance(message, dict) else b"".join(_body_parts(message))
    shown = body.decode("utf-8", "replace") if isinstance(body, bytes) else as_data(body)
    properties = as_data(dict(getattr(message, "application_properties", None) or {}))
    record("request", "azure bus.send", place, shown, *([properties] if properties else []), **said)
    BusWorld.numbers.append(1)
    BusWorld.asked.add(place)
    BusWorld.waiting.setdefault(place, []).append([len(BusWorld.numbers), message, 0])
    return len(BusWorld.numbers)


def _body_parts(message: Any) -> list[bytes]:
    body = message.body
    if isinstance(body, (bytes, str)):
        body = [body]
    return [part.encode() if isinstance(part, str) else bytes(part) for part in body]


def _on_bus(receiver: Any) -> list[Any]:
    path = receiver._entity_name
    place = path.partition("/")[0]
    body = chosen("azure.bus", BusWorld.bodies)
    held = BusWorld.waiting.setdefault(place, [])
    if place not in BusWorld.asked and body is not None:
        from azure.servicebus import ServiceBusMessage

        BusWorld.numbers.append(1)
        held.append([len(BusWorld.numbers), ServiceBusMessage(body), 0])
    BusWorld.asked.add(place)
    return held


def _as_received(receiver: Any, kept: list[Any], kind: Any, **options: Any) -> Any:
    """A message as it comes out at the other end."""
    from azure.servicebus._pyamqp.message import Header, Message, Properties

    number, sent, count = kept
    given = {
        (k.encode() if isinstance(k, str) else k): v
        for k, v in (sent.application_properties or {}).items()
    }
    message = Message(
        data=_body_parts(sent),
        header=Header(delivery_count=count),
        properties=Properties(
            message_id=sent.message_id, content_type=sent.content_type, subject=sent.subject,
            correlation_id=sent.correlation_id, group_id=sent.session_id, to=sent.to,
            reply_to=sent.reply_to,
        ),
        application_properties=given,
        message_annotations={b"x-opt-sequence-number": number, b"x-opt-enqueued-time": 1767268800000},
    )  # fmt: skip
    found = kind(
        message, receiver._receive_mode, frame=[0, number, number.to_bytes(16, "little")],
        receiver=receiver, **options,
    )  # fmt: skip
    found._kept_as = kept
    return found


def _patch_receiver(module: Any) -> None:
    is_async = module.__name__.endswith("_async")
    receiver, kind = module.ServiceBusReceiver, module.ServiceBusReceivedMessage

    def begin(self: Any, *_args: Any, **_options: Any) -> None:
        self._running = True

    def take(self: Any, count: int) -> list[Any]:
        held = vars(self).setdefault("_held", [])
        found = [kept for kept in _on_bus(self) if kept not in held][:count]
        mode = getattr(self._receive_mode, "value", self._receive_mode)
        for kept in found:
            kept[2] += 1
            if mode == "receiveanddelete":
                _on_bus(self).remove(kept)
            else:
                held.append(kept)
        return [_as_received(self, kept, kind) for kept in found]

    def receive(
        self: Any, max_message_count: Any = None, *_args: Any, **_options: Any
    ) -> list[Any]:
        record("query", "azure bus.receive", self._entity_name)
        return take(self, max_message_count or 1)

    def following(self: Any, *_args: Any, **_options: Any) -> Any:
        record("query", "azure bus.receive", self._entity_name)
        found = take(self, 1)
        if not found:
            raise (StopAsyncIteration if is_async else StopIteration)
        return found[0]

    def peek(self: Any, max_message_count: int = 1, **_options: Any) -> list[Any]:
        record("query", "azure bus.peek", self._entity_name)
        found = _on_bus(self)[:max_message_count]
        return [_as_received(self, kept, kind, is_peeked_message=True) for kept in found]

    def settle(self: Any, message: Any, settle_operation: str, *reasons: Any, **named: Any) -> None:
        told = [r for r in (*reasons, *named.values()) if isinstance(r, str)]
        record("request", f"azure bus.{settle_operation}", self._entity_name, *told)
        kept = message._kept_as
        vars(self).setdefault("_held", []).remove(kept)
        if settle_operation != "abandon" or kept[2] >= 10:
            _on_bus(self).remove(kept)

    def renew(self: Any, *_args: Any, **_options: Any) -> Any:
        return {b"expirations": [1767268800000], b"expiration": 1767268800000}

    inner = "_inner_anext" if is_async else "_inner_next"
    for name, function in (
        ("_open", begin), ("_receive", receive), (inner, following), ("peek_messages", peek),
        ("_settle_message", settle), ("_renew_locks", renew),
    ):  # fmt: skip
        replace(receiver, name, _as_async(function, is_async=is_async))
