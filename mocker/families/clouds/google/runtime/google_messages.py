"""Pub/Sub in this process: what is published waits until it is pulled; something waits at first."""

from __future__ import annotations

import concurrent.futures
from typing import Any

from .....world.core.on_import import on_import
from .....world.core.world import chosen, record, replace, restart_with
from .....world.google.google_channel import GrpcRefusal, google_channels
from .....world.network.http_answers import shown_bytes


class MessageWorld:
    """Topics and subscriptions of all projects."""

    bodies: dict[str, Any] = {}
    """What waits in a subscription to which nobody has published; `None` for nothing."""
    topics: set[str] = set()
    subscriptions: dict[str, str] = {}
    """Subscription → its topic."""
    waiting: dict[str, list[Any]] = {}
    """Topic or subscription → what has been published and not been acknowledged."""
    asked: set[str] = set()
    numbers: list[int] = []


def google_messages(bodies: dict[str, Any]) -> None:
    """Answer Pub/Sub; the first pull gives one of these texts, if nobody has published before."""
    MessageWorld.bodies = {**bodies, "empty": None}
    for held in (
        MessageWorld.topics, MessageWorld.subscriptions, MessageWorld.waiting,
        MessageWorld.asked, MessageWorld.numbers,
    ):  # fmt: skip
        restart_with(held.clear)
    google_channels({
        "Publisher/Publish": _publish, "Publisher/CreateTopic": _create_topic,
        "Publisher/GetTopic": _get_topic, "Publisher/DeleteTopic": _delete_topic,
        "Publisher/ListTopics": _list_topics, "Subscriber/CreateSubscription": _create_subscription,
        "Subscriber/GetSubscription": _get_subscription, "Subscriber/Pull": _pull,
        "Subscriber/DeleteSubscription": _delete_subscription,
        "Subscriber/Acknowledge": _acknowledge, "Subscriber/ModifyAckDeadline": _later,
    })  # fmt: skip
    on_import("google.cloud.pubsub_v1.publisher.client", _patch_publisher)
    on_import("google.cloud.pubsub_v1.subscriber.client", _patch_subscriber)


def _pubsub_types() -> Any:
    from google.pubsub_v1 import types

    return types


def _publish(request: Any) -> Any:
    given: list[str] = []
    for message in request.messages:
        MessageWorld.numbers.append(1)
        message.message_id = str(len(MessageWorld.numbers))
        message.publish_time = "2026-01-01T12:00:00Z"
        given.append(message.message_id)
        record(
            "request", "google pubsub.publish", request.topic, shown_bytes(message.data),
            dict(sorted(message.attributes.items())),
        )  # fmt: skip
        _require_topic(request.topic)
        below = [s for s, topic in MessageWorld.subscriptions.items() if topic == request.topic]
        for place in below or [request.topic]:
            MessageWorld.waiting.setdefault(place, []).append(message)
    return _pubsub_types().PublishResponse(message_ids=given)


def _require_topic(topic: str) -> None:
    missing = chosen("google.publisher", {"default": False, "missing": True})
    if missing and topic not in MessageWorld.topics:
        raise GrpcRefusal("NOT_FOUND", f"Resource not found (resource={topic}).")


def _create_topic(request: Any) -> Any:
    record("request", "google pubsub.create_topic", request.name)
    if request.name in MessageWorld.topics:
        raise GrpcRefusal("ALREADY_EXISTS", f"Resource already exists (resource={request.name}).")
    MessageWorld.topics.add(request.name)
    return request


def _get_topic(request: Any) -> Any:
    record("query", "google pubsub.get_topic", request.topic)
    _require_topic(request.topic)
    return _pubsub_types().Topic(name=request.topic)


def _delete_topic(request: Any) -> Any:
    record("request", "google pubsub.delete_topic", request.topic)
    MessageWorld.topics.discard(request.topic)
    return None


def _list_topics(request: Any) -> Any:
    record("query", "google pubsub.list_topics", request.project)
    found = [_pubsub_types().Topic(name=name) for name in sorted(MessageWorld.topics)]
    return _pubsub_types().ListTopicsResponse(topics=found)


def _create_subscription(request: Any) -> Any:
    record("request", "google pubsub.create_subscription", request.name, request.topic)
    if request.name in MessageWorld.subscriptions:
        raise GrpcRefusal("ALREADY_EXISTS", f"Resource already exists (resource={request.name}).")
    MessageWorld.subscriptions[request.name] = request.topic
    MessageWorld.asked.add(request.name)
    return request


def _get_subscription(request: Any) -> Any:
    record("query", "google pubsub.get_subscription", request.subscription)
    topic = MessageWorld.subscriptions.get(request.subscription, "")
    return _pubsub_types().Subscription(name=request.subscription, topic=topic)


def _delete_subscription(request: Any) -> Any:
    record("request", "google pubsub.delete_subscription", request.subscription)
    MessageWorld.subscriptions.pop(request.subscription, None)
    return None


def _waiting(subscription: str) -> list[Any]:
    """The messages for a subscription: its own; else what was published where none is known."""
    if subscription in MessageWorld.subscriptions:
        return MessageWorld.waiting.setdefault(subscription, [])
    known = MessageWorld.waiting.setdefault(subscription, [])
    for topic in [t for t in MessageWorld.waiting if "/topics/" in t]:
        known += MessageWorld.waiting.pop(topic)
    body = chosen("google.subscriber", MessageWorld.bodies)
    if not known and body is not None and subscription not in MessageWorld.asked:
        data = body if isinstance(body, bytes) else str(body).encode()
        known.append(_pubsub_types().PubsubMessage(
            data=data, message_id="0", publish_time="2026-01-01T12:00:00Z"
        ))  # fmt: skip
    MessageWorld.asked.add(subscription)
    return known


def _pull(request: Any) -> Any:
    types = _pubsub_types()
    record("query", "google pubsub.pull", request.subscription)
    found = _waiting(request.subscription)[: request.max_messages or 1]
    received = [
        types.ReceivedMessage(ack_id=m.message_id, message=m, delivery_attempt=1) for m in found
    ]
    return types.PullResponse(received_messages=received)


def _acknowledge(request: Any) -> Any:
    ids = list(request.ack_ids)
    record("request", "google pubsub.acknowledge", request.subscription, ids)
    kept = [m for m in _waiting(request.subscription) if m.message_id not in ids]
    MessageWorld.waiting[request.subscription] = kept
    return None


def _later(request: Any) -> Any:
    ids = list(request.ack_ids)
    what = "google pubsub.modify_ack_deadline"
    record("request", what, request.subscription, ids, request.ack_deadline_seconds)
    return None


def _patch_publisher(module: Any) -> None:
    """Publish at once: no batches, and no threads that send them."""
    client = module.Client

    def publish(
        self: Any, topic: str, data: bytes, ordering_key: str = "", retry: Any = None,
        timeout: Any = None, **attrs: Any,
    ) -> Any:  # fmt: skip
        from google.cloud.pubsub_v1.publisher import futures

        if not isinstance(data, bytes):
            raise TypeError("Data being published to Pub/Sub must be sent as a bytestring.")
        if not self._enable_message_ordering and ordering_key:
            raise ValueError(
                "Cannot publish a message with an ordering key when message ordering is not enabled."
            )
        for name, value in attrs.items():
            attrs[name] = value.decode() if isinstance(value, bytes) else value
            if not isinstance(attrs[name], str):
                raise TypeError(
                    "All attributes being published to Pub/Sub must be sent as text strings."
                )
        message = _pubsub_types().PubsubMessage(
            data=data, ordering_key=ordering_key, attributes=attrs
        )
        future = futures.Future()
        try:
            reply = super(client, self).publish(topic=topic, messages=[message])
        except Exception as error:
            future.set_exception(error)
        else:
            future.set_result(reply.message_ids[0])
        return future

    replace(client, "publish", publish)
    replace(client, "stop", lambda self: setattr(self, "_is_stopped", True))


def _patch_subscriber(module: Any) -> None:
    """Whoever subscribes is called for what waits, when it waits for the end itself."""

    def subscribe(self: Any, subscription: str, callback: Any, *_args: Any, **_options: Any) -> Any:
        from google.cloud.pubsub_v1.subscriber import futures

        future = futures.StreamingPullFuture(_Puller())
        wait = future.result

        def result(timeout: Any = None) -> Any:
            _deliver(subscription, callback)
            if future.done():
                return wait(0)
            if timeout is not None:
                raise concurrent.futures.TimeoutError
            future.cancel()  # nobody publishes any more: as if whoever runs this had ended it
            return True

        future.result = result
        return future

    replace(module.Client, "subscribe", subscribe)


class _Puller:
    """What a future of a subscription closes."""

    def __init__(self) -> None:
        self.told: list[Any] = []

    def add_close_callback(self, callback: Any) -> None:
        """Have a function called at the end."""
        self.told.append(callback)

    def close(self, reason: Any = None) -> None:
        """The end."""
        while self.told:
            self.told.pop()(self, reason)


def _deliver(subscription: str, callback: Any) -> None:
    record("query", "google pubsub.subscribe", subscription)
    for message in list(_waiting(subscription)):
        callback(_received(subscription, message))


def _received(subscription: str, message: Any) -> Any:
    """A message as callbacks get it, whose answer is noted."""
    from google.cloud.pubsub_v1.subscriber import message as messages

    class Answers:
        @staticmethod
        def put(request: Any) -> None:
            name = type(request).__name__
            if name in ("AckRequest", "NackRequest"):
                what = "acknowledge" if name == "AckRequest" else "refuse"
                record("request", f"google pubsub.{what}", subscription, [message.message_id])
            if name == "AckRequest":
                MessageWorld.waiting[subscription].remove(message)
            if getattr(request, "future", None) is not None:
                from google.cloud.pubsub_v1.subscriber.exceptions import AcknowledgeStatus

                request.future.set_result(AcknowledgeStatus.SUCCESS)

    return messages.Message(type(message).pb(message), message.message_id, 1, Answers())
