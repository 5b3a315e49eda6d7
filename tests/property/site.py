"""The building site: what an ingredient uses to write into modules and to reach across them.

A module may import those before it at any time, so every repository runs by construction. Modules
stand in an order in which each package is one block that begins with its `__init__`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from hypothesis import strategies as st

from tests.property import imports
from tests.property.model import Module, Use, fill

if TYPE_CHECKING:
    from collections.abc import Sequence

T = TypeVar("T")

NAMESPACES = ("ns",)
"""Top-level folders without `__init__`."""

FUNCTION_NAMES = ("helper", "build", "load", "format", "id")
CLASS_NAMES = ("Point", "Node", "Base")
VARIABLE_NAMES = ("TABLE", "state", "LIMIT", "filter")
EFFECTS = (
    "# nothing to see here",
    'print("saw", $x)',
    "if $x == 3: raise ValueError('three', $x)",
    'if $x == 2: raise KeyError("two")',
    'print("low" if $x < 1 else "high", end="; ")',
)


def without(options: Sequence[T], left_out: Sequence[object]) -> Sequence[T]:
    """The options that are not left out, or all of them if no other is there."""
    return [option for option in options if option not in left_out] or options


class Site:
    """Draws choices, hands out names, and writes text into modules."""

    def __init__(
        self,
        draw: st.DrawFn,
        modules: list[Module],
        target: Module,
        left_out: Sequence[object] = (),
    ) -> None:
        self.draw = draw
        self.modules = modules
        self.extras: list[Module] = []
        self.files: list[tuple[str, bytes]] = []
        """Data files."""
        self.target = target
        self.left_out = left_out
        """Options that no choice gives, unless there is no other."""

    # Choices.

    def one_of(self, options: Sequence[T]) -> T:
        """One of the options; failing examples shrink towards the first."""
        return self.draw(st.sampled_from(without(options, self.left_out)))

    def flag(self) -> bool:
        """Yes or no; shrinks towards no."""
        return self.draw(st.booleans())

    def number(self) -> str:
        """A small literal."""
        return str(self.draw(st.integers(0, 9)))

    def effect(self, x: str) -> str:
        """A line for the body of a function with the integer variable `x`."""
        return fill(self.one_of(EFFECTS), x=x)

    # Places.

    def home(self) -> Module:
        """A module that the target's module may import; shrinks towards the target's own."""
        reachable = self.modules[: self.modules.index(self.target) + 1]
        return self.one_of(reachable[::-1])

    def homes(self) -> tuple[Module, Module]:
        """Two modules, of which the second may import the first; often they are the same."""
        second = self.home()
        return self.one_of(self.modules[: self.modules.index(second) + 1][::-1]), second

    def neighbour(self, home: Module, inside: str = "") -> Module:
        """A new module that only the caller writes into, in the folder of `home` or below it."""
        folder = "/".join((*home.path.split("/")[:-1], *([inside] if inside else [])))
        everything = [*self.modules, *self.extras]
        path = f"{folder}/extra{len(self.extras) + 1}.py".lstrip("/")
        module = Module(path, future=home.future)
        for other in everything:
            if other.is_package and other.parts == module.parts[:-1]:
                other.bind(module.parts[-1])
            elif len(module.parts) == 1:
                other.bind(module.parts[0], shared=True)
        module.bound.update({m.parts[0]: True for m in [*everything, module]})
        self.extras.append(module)
        return module

    # Names.

    def function(self, module: Module) -> str:
        """A fresh name for a function of `module`."""
        return self.fresh(module, self.one_of(FUNCTION_NAMES))

    def cls(self, module: Module) -> str:
        """A fresh name for a class of `module`."""
        return self.fresh(module, self.one_of(CLASS_NAMES))

    def variable(self, module: Module) -> str:
        """A fresh name for a variable of `module`."""
        return self.fresh(module, self.one_of(VARIABLE_NAMES))

    def fresh(self, module: Module, wanted: str) -> str:
        """`wanted`, with a number where it is taken; bound in `module` from now on."""
        count = 1
        name = wanted
        while module.taken(name):
            count += 1
            name = f"{wanted}_{count}"
        module.bind(name)
        return name

    # Text.

    def put(self, module: Module, template: str, **names: str) -> None:
        """Write a definition at the present end of `module`."""
        module.body.append(fill(template, **names))

    def std(self, module: Module, statement: str) -> None:
        """Import something of the standard library at the top of `module`."""
        if statement not in module.imports:
            module.imports.append(statement)
        names = statement.partition("import ")[2]
        for name in names.split(","):
            module.bind(name.split(" as ")[-1].split(".")[0].strip(), shared=True)

    def settle_name(self, module: Module) -> None:
        """Make the full name of `module` certain, also where its package has no `__init__`."""
        root = module.parts[0]
        if root in NAMESPACES and module.bound.get(root, True):
            self.std(module, f"import {root}")

    # Reaching across modules.

    def refer(self, home: Module, name: str, user: Module) -> str:
        """An expression for `name` of `home` at the top level of `user`."""
        return imports.reach(self, home, name, user, local=False).expression

    def use(self, home: Module, name: str) -> Use:
        """An expression for `name` of `home` in the body of the target."""
        return imports.reach(self, home, name, self.target, local=True)

    def load(self, module: Module, user: Module) -> None:
        """Make `user`, which comes after `module`, import it for its side effects."""
        user.imports.append(self.one_of(imports.side_effects(module, user)))
        user.bind(module.parts[0], shared=True)
