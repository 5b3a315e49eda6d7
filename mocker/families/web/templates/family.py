"""Jinja templates of the repository, carried along for the slice that renders them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ....contacts import Border, Contact, Example, Family, Mock

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
    """What renders templates by their names."""
    return border.named(*_RENDERERS)


def stub(border: Border, contacts: tuple[Contact, ...]) -> Mock:
    """They are found where the file system has none."""
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
    """Path → text of the templates that the slice names, and those that these name."""
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
    """Files of the repository below folders of templates."""
    for name in sorted(border.repository.listing(folder)):
        path = f"{folder}/{name}" if folder else name
        if not name.endswith("/"):
            if "template" in path or "email" in path or "view" in path or "prompt" in path:
                yield path
        elif depth < 8 and not name.startswith(".") and name != "node_modules/":
            yield from _files(border, path[:-1], depth + 1)


_BASE = "<html>{% block body %}{% endblock %}</html>"

EXAMPLES = (
    Example(
        title="a report whose template the caller names",
        source="""\
from jinja2 import Environment, FileSystemLoader


def report(template, data, folder="templates"):
    page = Environment(loader=FileSystemLoader(folder)).get_template(template)
    return page.render(**data)
""",
        target="report",
        call="report('daily.html', {'day': 'Monday', 'count': 3})",
        gives="'daily.html: count=3, day=Monday'",
    ),
    Example(
        title="a page that extends another",
        source="""\
from flask import Flask, render_template

app = Flask(__name__)


@app.route("/")
def home():
    return render_template("pages/home.html", names=["a", "b"])
""",
        target="home",
        call="home()",
        gives="'<html><p>a</p><p>b</p></html>'",
        files=(
            ("templates/base.html", _BASE),
            (
                "templates/pages/home.html",
                "{% extends 'base.html' %}{% block body %}"
                "{% for n in names %}<p>{{ n }}</p>{% endfor %}{% endblock %}",
            ),
            ("templates/other.html", "never"),
        ),
    ),
    Example(
        title="letters from a folder",
        source="""\
import os

from jinja2 import Environment, FileSystemLoader, TemplateNotFound


class Mailer:
    def __init__(self):
        here = os.path.dirname(os.path.abspath(__file__))
        self.env = Environment(loader=FileSystemLoader(os.path.join(here, "email_templates")))

    def text(self, name):
        try:
            return self.env.get_template("hello.txt").render(name=name)
        except TemplateNotFound:
            return ""
""",
        target="Mailer.text",
        call="Mailer().text('Ada')",
        gives="'Hello Ada!'",
        files=(("email_templates/hello.txt", "Hello {{ name }}!"), ("hello.txt", "no template")),
    ),
    Example(
        title="a package's own",
        source="""\
from jinja2 import Environment, PackageLoader

env = Environment(loader=PackageLoader("reports", "templates"), trim_blocks=True)


def report(rows):
    return env.get_template("table.md").render(rows=rows)
""",
        target="report",
        call="report([1, 2])",
        gives="'| 1 |\\n| 2 |\\n'",
        files=(
            ("reports/__init__.py", ""),
            ("reports/templates/table.md", "{% for r in rows %}\n| {{ r }} |\n{% endfor %}\n"),
        ),
    ),
    Example(
        title="a template response",
        source="""\
from fastapi import FastAPI, Request
from fastapi.templating import Jinja2Templates

app = FastAPI()
templates = Jinja2Templates(directory="app/templates")


@app.get("/{name}")
async def page(request: Request, name: str):
    return templates.TemplateResponse(request, "page.html", {"name": name})
""",
        target="page",
        call="(await page(__import__('slice_func_mocks').starlette_request(), 'x')).body",
        gives="b'<h1>x</h1>'",
        files=(("app/templates/page.html", "<h1>{{ name }}</h1>"),),
    ),
    Example(
        title="a macro from another file",
        source="""\
from jinja2 import Environment, FileSystemLoader, select_autoescape

loader = FileSystemLoader(["views", "shared/views"])


def button(label):
    environment = Environment(loader=loader, autoescape=select_autoescape())
    return environment.get_template("button.html").render(label=label)
""",
        target="button",
        call="button('<b>')",
        gives="'<b>&lt;b&gt;</b>'",
        files=(
            ("views/button.html", "{% from 'macros.html' import bold %}{{ bold(label) }}"),
            (
                "shared/views/macros.html",
                "{% macro bold(x) %}<b>{{ x }}</b>{% endmacro %}",
            ),
        ),
    ),
)

FAMILY = Family("templates", applies, stub, EXAMPLES)
