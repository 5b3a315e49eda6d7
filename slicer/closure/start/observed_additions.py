"""Definitions kept because they ran in the repository, though the analysis missed them."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from ...analysis.scopes.definitions import module_class
from ...errors import OptionError
from ...repo.repository import Module, Repository
from ...repo.units import Unit
from ..kept_definitions import Reason
from ..worklist import Closure

OBSERVED = "observed"
"""The reason for definitions that are kept because they ran."""

Place = tuple[str, int]
"""A file of the repository, and a line in the statement or class member."""


def place_of(text: str) -> Place:
    """Return the place for a text `PATH:LINE`.

    Raises:
        OptionError: the text has another form.
    """
    path, _, line = text.rpartition(":")
    if not path or not line.isdecimal():
        raise OptionError(f"{text!r} is no place", "write PATH:LINE, as pkg/mod.py:12")
    return path, int(line)


def keep_observed(closure: Closure, repository: Repository, places: Sequence[Place]) -> bool:
    """Keep the definitions at these places; return whether any was not kept before."""
    before = closure.size
    for path, line in places:
        module = repository.module_at(repository.normal_path(path))
        unit = _at(module.units, line)
        if unit is not None and unit.kind not in ("main", "prelude", "typing"):
            _keep(closure, module, unit, line)
    return closure.size != before


def _keep(closure: Closure, module: Module, unit: Unit, line: int) -> None:
    why = Reason(OBSERVED, "", module.path, unit.first)
    closure.need_module(module).must_load = True
    if unit.kind != "class" or not isinstance(unit.node, ast.ClassDef):
        closure.keep_whole(module, unit, why)
        return
    cls = module_class(module, unit, unit.node)
    member = _at(cls.members, line)
    keeper = closure.class_keeper
    keeper.keep(cls, why)
    if member is None:
        closure.live_object(module, cls.qualname, why)
        keeper.instantiate(cls, why)
    else:
        keeper.members.keep_unit(cls, member, Reason(OBSERVED, "", module.path, member.first))


def _at(units: Sequence[Unit], line: int) -> Unit | None:
    return next((unit for unit in units if unit.first <= line <= unit.last), None)
