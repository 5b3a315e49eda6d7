"""Build the manifest from a closure and its emission, for other programs and for `--explain`."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ...analysis.scopes.definitions import module_class
from ...closure.kept_definitions import KeptModule, Reason
from ...closure.start.observed_additions import OBSERVED
from ...closure.worklist import Closure
from ...model import Definition, DefinitionKind, External, Manifest, Observed, SuggestedType
from ...repo.repository import Module
from ...repo.units import Unit
from ...resources.data_files import data_gaps
from ...syntax.script_header import Header
from ..emission import Emission
from .own_metadata import own_metadata_gaps
from .requirements import RequiredDistributions
from .shared_packages import shared_package_gaps
from .suggestions.suggested import suggested_types

if TYPE_CHECKING:
    from ...closure.start.target_definitions import Goal


def build_manifest(
    closure: Closure, goals: Sequence[Goal], emission: Emission, needs: RequiredDistributions,
    header: Header | None, seconds: float,
) -> Manifest:  # fmt: skip
    """Build the manifest of the slice."""
    modules = sorted(
        closure.modules.values(), key=lambda kept: (kept.module.path, kept.module.name)
    )
    files = sorted({kept.module.path for kept in modules})
    definitions = tuple(d for kept in modules for d in _definitions(kept))
    return Manifest(
        targets=tuple(goal.target for goal in goals),
        layout=emission.layout.name,
        layout_reason=emission.layout_reason,
        definitions=definitions,
        observed=tuple(
            Observed(d.path, d.first_line, d.last_line, d.qualname, d.kind)
            for d in definitions
            if d.reason == OBSERVED
        ),
        edits=emission.edits,
        externals=_externals(closure, needs),
        requirements=tuple(map(str, header.dependencies)) if header else (),
        requires_python=header.requires_python if header else "",
        distributions=tuple(
            (module, str(requirement)) for module, requirement in sorted(needs.declared.items())
        ),
        inputs=_inputs(closure, needs),
        lines=emission.lines,
        gaps=tuple(
            sorted(
                {
                    *closure.gaps,
                    *shared_package_gaps(closure),
                    *own_metadata_gaps(closure),
                    *data_gaps(closure, is_tree=emission.layout.is_tree),
                },
                key=lambda g: (g.path, g.line, g.kind, g.detail),
            )
        ),
        suggested_types=suggested_types(closure, goals),
        warnings=tuple(goal.warning for goal in goals if goal.warning),
        files_read=tuple(files),
        data_files=emission.data,
        seconds=seconds,
    )


def _definitions(kept: KeptModule) -> Iterator[Definition]:
    for unit in kept.module.units:
        why = kept.units.get(unit.index)
        if why is None:
            continue
        yield _definition(kept.module, unit, "", why)
        if unit.index in kept.members and isinstance(unit.node, ast.ClassDef):
            cls = module_class(kept.module, unit, unit.node)
            for member in cls.members:
                reason = kept.members[unit.index].get(member.index)
                if reason is not None:
                    yield _definition(kept.module, member, f"{cls.qualname}.", reason)


def _definition(module: Module, unit: Unit, prefix: str, reason: Reason) -> Definition:
    name = ", ".join(unit.binds) if unit.binds else f"<line {unit.first}>"
    kind: DefinitionKind
    match unit.kind:
        case "function":
            kind = "method" if prefix else "function"
        case "class" | "import" | "variable":
            kind = unit.kind
        case _:
            kind = "statement"
    return Definition(module.path, prefix + name, kind, unit.first, unit.last, _reason(reason))


def _reason(reason: Reason) -> str:
    if not reason.by:
        return reason.text
    return f"{reason.by} {reason.text} ({reason.path}:{reason.line})"


def _externals(closure: Closure, needs: RequiredDistributions) -> tuple[External, ...]:
    names: dict[tuple[str, str | None], set[str]] = {}
    for item in closure.externals:
        if item.module and item.module != "__future__":
            # parts of a namespace package may come from several distributions
            full = f"{item.module}.{item.name}" if item.name else item.module
            found = names.setdefault((item.module, needs.distribution(full)), set())
            if item.name:
                found.add(item.name)
    ordered = sorted(names.items(), key=lambda entry: (entry[0][0], entry[0][1] or ""))
    return tuple(
        External(module, distribution, tuple(sorted(found)))
        for (module, distribution), found in ordered
    )


def _inputs(closure: Closure, needs: RequiredDistributions) -> tuple[str, ...]:
    """Return a line for each module whose distribution was found in installed metadata."""
    modules = {item.module for item in closure.externals if item.module}
    found = sorted(module for module in modules if needs.is_from_metadata(module))
    return tuple(f"installed metadata: {needs.distribution(module)}" for module in found)


__all__ = ["SuggestedType", "build_manifest"]
