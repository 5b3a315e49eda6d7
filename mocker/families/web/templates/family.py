"""Jinja templates of the repository, carried with a slice that renders them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ....contacts import Border, Contact, Family, Mock

_NAME = re.compile(
    r"""["']([\w./ -]+\.(?:html?|txt|xml|md|css|js|json|ya?ml|sql|tex|j2|jinja2?|tpl|tmpl))["']"""
)
_INCLUDED = re.compile(r"""\{%-?\s*(?:extends|include|import|from)\s+["']([^"']+)["']""")
_RENDERERS = (
    "flask.render_template",
    "flask.templating",
    "quart.render_template",
    "jinja2.FileSystemLoader",
    "jinja2.PackageLoader",
    "jinja2.loaders",
    "fastapi.templating",
    "starlette.templating",
    "aiohttp_jinja2",
    "flask_mail",
)


def applies(border: Border) -> tuple[Contact, ...]:
    """Return the contacts that render templates by name."""
    return border.named(*_RENDERERS)


def stub(border: Border, contacts: tuple[Contact, ...]) -> Mock:
    """Templates are found where the file system has none."""
    del contacts
    carried = _carried(border)
    shown = "".join(f"    {path!r}: {text!r},\n" for path, text in carried.items())
    return Mock(
        treated=(),
        setup=f"carry_templates({{\n{shown}}})\n",
        pieces=("carried_templates",),
        filled=tuple(carried),
    )


def _carried(border: Border) -> dict[str, str]:
    """Return path → text of the templates that the slice names, and those that these name."""
    files = dict.fromkeys(_files(border, "", 0))
    wanted = list(dict.fromkeys(_NAME.findall(border.sliced.source)))
    found: dict[str, str] = {}
    for name in wanted:
        for path in [path for path in files if f"/{path}".endswith(f"/{name}")]:
            if path not in found:
                text = border.repository.read_data(path).decode("utf-8", "replace")
                found[path] = text
                wanted += [n for n in _INCLUDED.findall(text) if n not in wanted]
    return dict(sorted(found.items()))


def _files(border: Border, folder: str, depth: int) -> Iterator[str]:
    """Yield the repository's files below folders of templates."""
    for name in sorted(border.repository.listing(folder)):
        path = f"{folder}/{name}" if folder else name
        if not name.endswith("/"):
            if "template" in path or "email" in path or "view" in path or "prompt" in path:
                yield path
        elif depth < 8 and not name.startswith(".") and name != "node_modules/":
            yield from _files(border, path[:-1], depth + 1)


FAMILY = Family("templates", stub, applies)
