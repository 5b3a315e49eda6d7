"""Slack below slack_sdk: it answers methods, and notes what is sent."""

from __future__ import annotations

from typing import Any

from .....world.core.as_data import as_data
from .....world.core.on_import import on_import
from .....world.core.world import chosen, record, replace

_SLACK_TS = "1704110400.000100"
_SLACK_FAILURES = {"default": None, "error": "channel_not_found", "limited": "ratelimited"}


def answer_slack() -> None:
    """Answer slack_sdk's clients; applications of slack_bolt return."""
    on_import("slack_sdk.web.base_client", lambda module: replace(
        module.BaseClient, "api_call", _slack_api_call))  # fmt: skip
    on_import("slack_sdk.web.legacy_base_client", lambda module: replace(
        module.LegacyBaseClient, "api_call", _slack_api_call))  # fmt: skip
    on_import("slack_sdk.web.async_base_client", _patch_async_slack)
    on_import("slack_sdk.webhook.client", _patch_slack_webhook)
    on_import("slack_bolt.app.app", lambda module: replace(
        module.App, "start", lambda app, *_, **__: record("serve", "slack")))  # fmt: skip
    on_import("slack_bolt.adapter.socket_mode.base_handler", lambda module: replace(
        module.BaseSocketModeHandler, "start", lambda handler: record("serve", "slack")))  # fmt: skip


def slack_answer(method: str, sent: dict[str, Any]) -> dict[str, Any]:
    """What Slack answers to a method."""
    kept = {k: as_data(v) for k, v in sorted(sent.items()) if k != "channel" and v is not None}
    if method.startswith(("chat.", "files.")):
        record(
            "message",
            f"slack {sent.get('channel') or sent.get('channels') or ''}".strip(),
            method,
            kept,
        )
    elif (
        ".list" in method or ".info" in method or method.endswith((".history", ".test", ".replies"))
    ):
        record("request", f"slack {method}", {**kept, "channel": sent.get("channel")})
    else:
        record("command", f"slack {method}", {**kept, "channel": sent.get("channel")})
    failure = chosen("slack", _SLACK_FAILURES)
    if failure:
        return {"ok": False, "error": failure}
    user = {"id": "U1", "name": "ada", "real_name": "Ada", "is_bot": False, "deleted": False,
            "profile": {"email": "ada@mail.example", "display_name": "ada"}}  # fmt: skip
    message = {"type": "message", "user": "U1", "text": sent.get("text", "hello"), "ts": _SLACK_TS}
    channel = {"id": "C1", "name": "general", "is_member": True}
    return {
        "ok": True, "ts": _SLACK_TS, "channel": sent.get("channel", "C1"), "message": message,
        "user": user if "users." in method else "bot", "user_id": "U0", "bot_id": "B0",
        "team": "team", "team_id": "T0", "url": "https://team.slack.example/", "members": [user],
        "channels": [channel], "messages": [message], "has_more": False,
        "file": {"id": "F1", "permalink": "https://team.slack.example/F1"}, "view": {"id": "V1"},
        "response_metadata": {"next_cursor": ""},
        **({"channel": channel} if method.startswith("conversations.") else {}),
    }  # fmt: skip


def _slack_sent(named: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for part in ("params", "data", "json"):
        found.update(named.get(part) if isinstance(named.get(part), dict) else {})
    found.update(dict.fromkeys(named.get("files") or {}, "a file"))
    return found


def _slack_api_call(client: Any, api_method: str, **named: Any) -> Any:
    from slack_sdk.web.slack_response import SlackResponse

    return _slack_reply(SlackResponse, client, api_method, named).validate()


def _slack_reply(kind: Any, client: Any, method: str, named: dict[str, Any]) -> Any:
    return kind(
        client=client, http_verb=named.get("http_verb", "POST"), api_url=method, req_args={},
        data=slack_answer(method, _slack_sent(named)), headers={}, status_code=200,
    )  # fmt: skip


def _patch_async_slack(module: Any) -> None:
    async def api_call(client: Any, api_method: str, **named: Any) -> Any:
        from slack_sdk.web.async_slack_response import AsyncSlackResponse

        return _slack_reply(AsyncSlackResponse, client, api_method, named).validate()

    replace(module.AsyncBaseClient, "api_call", api_call)


def _patch_slack_webhook(module: Any) -> None:
    def perform(client: Any, *, body: dict[str, Any], headers: dict[str, str]) -> Any:
        record("message", "slack webhook", as_data(body))
        status, text = chosen(
            "slack.webhook", {"default": (200, "ok"), "gone": (404, "no_service")}
        )
        return module.WebhookResponse(url=client.url, status_code=status, body=text, headers={})

    replace(module.WebhookClient, "_perform_http_request", perform)
