"""Telegram below the libraries for its bots: it answers methods, and notes what is sent."""

from __future__ import annotations

import json
from typing import Any

from .....world.core.as_data import as_data
from .....world.core.on_import import on_import
from .....world.core.world import chosen, record, replace

__all__ = [
    "telebot_message",
    "telebot_query",
    "telegram_context",
    "telegram_update",
]  # what cases may call

_TELEGRAM_PERSON = {
    "id": 101,
    "is_bot": False,
    "first_name": "Ada",
    "username": "ada",
    "language_code": "en",
}
_TELEGRAM_BOT = {"id": 100, "is_bot": True, "first_name": "Bot", "username": "test_bot"}
_TELEGRAM_CHAT = {"id": 101, "type": "private", "first_name": "Ada", "username": "ada"}
_TELEGRAM_FAILURES = {
    "default": None,
    "blocked": (403, "Forbidden: bot was blocked by the user"),
    "bad_request": (400, "Bad Request: chat not found"),
}


def answer_telegram() -> None:
    """Answer python-telegram-bot, pyTelegramBotAPI and aiogram."""
    on_import("telegram.request._httpxrequest", _patch_ptb)
    on_import("telegram.ext._telegram_application", _patch_application)
    on_import("telebot.apihelper", _patch_telebot)
    on_import("telebot.asyncio_helper", _patch_async_telebot)
    on_import("telebot", lambda module: _patch_polling(module.TeleBot))
    on_import("telebot.async_telebot", lambda module: _patch_async_polling(module.AsyncTeleBot))
    on_import("aiogram.client.session.aiohttp", _patch_aiogram)
    on_import("aiogram", lambda module: _patch_async_polling(module.Dispatcher))


def telegram_message_data(text: str = "hello", chat: Any = 101) -> dict[str, Any]:
    """A message as Telegram sends it."""
    entities = []
    if text.startswith("/"):
        entities = [{"type": "bot_command", "offset": 0, "length": len(text.split(maxsplit=1)[0])}]
    where = (
        {**_TELEGRAM_CHAT, "id": int(chat)}
        if str(chat).lstrip("-").isdigit()
        else {**_TELEGRAM_CHAT, "id": 102}
    )
    return {"message_id": 1, "date": 1704110400, "chat": where, "from": _TELEGRAM_PERSON, "text": text,
            "entities": entities}  # fmt: skip


def telegram_answer(method: str, sent: dict[str, Any]) -> Any:
    """The result of a method of Telegram's interface."""
    kept = {k: as_data(v) for k, v in sorted(sent.items()) if k != "chat_id" and v is not None}
    low = method.lower()
    if low.startswith("get") and low not in ("getfile", "getchat", "getchatmember"):
        record("request", f"telegram {method}")
    elif low.startswith(("send", "edit", "forward", "copy", "reply", "answer")):
        record("message", f"telegram {sent.get('chat_id', '')}".strip(), method, kept)
    else:
        record("command", f"telegram {method}", {**kept, "chat_id": sent.get("chat_id")})
    if low == "getme":
        return _TELEGRAM_BOT
    if low.startswith(("send", "edit", "forward")) and low != "sendchataction":
        text = str(sent.get("text") or sent.get("caption") or "")
        if low == "sendmediagroup":
            return [telegram_message_data(text, sent.get("chat_id", 101))]
        return {
            **telegram_message_data(text, sent.get("chat_id", 101)),
            "from": _TELEGRAM_BOT,
            "entities": [],
        }
    found = {
        "getchat": {**_TELEGRAM_CHAT, "accent_color_id": 0, "max_reaction_count": 1},
        "getfile": {
            "file_id": "file",
            "file_unique_id": "file",
            "file_path": "file.bin",
            "file_size": 1,
        },
        "getchatmember": {"user": _TELEGRAM_PERSON, "status": "member"},
        "getchatadministrators": [],
        "getchatmembercount": 1,
        "getupdates": [],
        "getmycommands": [],
        "copymessage": {"message_id": 1},
        "getwebhookinfo": {"url": "", "has_custom_certificate": False, "pending_update_count": 0},
    }
    return found.get(low, True)


def _patch_ptb(module: Any) -> None:
    async def do_request(
        request: Any, url: str, method: str, request_data: Any = None, *_: Any, **__: Any
    ) -> tuple[int, bytes]:
        if "/file/bot" in url:
            return 200, b"file"
        sent = dict(request_data.parameters) if request_data else {}
        failure = chosen("telegram", _TELEGRAM_FAILURES)
        result = telegram_answer(url.rpartition("/")[2], sent)
        if failure:
            found = {"ok": False, "error_code": failure[0], "description": failure[1]}
            return failure[0], json.dumps(found).encode()
        return 200, json.dumps({"ok": True, "result": result}).encode()

    async def nothing(request: Any) -> None:
        """Nothing is open."""

    replace(module.HTTPXRequest, "do_request", do_request)
    replace(module.HTTPXRequest, "initialize", nothing)
    replace(module.HTTPXRequest, "shutdown", nothing)


def _patch_application(module: Any) -> None:
    for name in ("run_polling", "run_webhook"):
        replace(module.Application, name, lambda app, *_, **__: record("serve", "telegram"))


def _patch_telebot(module: Any) -> None:
    def make_request(
        token: str, method_name: str, method: str = "get", params: Any = None, files: Any = None
    ) -> Any:
        sent = {**(params or {}), **dict.fromkeys(files or {}, "a file")}
        failure = chosen("telegram", _TELEGRAM_FAILURES)
        result = telegram_answer(method_name, sent)
        if failure:
            found = {"ok": False, "error_code": failure[0], "description": failure[1]}
            raise module.ApiTelegramException(method_name, None, found)
        return result

    replace(module, "_make_request", make_request)
    replace(module, "download_file", lambda token, file_path: b"file")


def _patch_async_telebot(module: Any) -> None:
    async def request(
        token: str, url: str, method: str = "get", params: Any = None, files: Any = None, **_: Any
    ) -> Any:
        sent = {**(params or {}), **dict.fromkeys(files or {}, "a file")}
        return telegram_answer(url, sent)

    replace(module, "_process_request", request)


def _patch_polling(owner: Any) -> None:
    for name in ("infinity_polling", "polling", "run_webhooks"):
        if hasattr(owner, name):
            replace(owner, name, lambda bot, *_, **__: record("serve", "telegram"))


def _patch_async_polling(owner: Any) -> None:
    async def later(bot: Any, *_: Any, **__: Any) -> None:
        record("serve", "telegram")

    for name in ("infinity_polling", "polling", "start_polling"):
        if hasattr(owner, name):
            replace(owner, name, later)
    if hasattr(owner, "run_polling"):
        replace(owner, "run_polling", lambda bot, *_, **__: record("serve", "telegram"))


def _patch_aiogram(module: Any) -> None:
    async def make_request(session: Any, bot: Any, method: Any, timeout: Any = None) -> Any:
        sent = method.model_dump(exclude_none=True, warnings=False)
        result = telegram_answer(method.__api_method__, sent)
        from pydantic import TypeAdapter

        return TypeAdapter(method.__returning__).validate_python(result, context={"bot": bot})

    replace(module.AiohttpSession, "make_request", make_request)


# ----------------------------------------------------------------------------- what comes in


def _telegram_application() -> Any:
    from telegram.ext import ApplicationBuilder

    return ApplicationBuilder().token("100:token").build()


def telegram_update(text: str = "/start", *, query: str | None = None) -> Any:
    """An update for handlers of python-telegram-bot: a message, or a press of a button."""
    from telegram import Update

    message = telegram_message_data(text)
    data: dict[str, Any] = {"update_id": 1, "message": message}
    if query is not None:
        pressed = {"id": "1", "from": _TELEGRAM_PERSON, "chat_instance": "1", "data": query}
        data = {"update_id": 1, "callback_query": {**pressed, "message": message}}
    return Update.de_json(data, _telegram_application().bot)


def telegram_context(*args: str) -> Any:
    """A context for such handlers, with the arguments of the command."""
    from telegram.ext import CallbackContext

    context: Any = CallbackContext(_telegram_application(), chat_id=101, user_id=101)
    context.args = list(args)
    return context


def telebot_message(text: str = "/start") -> Any:
    """A message for handlers of pyTelegramBotAPI."""
    from telebot.types import Message

    return Message.de_json(telegram_message_data(text))


def telebot_query(data: str = "1", text: str = "hello") -> Any:
    """A press of a button, for handlers of pyTelegramBotAPI."""
    from telebot.types import CallbackQuery

    pressed = {"id": "1", "from": _TELEGRAM_PERSON, "chat_instance": "1", "data": data}
    return CallbackQuery.de_json({**pressed, "message": telegram_message_data(text)})
