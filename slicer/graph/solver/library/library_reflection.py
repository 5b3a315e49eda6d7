"""Models of builtins that read a computed name: of an attribute, a class or a module."""

from __future__ import annotations

from ..calls import attribute_access
from ..calls.call_edges import Calls
from ..interned_values import (
    ClassValue,
    ExternalValue,
    GlobalsValue,
    InstanceValue,
    ModuleValue,
    PrefixValue,
    SuperValue,
)
from ..program import BUILTIN
from ..site_table import Site

_NAMES_OF_A_PREFIX = 400


def get_attribute(calls: Calls, site: Site, value: ExternalValue) -> None:
    """Model `getattr`, for every name that the argument may hold."""
    owner, name = site.argument(0), site.argument(1)
    for default in site.arguments[2:3]:
        if default is not None:
            calls.engine.connect(default, site.target)
    if owner is None or name is None:
        return

    def each(number: int, key: int) -> None:
        for text in _texts(calls, number, key):
            attribute_access.read(calls, number, text, site.target, site.caller, site.line)

    calls.engine.watch_pairs(owner, name, each)


def _texts(calls: Calls, owner: int, key: int) -> list[str]:
    """Return the attribute names that a value stands for."""
    if key < 0:
        constant = calls.values.constant_of(key)
        return [constant] if isinstance(constant, str) else []
    prefix = calls.values[key]
    if not isinstance(prefix, PrefixValue) or owner < 0:
        return []
    value = calls.values[owner]
    if isinstance(value, (InstanceValue, ClassValue)):
        names = list(calls.classes.member_names(value.klass))
    elif isinstance(value, ModuleValue):
        names = sorted(calls.program.modules[value.module].facts.bound)
    else:
        names = []
    return [name for name in names if name.startswith(prefix.text)][:_NAMES_OF_A_PREFIX]


def set_attribute(calls: Calls, site: Site, value: ExternalValue) -> None:
    """Model `setattr`."""
    owner, name, source = site.argument(0), site.argument(1), site.argument(2)
    if owner is None or name is None:
        return

    def each(number: int, key: int) -> None:
        constant = calls.values.constant_of(key)
        if isinstance(constant, str):
            attribute_access.store(calls, number, constant, source, site.caller, site.line)

    calls.engine.watch_pairs(owner, name, each)


def super_of(calls: Calls, site: Site, value: ExternalValue) -> None:
    """Model `super(C, receiver)`."""
    klass, receiver = site.argument(0), site.argument(1)
    if klass is None or receiver is None or site.target is None:
        return
    target = site.target

    def each(number: int, instance: int) -> None:
        owner = calls.values[number] if number >= 0 else None
        if isinstance(owner, ClassValue):
            calls.engine.put(target, calls.values.number(SuperValue(owner.klass, instance)))

    calls.engine.watch_pairs(klass, receiver, each)


def type_of(calls: Calls, site: Site, value: ExternalValue) -> None:
    """Model `type(x)` for instances; other values have no result."""
    source, target = site.argument(0), site.target
    if source is not None and target is not None and len(site.arguments) == 1:

        def each(number: int) -> None:
            if number >= 0 and isinstance(calls.values[number], InstanceValue):
                calls.engine.put(target, calls.classes.class_value(number))

        calls.engine.watch(source, each)


def globals_of(calls: Calls, site: Site, value: ExternalValue) -> None:
    """Model `globals()` of the calling module."""
    if site.target is not None:
        calls.engine.put(site.target, calls.values.number(GlobalsValue(site.module)))


def import_by_name(calls: Calls, site: Site, value: ExternalValue) -> None:
    """Model `import_module` and `__import__`."""
    name, target = site.argument(0), site.target
    if name is None or target is None:
        return

    def each(number: int) -> None:
        text = calls.values.constant_of(number) if number < 0 else None
        if isinstance(text, str) and text.strip("."):
            level = len(text) - len(text.lstrip("."))
            whole = calls.program.absolute(site.module, level, text.lstrip("."))
            if whole is not None:
                if value.path == f"{BUILTIN}.__import__" and len(site.arguments) < 4:
                    whole = whole.partition(".")[0]
                module = calls.program.module_value(site.module, whole)
                calls.engine.put(target, module)

    calls.engine.watch(name, each)
