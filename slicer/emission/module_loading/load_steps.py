"""The steps in which each module loads, statement by statement, in original and slice."""

from __future__ import annotations

import ast
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from ...analysis.inference import Inference
from ...analysis.names.name_resolution import ImportedModule, Names
from ...closure.kept_definitions import KeptModule
from ...closure.worklist import Closure
from ...repo.repository import Module
from ...repo.units import Unit, is_typing_test
from ...syntax.memo import memo
from ...syntax.nodes import all_parameters, children, defaults_of
from ...syntax.scopes import imported_as
from ..module_answers import recent
from .inert_statements import is_inert
from .load_trace import Step, Take


@dataclass(frozen=True, slots=True)
class ModuleSteps:
    """The kept statements of a module, as steps.

    Statements that load nothing and have no import between them run together in any loading order.
    They form one step, under the first index after the import above them.
    """

    steps: tuple[Step, ...]
    together: Mapping[int, tuple[int, ...]]
    """Index of a joined step → indices of its statements."""
    step_of: Mapping[int, int]
    """Index of such a statement → index of its step."""


NO_STEPS = ModuleSteps((), {}, {})


class LoadSteps:
    """The statements of a closure's modules, as steps of loading."""

    def __init__(self, closure: Closure) -> None:
        self._repository = closure.names.repository
        self._modules = closure.modules
        self._names = frozenset(closure.modules)
        self._loaded = closure.loaded
        self._kept: dict[str, ModuleSteps] = {}
        self._binders: dict[Take, list[int]] = {}

    def edges(self, name: str) -> list[str]:
        """Return the carried modules that the kept text of a module loads."""
        loads = (found for step in self.kept_statements(name) for found in step.loads)
        return [found for found in dict.fromkeys(loads) if found != name]

    def kept_statements(self, name: str) -> tuple[Step, ...]:
        """Return the kept statements of a module."""
        return self._steps(name).steps

    def statements(self, name: str, index: int) -> tuple[int, ...]:
        """Return the kept statements of a step."""
        return self._steps(name).together.get(index, (index,))

    def _steps(self, name: str) -> ModuleSteps:
        known = self._kept.get(name)
        if known is None:
            kept = self._modules.get(name)
            known = self._kept[name] = self._joined_steps(kept) if kept else NO_STEPS
        return known

    def _joined_steps(self, kept: KeptModule) -> ModuleSteps:
        return recent(
            self._repository, kept, ("steps", self._names),
            lambda: _together(kept.module, tuple(self._kept_steps(kept))),
        )  # fmt: skip

    def kept_statements_with_loads(
        self, name: str, loads: Mapping[int, Sequence[str]]
    ) -> Sequence[Step]:
        """Return the kept statements of a module, with bare loads above some of them."""
        steps = self.kept_statements(name)
        if not loads:
            return steps
        found = {step.index: step for step in steps}
        for index, wanted in loads.items():
            old = found.get(index, Step(index, ()))
            bare = _below_parents(name, wanted, self._modules)
            found[index] = replace(old, loads=(*bare, *old.loads))
        return [found[index] for index in sorted(found)]

    def original(self, name: str) -> Sequence[Step]:
        """Return the imports of a module before pruning, and its kept statements."""
        kept = self._modules.get(name)
        if kept is None:
            return (Step(-1, tuple(self._loaded.imported_by(name))),)
        steps = {step.index: step for step in self.kept_statements(name)}
        for unit in kept.module.units:
            is_kept = unit.index in kept.units and unit.kind not in ("main", "prelude")
            if unit.kind == "import" or not is_kept:
                loads = self._original_loads(kept.module, unit)
                takes = steps[unit.index].takes if is_kept else ()
                if is_kept or loads:
                    steps[unit.index] = Step(unit.index, loads, takes)
        return [steps[index] for index in sorted(steps)]

    def binders(self, take: Take) -> list[int]:
        """Return the steps with kept statements of a module that bind a name."""
        known = self._binders.get(take)
        if known is None:
            step_of = self._steps(take[0]).step_of
            found = (step_of.get(at, at) for at in self._find_binders(take))
            known = self._binders[take] = list(dict.fromkeys(found))
        return known

    def _find_binders(self, take: Take) -> list[int]:
        kept = self._modules.get(take[0])
        if kept is None or ".".join(take) in self._modules:
            return []
        units = kept.module.bindings.get(take[1], ())
        return [
            unit.index
            for unit in units
            if unit.index in kept.units
            and (unit.index not in kept.aliases or take[1] in kept.aliases[unit.index])
        ]

    def _kept_steps(self, kept: KeptModule) -> Iterator[Step]:
        for unit in kept.module.units:
            if unit.index in kept.units and unit.kind not in ("main", "prelude"):
                names = kept.aliases.get(unit.index)
                imports = list(_imports(unit))
                wanted = [t for node in imports for t in _targets(kept.module, node, names)]
                wanted += _bare_loads(unit)
                takes: tuple[Take, ...] = ()
                if unit.kind == "import":
                    stars = kept.stars.get(unit.index, ())
                    takes = tuple(
                        t for node in imports for t in _takes(kept.module, node, names, stars)
                    )
                yield Step(
                    unit.index, _below_parents(kept.module.name, wanted, self._modules), takes
                )

    def _original_loads(self, module: Module, unit: Unit) -> tuple[str, ...]:
        wanted = list(_bare_loads(unit))
        if unit.kind == "import":
            wanted += (t for node in _imports(unit) for t in _targets(module, node, None))
        known = _Known(self._modules, self._loaded)
        return _below_parents(module.name, wanted, known)


def _together(module: Module, steps: Sequence[Step]) -> ModuleSteps:
    """Join the steps between which nothing can be loaded."""
    by_index = {step.index: step for step in steps}
    joined: list[Step] = []
    together: dict[int, list[int]] = {}
    start = 0
    for unit in module.units:
        step = by_index.get(unit.index)
        may_load = unit.kind == "import" or any(_bare_loads(unit))
        if may_load or (step is not None and step.loads):
            joined += [step] if step is not None else []
            start = unit.index + 1
        elif step is not None:
            if start not in together:
                joined.append(Step(start, ()))
            together.setdefault(start, []).append(step.index)
    return ModuleSteps(
        tuple(joined), {first: tuple(indices) for first, indices in together.items()},
        {index: first for first, indices in together.items() for index in indices},
    )  # fmt: skip


class _Known:
    """Modules that are carried, or that the original loads."""

    def __init__(self, *tables: Container[str]) -> None:
        self._tables = tables

    def __contains__(self, name: str) -> bool:
        return any(name in table for table in self._tables)


def _below_parents(name: str, wanted: Iterable[str], known: Container[str]) -> tuple[str, ...]:
    """Return the modules after their parent packages, without the parents of `name`."""
    found: dict[str, None] = {}
    for target in wanted:
        parts = target.split(".")
        for depth in range(1, len(parts) + 1):
            step = ".".join(parts[:depth])
            if step in known and (step == target or not name.startswith(step + ".")):
                found.setdefault(step)
    return tuple(found)


def _imports(unit: Unit) -> Iterator[ast.Import | ast.ImportFrom]:
    """Yield the imports that the statement runs."""
    if unit.kind in ("function", "variable"):
        return
    stack: list[ast.AST] = list(reversed(unit.nodes))
    while stack:
        node = stack.pop()
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            yield node
        elif isinstance(node, ast.If) and is_typing_test(node.test):
            stack.extend(reversed(node.orelse))
        elif not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.expr)):
            stack.extend(reversed(list(ast.iter_child_nodes(node))))


def _bare_loads(unit: Unit) -> Iterator[str]:
    """Yield the modules that `__import__` loads in a statement, as in emitted trees."""
    for node in unit.nodes:
        match node:
            case ast.Expr(
                value=ast.Call(func=ast.Name(id="__import__"), args=[ast.Constant(value=str(name))])
            ):
                yield name
            case _:
                continue


def _targets(
    module: Module, node: ast.Import | ast.ImportFrom, names: Container[str] | None
) -> Iterator[str]:
    """Yield the modules that the statement may load, for those of the names that it binds."""
    aliases = [a for a in node.names if names is None or (a.asname or a.name) in names]
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in aliases)
        return
    base = module.resolve_relative(node.level, node.module)
    if base and aliases:
        yield base
        yield from (f"{base}.{alias.name}" for alias in aliases)


def _takes(
    module: Module, node: ast.Import | ast.ImportFrom, names: Container[str] | None,
    stars: Iterable[str],
) -> Iterator[Take]:  # fmt: skip
    """Yield the names that the statement imports from modules."""
    if not isinstance(node, ast.ImportFrom):
        return
    base = module.resolve_relative(node.level, node.module)
    if base:
        yield from ((base, name) for name in stars)
        for alias in node.names:
            if alias.name != "*" and (names is None or (alias.asname or alias.name) in names):
                yield base, alias.name


@memo
def reads_when_run(module: Module, unit: Unit, names: Names, inference: Inference) -> bool:
    """Whether running the statement runs code that may use names bound earlier."""
    return unit.kind not in ("import", "main", "typing") and (
        not is_inert(module, unit, inference) or _reads_modules(module, unit, names)
    )


def _reads_modules(module: Module, unit: Unit, names: Names) -> bool:
    """Whether the statement itself may read an attribute of an imported module."""
    evaluated = "annotations" not in module.source.future_flags
    return any(
        isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and _is_module(module, node.value.id, names)
        for node in _run(unit.nodes, annotations=evaluated)
    )


def _run(nodes: Iterable[ast.AST], *, annotations: bool) -> Iterator[ast.AST]:
    """Yield the nodes that run with some statements, without the insides of functions."""
    stack = list(nodes)
    while stack:
        node = stack.pop()
        yield node
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            stack += [*node.decorator_list, *(each for _, each in defaults_of(node.args))]
            annotated = [node.returns, *(arg.annotation for arg in all_parameters(node.args))]
            stack += [each for each in annotated if each is not None and annotations]
        elif not isinstance(node, ast.Lambda):
            stack += children(node)


def _is_module(module: Module, name: str, names: Names) -> bool:
    for unit in module.bindings.get(name, ()):
        for node in unit.nodes if unit.kind == "import" else ():
            if isinstance(node, (ast.Import, ast.ImportFrom)):
                for alias in node.names:
                    if imported_as(alias) == name:
                        found = names.imported(module, node, alias)
                        return isinstance(found, ImportedModule)
    return False
