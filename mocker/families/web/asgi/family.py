"""FastAPI and Starlette stay real: endpoints can be called directly, with their dependencies."""

from __future__ import annotations

import re
from typing import cast

from ....contacts import Border, Contact, Family, Mock, ModuleTreatment
from ....shapes.answer_shape import variants_at
from ....source.target_reach import target_text

_READ = re.compile(
    r"""\brequest\.(query_params|headers|cookies|session|path_params)(?:\[|\.get\(|\.getlist\()\s*["']([^"']+)["']"""
)
_BODY = re.compile(r"(\w+)\s*(?::\s*[\w\[\], ]+)?=\s*await\s+\w*request\.(json|form)\(\)")
_PARTS = {"query_params": "args"}


def stub(border: Border, contacts: tuple[Contact, ...]) -> Mock:
    """Requests of the shape that the slice reads, if a case asks for one."""
    del contacts
    shown = "".join(f"    {name!r}: {sent!r},\n" for name, sent in _requests(border).items())
    reason = "real; dependencies are injected where an endpoint is called directly"
    return Mock(
        treated=(
            ModuleTreatment("fastapi", "faked", reason),
            ModuleTreatment("starlette", "faked", reason),
        ),
        setup=f"give_asgi_requests({{\n{shown}}})\n",
        pieces=("asgi_calls",),
    )


def _requests(border: Border) -> dict[str, dict[str, object]]:
    source = target_text(border)
    sent: dict[str, dict[str, str]] = {}
    for part, name in cast("list[tuple[str, str]]", _READ.findall(source)):
        sent.setdefault(_PARTS.get(part) or part, {})[name] = "1"
    found: dict[str, dict[str, object]] = {"default": {**sent}}
    for variable, kind in dict.fromkeys(_BODY.findall(source)):
        names = re.findall(rf"""\b{variable}(?:\[|\.get\()\s*["']([^"']+)["']""", source)
        fields = dict.fromkeys(names, "1")
        if kind == "form":
            found["default"].setdefault("form", fields)
            continue
        for variant in variants_at(border, "starlette.requests.Request().json()", kind="json"):
            found.setdefault(variant.name, {**sent})["json"] = variant.value or fields
    found.setdefault("empty", {})
    return found


FAMILY = Family("asgi", stub)
