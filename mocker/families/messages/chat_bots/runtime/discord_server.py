"""Discord below discord.py's client: it answers requests, and notes what is sent."""

from __future__ import annotations

import json
from typing import Any

from .....world.core.as_data import as_data
from .....world.core.on_import import on_import
from .....world.core.world import chosen, record, replace

__all__ = ["discord_context"]  # what cases may call

_DISCORD_USER = {
    "id": "101",
    "username": "user",
    "global_name": "User",
    "discriminator": "0",
    "avatar": None,
}
_DISCORD_BOT = {**_DISCORD_USER, "id": "100", "username": "bot", "global_name": "Bot", "bot": True}
_DISCORD_TIME = "2024-01-01T12:00:00.000000+00:00"


class Discord:
    """What there is: the clients of the slice."""

    clients: list[Any] = []
    texts: dict[str, str] = {"default": "1"}
    """Variant → what somebody writes who is waited for."""


def answer_discord() -> None:
    """Answer all that discord.py asks for, below its HTTP client."""
    Discord.clients = []
    on_import("discord.http", _patch_discord_http)
    on_import("discord.client", _patch_discord_client)
    on_import("discord.webhook.async_", _patch_discord_webhook)
    on_import("discord.ext.tasks", lambda module: replace(
        module.Loop, "start", lambda loop, *_, **__: record("command", f"start {loop.coro.__name__}")
    ))  # fmt: skip


def _patch_discord_http(module: Any) -> None:
    async def request(
        client: Any, route: Any, *, files: Any = None, form: Any = None, **sent: Any
    ) -> Any:
        body = sent.get("json")
        for part in form or ():
            if part.get("name") == "payload_json":
                body = json.loads(part["value"])
        names = [part["filename"] for part in form or () if "filename" in part]
        return discord_answer(route.method, route.url.partition("/api/v10")[2], body, names)

    replace(module.HTTPClient, "request", request)


def discord_answer(method: str, path: str, body: Any, files: list[str]) -> Any:
    """What Discord answers, by method and path."""
    parts = path.partition("?")[0].strip("/").split("/")
    if method == "GET":
        record("request", f"GET {path}")
    elif parts[0] == "channels" and parts[-1] == "messages":
        record("message", f"discord channel {parts[1]}", as_data(body), *files)
    else:
        record("command", f"{method} {path}", as_data(body))
    failure = chosen("discord", {"default": None, "forbidden": (403, 50013, "Missing Permissions"),
                                 "not_found": (404, 10003, "Unknown Channel")})  # fmt: skip
    if failure:
        raise _discord_failure(*failure)
    if "messages" in parts:
        data = discord_message_data((body or {}).get("content"), parts[1])
        data["embeds"] = (body or {}).get("embeds", [])
        data["author"] = _DISCORD_BOT
        is_list = method == "GET" and parts[-1] == "messages"
        return [discord_message_data("1", parts[1])] if is_list else data
    if method in ("DELETE", "PUT"):
        return [] if parts[-1] == "commands" else None
    if parts == ["users", "@me", "channels"]:
        return {"id": "301", "type": 1, "recipients": [_DISCORD_USER], "last_message_id": None}
    if "members" in parts:
        return _discord_member() if parts[-1] != "members" else [_discord_member()]
    if parts[0] == "users":
        return _DISCORD_BOT if parts[-1] == "@me" else {**_DISCORD_USER, "id": parts[-1]}
    if parts[0] == "channels":
        return {**_discord_channel_data(parts[1]), "guild_id": "200"}
    if parts[0] == "guilds" and len(parts) == 2:
        return {
            "id": parts[1],
            "name": "guild",
            "roles": [],
            "emojis": [],
            "stickers": [],
            "features": [],
        }
    return [] if parts[-1].endswith("s") else {"id": "1", "name": (body or {}).get("name", "name")}


def _discord_failure(status: int, code: int, text: str) -> Exception:
    import types

    import discord

    reply = types.SimpleNamespace(status=status, reason=text)
    kind = discord.Forbidden if status == 403 else discord.NotFound
    return kind(reply, {"code": code, "message": text})


def discord_message_data(content: Any, channel: str = "300") -> dict[str, Any]:
    """A message as Discord sends it."""
    return {
        "id": "400", "channel_id": channel, "author": _DISCORD_USER, "content": content or "",
        "timestamp": _DISCORD_TIME, "edited_timestamp": None, "tts": False, "mention_everyone": False,
        "mentions": [], "mention_roles": [], "attachments": [], "embeds": [], "pinned": False,
        "type": 0, "components": [],
    }  # fmt: skip


def _discord_member() -> dict[str, Any]:
    return {
        "user": _DISCORD_USER,
        "nick": None,
        "roles": [],
        "joined_at": _DISCORD_TIME,
        "deaf": False,
        "mute": False,
        "flags": 0,
    }


def _discord_channel_data(name: str) -> dict[str, Any]:
    return {"id": name, "type": 0, "name": "general", "position": 0, "permission_overwrites": [],
            "nsfw": False, "parent_id": None, "topic": None, "last_message_id": None}  # fmt: skip


# ----------------------------------------------------------------------------- clients


def _patch_discord_client(module: Any) -> None:
    real = module.Client.__init__

    def init(client: Any, *positional: Any, **named: Any) -> None:
        real(client, *positional, **named)
        from discord.user import ClientUser

        Discord.clients.append(client)
        client._connection.user = ClientUser(state=client._connection, data=_DISCORD_BOT)
        client._connection.application_id = 100

    async def later(client: Any, *_: Any, **__: Any) -> None:
        record("serve", "discord")

    async def ready(client: Any) -> None:
        """It is."""

    async def wait_for(client: Any, event: str, *, check: Any = None, timeout: Any = None) -> Any:
        record("read", f"discord {event}")
        text = chosen("discord.wait_for", {**Discord.texts, "timeout": None})
        if text is None:
            raise TimeoutError
        message = discord_message(text)
        if "reaction" in event:
            import types

            return types.SimpleNamespace(emoji=text, message=message, count=1), message.author
        return discord_interaction() if event == "interaction" else message

    def get_channel(client: Any, id: int, /) -> Any:
        return client._connection.get_channel(id) or discord_channel(id)

    replace(module.Client, "__init__", init)
    replace(module.Client, "run", lambda client, *_, **__: record("serve", "discord"))
    for name in ("start", "login", "connect"):
        replace(module.Client, name, later)
    replace(module.Client, "wait_until_ready", ready)
    replace(module.Client, "wait_for", wait_for)
    replace(module.Client, "get_channel", get_channel)
    replace(module.Client, "latency", property(lambda client: 0.05))


def _patch_discord_webhook(module: Any) -> None:
    async def request(adapter: Any, route: Any, session: Any = None, **sent: Any) -> Any:
        body = sent.get("payload")
        for part in sent.get("multipart") or ():
            if part.get("name") == "payload_json":
                body = json.loads(part["value"])
        if route.method == "GET":
            record("request", f"GET {route.path}")
        else:
            record("message", "discord interaction", as_data(body))
        message = discord_message_data(((body or {}).get("data") or body or {}).get("content"))
        if route.path.endswith("/callback"):
            return {
                "interaction": {"id": "500", "type": 2},
                "resource": {"type": 4, "message": message},
            }
        return message

    replace(module.AsyncWebhookAdapter, "request", request)


def _discord_client() -> Any:
    if not Discord.clients:
        import discord

        discord.Client(intents=discord.Intents.default())
    return Discord.clients[0]


def discord_guild() -> Any:
    """A guild with one member."""
    from discord import Guild, Member

    state = _discord_client()._connection
    data: Any = {
        "id": "200",
        "name": "guild",
        "roles": [
            {
                "id": "200",
                "name": "@everyone",
                "permissions": "8",
                "position": 0,
                "color": 0,
                "hoist": False,
                "managed": False,
                "mentionable": False,
            }
        ],
        "owner_id": "101",
    }
    guild = Guild(data=data, state=state)
    guild._add_member(Member(data=_discord_member(), guild=guild, state=state))
    return guild


def discord_channel(number: int = 300) -> Any:
    """A channel for texts."""
    from discord import TextChannel

    return TextChannel(
        state=_discord_client()._connection,
        guild=discord_guild(),
        data=_discord_channel_data(str(number)),
    )


def discord_message(content: str = "hello") -> Any:
    """A message that somebody wrote."""
    from discord import Message

    data: Any = {**discord_message_data(content), "member": _discord_member()}
    return Message(state=_discord_client()._connection, channel=discord_channel(), data=data)


def discord_context(content: str = "!command") -> Any:
    """The context of a command."""
    from discord.ext.commands import Bot, Context
    from discord.ext.commands.view import StringView

    bot = next((c for c in Discord.clients if isinstance(c, Bot)), None)
    if bot is None:
        import discord

        bot = Bot("!", intents=discord.Intents.default())
    return Context(message=discord_message(content), bot=bot, view=StringView(content), prefix="!")


def discord_interaction(name: str = "command") -> Any:
    """What a slash command gets."""
    from discord import Interaction

    data: Any = {
        "id": "500", "application_id": "100", "type": 2, "token": "token", "version": 1,
        "channel": {**_discord_channel_data("300"), "permissions": "8"}, "channel_id": "300",
        "member": {**_discord_member(), "permissions": "8"}, "guild_id": "200", "locale": "en-GB",
        "data": {"id": "1", "name": name, "type": 1}, "entitlements": [], "app_permissions": "8",
        "authorizing_integration_owners": {}, "attachment_size_limit": 0,
    }  # fmt: skip
    return Interaction(data=data, state=_discord_client()._connection)
