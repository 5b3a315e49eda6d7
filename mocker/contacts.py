"""The data of mocking: contacts with the outside world, and what stands in for it."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..slicer.repo.units import PRELUDE_BEGIN

if TYPE_CHECKING:
    from ..slicer import Repository
    from ..slicer.model import Gap, Slice, Treatment
    from .settings import Settings

MOCKS_BEGIN = f"{PRELUDE_BEGIN} mocks: what stands in for the outside world"
"""The first line of what a mocked script carries."""


@dataclass(frozen=True, slots=True, order=True)
class Contact:
    """A definition of the slice names something that lies outside."""

    name: str
    """Dotted name, as `requests.get` or `builtins.open`; `openai.OpenAI().chat` where the name is
    reached through a call. An import alone gives the name of the module."""
    path: str
    qualname: str
    """The definition; `<line N>` for a statement that binds nothing."""
    line: int


@dataclass(frozen=True, slots=True)
class Treated:
    """How one outside module is treated, and why."""

    module: str
    """Dotted name: holds for it and what lies below it."""
    treatment: Treatment
    reason: str


@dataclass(frozen=True, slots=True)
class StubModule:
    """A generated module that takes the place of one that is not there."""

    name: str
    text: str
    """Its source; may use what the runtime pieces define, as `slice_func_mocks.NAME`."""
    is_open: bool = False
    """Whether it is asked for names that it does not define, which are stubs then."""


@dataclass(frozen=True, slots=True)
class Mock:
    """What one family puts into a script."""

    treated: tuple[Treated, ...]
    setup: str
    """Statements that run before the slice's own, in the module of the runtime pieces."""
    pieces: tuple[str, ...] = ()
    """Runtime pieces that `setup` uses: names of files in `mocker/world/`."""
    requirements: tuple[str, ...] = ()
    """Fakes that the script needs installed (PEP 508)."""
    modules: tuple[StubModule, ...] = ()
    filled: tuple[str, ...] = ()
    """Names of modules or files whose gap this fills."""
    gaps: tuple[Gap, ...] = ()
    """What nobody has and nobody has listed yet: filled by this."""
    data_files: tuple[str, ...] = ()
    """Files of the repository that this carries along."""
    inputs: tuple[str, ...] = ()
    """What was read from outside the repository."""
    answers: tuple[tuple[str, str], ...] = ()
    """Places that give data, with what stands there as Python writes it; empty where that is not
    known."""


@dataclass(frozen=True, slots=True)
class Border:
    """Where a slice touches the outside world."""

    repository: Repository
    sliced: Slice
    contacts: tuple[Contact, ...]
    """Every outside name of every kept definition, sorted by name."""
    settings: Settings
    claimed: frozenset[str] = frozenset()
    """Modules that an earlier family has treated."""
    stubbed: frozenset[str] = frozenset()
    """Modules that an earlier family has replaced as a whole: nothing is left of them."""

    def named(self, *names: str) -> tuple[Contact, ...]:
        """The contacts with one of these dotted names, or with something below it.

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
        """What is named of these; where the slice only imports one, or all of it by `*`, that."""
        imports = tuple(Contact(module, "", "", 0) for module in self.modules(*tops))
        return self.named(*tops) or imports

    def modules(self, *tops: str) -> tuple[str, ...]:
        """Modules that the slice imports which are one of these, or lie below one, sorted."""
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
        """Whether code runs as it is that belongs neither to the slice nor to Python."""
        return any(
            not external.comes_with_python
            and not any(is_below(external.module, module) for module in self.stubbed)
            for external in self.sliced.manifest.externals
        )

    def _is_left_out(self, name: str) -> bool:
        """Whether it is stubbed already, or the user wants it real."""
        return any(is_below(name, module) for module in (*self.stubbed, *self.settings.real))


def _name(contact: Contact) -> str:
    return contact.name


def is_below(name: str, top: str) -> bool:
    """Whether a dotted name is another, or is reached from it by attributes or calls."""
    return name.startswith(top) and name[len(top) : len(top) + 1] in ("", ".", "(")


@dataclass(frozen=True, slots=True)
class Family:
    """Mocks for one part of the outside world."""

    name: str
    stub: Callable[[Border, tuple[Contact, ...]], Mock]
    """What it puts into the script, for the contacts that call for it."""
    applies: Callable[[Border], tuple[Contact, ...]] | None = None
    """The contacts that call for it; without this, all with the names that it listens to."""
