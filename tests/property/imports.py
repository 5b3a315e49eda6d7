"""Every way in which one module can reach a name of another.

A style is a function that gives an `Import`, or `None` where it does not apply. To add one, write
it and put it into `STYLES`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tests.property.model import Module, Use

if TYPE_CHECKING:
    from tests.property.site import Site


@dataclass(frozen=True, slots=True)
class Import:
    """The statements of an import and the expression that reaches the name through them."""

    lines: tuple[str, ...]
    expression: str
    placed: bool = False
    """Whether the style has written its statements by itself."""


Style = Callable[["Site", Module, str, Module], "Import | None"]


def reach(site: Site, home: Module, name: str, user: Module, *, local: bool) -> Use:
    """Reach `name` of `home` from `user`: at module level, or with `local` inside a function."""
    if home is user:
        return Use(name)
    styles = STYLES if not local else (*STYLES, inside_function)
    style = site.one_of(styles)
    found = style(site, home, name, user) or from_absolute(site, home, name, user)
    if style is inside_function:
        return Use(found.expression, found.lines)
    if not found.placed:
        place = site.one_of((user.imports, user.body))
        place.append("\n".join(found.lines))
    return Use(found.expression)


def side_effects(module: Module, user: Module) -> tuple[str, ...]:
    """Statements that import `module` and need none of its names."""
    renamed = f"import {module.dotted} as _plugin  # noqa: F401"
    if not user.bound.get(module.parts[0], True):
        return (renamed,)
    plain = f"import {module.dotted}"
    if len(module.parts) == 1:
        return (plain, renamed)
    parent = ".".join(module.parts[:-1])
    return (plain, renamed, f"from {parent} import {module.parts[-1]} as _plugin  # noqa: F401")


def _relative(home: tuple[str, ...], user: Module) -> str | None:
    """`home` as written after `from` in a relative import, if the two share a package."""
    package = user.package
    if not package or not home or package[0] != home[0]:
        return None
    shared = next(
        (i for i, (a, b) in enumerate(zip(package, home, strict=False)) if a != b),
        min(len(package), len(home)),
    )
    return "." * (len(package) - shared + 1) + ".".join(home[shared:])


def _alias(site: Site, user: Module, name: str) -> tuple[str, str]:
    """A free name in `user`, and the `as` clause that gives it."""
    free = site.fresh(user, name)
    return free, "" if free == name else f" as {free}"


def from_absolute(site: Site, home: Module, name: str, user: Module) -> Import:
    """`from a.b import name`."""
    free, clause = _alias(site, user, name)
    return Import((f"from {home.dotted} import {name}{clause}",), free)


def from_relative(site: Site, home: Module, name: str, user: Module) -> Import | None:
    """`from ..b import name`."""
    source = _relative(home.parts, user)
    if source is None:
        return None
    free, clause = _alias(site, user, name)
    return Import((f"from {source} import {name}{clause}",), free)


def from_renamed(site: Site, home: Module, name: str, user: Module) -> Import:
    """`from a.b import name as other`, among names that nobody needs."""
    free = site.fresh(user, f"{name}_alias")
    others = [n for n, shared in home.bound.items() if not shared and n != name]
    spare = [n for n in others if n.startswith("unused")]
    extra = [f"{n} as {site.fresh(user, n)}" for n in spare[:1]]
    names = ", ".join([*extra, f"{name} as {free}"])
    return Import((f"from {home.dotted} import {names}",), free)


def dotted_use(site: Site, home: Module, name: str, user: Module) -> Import | None:
    """`import a.b` and `a.b.name`."""
    root = home.parts[0]
    if root in user.bound and not user.bound[root]:
        return None
    user.bind(root, shared=True)
    return Import((f"import {home.dotted}",), f"{home.dotted}.{name}")


def import_as(site: Site, home: Module, name: str, user: Module) -> Import:
    """`import a.b as m` and `m.name`."""
    free = site.fresh(user, "m")
    return Import((f"import {home.dotted} as {free}",), f"{free}.{name}")


def module_from_package(site: Site, home: Module, name: str, user: Module) -> Import | None:
    """`from a import b` and `b.name`, absolute or relative."""
    if len(home.parts) < 2:
        return None
    absolute = ".".join(home.parts[:-1])
    sources = [s for s in (absolute, _relative(home.parts[:-1], user)) if s is not None]
    free, clause = _alias(site, user, home.parts[-1])
    line = f"from {site.one_of(sources)} import {home.parts[-1]}{clause}"
    return Import((line,), f"{free}.{name}")


def star(site: Site, home: Module, name: str, user: Module) -> Import | None:
    """`from a.b import *`, with or without `__all__` in `a.b`."""
    if name.startswith("_"):
        return None
    if user not in home.star_users:
        if home.clashes(user) or user.clashes(home) or user.taken(name):
            return None
        source = site.one_of([s for s in (home.dotted, _relative(home.parts, user)) if s])
        user.stars.append(f"from {source} import *")
        if not home.star_users and site.flag():
            home.exports = []
        for bound, shared in home.bound.items():
            user.bind(bound, shared=shared)
        home.star_users.append(user)
    if home.exports is not None and name not in home.exports:
        home.exports.append(name)
    return Import((), name, placed=True)


def reexported(site: Site, home: Module, name: str, user: Module) -> Import | None:
    """Through the `__init__` of a package above `home` that `user` is not part of."""
    fronts = [
        m
        for m in site.modules
        if m.is_package and m is not home and home.parts[: len(m.parts)] == m.parts
        and user.parts[: len(m.parts)] != m.parts
    ]  # fmt: skip
    if not fronts:
        return None
    front = site.one_of(fronts)
    inner = ".".join(home.parts[len(front.parts) :])
    if len(home.parts) == len(front.parts) + 1 and site.flag():
        front.tail.append(f"from . import {inner}")
        module = from_absolute(site, front, inner, user)
        return Import(module.lines, f"{module.expression}.{name}")
    free, clause = _alias(site, front, name)
    source = site.one_of((f".{inner}", home.dotted))
    front.tail.append(f"from {source} import {name}{clause}")
    return site.one_of((from_absolute, import_as))(site, front, free, user)


def package_attribute(site: Site, home: Module, name: str, user: Module) -> Import | None:
    """`import a` and `a.b.name`, where `a` itself imports its member `b`."""
    fronts = [m for m in site.modules if m.is_package and m.parts == home.parts[:-1]]
    if not fronts or user.parts[: len(fronts[0].parts)] == fronts[0].parts:
        return None
    front = fronts[0]
    member = home.parts[-1]
    lines = (
        f"from . import {member}",
        f"import {home.dotted}",
        f"from . import {member} as {member}",
    )
    front.tail.append(site.one_of(lines))
    front.bind(home.parts[0], shared=True)
    return site.one_of((dotted_use, import_as))(site, front, f"{member}.{name}", user)


def through_middle(site: Site, home: Module, name: str, user: Module) -> Import | None:
    """Through a third module that imports the name itself."""
    order = site.modules
    between = order[order.index(home) + 1 : order.index(user)] if home in order else []
    if not between or user not in order:
        return None
    middle = site.one_of(between)
    found = from_absolute(site, home, name, middle)
    middle.imports.extend(found.lines)
    return site.one_of((from_absolute, import_as))(site, middle, found.expression, user)


def try_import(site: Site, home: Module, name: str, user: Module) -> Import:
    """`try: import … except ImportError:`, where the import works or where it does not."""
    free, clause = _alias(site, user, name)
    real = f"    from {home.dotted} import {name}{clause}"
    missing = f"    from no_such_module_here import {name}{clause}"
    if site.flag():
        return Import(("try:", missing, "except ImportError:", real), free)
    return Import(("try:", real, "except ImportError:", f"    {free} = None"), free)


def conditional(site: Site, home: Module, name: str, user: Module) -> Import:
    """An import that depends on the interpreter."""
    free, clause = _alias(site, user, name)
    site.std(user, "import sys")
    real = f"    from {home.dotted} import {name}{clause}"
    test = "if sys.version_info >= (3, 0):"
    return Import((test, real, "else:", f"    {free} = None"), free)


def by_string(site: Site, home: Module, name: str, user: Module) -> Import:
    """`importlib.import_module("a.b")`."""
    site.std(user, "import importlib")
    free = site.fresh(user, "module")
    return Import((f'{free} = importlib.import_module("{home.dotted}")',), f"{free}.{name}")


def inside_function(site: Site, home: Module, name: str, user: Module) -> Import:
    """An import inside a function, by one of the simple styles."""
    simple = (from_absolute, from_relative, import_as, module_from_package)
    style = site.one_of(simple)
    return style(site, home, name, user) or from_absolute(site, home, name, user)


STYLES: tuple[Style, ...] = (
    from_absolute,
    from_relative,
    from_renamed,
    dotted_use,
    import_as,
    module_from_package,
    star,
    reexported,
    package_attribute,
    through_middle,
    try_import,
    conditional,
    by_string,
)
