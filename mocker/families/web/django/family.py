"""Django's views can be called directly; URLs and templates resolve by name."""

from __future__ import annotations

import re
from typing import cast

from ....contacts import Border, Contact, Family, Mock
from ....source.target_reach import target_text

_READ = re.compile(
    r"""\brequest\.(POST|GET|FILES|META|headers|COOKIES|session|data|query_params)(?:\[|\.get\(|\.getlist\()\s*["']([^"']+)["']"""
)
_PARTS = {"POST": "form", "data": "form", "GET": "args", "query_params": "args"}
_VIEWS = (
    "django.http",
    "django.shortcuts",
    "django.views",
    "django.urls",
    "django.template",
    "django.contrib.messages",
    "django.contrib.auth.decorators",
    "django.contrib.auth.mixins",
    "rest_framework",
)


def applies(border: Border) -> tuple[Contact, ...]:
    """Return the contacts with parts of views."""
    return border.touching(*_VIEWS)


def stub(border: Border, contacts: tuple[Contact, ...]) -> Mock:
    """Requests and rendered pages; the settings belong to the family of Django's ORM."""
    del contacts
    shown = "".join(f"    {name!r}: {sent!r},\n" for name, sent in _requests(border).items())
    return Mock(
        treated=(),
        setup=f"serve_django_views({{\n{shown}}})\n",
        pieces=("django_views",),
    )


def _requests(border: Border) -> dict[str, dict[str, object]]:
    text = target_text(border)
    parts: dict[str, dict[str, object]] = {}
    for part, name in cast("list[tuple[str, str]]", _READ.findall(text)):
        if part == "FILES":
            parts.setdefault("files", {})[name] = (f"{name}.txt", f"{name}\n")
        elif part in _PARTS or part in ("headers", "session"):
            value = "user@mail.example" if "mail" in name.lower() else "1"
            parts.setdefault(_PARTS.get(part, part), {})[name] = value
    if "files" in parts:
        parts.setdefault("form", {})
    method = "POST" if "form" in parts or "POST" in text else "GET"
    sent: dict[str, object] = {"method": method, **parts}
    other = "GET" if method == "POST" else "POST"
    return {
        "default": sent,
        other.lower(): {**sent, "method": other},
        "empty": {"method": method, "form": {}} if method == "POST" else {"method": method},
    }


FAMILY = Family("django views", stub, applies)
