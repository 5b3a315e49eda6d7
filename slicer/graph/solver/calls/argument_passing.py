"""Argument passing: how the arguments of a call reach the parameters of a function."""

from __future__ import annotations

from ...facts import FunctionFacts
from ..constraint_solver import Engine
from ..objects.containers import Container, Containers, Key
from ..program import LinkedModule
from ..site_table import Site


class Passing:
    """One callee of a site, whose parameters receive the arguments."""

    __slots__ = ("_base", "_containers", "_engine", "_facts", "_site")

    def __init__(
        self,
        engine: Engine,
        containers: Containers,
        linked: LinkedModule,
        facts: FunctionFacts,
        site: Site,
    ) -> None:
        self._engine = engine
        self._containers = containers
        self._base = linked.variables
        self._facts = facts
        self._site = site

    def receiver(self, receiver: int) -> None:
        """Bind the receiver to the first parameter."""
        if self._facts.positional:
            name = self._facts.positional[0]
            self._engine.put(self._base + self._facts.parameters[name], receiver)
            if name in self._facts.returned and self._site.target is not None:
                self._engine.put(self._site.target, receiver)
        elif (rest := self._container(self._facts.rest)) is not None:
            self._engine.put(rest.field(0), receiver)

    def arguments(self, offset: int) -> None:
        """Bind the arguments to the other parameters; the first `offset` ones are already bound."""
        for index, argument in enumerate(self._site.arguments):
            self._positional(index + offset, argument)
        base = len(self._site.arguments) + offset
        for argument in self._site.late:
            self._any(base, argument)
        for spread in self._site.spreads:
            self._spread(base, spread)
        for name, argument in self._site.keywords:
            if name is None:
                self._dictionary(argument)
            else:
                self._keyword(name, argument)
        if self._facts.returned and self._site.target is not None and not self._site.spreads:
            self._return_defaults(base)

    def _return_defaults(self, base: int) -> None:
        """Return the defaults of parameters that are returned unchanged and not passed."""
        given = {name for name, _ in self._site.keywords}
        given.update(self._facts.positional[:base])
        for name in sorted(self._facts.returned - given):
            default = self._facts.defaults.get(name)
            if default is not None and None not in given:
                self._engine.connect(self._base + default, self._site.target)

    def _positional(self, index: int, argument: int | None) -> None:
        if argument is None:
            return
        if index < len(self._facts.positional):
            self._named(self._facts.positional[index], argument)
        elif (rest := self._container(self._facts.rest)) is not None:
            self._engine.connect(argument, rest.field(index - len(self._facts.positional)))

    def _named(self, name: str, argument: int) -> None:
        self._engine.connect(argument, self._base + self._facts.parameters[name])
        if name in self._facts.returned:
            self._engine.connect(argument, self._site.target)

    def _any(self, base: int, argument: int) -> None:
        for name in self._facts.positional[base:]:
            self._named(name, argument)
        if (rest := self._container(self._facts.rest)) is not None:
            self._engine.connect(argument, rest.field(None))

    def _keyword(self, name: str, argument: int) -> None:
        if (
            name in self._facts.parameters
            and name not in self._facts.positional[: self._facts.positional_only]
        ):
            self._named(name, argument)
        elif (keywords := self._container(self._facts.keywords)) is not None:
            self._engine.connect(argument, keywords.field(name))

    def _spread(self, base: int, spread: int) -> None:
        def listen(key: Key, variable: int) -> None:
            if isinstance(key, int) and len(self._site.spreads) == 1:
                self._positional(base + key, variable)
            else:
                self._any(base, variable)

        def each(number: int) -> None:
            container = self._containers.of(number)
            if container is not None:
                container.listen(listen)
            elif number >= 0:
                items = self._containers.items_of(number)
                if items is not None:
                    self._any(base, items)

        self._engine.watch(spread, each)

    def _dictionary(self, argument: int) -> None:
        def listen(key: Key, variable: int) -> None:
            if isinstance(key, str):
                self._keyword(key, variable)
            elif (keywords := self._container(self._facts.keywords)) is not None:
                self._engine.connect(variable, keywords.field(None))

        def each(number: int) -> None:
            container = self._containers.of(number)
            if container is not None:
                container.listen(listen)

        self._engine.watch(argument, each)

    def _container(self, variable: int | None) -> Container | None:
        """Return the container of `*args` or `**kwargs`, if the function has that parameter."""
        return None if variable is None else self._containers.initial[self._base + variable]
