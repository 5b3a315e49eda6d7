"""Parts of the manual that are made from the code: `python -m docs.generate` writes them anew.

A page marks such a part with `<!-- generated: NAME -->` and `<!-- end -->`.
"""

from __future__ import annotations

import argparse
import ast
import inspect
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

from slicefunc.driver import environment_schema
from slicefunc.driver.cli import grammar
from slicefunc.driver.cli.commands import NAMES, command_named
from slicefunc.driver.datasets.exports import FORMATS, exporter_named
from slicefunc.driver.record.reason_codes import ADVICE
from slicefunc.mocker.contacts import Family
from slicefunc.mocker.families import FAMILIES
from slicefunc.slicer.emission.choose_layout import layouts

FOLDER = Path(__file__).parent
_PART = re.compile(
    r"(<!-- generated: ([\w-]+) -->\n)(.*?)(<!-- end -->\n)", re.DOTALL | re.MULTILINE
)


def _options(parser: argparse.ArgumentParser) -> str:
    """The options of a parser, group by group, as definition lists."""
    text = ""
    for group in parser._action_groups:  # noqa: SLF001 - argparse has no public way
        actions = [a for a in group._group_actions if a.dest != "help"]  # noqa: SLF001
        if actions:
            title = group.title or ""
            title = title[:1].upper() + title[1:]
            text += f"\n### {title}\n\n" + "\n".join(_option(action) for action in actions)
    return text


def _option(action: argparse.Action) -> str:
    """One entry: how it is written, and what it means."""
    names = [f"`{name}`" for name in action.option_strings] or [f"`{action.metavar}`"]
    if action.option_strings and action.nargs != 0:
        value = "|".join(map(str, action.choices)) if action.choices else action.metavar
        value = f"[{value}]" if action.nargs == "?" else value
        names[-1] = f"`{action.option_strings[-1]} {value}`"
    words = re.sub(r"(?<![\w-])--[a-z][a-z-]*", r"`\g<0>`", action.help or "")
    return f"{', '.join(names)}\n:   {words}\n"


def _fields() -> str:
    """The fields of an environment's record, a table for each object in it."""
    whole = environment_schema()
    text = "".join(_table("environment.json", whole, whole))
    return text.lstrip("\n")


def _table(name: str, form: Mapping[str, Any], whole: Mapping[str, Any]) -> Iterator[str]:
    """A table of one object's fields, and those of the objects in them."""
    yield f"\n### `{name}`\n\n| field | type | meaning |\n|---|---|---|\n"
    inner: list[tuple[str, Mapping[str, Any]]] = []
    for field, given in form["properties"].items():
        part = _resolved(given, whole)
        words = str(given.get("description") or part.get("description", "")).replace("|", r"\|")
        yield f"| `{field}` | {_type(part, whole)} | {words} |\n"
        below = _resolved(part.get("items", part), whole)
        if "properties" in below:
            mark = "[]" if "items" in part else ""
            inner.append((field + mark, below))
    for field, below in inner:
        path = field if name == "environment.json" else f"{name}.{field}"
        yield from _table(path, below, whole)


def _resolved(part: Any, whole: Mapping[str, Any]) -> Mapping[str, Any]:  # noqa: ANN401
    """A part of the schema, or what it refers to."""
    if not isinstance(part, Mapping):
        return {}
    if "$ref" not in part:
        return part
    found = whole
    for step in part["$ref"].split("/")[1:]:
        found = found[step]
    return _resolved(found, whole)


def _type(part: Mapping[str, Any], whole: Mapping[str, Any]) -> str:
    """What kind of value a field holds."""
    if "const" in part:
        return f"`{part['const']}`"
    if "enum" in part:
        return ", ".join(f"`{each}`" for each in part["enum"])
    kinds = part.get("type", "any")
    text = " or ".join([kinds] if isinstance(kinds, str) else kinds)
    items = _resolved(part.get("items"), whole)
    return f"{text} of {_type(items, whole)}" if items.get("type") else text


def _advice() -> str:
    """What to do about each reason."""
    rows = "".join(f"| `{code}` | {text} |\n" for code, text in ADVICE.items())
    return f"| code | what to do |\n|---|---|\n{rows}"


def _layouts() -> str:
    """A row for each layout."""
    rows = "".join(f"| `{each.name}` | {each.gives} | {each.use} |\n" for each in layouts())
    return f"| `--emit` | what you get | when |\n|---|---|---|\n{rows}"


def _families() -> str:
    """A row for each mock family, in the order in which they are asked, by their docstrings."""
    rows = "".join(
        f"| {family.name} | {_summary(_module(family).__doc__)} | {_summary(family.stub.__doc__)}"
        f" | {', '.join(dict.fromkeys(_fakes(family)))} |\n"
        for family in (listed.family() for listed in FAMILIES)
    )
    return f"| family | what it is for | what there is instead | fakes |\n|---|---|---|---|\n{rows}"


def _module(family: Family) -> ModuleType:
    return sys.modules[family.stub.__module__]


def _summary(docstring: str | None) -> str:
    return " ".join((docstring or "").partition("\n\n")[0].split()).replace("|", r"\|")


def _fakes(family: Family) -> Iterator[str]:
    """Names of what its scripts need installed, as its source has them."""
    for node in ast.walk(ast.parse(inspect.getsource(_module(family)))):
        if isinstance(node, ast.keyword) and node.arg == "requirements":
            for text in ast.walk(node.value):
                if isinstance(text, ast.Constant) and isinstance(text.value, str):
                    yield f"`{text.value.partition('>')[0].partition('[')[0]}`"


def _formats() -> str:
    """Each format of an export: what is written, and what it was run with."""
    rows = [
        f"| `{name}` | {exporter.gives} | {', '.join(map(str, exporter.consumers)) or 'nothing'} |"
        for name, exporter in ((name, exporter_named(name)) for name in FORMATS)
    ]
    return "\n".join(["| `--to` | gives | was run with |", "|---|---|---|", *rows])


PARTS: dict[str, Callable[[], str]] = {
    "slice-func": lambda: _options(grammar.slice_parser()),
    **{
        f"slice-func-{name.replace(' ', '-')}": lambda name=name: _options(
            command_named(name).parser()
        )
        for name in NAMES
    },
    "record": _fields,
    "layouts": _layouts,
    "families": _families,
    "advice": _advice,
    "formats": _formats,
}
"""Name of a part → its text."""


def generated(text: str) -> str:
    """A page with each part as it is now."""
    return _PART.sub(lambda part: f"{part[1]}\n{PARTS[part[2]]().strip()}\n{part[4]}", text)


if __name__ == "__main__":
    for page in FOLDER.rglob("*.md"):
        page.write_text(generated(page.read_text(encoding="utf-8")), encoding="utf-8")
