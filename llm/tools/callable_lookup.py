"""Which function or method a pair of names means, inherited and library methods included."""

from __future__ import annotations

import importlib
import inspect
from dataclasses import dataclass

from pydantic import Field

from ...slicer.repo.repository import STDLIB
from .class_members import Member
from .code_index import CodeIndex
from .file_records import Definition
from .tool_contract import Parameters, ToolInputError

_NOT_IMPORTED = frozenset({"antigravity", "idlelib", "test", "this", "turtle", "turtledemo"})
"""Standard modules that do something when they are imported."""


class CallableQuery(Parameters):
    """A method of a class, or a free function."""

    method_name: str = Field(
        min_length=1,
        description="The function or method, for example `total`; `__init__` for the constructor. "
        "`Order.total` and `shop/models.py::Order.total` work too.",
    )
    class_name: str = Field(
        default="",
        description="The class whose method it is, for example `Order`. Leave it out for a free "
        "function.",
    )


@dataclass(frozen=True, slots=True)
class Outside:
    """A method that a class inherits from a library."""

    name: str
    owner: str
    """Dotted name of the base class."""
    signature: str | None
    """`None` where the library is not a standard one, whose code is not read."""


@dataclass(frozen=True, slots=True)
class Made:
    """A constructor that `@dataclass` makes."""

    signature: str
    path: str
    line: int


def find_callable(
    index: CodeIndex, method_name: str, class_name: str = ""
) -> Definition | Member | Outside | Made:
    """Return what the names mean.

    Raises:
        ToolInputError: nothing, or several.
    """
    if not class_name:
        functions = [each for each in index.definitions if each.kind != "class"]
        owner, _, last = method_name.rpartition("::")[2].rpartition(".")
        direct = [each for each in functions if method_name in index.names_of(each)]
        if direct or not owner:
            return index.only(method_name, _free_first(direct or functions), "function")
        file = method_name.rpartition("::")[0]
        method_name, class_name = last, f"{file}::{owner}" if file else owner
    definition = index.class_named(class_name)
    members = index.members_of(definition)
    found = members.named(method_name)
    if found is not None:
        return found
    if method_name == "__init__" and members.constructor:
        return Made(members.constructor, definition.path, definition.first)
    for base in members.outside_bases:
        signature = _library_signature(base, method_name)
        if signature is not None:
            return Outside(method_name, base, signature)
    names = ", ".join(each.name for each in members.members if each.kind != "attribute")
    if members.outside_bases:
        return Outside(method_name, ", ".join(members.outside_bases), None)
    raise ToolInputError(
        f"{definition.label} has no member {method_name}",
        f"it has {names}" if names else "it has no methods; get_class_info shows what it has",
    )


def _free_first(found: list[Definition]) -> list[Definition]:
    """Return the free functions, if there are any."""
    return [each for each in found if each.kind == "function"] or found


def _library_signature(base: str, name: str) -> str | None:
    """Return the signature of a method of a standard class; only standard modules are imported."""
    module, _, qualname = base.rpartition(".")
    top = module.partition(".")[0]
    if top not in STDLIB or top in _NOT_IMPORTED:
        return None
    try:
        method = getattr(getattr(importlib.import_module(module), qualname), name)
        return f"def {name}{inspect.signature(method)}"
    except (ImportError, AttributeError, ValueError, TypeError):
        return None
