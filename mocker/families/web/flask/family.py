"""Flask stays real: views called directly find a request of the shape that they read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import cast

from ....contacts import Border, Contact, Family, Mock, ModuleTreatment
from ....shapes.answer_shape import variants_at
from ....source.target_reach import target_text

_MOST_LACKING = 4
_READ = re.compile(
    r"""\brequest\.(form|args|files|values|headers|cookies|json)(?:\[|\.get\(|\.getlist\()\s*["']([^"']+)["']"""
)
_JSON = re.compile(r"(\w+)\s*(?::\s*[\w\[\], ]+)?=\s*(?:\w+\.)?request\.(?:get_json\(|json\b)")
_SESSION = re.compile(r"""\bsession(?:\[|\.get\()\s*["']([^"']+)["']""")
_USER = re.compile(r"\bcurrent_user\.(?!is_|get_id|_)([a-z_]+)\b(?!\()")


def stub(border: Border, contacts: tuple[Contact, ...]) -> Mock:
    """A request context is pushed when code asks for one."""
    del contacts
    source = target_text(border)
    shown = "".join(f"    {name!r}: {sent!r},\n" for name, sent in _requests(border).items())
    user = {name: _text(name) for name in sorted({*_USER.findall(source)} - {"id"})}
    return Mock(
        treated=(
            ModuleTreatment(
                "flask", "faked", "real, with a request where a view is called directly"
            ),
        ),
        setup=f"give_flask_requests({{\n{shown}}}, {user!r})\n",
        pieces=("flask_context",),
    )


def _requests(border: Border) -> dict[str, dict[str, object]]:
    """Return variants of the request: all that the slice reads, less, and the other method."""
    keys = _keys(target_text(border))
    sent: dict[str, object] = {
        part: {name: _text(name) for name in keys[part]}
        for part in ("args", "headers", "cookies", "session")
        if keys[part]
    }
    form = _inferred(border, "flask.request.form", {name: _text(name) for name in keys["form"]})
    bodies = variants_at(border, *_places("get_json()"), *_places("json"), kind="json")
    files = {name: (f"{name}.txt", f"{name}\n") for name in keys["files"]}
    by_name: dict[str, dict[str, object]] = {}
    for variant in bodies if keys["reads_json"] else ():
        value = variant.value or {name: _text(name) for name in keys["json"]}
        by_name[variant.name] = {"method": "POST", **sent, "json": value}
    if form or files:
        posted = {"form": form, **({"files": files} if files else {})}
        by_name["form" if by_name else "default"] = {"method": "POST", **sent, **posted}
    if not by_name:
        by_name["default"] = {"method": "GET", **sent}
    by_name.setdefault("get", {"method": "GET", **sent})
    by_name.setdefault("post", {**by_name["default"], "method": "POST"})
    by_name.setdefault("empty", {"method": by_name["default"]["method"]})
    if keys["reads_json"]:
        by_name.setdefault("nothing", {"method": "POST", "json": {}})
    return by_name | dict(_lacking(by_name["default"]))


def _lacking(request: dict[str, object]) -> Iterator[tuple[str, dict[str, object]]]:
    """Yield the request without one of the fields that it sends together."""
    for part in ("args", "form", "json"):
        sent = request.get(part)
        fields = cast("dict[str, object]", sent) if isinstance(sent, dict) else {}
        for name in list(fields)[:_MOST_LACKING] if len(fields) > 1 else ():
            rest = {key: value for key, value in fields.items() if key != name}
            yield f"without_{name}", {**request, part: rest}


def _places(name: str) -> tuple[str, str]:
    return (f"flask.request.{name}", f"flask.globals.request.{name}")


def _inferred(border: Border, place: str, names: dict[str, str]) -> dict[str, str]:
    """Return a form as inferred; each known field is a text."""
    value = variants_at(border, place)[0].value
    if isinstance(value, dict) and value:
        fields = cast("dict[object, object]", value)
        return {**names, **{str(key): str(field) for key, field in fields.items()}}
    return names


def _keys(source: str) -> dict[str, list[str]]:
    """Return part of the request → names that the slice reads from it."""
    parts = ("form", "args", "files", "headers", "cookies", "json", "session")
    found: dict[str, dict[str, None]] = {part: {} for part in parts}
    for part, name in _READ.findall(source):
        found["args" if part == "values" else part][name] = None
    for variable in dict.fromkeys(_JSON.findall(source)):
        for name in re.findall(rf"""\b{variable}(?:\[|\.get\()\s*["']([^"']+)["']""", source):
            found["json"][name] = None
    for name in _SESSION.findall(source):
        found["session"][name] = None
    reads_json = ["yes"] if re.search(r"request\.(get_json|json|is_json|data)\b", source) else []
    return {**{part: list(names) for part, names in found.items()}, "reads_json": reads_json}


def _text(name: str) -> str:
    """Return a value for a field: a number as text serves as either type."""
    return "user@mail.example" if "mail" in name.lower() else "1"


FAMILY = Family("flask", stub)
