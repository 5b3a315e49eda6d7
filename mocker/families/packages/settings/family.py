"""Modules of the repository that are not checked in: settings, keys, generated code, all others."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from .....slicer.model import Gap
from ....contacts import Border, Contact, Family, Mock, ModuleTreatment, is_below
from ....core.optional_imports import has_fallback, is_handled
from ....core.stub_policy import must_stub
from ....stubs import (
    guessed,
    import_of,
    imported_from,
    kept_syntax_nodes,
    stub_packages,
    written_values,
)

_SETTINGS = re.compile(
    r"(^|_)(config|configs|configuration|conf|cfg|settings?|secrets?|credentials?|creds|keys?|apikeys?"
    r"|constants?|consts?|env|environment|params|parameters|tokens?|passwords?|auth|local|private|vars"
    r"|variables|options|defaults|globals|const)(_\w+)?$",
    re.IGNORECASE,
)
_VERSIONS = re.compile(r"^_*(version|scm_version|version_info|about)_*$", re.IGNORECASE)
"""Modules that a build writes, so no checkout has them."""
_NO_MODULE = {
    "unresolved-import": r"no module (\S+) in the repository$",
    "compiled-extension": r"(\S+) is compiled from ",
}
"""Kind of a gap → the pattern that finds the module in its text."""
_TUPLES = re.compile(r"tuple|info", re.IGNORECASE)


@dataclass(frozen=True, slots=True, order=True)
class Missing:
    """A module that the slice imports and no source provides."""

    module: str
    path: str
    line: int
    gap: str
    """The detail of the gap that names it; empty if none does."""


def applies(border: Border) -> tuple[Contact, ...]:
    """Return the imports of modules that neither the repository nor a distribution has."""
    return tuple(Contact(each.module, each.path, "", each.line) for each in _missing(border))


def stub(border: Border, contacts: tuple[Contact, ...]) -> Mock:
    """A module with a value for each name: from an example, inferred, or by convention."""
    missing = _missing(border)
    importers = {each.module: each.path for each in missing}
    reasons = dict.fromkeys(importers, "is not in the repository")
    known = {
        module: written_values(border.repository, module, path)
        for module, path in importers.items()
    }

    def written(place: str) -> str | None:
        module = _module_of(place, known)
        name = place[len(module) + 1 :]
        if not module:
            return None
        return known[module].get(name) or known[module].get(name.rpartition(".")[2])

    def guess(place: str) -> str | None:
        name = place.rpartition(".")[2]
        if _VERSIONS.search(_module_of(place, known).rpartition(".")[2]) and "(" not in place:
            return "(0, 0, 0)" if _TUPLES.search(name) else "'0.0.0'"
        is_setting = bool(_SETTINGS.search(_module_of(place, known).rpartition(".")[2]))
        if not name.isidentifier() or "(" in place or not (is_setting or name.isupper()):
            return None
        return guessed(name) or (repr(name.lower()) if name.isupper() and is_setting else None)

    packages = stub_packages(border, reasons, written, guess, is_distributed=False)
    return Mock(
        treated=tuple(ModuleTreatment(name, "stubbed", reasons[name]) for name in importers),
        setup=packages.setup,
        pieces=("stubs",),
        modules=packages.modules,
        filled=tuple(each.gap for each in missing if each.gap),
        gaps=tuple(_gap(each) for each in missing if not each.gap),
        answers=packages.answers,
    )


def unknown_modules(border: Border) -> dict[str, Gap]:
    """Return the modules that no source provides and no gap names yet, with new gaps."""
    return {each.module: _gap(each) for each in _missing(border) if not each.gap}


def _gap(missing: Missing) -> Gap:
    detail = f"no module {missing.module} in the repository"
    return Gap("missing-module", missing.path, missing.line, detail)


def _module_of(place: str, modules: dict[str, dict[str, str]]) -> str:
    """Return the longest of the modules that a place is in; "" if none."""
    return max((m for m in modules if is_below(place, m)), key=len, default="")


# ----------------------------------------------------------------------------- what is missing


def _missing(border: Border) -> tuple[Missing, ...]:
    found: dict[str, Missing] = {}
    own = (*_unresolved(border), *_names_of_packages(border))
    # the repository handles its absence: `except ImportError: version = "unknown"`
    needed = [m for m in own if not is_handled(border.repository.source(m.path).tree, m.line)]
    for each in sorted((*needed, *_unknown(border))):
        if not any(f"{each.module}.".startswith(f"{known}.") for known in found):
            found[each.module] = each
    return tuple(found.values())


def _unresolved(border: Border) -> Iterator[Missing]:
    """Yield the modules below the repository's packages that the slicer noted as missing.

    A compiled extension whose source is in the repository also comes from a build.
    """
    for gap in border.sliced.gaps:
        named = _NO_MODULE.get(gap.kind) and re.match(_NO_MODULE[gap.kind], gap.detail)
        if named:
            yield Missing(named[1], gap.path, gap.line, gap.detail)


def _names_of_packages(border: Border) -> Iterator[Missing]:
    """Yield `from . import keys`, if the package has no such module and binds no such name."""
    unbound = {
        (gap.path, gap.detail.split("'")[1]): gap.detail
        for gap in border.sliced.gaps
        if gap.kind == "undefined-name" and "'" in gap.detail
    }
    for path in sorted({path for path, _ in unbound}):
        module = border.repository.module_name(path)
        is_package = path.endswith("__init__.py")
        for node in kept_syntax_nodes(border, path):
            if isinstance(node, ast.ImportFrom) and node.level:
                source = imported_from(node, module, is_package=is_package)
                for alias in node.names:
                    detail = unbound.get((path, alias.name))
                    if detail:
                        yield Missing(f"{source}.{alias.name}", path, node.lineno, detail)


def _unknown(border: Border) -> Iterator[Missing]:
    """Yield the modules that no distribution and no known program provides."""
    for external in border.sliced.manifest.externals:
        stubbed = must_stub(external, border.settings)
        if stubbed is None or not stubbed.is_gap:
            continue
        if border.modules(external.module) and not has_fallback(border, external.module):
            place = import_of(border, external.module)
            yield Missing(external.module, place.path, place.line, "")


FAMILY = Family("modules that are not in the repository", stub, applies)
