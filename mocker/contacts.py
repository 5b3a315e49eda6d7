"""The data of mocking: contacts with the outside world, and their mocks."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from ..slicer.repo.units import PRELUDE_BEGIN

if TYPE_CHECKING:
    from ..slicer import Repository
    from ..slicer.model import Gap, Slice, Treatment
    from .settings import Settings

T = TypeVar("T")
MOCKS_BEGIN = f"{PRELUDE_BEGIN} mocks: what stands in for the outside world"
"""The first line of the mocks in a script."""


@dataclass(frozen=True, slots=True, order=True)
class Contact:
    """A name from outside in a definition of the slice."""

    name: str
    """Dotted name, such as `requests.get` or `builtins.open`; `openai.OpenAI().chat` for a name
    reached through a call. For a mere import, the name of the module."""
    path: str
    qualname: str
    """The definition; `<line N>` for a statement that binds no name."""
    line: int


@dataclass(frozen=True, slots=True)
class ModuleTreatment:
    """The treatment of one outside module, and the reason."""

    module: str
    """Dotted name; applies to the module and everything below it."""
    treatment: Treatment
    reason: str


@dataclass(frozen=True, slots=True)
class StubModule:
    """A generated module that replaces a missing one."""

    name: str
    text: str
    """Its source; may use names of the runtime pieces, as `slice_func_mocks.NAME`."""
    is_open: bool = False
    """Whether undefined names of the module may be read; they give stubs."""


@dataclass(frozen=True, slots=True)
class Mock:
    """The contribution of one family to a script."""

    treated: tuple[ModuleTreatment, ...]
    setup: str
    """Statements that run before the slice's own, in the module of the runtime pieces."""
    pieces: tuple[str, ...] = ()
    """Runtime pieces used by `setup`: files in `mocker/world/` or in a family's `runtime/`."""
    requirements: tuple[str, ...] = ()
    """Fakes to be installed for the script (PEP 508)."""
    modules: tuple[StubModule, ...] = ()
    filled: tuple[str, ...] = ()
    """Names of the modules or files whose gap is filled by this mock."""
    gaps: tuple[Gap, ...] = ()
    """Names that no distribution provides and no other list mentions yet, filled by this mock."""
    data_files: tuple[str, ...] = ()
    """Files of the repository that the script carries."""
    inputs: tuple[str, ...] = ()
    """Inputs read from outside the repository."""
    answers: tuple[tuple[str, str], ...] = ()
    """Places that give data, with the answer there as a Python literal; empty if it is unknown."""


@dataclass(frozen=True, slots=True)
class Border:
    """The places where a slice touches the outside world."""

    repository: Repository
    sliced: Slice
    contacts: tuple[Contact, ...]
    """Every outside name of every kept definition, sorted by name."""
    settings: Settings
    claimed: frozenset[str] = frozenset()
    """Modules already treated by an earlier family."""
    stubbed: frozenset[str] = frozenset()
    """Modules already replaced as a whole by an earlier family."""

    def of_slice(self, what: str, make: Callable[[], T]) -> T:
        """What is worked out of the slice; the repository keeps that of its latest slice."""
        # the slice is kept too, so that no other can have its identity
        key = id(self.sliced)
        return self.repository.recent.get(what, key, lambda: (self.sliced, make()), 1)[1]

    def named(self, *names: str) -> tuple[Contact, ...]:
        """Return the contacts with one of these dotted names, or with a name below one.

        `requests` also finds `requests.get`, and `openai.OpenAI` also `openai.OpenAI().chat`.
        """
        found = (contact for name in names for contact in self._below(name))
        return tuple(sorted({c for c in found if not self._is_left_out(c.name)}))

    def _below(self, top: str) -> Iterator[Contact]:
        # contacts are sorted by name, and a slice may have a hundred thousand
        for place in range(bisect_left(self.contacts, top, key=_name), len(self.contacts)):
            contact = self.contacts[place]
            if not contact.name.startswith(top):
                return
            if is_below(contact.name, top):
                yield contact

    def touching(self, *tops: str) -> tuple[Contact, ...]:
        """Return the contacts below these modules, or the imports alone if no name is used.

        The imports stand in where the slice only imports a module, or everything by `*`.
        """
        imports = tuple(Contact(module, "", "", 0) for module in self.modules(*tops))
        return self.named(*tops) or imports

    def modules(self, *tops: str) -> tuple[str, ...]:
        """Return the imported modules that are one of these or lie below one, sorted."""
        found = {e.module for e in self.sliced.manifest.externals}
        return tuple(
            sorted(
                m
                for m in found
                if any(is_below(m, top) for top in tops) and not self._is_left_out(m)
            )
        )

    @property
    def runs_libraries(self) -> bool:
        """Whether real code from outside the slice and the standard library runs."""
        return any(
            not external.is_standard
            and not any(is_below(external.module, module) for module in self.stubbed)
            for external in self.sliced.manifest.externals
        )

    def _is_left_out(self, name: str) -> bool:
        """Whether a name is already stubbed, or kept real by the user."""
        return any(is_below(name, module) for module in (*self.stubbed, *self.settings.real))


def _name(contact: Contact) -> str:
    return contact.name


def is_below(name: str, top: str) -> bool:
    """Whether a dotted name equals another, or is reached from it by attributes or calls."""
    return name.startswith(top) and name[len(top) : len(top) + 1] in ("", ".", "(")


@dataclass(frozen=True, slots=True)
class Family:
    """Mocks for one part of the outside world."""

    name: str
    stub: Callable[[Border, tuple[Contact, ...]], Mock]
    """Returns the mock for the contacts that call for it."""
    applies: Callable[[Border], tuple[Contact, ...]] | None = None
    """Returns the contacts that call for the mock; by default, all below the family's names."""
