"""Attribute stores that the inference does not see when it evaluates a read.

The inference covers what methods assign to `self` and what the class body binds. Functions that
receive the instance, and subclasses, may store to the attribute too; this module covers those.
"""

from __future__ import annotations

from itertools import islice

from ...analysis.scopes.definitions import ClassInfo, FunctionInfo
from ...analysis.uses.use_records import CallUse, ComputedUse, StoreUse
from ...analysis.values.abstract_values import (
    ClassValue,
    External,
    FunctionValue,
    Instance,
    ModuleValue,
    Value,
    Values,
    join,
    ordered,
)
from ...repo.repository import Module
from ..classes.kept_classes import ClassKeeper
from ..closure_record import Asker, ClosureRecord
from ..kept_definitions import Reason
from .computed_values import ComputedValues


class StoredAttributes:
    """Attribute stores of the kept code."""

    def __init__(self, record: ClosureRecord, classes: ClassKeeper) -> None:
        self._record = record
        self._inference = record.inference
        self._classes = classes
        self._stores: dict[str, dict[StoreUse, Reason]] = {}
        """Attribute name → uses that may store repository instances or classes."""
        self._fresh: set[str] = set()
        """Attribute names that received stores since the last pass."""
        self._seen: dict[tuple[ClassInfo, str], int] = {}
        """(class, attribute name) → number of stores already processed."""
        self._computed: dict[Asker, tuple[ComputedUse, Reason]] = {}
        """Expressions that are stored in attributes."""
        self._looked_at: set[ClassInfo] = set()

    def add(self, use: StoreUse, reason: Reason) -> None:
        """Record that some values are stored in an attribute."""
        if any(isinstance(v, (Instance, ClassValue)) for v in self._add_results(use.values)):
            self._stores.setdefault(use.name, {}).setdefault(use, reason)
            self._fresh.add(use.name)
            self._put_in_modules(use, reason)

    def _put_in_modules(self, use: StoreUse, why: Reason) -> None:
        """Record `lib.Thing = Fake()`: the module accesses on it what it accesses on `Thing`."""
        text = f"stands in the place of {use.name}"
        reason = Reason(text, why.by, why.path, why.line)
        for receiver in ordered(use.receivers):
            if isinstance(receiver, ModuleValue) and isinstance(receiver.module, Module):
                known = self._inference.global_values(receiver.module, use.name)
                self._open_unexpected(use.values, known, reason)
                if any(isinstance(value, External) for value in known or ()):
                    for value in self._add_results(use.values):  # its accesses are not recorded
                        if isinstance(value, (Instance, ClassValue)):
                            self._classes.members.keep_public(value.cls, frozenset(), reason)

    def compute(self, use: ComputedUse, reader: Asker, reason: Reason) -> None:
        """Record that an expression is stored in an attribute, with its values known so far."""
        self._computed.setdefault(reader, (use, reason))
        receivers = self._record.parameters.resolve(use.receivers, reader)
        if receivers is not None:
            computed = ComputedValues(
                self._inference, use.scope,
                lambda values: self._record.parameters.resolve(values, reader), self._stored_in,
            )  # fmt: skip
            self.add(StoreUse(receivers, use.name, computed.values(use.node), use.line), reason)

    def _stored_in(self, owner: Value, name: str) -> frozenset[Value]:
        """Return the values stored so far in the attribute of an instance."""
        found: set[Value] = set()
        for use in self._stores.get(name, ()):
            if isinstance(owner, Instance) and self._may_be_receiver(owner.cls, use.receivers):
                found.update(use.values or ())
        return frozenset(found)

    def declare(self, declared: Values, values: Values, why: Reason) -> None:
        """Record that some values are used where others are declared."""
        reason = Reason("declared to be something else", why.by, why.path, why.line)
        self._open_unexpected(values, declared, reason)

    def pass_arguments(self, use: CallUse, reader: Asker, reason: Reason) -> None:
        """Record that parameters hold their arguments, whatever their declarations say."""
        for callee in ordered(use.callee):
            match callee:
                case FunctionValue(function=function):
                    self._pass_to(function, use, reader, reason)
                case ClassValue(cls=cls):
                    if self._inference.find_member(cls, "__init__") is None:
                        self._pass_to_fields(cls, use, reader, reason)
                    for function in self._inference.methods(cls, "__init__"):
                        self._pass_to(function, use, reader, reason)
                        self._store_options(function, cls, use, reader, reason)
                case _:
                    continue

    def _pass_to(self, function: FunctionInfo, use: CallUse, reader: Asker, reason: Reason) -> None:
        declared = self._inference.declared_parameters(function)
        if not declared:
            return
        args = function.node.args
        names = [arg.arg for arg in (*args.posonlyargs, *args.args)]
        given = dict(zip(names[function.owner is not None :], use.arguments, strict=False))
        given |= dict(use.keywords)
        for name, known in declared.items():
            if values := given.get(name):
                values = self._record.parameters.resolve(values, reader)
                text = f"passed as {name}"
                self._open_unexpected(
                    values, known, Reason(text, reason.by, reason.path, reason.line)
                )

    def _pass_to_fields(self, cls: ClassInfo, use: CallUse, reader: Asker, reason: Reason) -> None:
        """Store arguments in the fields of a class with a generated constructor (dataclass)."""
        fields = self._inference.declared_fields(cls)
        for name, values in (*zip(fields, use.arguments, strict=False), *use.keywords):
            if name in fields:
                self._keep_in(cls, name, values, use, reader, reason)

    def _store_options(
        self, function: FunctionInfo, cls: ClassInfo, use: CallUse, reader: Asker, reason: Reason
    ) -> None:
        """Store arguments that a constructor takes in `**options` and may make attributes."""
        args = function.node.args
        named = {arg.arg for arg in (*args.args, *args.kwonlyargs)}
        for name, values in use.keywords if args.kwarg is not None else ():
            if name not in named:
                self._keep_in(cls, name, values, use, reader, reason)

    def _keep_in(
        self, cls: ClassInfo, name: str, values: Values, use: CallUse, reader: Asker, reason: Reason
    ) -> None:
        resolved = self._record.parameters.resolve(values, reader)
        if resolved:
            self.add(StoreUse(frozenset({Instance(cls)}), name, resolved, use.line), reason)

    def open_unseen(self) -> None:
        """Open the classes of stored values that the readers of an attribute do not know."""
        if self._fresh:
            self._compute_again()
        fresh = [name for name in self._stores if name in self._fresh]
        self._fresh.clear()
        for cls in list(self._record.classes):
            names = fresh if cls in self._looked_at else list(self._stores)
            self._looked_at.add(cls)
            for name in names:
                if name in cls.table or name in cls.self_assignments:
                    self._look_at(cls, name)

    def _compute_again(self) -> None:
        """Recompute the expressions that read attributes, now that these hold more values."""
        before = -1
        while before != (before := sum(map(len, self._stores.values()))):
            for asker, (use, why) in list(self._computed.items()):
                self.compute(use, asker, why)

    def _look_at(self, cls: ClassInfo, name: str) -> None:
        uses = self._stores[name]
        seen = self._seen.get((cls, name), 0)
        self._seen[cls, name] = len(uses)
        for use, why in list(islice(uses.items(), seen, None)):
            if self._may_be_receiver(cls, use.receivers):
                self._open(cls, use, why)

    def _open(self, cls: ClassInfo, use: StoreUse, reason: Reason) -> None:
        known = self._with_results(self._inference.instance_member(cls, use.name))
        reason = Reason(f"stored in .{use.name}", reason.by, reason.path, reason.line)
        self._open_unexpected(use.values, known, reason)

    def _open_unexpected(self, values: Values, known: Values, reason: Reason) -> None:
        """Open classes of values that a reader of the known values may receive unexpectedly."""
        if known is None:
            return  # a reader's access applies to all live classes
        for value in self._unexpected(values, known):
            match value:
                case ClassValue(cls=stored):
                    self._classes.instantiate(stored, reason)
                    self._classes.questions.open(stored, reason)
                case Instance(cls=stored):
                    self._classes.questions.open(stored, reason)
                case _:
                    continue

    def _unexpected(self, values: Values, known: frozenset[Value]) -> list[Value]:
        """Return the values and function results not derived from known ones."""
        mro = self._inference.mro
        return [
            value
            for value in self._add_results(values)
            if isinstance(value, (Instance, ClassValue))
            and not any(isinstance(k, type(value)) and k.cls in mro(value.cls) for k in known)
        ]

    def _add_results(self, values: Values) -> list[Value]:
        """Return the values with the known results of the functions among them."""
        found = ordered(values)
        functions = [v.function for v in found if isinstance(v, FunctionValue)]
        results = [v for f in functions for v in ordered(self._inference.returned(f))]
        return [*found, *results]

    def _with_results(self, values: Values) -> Values:
        """Return the values and the results of functions among them; unknown if a result is."""
        functions = [v.function for v in ordered(values) if isinstance(v, FunctionValue)]
        return join(values, *map(self._inference.returned, functions))

    def _may_be_receiver(self, cls: ClassInfo, receivers: Values) -> bool:
        """Whether an instance of the class may be among the receivers."""
        if receivers is None:
            return True
        mro = self._inference.mro
        others = [v.cls for v in receivers if isinstance(v, (ClassValue, Instance))]
        return any(cls in mro(other) or other in mro(cls) for other in others)
