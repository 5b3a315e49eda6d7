"""Ingredients made of what the standard library offers for classes.

Written like those of `functions.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.property.classes import write_class

if TYPE_CHECKING:
    from tests.property.model import Use
    from tests.property.site import Site


def data_class(site: Site) -> Use:
    """Dataclasses that inherit, with computed defaults and a post-initialiser."""
    first, second = site.homes()
    site.std(first, "from dataclasses import dataclass, field")
    make = site.function(first)
    site.put(first, "def $make():\n    return [1]", make=make)
    base = write_class(
        site,
        first,
        """
        @dataclass
        class $C:
            name: str
            tags: list = field(default_factory=$make)

            def __post_init__(self):
                self.tags.append(len(self.name))
        """,
        make=make,
    )
    parent = site.refer(first, base, second)
    site.std(second, "import dataclasses")
    child = write_class(
        site,
        second,
        """
        @dataclasses.dataclass(order=True)
        class $C($P):
            weight: int = $k
            seen: dataclasses.InitVar[int] = 0

            def __post_init__(self, seen):
                super().__post_init__()
                self.weight += seen
        """,
        P=parent,
        k=site.number(),
    )
    return site.use(second, child).then("($it(text), repr($it(text, seen=n)), $it('a') < $it('b'))")


def enumeration(site: Site) -> Use:
    """An enum with methods and aliases, and a flag."""
    home = site.home()
    site.std(home, "import enum")
    color = write_class(
        site,
        home,
        """
        class $C(enum.Enum):
            RED = enum.auto()
            GREEN = enum.auto()
            ALSO_RED = RED

            @property
            def low(self):
                return self.name.lower()

            @classmethod
            def _missing_(cls, value):
                return cls.RED
        """,
    )
    mode = write_class(site, home, "class $C(enum.Flag):\n    R = 1\n    W = 2\n    RW = R | W")
    flag = site.use(home, mode)
    return site.use(home, color).then(
        "([c.low for c in $it], $it(n).name, $it['ALSO_RED'].value, ($flag.R | $flag.W).name)",
        flag=flag,
    )


def named_tuples(site: Site) -> Use:
    """Named tuples of both kinds."""
    home = site.home()
    site.std(home, "import collections")
    site.std(home, "from typing import NamedTuple")
    pair = write_class(
        site,
        home,
        """
        class $C(NamedTuple):
            x: int
            y: int = $k

            def total(self):
                return self.x + self.y
        """,
        k=site.number(),
    )
    old = site.cls(home)
    site.put(home, '$old = collections.namedtuple("$old", "a b")', old=old)
    sub = write_class(site, home, "class $C($old):\n    def both(self): return self.a, self.b",
               old=old)  # fmt: skip
    other = site.use(home, sub)
    return site.use(home, pair).then("($it(n).total(), $it(n)._replace(y=0), $o(n, 1).both())",
                                     o=other)  # fmt: skip


def abstract_base(site: Site) -> Use:
    """An abstract base with a template method, and a protocol checked at run time."""
    first, second = site.homes()
    site.std(first, "import abc")
    base = write_class(
        site,
        first,
        """
        class $C(abc.ABC):
            def run(self, x):
                return self.before() + self.work(x)

            def before(self):
                return "before "

            @abc.abstractmethod
            def work(self, x):
                raise NotImplementedError
        """,
    )
    parent = site.refer(first, base, second)
    site.std(second, "import typing")
    proto = write_class(
        site,
        second,
        "@typing.runtime_checkable\nclass $C(typing.Protocol):\n"
        "    def work(self, x): ...\n    def run(self, x): ...",
    )
    child = write_class(site, second, "class $C($P):\n    def work(self, x): return str(x)",
                 P=parent)  # fmt: skip
    f = site.function(second)
    site.put(second, "def $f(x):\n    return $C().run(x), isinstance($C(), $Q), isinstance(x, $Q)",
             f=f, C=child, Q=proto)  # fmt: skip
    return site.use(second, f).then("$it(n)")


def library_base(site: Site) -> Use:
    """Subclasses of library classes, whose overrides only the library calls."""
    home = site.home()
    site.std(home, "import collections")
    site.std(home, "import json")
    site.std(home, "import ast")
    table = write_class(
        site,
        home,
        """
        class $C(collections.UserDict):
            def __setitem__(self, key, value):
                print("set", key)
                super().__setitem__(str(key), self.wrap(value))

            def wrap(self, value):
                return [value]

            def __missing__(self, key):
                return "no " + key
        """,
    )
    encoder = write_class(
        site,
        home,
        """
        class $C(json.JSONEncoder):
            def default(self, value):
                return self.fallback(value)

            def fallback(self, value):
                return sorted(value)
        """,
    )
    visitor = write_class(
        site,
        home,
        """
        class $C(ast.NodeVisitor):
            def __init__(self):
                self.names = []

            def visit_Name(self, node):
                self.names.append(node.id)

            def visit_Call(self, node):
                self.names.append("call")
                self.generic_visit(node)
        """,
    )
    f = site.function(home)
    site.put(
        home,
        """
        def $f(x):
            table = $table(a=x)
            table.update({1: 2})
            walk = $visitor()
            walk.visit(ast.parse("f(a) + b"))
            return dict(table), table["q"], json.dumps({2, 1}, cls=$encoder), walk.names
        """,
        f=f,
        table=table,
        encoder=encoder,
        visitor=visitor,
    )
    return site.use(home, f).then("$it(n)")


def generic_class(site: Site) -> Use:
    """Type variables, a generic class, and an alias of it."""
    first, second = site.homes()
    site.std(first, "from typing import Generic, TypeVar")
    var = site.fresh(first, "T")
    site.put(first, '$T = TypeVar("$T")', T=var)
    base = write_class(
        site,
        first,
        """
        class $C(Generic[$T]):
            def __init__(self, item: $T) -> None:
                self.item = item

            def get(self) -> $T:
                return self.item
        """,
        T=var,
    )
    reached = site.refer(first, base, second)
    child = write_class(site, second, "class $C($P[int]):\n    pass", P=reached)
    return site.use(second, child).then("$it(n).get()")


def custom_errors(site: Site) -> Use:
    """An exception hierarchy; one is raised by a helper and caught by its base."""
    first, second = site.homes()
    base = write_class(
        site,
        first,
        """
        class $C(Exception):
            code = 1

            def __init__(self, x):
                super().__init__(f"bad {x}")
                self.x = x
        """,
    )
    parent = site.refer(first, base, second)
    child = write_class(site, second, "class $C($P, ValueError):\n    code = 2", P=parent)
    f = site.function(second)
    site.put(
        second,
        """
        def $f(x):
            if x > 1:
                raise $C(x) from KeyError(x)
            try:
                raise $C(x)
            except $P as error:
                return str(error), error.code, error.x
        """,
        f=f,
        C=child,
        P=parent,
    )
    return site.use(second, f).then("$it(n)")
