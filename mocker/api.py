"""The steps of mocking: from a slice to one that needs nothing from outside."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ..slicer.emission.choose_layout import layout_of
from ..slicer.model import Mocked
from ..slicer.packaging.build_metadata import normalised, own_distributions
from ..slicer.syntax.requirement import parse_requirement
from .contacts import MOCKS_BEGIN, Border, Contact, Mock, ModuleTreatment, is_below
from .core.border import find_border
from .core.stub_policy import import_root, is_named, must_stub
from .families import FAMILIES
from .settings import Settings, read_settings

if TYPE_CHECKING:
    from ..slicer import Repository
    from ..slicer.model import External, Gap, Manifest, Slice


@dataclass(frozen=True, slots=True)
class AppliedFamily:
    """A family that applies, the contacts it applies for, and its mock."""

    family: str
    contacts: tuple[Contact, ...]
    mock: Mock
    is_declined: bool = False
    """Whether its modules stay real, because the target is part of what the mock needs."""


def mock_slice(repository: Repository, sliced: Slice, settings: Settings | None = None) -> Slice:
    """Return the slice with the outside world replaced, or the same slice if it names none.

    Args:
        repository: where the slice comes from.
        sliced: the slice, as `slice_function` returns it.
        settings: the user's settings; by default those of the repository.
    """
    settings = settings or read_settings(repository)
    sliced = _warned(sliced, settings)
    if MOCKS_BEGIN in sliced.source:  # a mocked script, sliced again
        return sliced
    if not settings.mock:
        return _with_gaps(repository, sliced, replace(settings, stubs=()))
    # border: what the slice names from outside
    border = find_border(repository, sliced, settings)
    # families: each takes what nobody before it has taken
    chosen = tuple(_choose(border))
    if not chosen:
        return sliced
    # prelude: the pieces of the runtime that they use, and what sets them up
    mocks = [each.mock for each in chosen if not each.is_declined]
    scripted = _scripted(sliced, mocks) if mocks else sliced
    return replace(scripted, manifest=_manifest(scripted.manifest, chosen, settings))


def _unused_answers(chosen: Sequence[AppliedFamily], settings: Settings) -> Iterator[str]:
    """Yield the answers in the user's table that no service of the slice has a place for."""
    faked = [
        each.mock for each in chosen if "stubbed" not in {t.treatment for t in each.mock.treated}
    ]
    places = [place for mock in faked for place, _ in mock.answers]
    tops = set(map(_top, places))
    for place, _ in settings.answers:
        if place not in places and _top(place) in tops:
            known = ", ".join(sorted(each for each in places if _top(each) == _top(place)))
            yield f"pyproject.toml: tool.slice-func.answers: {place} is not read here, but {known}"


def _top(place: str) -> str:
    return re.split(r"[.(\[]", place, maxsplit=1)[0]


def _warned(sliced: Slice, settings: Settings) -> Slice:
    """Return the slice with a warning for each request to the mocker that has no effect."""
    externals = sliced.manifest.externals
    missing = [n for n in settings.requested_stubs if not any(is_named(e, (n,)) for e in externals)]
    if settings.requested_stubs and not settings.mock:
        missing = list(settings.requested_stubs)
    why = "the slice does not import it" if settings.mock else "nothing is mocked"
    messages = dict.fromkeys(
        [*settings.warnings, *(f"{name} is not stubbed: {why}" for name in missing)]
    )
    if not messages:
        return sliced
    warnings = (*sliced.manifest.warnings, *messages)
    return replace(sliced, manifest=replace(sliced.manifest, warnings=warnings))


def _with_gaps(repository: Repository, sliced: Slice, settings: Settings) -> Slice:
    """Return an unmocked slice that lists the modules no distribution provides."""
    stubbed = (must_stub(external, settings) for external in sliced.manifest.externals)
    if not any(each is not None and each.is_gap for each in stubbed):
        return sliced
    from .families.packages.settings.family import unknown_modules

    unknown = unknown_modules(find_border(repository, sliced, settings))
    manifest = sliced.manifest
    externals = tuple(
        replace(external, treatment="gap", reason="is not in the repository")
        if external.module in unknown
        else external
        for external in manifest.externals
    )
    gaps = tuple(dict.fromkeys([*manifest.gaps, *unknown.values()]))
    return replace(sliced, manifest=replace(manifest, externals=externals, gaps=gaps))


def _choose(border: Border) -> Iterator[AppliedFamily]:
    own = own_distributions(border.repository, border.sliced.manifest.targets[0].path)
    for listed in FAMILIES:
        if not listed.listens_to(border):
            continue
        contacts = listed.contacts(border)
        if contacts:
            family = listed.family()
            mock = family.stub(border, contacts)
            needed = _needed_of(own, mock)
            if needed:
                yield AppliedFamily(
                    family.name, contacts, _declined(mock, needed), is_declined=True
                )
                continue
            modules = {treated.module for treated in mock.treated}
            stubbed = {treated.module for treated in mock.treated if treated.treatment == "stubbed"}
            border = replace(
                border, claimed=border.claimed | modules, stubbed=border.stubbed | stubbed
            )
            yield AppliedFamily(family.name, contacts, mock)


def _needed_of(own: Container[str], mock: Mock) -> str:
    """Return the project's own distribution that the mock needs; else "".

    Installed as a requirement, it would lie where candidates run.
    """
    parsed = filter(None, map(parse_requirement, mock.requirements))
    return next((each.name for each in parsed if normalised(each.name) in own), "")


def _declined(mock: Mock, needed: str) -> Mock:
    """Return an empty mock: what it would replace stays real, without a network."""
    why = f"real, without a network: its mock needs {needed}, which the target is part of"
    return Mock(tuple(ModuleTreatment(each.module, "real", why) for each in mock.treated), setup="")


def _scripted(sliced: Slice, mocks: Sequence[Mock]) -> Slice:
    # not needed by a slice that has no mocks
    from .core.mock_prelude import module_text, prelude
    from .core.open_modules import need_more
    from .core.script_insertion import with_module, with_prelude

    modules = [module for mock in mocks for module in mock.modules]
    text = module_text(mocks, universal=need_more(sliced, modules))
    if layout_of(sliced.manifest).is_tree:
        return with_module(sliced, text)
    return with_prelude(sliced, prelude(text), mocks)


def _manifest(manifest: Manifest, chosen: Sequence[AppliedFamily], settings: Settings) -> Manifest:
    treated = [treated for each in chosen for treated in each.mock.treated]
    filled = {name: each.family for each in chosen for name in each.mock.filled}
    gaps = [_gap(gap, filled) for gap in manifest.gaps]
    read = {name for each in chosen for name in each.mock.inputs}
    carried = {path for each in chosen for path in each.mock.data_files}
    return replace(
        manifest,
        externals=tuple(_external(external, treated) for external in manifest.externals),
        gaps=tuple(dict.fromkeys([*gaps, *_added(chosen)])),
        inputs=tuple(dict.fromkeys([*manifest.inputs, *sorted(read)])),
        data_files=tuple(sorted({*manifest.data_files, *carried})),
        mocks=tuple(_mocked(each) for each in chosen if not each.is_declined),
        warnings=tuple(
            dict.fromkeys(
                [*manifest.warnings, *_unused_answers(chosen, settings), *_stay_real(chosen)]
            )
        ),
    )


def _stay_real(chosen: Sequence[AppliedFamily]) -> Iterator[str]:
    for each in chosen:
        if each.is_declined:
            yield from (f"{treated.module} is {treated.reason}" for treated in each.mock.treated)


def _added(chosen: Sequence[AppliedFamily]) -> Iterator[Gap]:
    for each in chosen:
        for gap in each.mock.gaps:
            yield replace(gap, filled_by=f"mock: {each.family}")


def _mocked(each: AppliedFamily) -> Mocked:
    places = tuple(map(_place, each.contacts))
    return Mocked(each.family, places, each.mock.requirements, each.mock.answers)


def _place(contact: Contact) -> str:
    return f"{contact.name} ({contact.path}:{contact.line})"


def _external(external: External, treated: Sequence[ModuleTreatment]) -> External:
    module = import_root(external)
    fitting = [t for t in treated if is_below(module, t.module)]
    if not fitting:
        return external
    longest = max(len(t.module) for t in fitting)
    best = [t for t in fitting if len(t.module) == longest]
    reasons = dict.fromkeys(t.reason for t in best)
    return replace(external, treatment=best[0].treatment, reason="; ".join(reasons))


def _gap(gap: Gap, filled: dict[str, str]) -> Gap:
    name = next((name for name in filled if name in gap.detail), None)
    return gap if name is None or gap.filled_by else replace(gap, filled_by=f"mock: {filled[name]}")
