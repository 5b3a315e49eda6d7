"""Reference edges: which definitions the names in a definition resolve to."""

from __future__ import annotations

from collections.abc import Iterator

from .facts import EdgeKind, ImportModule, ImportName, Reference
from .solver.calls.call_edges import Calls
from .solver.interned_values import ClassValue, Values
from .solver.program import Program


def references(calls: Calls) -> Iterator[tuple[str, str, EdgeKind, int]]:
    """Yield source, target, kind and line of every dependency that a name shows."""
    program = calls.program
    resolver = _Resolver(calls)
    for index, linked in enumerate(program.modules):
        for reference in linked.facts.references:
            source = program.definition_name(linked.definitions + reference.source)
            target = resolver.target(index, reference)
            if target is not None:
                yield source, target, reference.kind, reference.line
        for source, kind, target in linked.facts.links:
            line = linked.facts.definitions[target].line
            yield (
                program.definition_name(linked.definitions + source),
                program.definition_name(linked.definitions + target),
                kind,
                line,
            )


class _Resolver:
    """Follows names through imports to definitions."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls
        self._program: Program = calls.program
        self._values: Values = calls.values
        self._definitions: list[dict[str, int]] = []
        self._classes = {
            linked.definitions + facts.definition: index
            for index, (linked, facts) in enumerate(calls.program.classes)
        }
        for linked in self._program.modules:
            table: dict[str, int] = {}
            for index, facts in enumerate(linked.facts.definitions):
                table[facts.qualname] = linked.definitions + index
            self._definitions.append(table)

    def target(self, module: int, reference: Reference) -> str | None:
        """Return the name of the definition that a reference reaches."""
        first, *rest = reference.names
        if reference.imported is not None:
            found = self._imported(module, reference.imported, 0)
        else:
            found = self._global(module, first, 0)
        for name in rest:
            if found is None or isinstance(found, str):
                break
            member = self._member(found, name)
            if member is None:
                break
            found = member
        if isinstance(found, str):
            is_listed = reference.kind in ("inherits", "decorates")
            return ".".join([found, *rest]) if is_listed else None
        if found is None:
            return None
        is_module, number = found
        if is_module:
            return self._program.modules[number].facts.name
        return self._program.definition_name(number)

    def _global(self, module: int, name: str, depth: int) -> tuple[bool, int] | str | None:
        """Return a module (true) or a definition (false), or the dotted name of an external."""
        facts = self._program.modules[module].facts
        if depth > 50:
            return None
        imported = facts.imports.get(name)
        number = self._definitions[module].get(name)
        if number is not None and (imported is None or name not in facts.imports):
            return False, number
        if imported is not None:
            return self._imported(module, imported, depth + 1) or (
                None if number is None else (False, number)
            )
        for origin, level in facts.stars:
            source = self._program.absolute(module, level, origin)
            found = None if source is None else self._program.find(module, source)
            if isinstance(found, int) and self._program.exports(found, name):
                inner = self._global(found, name, depth + 1)
                if inner is not None:
                    return inner
        return None

    def _imported(
        self, module: int, operation: ImportModule | ImportName, depth: int
    ) -> tuple[bool, int] | str | None:
        program = self._program
        if isinstance(operation, ImportModule):
            whole = operation.module if operation.whole else operation.module.partition(".")[0]
            return self._module(module, whole)
        name = program.absolute(module, operation.level, operation.module)
        if name is None:
            return None
        found = program.find(module, name)
        if isinstance(found, int):
            inner = self._global(found, operation.name, depth + 1)
            if inner is not None:
                return inner
        whole = self._module(module, f"{name}.{operation.name}")
        return None if isinstance(whole, str) and found is not None else whole

    def _module(self, importer: int, name: str) -> tuple[bool, int] | str | None:
        found = self._program.find(importer, name)
        if isinstance(found, int):
            return True, found
        return name if found is None else None

    def _member(self, found: tuple[bool, int], name: str) -> tuple[bool, int] | str | None:
        is_module, number = found
        program = self._program
        if is_module:
            facts = program.modules[number].facts
            inner = self._global(number, name, 0)
            if inner is None and facts.is_package:
                below = program.find(number, f"{facts.name}.{name}")
                inner = (True, below) if isinstance(below, int) else None
            return inner
        klass = self._classes.get(number)
        if klass is None:
            return None
        for value_number in self._calls.classes.order(klass):
            value = self._values[value_number]
            if isinstance(value, ClassValue):
                linked, facts = program.classes[value.klass]
                qualname = linked.facts.definitions[facts.definition].qualname
                module = program.definitions[linked.definitions][0]
                inner = self._definitions[module].get(f"{qualname}.{name}")
                if inner is not None:
                    return False, inner
        return None
