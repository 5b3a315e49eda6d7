"""From the operations of all modules to the solved constraints."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from itertools import product
from typing import Any

from . import attributes
from .calls import Calls, Site
from .containers import Container
from .facts import (
    Concatenate,
    Constant,
    Copy,
    CopyButClasses,
    Declare,
    Enter,
    ImportModule,
    ImportName,
    InstanceOf,
    Invoke,
    Iterate,
    Load,
    LoadItem,
    LoadSlice,
    NewClass,
    NewContainer,
    NewFunction,
    Operate,
    Operation,
    Raise,
    Store,
    StoreItem,
    Super,
    Text,
    Unpack,
)
from .library import ask
from .methods import known_keys, read_item, store_item
from .program import Linked
from .values import (
    ANY,
    TEXT,
    ClassValue,
    ContainerValue,
    ExternalValue,
    FunctionValue,
    GlobalsValue,
    InstanceValue,
    PrefixValue,
    SuperValue,
)

_MOST_TEXTS = 64
_EARLY = (Copy, NewFunction, NewClass, ImportModule, ImportName, Constant, NewContainer, Text)


class Loader:
    """Turns the operations of one module after the other into constraints."""

    def __init__(self, calls: Calls) -> None:
        self.calls = calls
        self.engine = calls.engine
        self.values = calls.values
        self.declared: list[tuple[int, int]] = []
        self.reflected: list[Callable[[], None]] = []
        self._linked: Linked
        self._module = 0
        self._base = 0
        self._depth = 0
        self._handlers: dict[type[Operation], Callable[[Any], None]] = {
            Copy: self._copy,
            CopyButClasses: self._copy_but_classes,
            Constant: self._constant,
            Text: self._text,
            Concatenate: self._concatenate,
            NewFunction: self._new_function,
            NewClass: self._new_class,
            NewContainer: self._new_container,
            ImportModule: self._import_module,
            ImportName: self._import_name,
            Load: self._load,
            Store: self._store,
            LoadItem: self._load_item,
            StoreItem: self._store_item,
            LoadSlice: self._load_slice,
            Unpack: self._unpack,
            Iterate: self._iterate,
            Enter: self._enter,
            Operate: self._operate,
            Invoke: self._invoke,
            Super: self._super,
            Raise: self._raise,
            InstanceOf: self._instance_of,
            Declare: self._declare,
        }

    def names(self) -> None:
        """What binds names: definitions, imports, copies, attributes of modules, decorators."""
        for index in range(len(self.calls.program.modules)):
            self._select(index)
            for operation in self._linked.facts.operations:
                if isinstance(operation, _EARLY):
                    self._handlers[type(operation)](operation)
            self.calls.program.connect_free_names(index)
        for index in range(len(self.calls.program.modules)):
            self._select(index)
            for operation in self._linked.facts.operations:
                if isinstance(operation, Load):
                    self._load(operation)
                elif isinstance(operation, Invoke) and operation.decorates:
                    self._invoke(operation)

    def actions(self) -> None:
        """Everything else."""
        for index in range(len(self.calls.program.modules)):
            self._select(index)
            for operation in self._linked.facts.operations:
                is_decorator = isinstance(operation, Invoke) and operation.decorates
                if not is_decorator and not isinstance(operation, (*_EARLY, Load)):
                    self._handlers[type(operation)](operation)

    def load_copy(self, module: int, operations: Iterable[Operation], depth: int) -> None:
        """Load further operations of a module, of a copied function."""
        before = self._module, self._depth
        self._select(module)
        self._depth = depth
        for operation in operations:
            self._handlers[type(operation)](operation)
        self._select(before[0])
        self._depth = before[1]

    def _select(self, index: int) -> None:
        self._module = index
        self._linked = self.calls.program.modules[index]
        self._base = self._linked.variables

    def _at(self, variable: int | None) -> int | None:
        return None if variable is None else self._base + variable

    def _caller(self, caller: int) -> int:
        return self._linked.definitions + caller

    def _site(self, caller: int, line: int, *arguments: int | None, target: int | None) -> Site:
        return Site(
            self._caller(caller),
            line,
            arguments,
            target=target,
            module=self._module,
            depth=self._depth,
        )

    # ---------------------------------------------------------------- early

    def _copy(self, op: Copy) -> None:
        self.engine.connect(self._base + op.source, self._base + op.target)

    def _copy_but_classes(self, op: CopyButClasses) -> None:
        target = self._base + op.target

        def each(new: Collection[int]) -> None:
            others = [n for n in new if n < 0 or not isinstance(self.values[n], ClassValue)]
            self.engine.add(target, others)

        self.engine.watch(self._base + op.source, each)

    def _constant(self, op: Constant) -> None:
        self.engine.put(self._base + op.target, self.values.constant(op.value))

    def _text(self, op: Text) -> None:
        self.engine.put(self._base + op.target, TEXT)

    def _new_function(self, op: NewFunction) -> None:
        value = FunctionValue(self._linked.functions + op.function)
        self.engine.put(self._base + op.target, self.values.number(value))

    def _new_class(self, op: NewClass) -> None:
        value = ClassValue(self._linked.classes + op.klass, True)
        self.engine.put(self._base + op.target, self.values.number(value))

    def _new_container(self, op: NewContainer) -> None:
        containers = self.calls.containers
        container = containers.new(op.kind)
        for key, variable in op.items:
            self.engine.connect(self._base + variable, container.field(key, literal=True))
        target = self._base + op.target
        self.calls.container_of[target] = container
        self.engine.put(target, containers.value(container))
        for spread in op.spreads:
            self._spread(container, self._base + spread)

    def _spread(self, container: Container, spread: int) -> None:
        calls = self.calls

        def each(new: Collection[int]) -> None:
            for number in new:
                other = calls.container(number)
                if other is not None and other.kind == "dict" == container.kind:
                    calls.containers.copy_fields(other, container)
                    continue
                items = calls.items_of(number)
                if items is not None and container.kind != "dict":
                    self.engine.connect(items, container.field(None))

        self.engine.watch(spread, each)

    def _import_module(self, op: ImportModule) -> None:
        value = self.calls.program.import_module(self._module, op)
        self.engine.put(self._base + op.target, value)

    def _import_name(self, op: ImportName) -> None:
        attributes.import_name(self.calls, self._module, op, self._base + op.target)

    # ----------------------------------------------------------- attributes

    def _load(self, op: Load) -> None:
        target, caller = self._base + op.target, self._caller(op.caller)
        calls, name, line = self.calls, op.name, op.line

        def each(new: Collection[int]) -> None:
            for number in new:
                attributes.read(calls, number, name, target, caller, line)

        self.engine.watch(self._base + op.object, each)

    def _store(self, op: Store) -> None:
        source, caller = self._at(op.source), self._caller(op.caller)
        calls, name, line = self.calls, op.name, op.line

        def each(new: Collection[int]) -> None:
            for number in new:
                attributes.store(calls, number, name, source, caller, line)

        self.engine.watch(self._base + op.object, each)

    # ---------------------------------------------------------------- items

    def _load_item(self, op: LoadItem) -> None:
        key, target = self._at(op.key), self._base + op.target
        site = self._site(op.caller, op.line, key, target=target)

        def each(new: Collection[int]) -> None:
            for number in new:
                self._read_one(number, key, target, site)

        self.engine.watch(self._base + op.object, each)

    def _read_one(self, number: int, key: int | None, target: int, site: Site) -> None:
        calls = self.calls
        container = calls.container(number)
        if container is not None:
            read_item(calls, container, key, target)
        elif number < 0:
            if number == TEXT:
                self.engine.put(target, TEXT)
        elif not calls.call_method(number, "__getitem__", site):
            value = self.values[number]
            if isinstance(value, GlobalsValue):
                self._global_item(value, key, target)
            elif isinstance(value, ExternalValue) and value.path == "sys.modules":
                self._module_item(key, target, site)
            elif isinstance(value, ClassValue) and calls.classes.is_enum(value.klass):
                self.engine.put(target, self.values.number(InstanceValue(value.klass, True)))
            elif isinstance(value, (ClassValue, ExternalValue)):
                self.engine.put(target, number)

    def _global_item(self, value: GlobalsValue, key: int | None, target: int) -> None:
        program = self.calls.program

        def each(new: Collection[int]) -> None:
            for name in known_keys(self.calls, new):
                variable = program.cell(value.module, name) if isinstance(name, str) else None
                if variable is not None:
                    self.engine.connect(variable, target)

        if key is not None:
            self.engine.watch(key, each)

    def _module_item(self, key: int | None, target: int, site: Site) -> None:
        def each(new: Collection[int]) -> None:
            for name in known_keys(self.calls, new):
                if isinstance(name, str):
                    module = self.calls.program.module_value(site.module, name)
                    self.engine.put(target, module)

        if key is not None:
            self.engine.watch(key, each)

    def _store_item(self, op: StoreItem) -> None:
        key, source = self._at(op.key), self._at(op.source)
        site = self._site(op.caller, op.line, key, source, target=None)

        def each(new: Collection[int]) -> None:
            for number in new:
                container = self.calls.container(number)
                if container is not None:
                    if source is not None:
                        store_item(self.calls, container, key, source)
                elif not self.calls.call_method(number, "__setitem__", site) and number >= 0:
                    value = self.values[number]
                    if isinstance(value, GlobalsValue) and key is not None and source is not None:
                        self._store_global(value, key, source)

        self.engine.watch(self._base + op.object, each)

    def _store_global(self, value: GlobalsValue, key: int, source: int) -> None:
        def each(new: Collection[int]) -> None:
            for name in known_keys(self.calls, new):
                if isinstance(name, str):
                    variable = self.calls.program.cell(value.module, name)
                    if variable is not None:
                        self.engine.connect(source, variable)

        self.engine.watch(key, each)

    def _load_slice(self, op: LoadSlice) -> None:
        target = self._base + op.target
        site = self._site(op.caller, op.line, None, target=target)

        def each(new: Collection[int]) -> None:
            for number in new:
                container = self.calls.container(number)
                if container is not None:
                    part = self.calls.containers.shifted(container, op.lower, op.upper)
                    self.engine.put(target, self.calls.containers.value(part))
                elif number < 0:
                    self.engine.put(target, TEXT)
                else:
                    self.calls.call_method(number, "__getitem__", site)

        self.engine.watch(self._base + op.object, each)

    def _unpack(self, op: Unpack) -> None:
        target = self._base + op.target
        source = self._base + op.source
        others = self.engine.variable()
        known = op.place is not None and op.place >= 0

        def each(new: Collection[int]) -> None:
            for number in new:
                container = self.calls.container(number)
                if container is None:
                    self.engine.put(others, number)
                elif known and container.kind in ("list", "tuple"):
                    container.read((op.place,), target)
                else:
                    self.engine.connect(self.calls.containers.keys(container), target)

        self.engine.watch(source, each)
        self.calls.iterate(others, target, self._caller(op.caller), op.line, False)

    def _iterate(self, op: Iterate) -> None:
        caller = self._caller(op.caller)
        target = self._at(op.target)
        self.calls.iterate(self._base + op.source, target, caller, op.line, op.is_async)

    # ------------------------------------------------------------ protocols

    def _enter(self, op: Enter) -> None:
        target = self._at(op.target)
        names = ("__aenter__", "__aexit__") if op.is_async else ("__enter__", "__exit__")
        first = self._site(op.caller, op.line, target=target)
        last = self._site(op.caller, op.line, None, None, None, target=None)

        def each(new: Collection[int]) -> None:
            for number in new:
                items = self.calls.items_of(number)
                if items is not None:
                    self.engine.connect(items, target)
                    continue
                entered = self.calls.call_method(number, names[0], first)
                self.calls.call_method(number, names[1], last)
                if not entered and target is not None:
                    self.engine.put(target, number)

        self.engine.watch(self._base + op.source, each)

    def _operate(self, op: Operate) -> None:
        left, right, target = self._at(op.left), self._at(op.right), self._at(op.target)
        site = self._site(op.caller, op.line, right, target=target)
        backward = self._site(op.caller, op.line, left, target=target)
        on_left = op.reflected in ("__len__", "__iter__", "__str__") or op.method == "__ne__"
        on_left = on_left or op.method.startswith("__i")
        methods = (op.method, op.reflected) if on_left and op.reflected else (op.method,)
        if left is not None:
            ask(self.calls, left, methods, site)
        if right is not None and op.reflected and not on_left:
            self.reflected.append(lambda: self._reflect(left, right, op, backward))

    def _reflect(self, left: int | None, right: int, op: Operate, site: Site) -> None:
        """The right operand is asked where the left one has no such method."""
        for number in sorted(self.engine.holds[left]) if left is not None else ():
            value = self.values[number] if number >= 0 else None
            if isinstance(value, InstanceValue) and self.calls.classes.defines(
                value.klass, value.exact, op.method
            ):
                return
        ask(self.calls, right, (op.reflected,), site)

    def _concatenate(self, op: Concatenate) -> None:
        parts = [self._at(part) for part in op.parts]
        target = self._base + op.target

        def each(_: Collection[int]) -> None:
            texts = [self._texts_of(part) for part in parts]
            if all(texts):
                for combined in list(product(*texts))[:_MOST_TEXTS]:
                    self.engine.put(target, self.values.constant("".join(combined)))

        def otherwise() -> None:
            texts = [self._texts_of(part) for part in parts]
            if all(texts) or not any(self._is_text(part) for part in parts):
                return
            self.engine.put(target, TEXT)
            for text in texts[0][:_MOST_TEXTS]:
                if text:
                    self.engine.put(target, self.values.number(PrefixValue(text)))

        for part in dict.fromkeys(parts):
            if part is not None:
                self.engine.watch(part, each)
        self.calls.late.append(otherwise)

    def _texts_of(self, variable: int | None) -> list[str]:
        held = self.engine.holds[variable] if variable is not None else ()
        constants = [self.values.constant_of(n) for n in sorted(held, reverse=True) if n < ANY]
        return [text for text in constants if isinstance(text, str)]

    def _is_text(self, variable: int | None) -> bool:
        if variable is None:
            return False
        return bool(self._texts_of(variable)) or TEXT in self.engine.holds[variable]

    # ---------------------------------------------------------------- calls

    def _invoke(self, op: Invoke) -> None:
        base = self._base
        site = Site(
            self._caller(op.caller),
            op.line,
            tuple(None if a is None else base + a for a in op.arguments),
            tuple(base + a for a in op.spreads),
            tuple(base + a for a in op.late),
            tuple((name, base + a) for name, a in op.keywords),
            self._at(op.target),
            op.decorates,
            self._module,
            self._depth,
        )
        self.calls.call_variable(base + op.callee, site)

    def _super(self, op: Super) -> None:
        klass, target = self._linked.classes + op.klass, self._base + op.target

        def each(new: Collection[int]) -> None:
            for number in new:
                if number >= 0 and isinstance(self.values[number], (InstanceValue, ClassValue)):
                    value = self.values.number(SuperValue(klass, number))
                    self.engine.put(target, value)

        self.engine.watch(self._base + op.receiver, each)

    def _raise(self, op: Raise) -> None:
        site = self._site(op.caller, op.line, target=None)

        def each(new: Collection[int]) -> None:
            for number in new:
                if number >= 0 and isinstance(self.values[number], ClassValue):
                    self.calls.apply(number, site)

        self.engine.watch(self._base + op.source, each)

    # ---------------------------------------------------------------- types

    def _instance_of(self, op: InstanceOf) -> None:
        self.instances(self._base + op.source, self._base + op.target)

    def _declare(self, op: Declare) -> None:
        self.declared.append((self._base + op.source, self._base + op.target))

    def instances(self, source: int, target: int) -> None:
        """The target may hold instances of the classes in the source."""

        def each(new: Collection[int]) -> None:
            for number in new:
                self._add_instance(number, target)

        self.engine.watch(source, each)

    def _add_instance(self, number: int, target: int) -> None:
        if number < 0:
            return
        value = self.values[number]
        match value:
            case ClassValue():
                self.engine.put(target, self.values.number(InstanceValue(value.klass, False)))
            case ExternalValue() if value.path == "<builtin>.str":
                self.engine.put(target, TEXT)
            case ExternalValue() if not value.path.startswith(("<builtin>", "typing")):
                self.engine.put(target, self.values.number(ExternalValue(value.path, 1)))
            case ContainerValue():
                container = self.calls.containers[value.container]
                if container.kind == "tuple":
                    self.instances(container.all(), target)
                else:
                    self.engine.put(target, number)
            case _:
                pass
