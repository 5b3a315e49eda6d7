"""Flask views that are called directly: a request is there as soon as they ask for one."""

from __future__ import annotations

import contextlib
import io
from typing import Any

from .....world.core.on_import import on_import
from .....world.core.world import chosen, record, replace, restart_with, undo_with

__all__ = ["flask_request"]  # what cases may call

_FLASK_PROXIES = ("app_ctx", "current_app", "g", "request_ctx", "request", "session")


class FlaskCalls:
    """The requests that can be there, and the applications that the slice has made."""

    requests: dict[str, dict[str, Any]] = {}
    user: dict[str, Any] = {}
    apps: list[Any] = []
    entered: list[FlaskRequest] = []
    """Requests that are there because somebody has asked for one."""
    settings: list[tuple[Any, dict[str, Any]]] | None = None
    """Each application with its settings, as these are before the first call."""

    @classmethod
    def leave(cls) -> None:
        """Take them away; one of a task or thread that has ended is gone already."""
        while cls.entered:
            with contextlib.suppress(Exception):
                cls.entered.pop().__exit__()

    @classmethod
    def restart(cls) -> None:
        """Take them away, and give each application the settings that it had at first."""
        cls.leave()
        if cls.settings is None:
            cls.settings = [(app, dict(app.config)) for app in cls.apps]
        for app, known in cls.settings:
            app.config.clear()
            app.config.update(known)
            _set_missing_key(app)  # before the call: during it, that would be a change
        cls.apps[:] = [app for app, _ in cls.settings]


def give_flask_requests(requests: dict[str, dict[str, Any]], user: dict[str, Any]) -> None:
    """Push a request context where code needs one and nobody has pushed any.

    `requests`: variant → method, path, query, and what is sent: json, form, files, data.
    `user`: attributes of the one who is logged in.
    """
    FlaskCalls.requests, FlaskCalls.user, FlaskCalls.apps = requests, user, []
    FlaskCalls.settings = None
    restart_with(FlaskCalls.restart)
    undo_with(FlaskCalls.leave)
    on_import("flask.globals", _patch_proxies)
    on_import("flask.app", _patch_flask)
    on_import("flask_login.utils", _patch_login)
    on_import("flask_socketio", _patch_socketio)


def flask_request(**sent: Any) -> Any:
    """Make a context with such a request, to be used in a `with` statement."""
    if not FlaskCalls.apps:
        from flask import Flask

        Flask("slice", root_path=".")
    app = FlaskCalls.apps[0]
    _set_missing_key(app)
    files = {
        name: (io.BytesIO(content.encode()), file)
        for name, (file, content) in sent.pop("files", {}).items()
    }
    if files:
        sent["data"] = {**sent.pop("form", {}), **files}
        sent["content_type"] = "multipart/form-data"
    elif "form" in sent:
        sent["data"] = sent.pop("form")
    cookies = sent.pop("cookies", {})
    headers = dict(sent.pop("headers", {}))
    if cookies:
        headers["Cookie"] = "; ".join(f"{name}={value}" for name, value in cookies.items())
    values = sent.pop("session", {})
    context = app.test_request_context(
        sent.pop("path", "/"), query_string=sent.pop("args", {}), headers=headers, **sent
    )
    return FlaskRequest(context, values)


def _set_missing_key(app: Any) -> None:
    """Set the secret key, which sessions need, of an application without one."""
    if not app.secret_key:
        app.secret_key = "slice"


class FlaskRequest:
    """A context for a request, and what the session holds at its beginning."""

    def __init__(self, context: Any, session: dict[str, Any]) -> None:
        self.context, self.session = context, session

    def __enter__(self) -> Any:
        self.context.push()
        self.context.session.update(self.session)
        return self.context

    def __exit__(self, *error: object) -> None:
        self.context.pop()


def _patch_proxies(module: Any) -> None:
    for name in _FLASK_PROXIES:
        proxy = getattr(module, name, None)
        if proxy is not None:
            _replace_finder(proxy)


def _replace_finder(proxy: Any) -> None:
    slot = "_get_current_object"
    if slot not in type(proxy).__slots__:
        slot = "_LocalProxy__local"  # Werkzeug before 2.1: what that method calls
    before = object.__getattribute__(proxy, slot)
    object.__setattr__(proxy, slot, _in_context(before))
    undo_with(object.__setattr__, proxy, slot, before)


def _in_context(real: Any) -> Any:
    def current() -> Any:
        try:
            return real()
        except RuntimeError:
            request = flask_request(**chosen("flask.request", FlaskCalls.requests))
            request.__enter__()
            FlaskCalls.entered.append(request)
            return real()

    return current


def _patch_flask(module: Any) -> None:
    init = module.Flask.__init__

    def noted(app: Any, *positional: Any, **named: Any) -> None:
        init(app, *positional, **named)
        FlaskCalls.apps.append(app)

    def run(app: Any, host: Any = None, port: Any = None, *_: Any, **__: Any) -> None:
        record("serve", "flask", host or "127.0.0.1", port or 5000)

    replace(module.Flask, "__init__", noted)
    replace(module.Flask, "run", run)


def _patch_login(module: Any) -> None:
    real = module._get_user

    def user() -> Any:
        """Who is logged in; by default somebody is."""
        who = chosen("flask_login.current_user", {"default": "known", "anonymous": "anonymous"})
        from flask import current_app, g

        manager = getattr(current_app, "login_manager", None)
        if "_login_user" in g:
            return real()
        if who == "anonymous":
            g._login_user = manager.anonymous_user() if manager else module_mixin("Anonymous")()
            return g._login_user
        loaded = real() if manager else None
        if loaded is None or not loaded.is_authenticated:
            callback = getattr(manager, "_user_callback", None)
            loaded = callback("1") if callback else None
        if loaded is None:
            loaded = module_mixin("")()
            loaded.__dict__.update({"id": 1, "username": "user", **FlaskCalls.user})
        g._login_user = loaded
        return loaded

    def module_mixin(kind: str) -> type:
        import flask_login

        base = flask_login.AnonymousUserMixin if kind else flask_login.UserMixin
        return type("User", (base,), {})

    replace(module, "_get_user", user)


def _patch_socketio(module: Any) -> None:
    def emit(event: Any, *data: Any, **_: Any) -> None:
        record("message", f"socketio {event}", *data)

    replace(module, "emit", emit)
    replace(module, "send", lambda message, **_: record("message", "socketio message", message))
    replace(module.SocketIO, "emit", lambda _self, event, *data, **_: emit(event, *data))
    replace(module.SocketIO, "send", lambda _self, data, **_: emit("message", data))
    replace(module.SocketIO, "run", lambda _self, app, host=None, port=None, **_: record(
        "serve", "flask", host or "127.0.0.1", port or 5000))  # fmt: skip
