"""The `modules` layout: one script in which every needed module is a real module."""

from __future__ import annotations

import base64
import hashlib
import zlib
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from keyword import iskeyword

from ....model import LineMap
from ...emission import Emission, KeptTexts, all_edits, script_emission
from ...kept_text import ModuleText, Piece, blank_lines, line_ends
from ...module_loading.load_order import first_of_program, loads_before_body, with_load_order
from ...text_literal import text_literal
from . import LAYOUT
from .carried_importer import BEGIN, END, Part, loader
from .modules_plan import Plan, plan_of


def write(kept: KeptTexts, why: str) -> Emission:
    """Return the script that carries its modules."""
    closure, targets = kept.closure, kept.targets
    plan = plan_of(kept)
    if plan.visible and loads_before_body(closure, plan.target, plan.first):
        plan = replace(plan, visible=False)
    if not plan.visible:
        plan = replace(plan, first=first_of_program(closure, targets, plan.first))
    texts = with_load_order(closure, targets, kept.texts, plan.first, visible=plan.visible)
    source, lines = modules_script(replace(plan, texts=texts))
    return script_emission(source, LAYOUT, why, lines, all_edits(texts), tuple(sorted(kept.data)))


def modules_script(plan: Plan) -> tuple[str, tuple[LineMap, ...]]:
    """Return the script's text, and the map of its lines to the repository's."""
    own = plan.texts[plan.target.name]
    carried = {
        name: text
        for name, text in sorted(plan.texts.items())
        if not (plan.visible and name == plan.target.name)
    }
    writer = _Script()
    if plan.visible:
        docstring = [p for p in own.pieces[:1] if _is_docstring(own, p)]
        body = own.pieces[len(docstring) :]
        writer.pieces([*docstring, *own.future], own.module.path)
    else:
        body = ()
    parts = _parts(plan, carried)
    if parts:
        _prelude(writer, plan, carried, parts)
    if plan.visible:
        writer.pieces(body, own.module.path)
    else:
        for module, name in plan.bound:
            writer.text(_taken(module, name))
    return writer.result()


def _taken(module: str, name: str) -> str:
    """Return a statement that imports the name from a carried module of any name."""
    if all(part.isidentifier() and not iskeyword(part) for part in module.split(".")):
        return f"from {module} import {name}\n"
    return f'{name} = __import__("importlib").import_module({module!r}).{name}\n'


def _is_docstring(own: ModuleText, piece: Piece) -> bool:
    lines = own.module.source.docstring_lines
    return (
        lines is not None
        and piece.line <= lines[0]
        and piece.text.count("\n") >= 1
        and (piece.line + piece.text.count("\n") - 1 >= lines[1])
    )


def _parts(plan: Plan, carried: Mapping[str, ModuleText]) -> frozenset[Part]:
    """Return the parts of the loader that the script needs."""
    has_modules = bool(carried or plan.packages or plan.data)
    needed: dict[Part, bool] = {
        "modules": has_modules,
        "body": plan.visible and (has_modules or plan.needs_name),
        "first": has_modules and bool(plan.first),
        "data": bool(plan.data) or plan.asks_folders,
        "listed": has_modules and plan.lists_modules,
        "resources": has_modules and (bool(plan.data) or plan.reads_resources),
    }
    return frozenset(part for part, is_needed in needed.items() if is_needed)


def _prelude(
    writer: _Script, plan: Plan, carried: Mapping[str, ModuleText], parts: AbstractSet[Part]
) -> None:
    writer.text(f"{BEGIN}\n{loader(parts)}\n\n_slice_func(\n")
    if "body" in parts:
        writer.text(f"    name={plan.target.name!r}, package={plan.target.package!r},\n")
    if "modules" in parts:
        writer.text(f"    identity={_identity(plan)!r},\n    sources={{\n")
        _sources(writer, plan, carried)
        writer.text("    },\n")
    if "first" in parts:
        writer.text(f"    first={list(plan.first)!r},\n")
    if "data" in parts:
        writer.text("    data={\n")
        for path, content in sorted(plan.data.items()):
            packed = base64.b64encode(zlib.compress(content, 9)).decode("ascii")
            writer.text(f"{path!r}: {packed!r},\n")
        writer.text("    },\n")
    writer.text(f")\ndel _slice_func\n{END}\n")


def _sources(writer: _Script, plan: Plan, carried: Mapping[str, ModuleText]) -> None:
    """Write the carried modules by name: path, whether it is a package, and text by line."""
    for package, folder in sorted(plan.packages.items()):
        writer.text(f"{package!r}: ({folder!r}, True, ()),\n")
    for module, text in carried.items():
        is_package = text.module.is_package
        writer.text(f"{module!r}: ({text.module.path!r}, {is_package!r}, (\n")
        for run in _runs([*text.future, *text.pieces]):
            writer.carried(run, text.module.path)
        writer.text(")),\n")


_NEAR = 8
"""Gaps of fewer lines are filled with blank lines, so that a class reads as one."""


def _runs(pieces: Sequence[Piece]) -> list[list[Piece]]:
    runs: list[list[Piece]] = []
    for piece in sorted(pieces, key=lambda p: p.line):
        last = runs[-1][-1] if runs else None
        if last is not None and (
            last.text.endswith("\r")  # the loader adds line feeds, which would only complete it
            or piece.line - (last.line + line_ends(last.text)) < _NEAR
        ):
            runs[-1].append(piece)
        else:
            runs.append([piece])
    return runs


def _identity(plan: Plan) -> str:
    digest = hashlib.sha256()
    for name, text in sorted(plan.texts.items()):
        digest.update(name.encode())
        for piece in text.pieces:
            digest.update(f"{piece.line}:{piece.text}".encode("utf-8", "surrogatepass"))
    for path, content in sorted(plan.data.items()):
        digest.update(f"{path}:{len(content)}:".encode() + content)
    return digest.hexdigest()[:16]


class _Script:
    """The growing text of a script, with the map of its lines."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._line = 1
        self._lines: list[LineMap] = []

    def text(self, text: str) -> None:
        self._parts.append(text)
        self._line += line_ends(text)

    def carried(self, run: Sequence[Piece], path: str) -> None:
        """Write neighbouring pieces as one literal, with blank lines in the gaps."""
        self.text(f"({run[0].line}, ")
        parts: list[str] = []
        ended = 0
        for piece in run:
            blank = max(piece.line - run[0].line - ended, 0)
            ended += blank
            if "\r" not in piece.text:
                self._map(piece, path, self._line + ended)
            parts += (blank_lines(blank, parts[-1] if parts else ""), piece.text)
            ended += line_ends(piece.text)
        self.text(text_literal("".join(parts)) + "),\n")

    def pieces(self, pieces: Sequence[Piece], path: str) -> None:
        for piece in pieces:
            if self._parts:
                self.text(blank_lines(piece.blank_before, self._parts[-1]))
            self._map(piece, path)
            self.text(piece.text)

    def _map(self, piece: Piece, path: str, line: int = 0) -> None:
        count = line_ends(piece.text)
        if piece.is_verbatim:
            self._lines.append(LineMap(line or self._line, path, piece.line, count))

    def result(self) -> tuple[str, tuple[LineMap, ...]]:
        return "".join(self._parts), tuple(self._lines)
