"""Class hierarchies: bases, resolution order, metaclasses, and which class defines a member."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...repo.units import Unit
from ...syntax.builtin_models import PLAIN_BASES
from ..external.base_class_hooks import is_alternative_constructor
from ..names.word_mentions import Mentions
from ..scopes.definitions import ClassInfo, FunctionInfo
from ..values.abstract_values import NOTHING, ClassValue, External, Values, ordered
from .values_of_expressions import Evaluation

_METACLASSES = frozenset({"builtins.type", "abc.ABCMeta", "enum.EnumMeta", "enum.EnumType"})


class Hierarchy:
    """Classes of the repository with their bases and inherited members, memoised."""

    def __init__(self, evaluation: Evaluation, mentions: Mentions) -> None:
        self._evaluation = evaluation
        self._mentions = mentions
        self._mros: dict[ClassInfo, tuple[ClassInfo, ...]] = {}
        self._linearising: set[ClassInfo] = set()
        self._bases: dict[ClassInfo, tuple[Values, ...]] = {}
        self._members: dict[ClassInfo, dict[str, tuple[ClassInfo, tuple[Unit, ...]]]] = {}
        self._foreign: dict[ClassInfo, tuple[str, ...]] = {}
        self._external: dict[ClassInfo, tuple[str, ...]] = {}
        self._assigned: dict[ClassInfo, frozenset[str]] = {}
        self._declared: dict[ClassInfo, tuple[str, ...]] = {}

    def bases(self, cls: ClassInfo) -> tuple[Values, ...]:
        """Return the values of the base class expressions."""
        known = self._bases.get(cls)
        if known is None:
            self._bases[cls] = ()
            known = tuple(
                self._evaluation.evaluate(
                    b.value if isinstance(b, ast.Subscript) else b, cls.enclosing
                )
                for b in cls.node.bases
            )
            self._bases[cls] = known
        return known

    def mro(self, cls: ClassInfo) -> tuple[ClassInfo, ...]:
        """Return the repository classes in resolution order (C3; depth first if C3 fails)."""
        known = self._mros.get(cls)
        if known is None:
            if cls in self._linearising:
                return (cls,)  # its bases are being evaluated
            self._linearising.add(cls)
            parents = [
                value.cls
                for values in self.bases(cls)
                for value in sorted(
                    (v for v in values or () if isinstance(v, ClassValue)), key=lambda v: v.cls.key
                )
                if value.cls is not cls
            ]
            if len(parents) == 1:
                known = (cls, *self.mro(parents[0]))
            else:
                known = (cls, *_merge([list(self.mro(p)) for p in parents] + [parents]))
            self._mros[cls] = known
            self._linearising.discard(cls)
        return known

    def external_bases(self, cls: ClassInfo) -> tuple[str, ...]:
        """Return the dotted names of external bases in the whole hierarchy; `?` if unknown."""
        known = self._external.get(cls)
        if known is None:
            known = self._external[cls] = self._external_bases(cls)
        return known

    def foreign_bases(self, cls: ClassInfo) -> tuple[str, ...]:
        """Return the external bases whose code may act on the class."""
        known = self._foreign.get(cls)
        if known is None:
            known = tuple(b for b in self.external_bases(cls) if b not in PLAIN_BASES)
            self._foreign[cls] = known
        return known

    def _external_bases(self, cls: ClassInfo) -> tuple[str, ...]:
        found: dict[str, None] = {}
        for ancestor in self.mro(cls):
            for values in self.bases(ancestor):
                for value in ordered(values):
                    if isinstance(value, External):
                        found.setdefault(value.name)
                    elif not isinstance(value, ClassValue):
                        found.setdefault("?")
                if not values:
                    found.setdefault("?")
        return tuple(found)

    def methods(self, cls: ClassInfo, name: str) -> list[FunctionInfo]:
        """Return the functions that a member name denotes, found along the resolution order."""
        owner, units = self.find_member(cls, name) or (cls, ())
        return [
            FunctionInfo(owner.module, node, owner.scope, owner)
            for unit in units
            for node in unit.nodes
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
        ]

    def is_enum(self, cls: ClassInfo) -> bool:
        """Whether the class is an enumeration."""
        return any(b.startswith("enum.") for b in self.external_bases(cls))

    def constructor(self, cls: ClassInfo, name: str) -> str | None:
        """Return the external base that gives the class an alternative constructor of that name."""
        return next(
            (b for b in self.external_bases(cls) if is_alternative_constructor(b, name)), None
        )

    def is_structural(self, cls: ClassInfo) -> bool:
        """Whether the class is a protocol, which classes implement without deriving from it."""
        return any(b.endswith(".Protocol") for b in self.external_bases(cls))

    def accepts_non_subclasses(self, cls: ClassInfo) -> bool:
        """Whether objects of classes that do not derive from it may count as its instances."""
        return (
            self.is_structural(cls)
            or "__subclasshook__" in self.member_names(cls)
            or any(
                isinstance(meta, ClassValue) and self.find_member(meta.cls, "__instancecheck__")
                for meta in ordered(self.metaclass(cls))
            )
            or (self._is_abstract(cls) and self._is_registered_with(cls))
        )

    def _is_abstract(self, cls: ClassInfo) -> bool:
        metas = (v.name for v in ordered(self.metaclass(cls)) if isinstance(v, External))
        return "abc.ABC" in self.external_bases(cls) or "abc.ABCMeta" in metas

    def _is_registered_with(self, cls: ClassInfo) -> bool:
        call = f"{cls.node.name}.register".encode()
        files = self._mentions.files([cls.node.name, "register"])
        return any(call in self._mentions.repository.read_data(path) for path in files)

    def is_metaclass(self, cls: ClassInfo) -> bool:
        """Whether its instances are classes."""
        return any(b in _METACLASSES for b in self.external_bases(cls))

    def metaclass(self, cls: ClassInfo) -> Values:
        """Return the metaclass that the class or an ancestor declares."""
        for ancestor in self.mro(cls):
            for keyword in ancestor.node.keywords:
                if keyword.arg == "metaclass":
                    return self._evaluation.evaluate(keyword.value, ancestor.enclosing)
        return NOTHING

    def find_member(self, cls: ClassInfo, name: str) -> tuple[ClassInfo, tuple[Unit, ...]] | None:
        """Return the first class in resolution order that defines the member, and its
        statements.
        """
        return self.member_names(cls).get(name)

    def member_names(self, cls: ClassInfo) -> dict[str, tuple[ClassInfo, tuple[Unit, ...]]]:
        """Return the names that the class and its ancestors define, each with its `find_member`."""
        known = self._members.get(cls)
        if known is None:
            known = {}
            for owner in self.mro(cls):
                for name, units in owner.table.items():
                    if name not in known:
                        known[name] = (owner, units)
            if cls not in self._linearising:
                self._members[cls] = known
        return known

    def line_parent(self, cls: ClassInfo) -> ClassInfo | None:
        """Return the base that supplies every member which the class does not define, if one base
        does.

        The resolution order of the class is then the class followed by the resolution order of that
        base.
        """
        _, *rest = self.mro(cls)
        return rest[0] if rest and self.mro(rest[0]) == tuple(rest) else None

    def assigned_attributes(self, cls: ClassInfo) -> frozenset[str]:
        """Return the attributes that methods of the class and its ancestors assign to `self`."""
        known = self._assigned.get(cls)
        if known is None:
            known = frozenset(name for owner in self.mro(cls) for name in owner.self_assignments)
            self._assigned[cls] = known
        return known

    def declared_fields(self, cls: ClassInfo) -> tuple[str, ...]:
        """Return attributes annotated in class bodies, in the order of dataclasses: bases first."""
        known = self._declared.get(cls)
        if known is None:
            found = (
                name
                for owner in reversed(self.mro(cls))
                for name, units in owner.table.items()
                if any(isinstance(node, ast.AnnAssign) for unit in units for node in unit.nodes)
            )
            known = self._declared[cls] = tuple(dict.fromkeys(found))
        return known

    def lacks_attribute(self, cls: ClassInfo, name: str) -> bool:
        """Whether instances have no visible attribute of that name."""
        return (
            self.find_member(cls, name) is None
            and name not in self.assigned_attributes(cls)
            and self.find_member(cls, "__getattr__") is None
        )


def _merge(sequences: list[list[ClassInfo]]) -> Iterator[ClassInfo]:
    # C3 linearisation (Barrett et al., OOPSLA 1996)
    while sequences := [s for s in sequences if s]:
        for sequence in sequences:
            head = sequence[0]
            if not any(head in other[1:] for other in sequences):
                break
        else:
            head = sequences[0][0]
        yield head
        sequences = [[c for c in s if c is not head] for s in sequences]
