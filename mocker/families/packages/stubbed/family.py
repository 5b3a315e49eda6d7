"""Modules that cannot be installed, or must not run here: generated from types and uses."""

from __future__ import annotations

from ....contacts import Border, Contact, Family, Mock, ModuleTreatment
from ....core.optional_imports import has_fallback
from ....core.stub_policy import OF_MACHINES, Stubbed, must_stub
from ....stubs import import_of, stub_packages


def applies(border: Border) -> tuple[Contact, ...]:
    """Return the contacts with modules that policy, user or installer mark as absent."""
    found = _found(border)
    imports = tuple(import_of(border, each.module) for each in found)
    return border.named(*(each.module for each in found)) or imports


def stub(border: Border, contacts: tuple[Contact, ...]) -> Mock:
    """Each module is replaced by a generated package."""
    found = _found(border)
    packages = stub_packages(border, {each.module: each.reason for each in found})
    return Mock(
        treated=tuple(ModuleTreatment(m, "stubbed", why) for m, why in packages.reasons.items()),
        setup=packages.setup,
        pieces=packages.pieces,
        modules=packages.modules,
        inputs=packages.inputs,
        answers=packages.answers,
    )


def _found(border: Border) -> tuple[Stubbed, ...]:
    found: dict[str, Stubbed] = {}
    for external in border.sliced.manifest.externals:
        if border.modules(external.module):
            stubbed = must_stub(external, border.settings)
            # other families provide hardware and settings
            if stubbed is None or stubbed.is_gap or stubbed.reason in OF_MACHINES:
                continue
            if not has_fallback(border, external.module):
                found[stubbed.module] = stubbed
    return tuple(found[name] for name in sorted(found))


FAMILY = Family("what is not installable", stub, applies)
