"""The text of the parts of a flat script, without statements that merging makes superfluous.

Imports between the parts disappear, since their names are bound above. So do repeated imports of
other distributions, and blocks that only type checkers read.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from ...closure.kept_definitions import KeptModule
from ...model import Edit
from ...repo.units import Unit
from ...syntax.nodes import walk
from ..kept_text import ModuleText, Piece, module_text
from .script_parts import PartNames, ScriptPart

_TYPING_ONLY = "its names are defined in this script or not needed"
_HERE = "its definitions stand in this script"


class PartWriter:
    """Writes the text of the parts, without statements that merging makes superfluous."""

    def __init__(
        self, parts: Mapping[str, ScriptPart], names: Mapping[str, PartNames],
        is_superfluous: Callable[[ScriptPart, Unit], bool],
    ) -> None:  # fmt: skip
        self.parts = parts
        self.names = names
        self.is_superfluous = is_superfluous
        """Tells whether a block for type checkers can be left out."""
        self.edits: list[Edit] = []
        self.imported: set[str] = set()
        """External imports that are already written above."""
        self.renamed: set[tuple[str, str]] = set()
        """(name, alias) of the assignments that are already written above."""

    def write(self, parts: Sequence[ScriptPart]) -> tuple[tuple[ModuleText, ...], tuple[Edit, ...]]:
        """Return the texts of the parts in this order, and the edits."""
        texts = [self._text(part) for part in parts]
        edits = sorted(self.edits, key=lambda e: (e.path, e.line))
        return tuple(t for t in texts if t.pieces), tuple(edits)

    def _text(self, part: ScriptPart) -> ModuleText:
        kept = part.kept
        copy = replace(
            kept, units=dict(kept.units), aliases=dict(kept.aliases), stars=dict(kept.stars)
        )
        self._drop_typing(part, copy)
        assignments = self._replace_taken(part, copy)
        shortened = self._drop_repeated(part, copy)
        text = module_text(copy, with_docstring=False)
        pieces = sorted([*text.pieces, *assignments], key=lambda piece: piece.line)
        for edit in text.edits:
            again = edit.line in shortened and edit.what.startswith("import shortened")
            why = "names not needed, or imported further up"
            self.edits.append(replace(edit, why=why) if again else edit)
        return ModuleText(part.module, tuple(pieces), (), text.future if pieces else ())

    def _edit(self, part: ScriptPart, unit: Unit, what: str, reason: str) -> None:
        self.edits.append(Edit(part.module.path, unit.first, what, reason))

    def _drop_typing(self, part: ScriptPart, copy: KeptModule) -> None:
        """Leave out blocks for type checkers, and imports of the names that they test."""
        dropped = [u for u in part.typing if self.is_superfluous(part, u)]
        if not dropped:
            return
        for unit in dropped:
            del copy.units[unit.index]
            self._edit(part, unit, "imports for type checkers removed", _TYPING_ONLY)
        tested = _tested(dropped)
        uses = self.names[part.module.name].uses
        needed = _tested([u for u in part.typing if u not in dropped]) | uses.keys() | {
            t.name for p in self.parts.values() for t in p.repository_imports
            if t.source is part.module
        }  # fmt: skip
        for item in part.external_imports:
            if item.bound in tested and item.bound not in needed:
                _shorten(part, copy, item.unit, {item.path})

    def _replace_taken(self, part: ScriptPart, copy: KeptModule) -> list[Piece]:
        """Leave out imports of other parts; `from x import f as g` becomes `g = f`."""
        assignments: list[Piece] = []
        for unit in dict.fromkeys(item.unit for item in part.repository_imports):
            items = [item for item in part.repository_imports if item.unit is unit]
            others = [item.path for item in part.external_imports if item.unit is unit]
            if others:  # one statement imports both: `import json, settings`
                copy.aliases[unit.index] = dict.fromkeys(others)
            else:
                del copy.units[unit.index]
            names = dict.fromkeys((i.name, i.bound) for i in items if i.is_renamed)
            fresh = [pair for pair in names if pair not in self.renamed]
            self.renamed.update(fresh)
            shown = "; ".join(f"{bound} = {name}" for name, bound in names)
            sources = ", ".join(dict.fromkeys(item.source.name for item in items))
            what = f"replaced by `{shown}`" if shown else "removed"
            self._edit(part, unit, f"import of {sources} {what}", _HERE)
            if fresh:
                assignments.append(_assignment(part, unit, fresh))
        return assignments

    def _drop_repeated(self, part: ScriptPart, copy: KeptModule) -> set[int]:
        """Leave out external imports that are already written above; return the shortened lines."""
        repeated: dict[Unit, set[str]] = {}
        for item in part.external_imports:
            if item.unit.index in copy.units and self._is_left(copy, item.unit, item.path):
                if item.statement in self.imported:
                    repeated.setdefault(item.unit, set()).add(item.path)
                self.imported.add(item.statement)
        for unit, names in repeated.items():
            _shorten(part, copy, unit, names)
        return {unit.first for unit in repeated}

    @staticmethod
    def _is_left(copy: KeptModule, unit: Unit, spelled: str) -> bool:
        wanted = copy.aliases.get(unit.index)
        return wanted is None or spelled in wanted


def _tested(units: Sequence[Unit]) -> set[str]:
    """Return the names in the tests of blocks for type checkers."""
    return {
        node.id
        for unit in units
        for top in unit.nodes
        if isinstance(top, ast.If)
        for node in walk(top.test)
        if isinstance(node, ast.Name)
    }


def _shorten(part: ScriptPart, copy: KeptModule, unit: Unit, names: set[str]) -> None:
    """Leave names out of an import; without names left, leave out the import."""
    spelled = [item.path for item in part.external_imports if item.unit is unit]
    before = copy.aliases.get(unit.index) or dict.fromkeys(spelled)
    left = {name: None for name in before if name not in names}
    if not left:
        del copy.units[unit.index]
    elif len(unit.nodes) == 1:
        copy.aliases[unit.index] = left


def _assignment(part: ScriptPart, unit: Unit, names: Sequence[tuple[str, str]]) -> Piece:
    lines = part.module.source.lines
    end = "\r\n" if lines[unit.first - 1].endswith("\r\n") else "\n"
    blank = 0
    while blank < 2 and unit.first - 2 - blank >= 0 and not lines[unit.first - 2 - blank].strip():
        blank += 1
    text = "".join(f"{bound} = {name}{end}" for name, bound in names)
    return Piece(unit.first, text, blank, is_verbatim=False)
