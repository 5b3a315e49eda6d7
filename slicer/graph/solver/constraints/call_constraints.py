"""Constraints from calls, explicit or implied by operators, loops, `with` and `raise`."""

from __future__ import annotations

from ...facts import Enter, Invoke, Iterate, Operate, Raise, Super
from ..calls.special_methods import call_special_method, iterate
from ..interned_values import ClassValue, InstanceValue, SuperValue
from ..site_table import Site
from .constraint_loader import Loader


def invoke(loader: Loader, op: Invoke) -> None:
    """Constrain a call."""
    base = loader.base
    site = Site(
        loader.caller(op.caller),
        op.line,
        tuple(None if a is None else base + a for a in op.arguments),
        tuple(base + a for a in op.spreads),
        tuple(base + a for a in op.late),
        tuple((name, base + a) for name, a in op.keywords),
        loader.at(op.target),
        op.decorates,
        loader.module,
        loader.depth,
    )
    loader.calls.call_variable(base + op.callee, site)


def call_super(loader: Loader, op: Super) -> None:
    """Constrain `super()`."""
    klass, target = loader.linked.classes + op.klass, loader.base + op.target

    def each(number: int) -> None:
        if number >= 0 and isinstance(loader.values[number], (InstanceValue, ClassValue)):
            value = loader.values.number(SuperValue(klass, number))
            loader.engine.put(target, value)

    loader.engine.watch(loader.base + op.receiver, each)


def raise_value(loader: Loader, op: Raise) -> None:
    """Constrain `raise`, which calls a raised class."""
    site = loader.site(op.caller, op.line, target=None)

    def each(number: int) -> None:
        if number >= 0 and isinstance(loader.values[number], ClassValue):
            loader.calls.apply(number, site)

    loader.engine.watch(loader.base + op.source, each)


def iterate_over(loader: Loader, op: Iterate) -> None:
    """Constrain a loop."""
    caller = loader.caller(op.caller)
    target = loader.at(op.target)
    iterate(loader.calls, loader.base + op.source, target, caller, op.line, op.is_async)


def enter_context(loader: Loader, op: Enter) -> None:
    """Constrain a `with` statement."""
    target = loader.at(op.target)
    names = ("__aenter__", "__aexit__") if op.is_async else ("__enter__", "__exit__")
    first = loader.site(op.caller, op.line, target=target)
    last = loader.site(op.caller, op.line, None, None, None, target=None)

    def each(number: int) -> None:
        items = loader.calls.containers.items_of(number)
        if items is not None:
            loader.engine.connect(items, target)
            return
        entered = loader.calls.call_method(number, names[0], first)
        loader.calls.call_method(number, names[1], last)
        if not entered and target is not None:
            loader.engine.put(target, number)

    loader.engine.watch(loader.base + op.source, each)


def operate(loader: Loader, op: Operate) -> None:
    """Constrain an operator."""
    left, right, target = loader.at(op.left), loader.at(op.right), loader.at(op.target)
    site = loader.site(op.caller, op.line, right, target=target)
    backward = loader.site(op.caller, op.line, left, target=target)
    on_left = op.reflected in ("__len__", "__iter__", "__str__") or op.method == "__ne__"
    on_left = on_left or op.method.startswith("__i")
    methods = (op.method, op.reflected) if on_left and op.reflected else (op.method,)
    if left is not None:
        call_special_method(loader.calls, left, methods, site)
    if right is not None and op.reflected and not on_left:
        loader.reflected.append(lambda: _reflect(loader, left, right, op, backward))


def _reflect(loader: Loader, left: int | None, right: int, op: Operate, site: Site) -> None:
    """Call the right operand's reflected method if the left operand lacks the method."""
    for number in sorted(loader.engine.holds[left]) if left is not None else ():
        value = loader.values[number] if number >= 0 else None
        if isinstance(value, InstanceValue) and loader.calls.classes.defines(
            value.klass, value.exact, op.method
        ):
            return
    call_special_method(loader.calls, right, (op.reflected,), site)
