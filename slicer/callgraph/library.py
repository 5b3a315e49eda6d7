"""What the functions of builtins and of the standard library do with what they are given.

A model answers whether the call is dealt with; if not, the result is an object of the library.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import partial as bind

from . import attributes
from .calls import Calls, Model, Site
from .containers import Container
from .facts import ContainerKind
from .known import CONVERSIONS, FIELD_CLASSES, PASS_THROUGH, PROPERTIES, TRANSPARENT, UNLISTED
from .program import BUILTIN
from .values import (
    TEXT,
    ClassMethodValue,
    ClassValue,
    ExternalValue,
    GlobalsValue,
    InstanceValue,
    ModuleValue,
    PrefixValue,
    StaticValue,
    SuperValue,
)

_NAMES_OF_A_PREFIX = 400


def _edge(calls: Calls, site: Site, value: ExternalValue) -> None:
    calls.edge(site.caller, value.path, site.line)


def _argument(site: Site, index: int) -> int | None:
    return site.arguments[index] if index < len(site.arguments) else None


def _made(calls: Calls, site: Site, kind: ContainerKind) -> Container:
    """The container that a call makes, one for each site."""
    number = site.made.get(kind)
    if number is None:
        container = calls.containers.new(kind)
        site.made[kind] = container.number
        if site.target is not None:
            calls.engine.put(site.target, calls.containers.value(container))
        return container
    return calls.containers[number]


# ------------------------------------------------------------------- containers


def _collect(kind: ContainerKind, calls: Calls, site: Site, value: ExternalValue) -> bool:
    _edge(calls, site, value)
    made = _made(calls, site, kind)
    source = _argument(site, 0)
    if source is not None:
        items = calls.engine.variable()
        calls.iterate(source, items, site.caller, site.line, False)
        calls.engine.connect(items, made.field(None))
        calls.call_argument(site, "key", (items,))
    return True


def _copy_container(kind: ContainerKind, calls: Calls, site: Site, value: ExternalValue) -> bool:
    """`list`, `tuple` and `dict` keep the places of what they copy."""
    _edge(calls, site, value)
    made = _made(calls, site, kind)
    for source in site.arguments[:1]:
        if source is not None:
            _fill_from(calls, made, source, site)
    for name, variable in site.keywords:
        if name is not None:
            calls.engine.connect(variable, made.field(name))
    return True


def _fill_from(calls: Calls, made: Container, source: int, site: Site) -> None:
    def each(new: Collection[int]) -> None:
        for number in new:
            container = calls.container(number)
            if container is not None and (container.kind == "dict") == (made.kind == "dict"):
                calls.containers.copy_fields(container, made)
                continue
            items = calls.items_of(number)
            if items is not None:
                _add_items(calls, made, items)
            elif number >= 0:
                produced = calls.engine.variable()
                held = calls.engine.variable()
                calls.engine.put(held, number)
                calls.iterate(held, produced, site.caller, site.line, False)
                _add_items(calls, made, produced)

    calls.engine.watch(source, each)


def _add_items(calls: Calls, made: Container, items: int) -> None:
    if made.kind != "dict":
        calls.engine.connect(items, made.field(None))
        return

    def each(new: Collection[int]) -> None:
        for number in new:
            pair = calls.container(number)
            if pair is not None:
                calls.engine.connect(pair.field(0), made.key_variable())
                calls.engine.connect(pair.field(1), made.field(None))

    calls.engine.watch(items, each)


def _enumerate(calls: Calls, site: Site, value: ExternalValue) -> bool:
    _edge(calls, site, value)
    made = _made(calls, site, "list")
    pair = calls.containers.new("tuple")
    calls.engine.put(made.field(None), calls.containers.value(pair))
    source = _argument(site, 0)
    if source is not None:
        calls.iterate(source, pair.field(1), site.caller, site.line, False)
    return True


def _zip(calls: Calls, site: Site, value: ExternalValue) -> bool:
    _edge(calls, site, value)
    made = _made(calls, site, "list")
    group = calls.containers.new("tuple")
    calls.engine.put(made.field(None), calls.containers.value(group))
    for index, source in enumerate(site.arguments):
        if source is not None:
            calls.iterate(source, group.field(index), site.caller, site.line, False)
    return True


def _map(calls: Calls, site: Site, value: ExternalValue) -> bool:
    """`map` and `filter` call their arguments; a function in the wrong place counts as well."""
    _edge(calls, site, value)
    made = _made(calls, site, "list")
    results = made.field(None)
    items: list[int] = []
    for source in site.arguments[1:]:
        variable = calls.engine.variable()
        if source is not None:
            calls.iterate(source, variable, site.caller, site.line, False)
        items.append(variable)
    is_map = value.path.endswith("map")
    for index in range(len(site.arguments)):
        target = results if is_map else None
        calls.call_argument(site, index, tuple(items) if index == 0 else (), target)
    if not is_map:
        for variable in items:
            calls.engine.connect(variable, results)
    return True


def _extreme(calls: Calls, site: Site, value: ExternalValue) -> bool:
    _edge(calls, site, value)
    result = calls.engine.variable()
    if len(site.arguments) == 1 and site.arguments[0] is not None:
        calls.iterate(site.arguments[0], result, site.caller, site.line, False)
    else:
        for argument in site.arguments:
            if argument is not None:
                calls.engine.connect(argument, result)
    calls.engine.connect(result, site.target)
    calls.call_argument(site, "key", (result,))
    return True


def _iterator(calls: Calls, site: Site, value: ExternalValue) -> bool:
    _edge(calls, site, value)
    made = _made(calls, site, "list")
    source = _argument(site, 0)
    if source is not None:
        calls.iterate(source, made.field(None), site.caller, site.line, False)
    return True


def _next(calls: Calls, site: Site, value: ExternalValue) -> bool:
    _edge(calls, site, value)
    source = _argument(site, 0)
    if source is None:
        return True

    def each(new: Collection[int]) -> None:
        for number in new:
            items = calls.items_of(number)
            if items is not None:
                calls.engine.connect(items, site.target)
            else:
                calls.call_method(
                    number, "__next__", Site(site.caller, site.line, target=site.target)
                )

    calls.engine.watch(source, each)
    for default in site.arguments[1:2]:
        if default is not None:
            calls.engine.connect(default, site.target)
    return True


def _default_dict(calls: Calls, site: Site, value: ExternalValue) -> bool:
    _edge(calls, site, value)
    made = _made(calls, site, "dict")
    calls.call_argument(site, 0, (), made.field(None))
    return True


# -------------------------------------------------------------------- attributes


def _getattr(calls: Calls, site: Site, value: ExternalValue) -> bool:
    _edge(calls, site, value)
    owner, name = _argument(site, 0), _argument(site, 1)
    for default in site.arguments[2:3]:
        if default is not None:
            calls.engine.connect(default, site.target)
    if owner is None or name is None:
        return True
    done: set[tuple[int, int]] = set()

    def each(_: Collection[int]) -> None:
        for number in sorted(calls.engine.holds[owner]):
            for key in sorted(calls.engine.holds[name]):
                if (number, key) not in done:
                    done.add((number, key))
                    for text in _texts(calls, number, key):
                        attributes.read(calls, number, text, site.target, site.caller, site.line)

    calls.engine.watch(owner, each)
    calls.engine.watch(name, each)
    return True


def _texts(calls: Calls, owner: int, key: int) -> list[str]:
    """Attribute names that a value stands for."""
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


def _setattr(calls: Calls, site: Site, value: ExternalValue) -> bool:
    _edge(calls, site, value)
    owner, name, source = _argument(site, 0), _argument(site, 1), _argument(site, 2)
    if owner is None or name is None:
        return True

    def each(_: Collection[int]) -> None:
        for number in sorted(calls.engine.holds[owner]):
            for key in sorted(calls.engine.holds[name]):
                constant = calls.values.constant_of(key) if key < 0 else None
                if isinstance(constant, str):
                    attributes.store(calls, number, constant, source, site.caller, site.line)

    calls.engine.watch(owner, each)
    calls.engine.watch(name, each)
    return True


def _super(calls: Calls, site: Site, value: ExternalValue) -> bool:
    _edge(calls, site, value)
    klass, receiver = _argument(site, 0), _argument(site, 1)
    if klass is None or receiver is None or site.target is None:
        return True
    target = site.target

    def each(_: Collection[int]) -> None:
        for number in sorted(calls.engine.holds[klass]):
            owner = calls.values[number] if number >= 0 else None
            if isinstance(owner, ClassValue):
                for held in sorted(calls.engine.holds[receiver]):
                    made = SuperValue(owner.klass, held)
                    calls.engine.put(target, calls.values.number(made))

    calls.engine.watch(klass, each)
    calls.engine.watch(receiver, each)
    return True


def _type(calls: Calls, site: Site, value: ExternalValue) -> bool:
    _edge(calls, site, value)
    source, target = _argument(site, 0), site.target
    if source is not None and target is not None and len(site.arguments) == 1:

        def each(new: Collection[int]) -> None:
            for number in new:
                if number >= 0 and isinstance(calls.values[number], InstanceValue):
                    calls.engine.put(target, calls.classes.class_value(number))

        calls.engine.watch(source, each)
    return True


def _globals(calls: Calls, site: Site, value: ExternalValue) -> bool:
    _edge(calls, site, value)
    if site.target is not None:
        calls.engine.put(site.target, calls.values.number(GlobalsValue(site.module)))
    return True


def _import_module(calls: Calls, site: Site, value: ExternalValue) -> bool:
    _edge(calls, site, value)
    name, target = _argument(site, 0), site.target
    if name is None or target is None:
        return True

    def each(new: Collection[int]) -> None:
        for number in new:
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
    return True


# -------------------------------------------------------------------- decorators


def _wrap(calls: Calls, site: Site, value: ExternalValue) -> bool:
    target = site.target
    if target is None:
        return True
    if value.path.endswith("property"):
        if "property" not in site.made:
            site.made["property"] = calls.new_property(_argument(site, 0))
            for role, index in (("setter", 1), ("deleter", 2)):
                made = calls.properties[-1]
                source = _argument(site, index)
                if source is not None:
                    variable = made.setter if role == "setter" else made.deleter
                    calls.engine.connect(source, variable)
        calls.engine.put(target, site.made["property"])
        return True
    kind = StaticValue if value.path.endswith("staticmethod") else ClassMethodValue
    source = _argument(site, 0)
    if source is not None:

        def each(new: Collection[int]) -> None:
            for number in new:
                if number >= 0:
                    calls.engine.put(target, calls.values.number(kind(number)))

        calls.engine.watch(source, each)
    return True


def _listed_wrap(calls: Calls, site: Site, value: ExternalValue) -> bool:
    _edge(calls, site, value)
    return _wrap(calls, site, value)


def _pass_through(calls: Calls, site: Site, value: ExternalValue) -> bool:
    _edge(calls, site, value)
    if site.decorates or value.path in TRANSPARENT:
        source = _argument(site, 0)
    elif value.path == "typing.cast":
        source = _argument(site, 1)
    else:
        # with arguments, as in `wraps(f)`: the result is the decorator
        if site.target is not None:
            calls.engine.put(site.target, calls.values.number(ExternalValue(value.path, 0)))
        source = _argument(site, 0)
    if source is not None:
        calls.engine.connect(source, site.target)
        if value.path in FIELD_CLASSES:
            calls.engine.watch(source, bind(_mark_fields, calls))
    return True


def _mark_fields(calls: Calls, new: Collection[int]) -> None:
    for number in new:
        value = calls.values[number] if number >= 0 else None
        if isinstance(value, ClassValue):
            calls.classes.states[value.klass].has_fields = True


def _wraps(calls: Calls, site: Site, value: ExternalValue) -> bool:
    """`wraps(f)` gives a decorator that hands back what it decorates."""
    _edge(calls, site, value)
    if site.decorates:
        source = _argument(site, 0)
        if source is not None:
            calls.engine.connect(source, site.target)
    elif site.target is not None:
        calls.engine.put(site.target, calls.values.number(ExternalValue(value.path, 0)))
    return True


def _partial(calls: Calls, site: Site, value: ExternalValue) -> bool:
    _edge(calls, site, value)
    callee = _argument(site, 0)
    if callee is not None and site.target is not None and "partial" not in site.made:
        inner = Site(
            site.caller, site.line, site.arguments[1:], site.spreads, site.late, site.keywords
        )
        site.made["partial"] = calls.new_partial(callee, inner)
        calls.engine.put(site.target, site.made["partial"])
    return True


def _starmap(calls: Calls, site: Site, value: ExternalValue) -> bool:
    _edge(calls, site, value)
    source = _argument(site, 1)
    made = _made(calls, site, "list")
    if source is not None:
        items = calls.engine.variable()
        calls.iterate(source, items, site.caller, site.line, False)
        callee = _argument(site, 0)
        if callee is not None:
            inner = Site(site.caller, site.line, spreads=(items,), target=made.field(None))
            calls.call_variable(callee, inner)
    return True


def _reduce(calls: Calls, site: Site, value: ExternalValue) -> bool:
    _edge(calls, site, value)
    items = calls.engine.variable()
    source = _argument(site, 1)
    if source is not None:
        calls.iterate(source, items, site.caller, site.line, False)
    for start in site.arguments[2:3]:
        if start is not None:
            calls.engine.connect(start, items)
    result = calls.engine.variable()
    calls.engine.connect(items, result)
    calls.call_argument(site, 0, (result, items), result)
    calls.engine.connect(result, site.target)
    return True


def _submit(position: int | str, calls: Calls, site: Site, value: ExternalValue) -> bool:
    """Threads and the like: one argument is called with `args`."""
    _edge(calls, site, value)
    arguments = dict(site.keywords).get("args")
    callee = dict(site.keywords).get(str(position))
    if callee is not None:
        spreads = () if arguments is None else (arguments,)
        calls.call_variable(callee, Site(site.caller, site.line, spreads=spreads))
    return False


# ------------------------------------------------------------------- conversions


def _convert(calls: Calls, site: Site, value: ExternalValue) -> bool:
    """Builtins that ask their argument for a special method."""
    _edge(calls, site, value)
    name = value.path.rpartition(".")[2]
    sources = site.arguments if name == "print" else site.arguments[:1]
    result = site.target if name in ("abs", "divmod", "round", "pow", "reversed") else None
    for source in sources:
        if source is not None:
            ask(calls, source, CONVERSIONS[name], Site(site.caller, site.line, target=result))
    if name in ("str", "repr", "format", "ascii", "hex", "oct", "bin") and site.target is not None:
        calls.engine.put(site.target, TEXT)
    return True


def ask(calls: Calls, source: int, methods: tuple[str, ...], site: Site) -> None:
    """Call the first of the special methods that what the variable holds has."""

    def each(new: Collection[int]) -> None:
        for number in new:
            for method in methods:
                if calls.call_method(number, method, site):
                    break

    calls.engine.watch(source, each)


def _plain(calls: Calls, site: Site, value: ExternalValue) -> bool:
    _edge(calls, site, value)
    return True


def _builtin_models() -> dict[str, Model]:
    table: dict[str, Model] = {
        "list": bind(_copy_container, "list"),
        "tuple": bind(_copy_container, "tuple"),
        "dict": bind(_copy_container, "dict"),
        "set": bind(_collect, "set"),
        "frozenset": bind(_collect, "set"),
        "sorted": bind(_collect, "list"),
        "iter": _iterator,
        "next": _next,
        "enumerate": _enumerate,
        "zip": _zip,
        "map": _map,
        "filter": _map,
        "min": _extreme,
        "max": _extreme,
        "sum": _extreme,
        "getattr": _getattr,
        "setattr": _setattr,
        "super": _super,
        "type": _type,
        "globals": _globals,
        "__import__": _import_module,
    }
    for name in CONVERSIONS:
        table.setdefault(name, _convert)
    for name in UNLISTED:
        table[name] = _wrap
    return {f"{BUILTIN}.{name}": model for name, model in table.items()}


def library_models() -> dict[str, Model]:
    """Dotted name of a library function → its model."""
    models = _builtin_models()
    for path in sorted(PASS_THROUGH):
        models[path] = _pass_through
    for path in sorted(PROPERTIES):
        models[path] = _listed_wrap
    models |= {
        "functools.wraps": _wraps,
        "functools.partial": _partial,
        "functools.partialmethod": _partial,
        "functools.reduce": _reduce,
        "importlib.import_module": _import_module,
        "collections.defaultdict": _default_dict,
        "collections.deque": bind(_collect, "list"),
        "collections.OrderedDict": bind(_copy_container, "dict"),
        "itertools.chain": _chain,
        "itertools.starmap": _starmap,
        "threading.Thread": bind(_submit, "target"),
        "multiprocessing.Process": bind(_submit, "target"),
        "operator.itemgetter": _plain,
    }
    return models


def _chain(calls: Calls, site: Site, value: ExternalValue) -> bool:
    _edge(calls, site, value)
    made = _made(calls, site, "list")
    for source in site.arguments:
        if source is not None:
            calls.iterate(source, made.field(None), site.caller, site.line, False)
    return True
