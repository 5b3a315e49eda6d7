"""The passes of the analysis, in order."""

from __future__ import annotations

from collections.abc import Sequence

from ..facts import ModuleFacts
from .callable_table import handlers
from .calls.call_edges import Calls
from .closure_copies import FunctionCopies
from .constraints.constraint_loader import Loader
from .constraints.operation_table import EARLY, HANDLERS
from .constraints.type_constraints import add_instances
from .interned_values import ANY, ClassValue, InstanceValue
from .program import Finder, Program


def solve(modules: Sequence[ModuleFacts], finder: Finder) -> Calls:
    """Solve the constraints of all modules together.

    Names are solved first, so that bases and resolution orders are known before any attribute of an
    instance is looked up. Then calls are solved. Open cases are decided last.
    """
    program = Program(modules, finder)
    calls = Calls(program, handlers())
    loader = Loader(calls, HANDLERS, EARLY)
    calls.copies = FunctionCopies(calls, loader)
    loader.names()
    program.engine.solve()
    calls.slots.follow_bases()
    program.engine.solve()
    _give_receivers(calls)
    loader.actions()
    program.engine.solve()
    _take_declarations(loader)
    for decide in tuple(calls.late):
        decide()
    program.engine.solve()
    for decide in tuple(loader.reflected):
        decide()
    program.engine.solve()
    return calls


def _give_receivers(calls: Calls) -> None:
    """Bind `self` to instances of the class or a subclass, and `cls` to those classes."""
    for linked, facts in calls.program.functions:
        if facts.klass is None or facts.first == "none" or not facts.positional:
            continue
        kind = InstanceValue if facts.first == "self" else ClassValue
        value = calls.values.number(kind(linked.classes + facts.klass, False))
        receiver = facts.parameters[facts.positional[0]]
        calls.engine.put(linked.variables + receiver, value)


def _take_declarations(loader: Loader) -> None:
    """Apply annotations to variables of which nothing else is known."""
    engine = loader.engine
    open_targets = {
        target
        for _, target in loader.declared
        if not any(value > ANY for value in engine.holds[target])
    }
    for source, target in loader.declared:
        if target in open_targets:
            add_instances(loader.calls, source, target)
    engine.solve()
