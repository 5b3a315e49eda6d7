"""Django's views called directly: requests, addresses by name, pages as what they are given."""

from __future__ import annotations

import sys
from typing import Any

from .....world.core.as_data import as_data
from .....world.core.on_import import on_import
from .....world.core.world import chosen, record, replace

__all__ = ["django_request"]  # what cases may call


class DjangoViews:
    """What comes in to views, where the case says nothing: variant → what is sent."""

    requests: dict[str, dict[str, Any]] = {}


def serve_django_views(requests: dict[str, dict[str, Any]]) -> None:
    """Have names of addresses resolve without a table of them, and templates without files."""
    DjangoViews.requests = requests
    on_import("django.urls.base", _patch_addresses)
    on_import("django.template.loader", _patch_django_templates)


def _patch_addresses(module: Any) -> None:
    real = module.reverse

    def reverse(
        viewname: Any, urlconf: Any = None, args: Any = None, kwargs: Any = None, **named: Any
    ) -> str:
        """As the project says; by the name where it says nothing."""
        from django.core.exceptions import ImproperlyConfigured
        from django.urls.exceptions import NoReverseMatch

        try:
            return real(viewname, urlconf, args, kwargs, **named)
        except (NoReverseMatch, ImproperlyConfigured, ImportError, AttributeError):
            name = viewname if isinstance(viewname, str) else getattr(viewname, "__name__", "view")
            parts = [*name.split(":"), *map(str, args or ()), *map(str, (kwargs or {}).values())]
            return f"/{'/'.join(parts)}/"

    _replace_in_django("reverse", real, reverse)


def _replace_in_django(name: str, real: Any, value: Any) -> None:
    """Replace a function in the modules of Django that are loaded and have it by this name."""
    for module in list(sys.modules.values()):
        owner = getattr(module, "__name__", "")
        if (
            isinstance(owner, str)
            and owner.startswith("django.")
            and vars(module).get(name) is real
        ):
            replace(module, name, value)


def _patch_django_templates(module: Any) -> None:
    real = module.get_template

    class Page:
        """A template that is not there: it shows its name."""

        def __init__(self, name: str) -> None:
            self.name = name

        def render(self, context: Any = None, request: Any = None) -> str:
            return f"<{self.name}>"

    def get_template(template_name: str, using: Any = None) -> Any:
        try:
            return real(template_name, using)
        except Exception:
            return Page(template_name)

    def render_to_string(
        template_name: Any, context: Any = None, request: Any = None, using: Any = None
    ) -> str:
        names = template_name if isinstance(template_name, (list, tuple)) else [template_name]
        record("render", names[0], as_data(dict(context or {})))
        return get_template(names[0], using).render(context, request)

    replace(module, "get_template", get_template)
    replace(module, "render_to_string", render_to_string)


class DjangoMessages:
    """What a view tells the user."""

    def __init__(self) -> None:
        self.used = False
        self.told: list[str] = []

    def add(self, level: int, message: Any, extra_tags: str = "") -> None:
        self.told.append(str(message))
        record("show", "django.contrib.messages", level, str(message))

    def __iter__(self) -> Any:
        return iter(self.told)

    def __len__(self) -> int:
        return len(self.told)


def django_request(**sent: Any) -> Any:
    """Make a request as a view gets it; what the case has chosen where nothing is said.

    `django_request(method="POST", path="/x", form={…}, args={…}, json={…}, user=…, headers={…})`
    """
    import json

    from django.conf import settings

    if not settings.configured:
        settings.configure(SECRET_KEY="slice", ALLOWED_HOSTS=["*"])
    from django.test import RequestFactory

    sent = sent or dict(chosen("request", DjangoViews.requests or {"default": {}}))
    method = sent.get("method", "POST" if "form" in sent or "json" in sent else "GET")
    path = sent.get("path", "/")
    if sent.get("args"):
        from urllib.parse import urlencode

        path += f"?{urlencode(sent['args'], doseq=True)}"
    headers = {f"HTTP_{k.upper().replace('-', '_')}": v for k, v in sent.get("headers", {}).items()}
    factory = RequestFactory(**headers)
    if "json" in sent:
        body: Any = json.dumps(sent["json"])
        request = factory.generic(method, path, body, content_type="application/json")
    elif method in ("POST", "PUT", "PATCH") and "form" in sent:
        request = getattr(factory, method.lower())(path, _django_form(sent))
    else:
        request = getattr(factory, method.lower())(path)
    request.session = DjangoSession(sent.get("session", {}))
    request._messages = DjangoMessages()
    request.user = sent.get("user") or _django_user()
    return request


def _django_form(sent: dict[str, Any]) -> dict[str, Any]:
    from django.core.files.uploadedfile import SimpleUploadedFile

    files = {
        name: SimpleUploadedFile(file, text.encode())
        for name, (file, text) in sent.get("files", {}).items()
    }
    return {**sent["form"], **files}


class DjangoSession(dict[str, Any]):
    """What outlives a request."""

    modified = False
    session_key = "session"

    def flush(self) -> None:
        self.clear()

    def set_expiry(self, value: Any) -> None:
        """It outlives nothing."""

    def save(self, *_: Any) -> None:
        """It is kept."""

    cycle_key = save


def _django_user() -> Any:
    """Who asks: somebody who is logged in, if the case does not say otherwise."""
    who = chosen("request.user", {"default": "known", "anonymous": "anonymous"})
    try:
        from django.contrib.auth import get_user_model
        from django.contrib.auth.models import AnonymousUser

        return AnonymousUser() if who == "anonymous" else get_user_model()(pk=1)
    except Exception:  # the project has no users
        import types

        known = who == "known"
        return types.SimpleNamespace(
            is_authenticated=known, is_anonymous=not known, is_active=known, is_staff=False,
            is_superuser=False, id=1, pk=1, username="user", email="user@mail.example",
        )  # fmt: skip
