"""Ingredients made of classes: inheritance, special methods, and what classes do when defined.

Written like those of `functions.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .model import Module, Use
    from .site import Site


def _cls(site: Site, home: Module, template: str, **names: str) -> str:
    """Write a class, `$C` in the template, and give its name."""
    cls = site.cls(home)
    site.put(home, template, C=cls, **names)
    return cls


def inherited_super(site: Site) -> Use:
    """`super()` without arguments, across modules, with methods that the target never names."""
    first, second = site.homes()
    base = _cls(
        site,
        first,
        """
        class $C:
            def __init__(self, x):
                self.x = x

            def run(self, y):
                $effect
                return self.step(y) + self.x

            def step(self, y):
                return y

            def never_called(self):
                return missing_name
        """,
        effect=site.effect("y"),
    )
    parent = site.refer(first, base, second)
    child = _cls(
        site,
        second,
        """
        class $C($parent):
            def __init__(self, x):
                super().__init__(x + 1)

            def step(self, y):
                return super().step(y) * 10
        """,
        parent=parent,
    )
    return site.use(second, child).then("($it(n).run(n), $it(1).run(2))")


def diamond(site: Site) -> Use:
    """Multiple inheritance with cooperative methods."""
    first, second = site.homes()
    base = _cls(site, first, "class $C:\n    def path(self):\n        return ['base']")
    top = site.refer(first, base, second)
    mixin = "class $C($P):\n    def path(self):\n        return [$tag, *super().path()]"
    left = _cls(site, second, mixin, P=top, tag="'left'")
    right = _cls(site, second, mixin, P=top, tag="'right'")
    both = _cls(site, second, "class $C($L, $R):\n    pass", L=left, R=right)
    return site.use(second, both).then("$it().path()")


def properties(site: Site) -> Use:
    """A property with a setter, one made by a call, and a cached one."""
    home = site.home()
    site.std(home, "from functools import cached_property")
    cls = _cls(
        site,
        home,
        """
        class $C:
            def __init__(self, x):
                self._x = x

            @property
            def x(self):
                return self._x

            @x.setter
            def x(self, value):
                $effect
                self._x = value + 1

            @x.deleter
            def x(self):
                self._x = None

            def _get_double(self):
                return self._x * 2

            double = property(_get_double)

            @cached_property
            def once(self):
                print("once")
                return self._x
        """,
        effect=site.effect("value"),
    )
    f = site.function(home)
    site.put(
        home,
        """
        def $f(x):
            thing = $cls(x)
            thing.x = x
            return thing.x, thing.double, thing.once, thing.once
        """,
        f=f,
        cls=cls,
    )
    return site.use(home, f).then("$it(n)")


def alternative_constructors(site: Site) -> Use:
    """Class methods, static methods, and a count kept on the class."""
    first, second = site.homes()
    base = _cls(
        site,
        first,
        """
        class $C:
            made = 0

            def __init__(self, value):
                $C.made += 1
                self.value = value

            @classmethod
            def of(cls, text):
                return cls(cls.clean(text))

            @staticmethod
            def clean(text):
                return text.strip()
        """,
    )
    parent = site.refer(first, base, second)
    child = _cls(
        site,
        second,
        "class $C($P):\n    @staticmethod\n    def clean(text):\n        return text.upper()",
        P=parent,
    )
    return site.use(second, child).then("($it.of(text).value, $it.made)")


def operators(site: Site) -> Use:
    """Operators, some of them aliases of methods in the class body."""
    home = site.home()
    cls = _cls(
        site,
        home,
        """
        class $C:
            def __init__(self, *values):
                self.values = list(values)

            def union(self, other):
                return type(self)(*self.values, *other.values)

            __or__ = union

            def __add__(self, other):
                return $C(*self.values, other)

            __radd__ = __add__

            def __iadd__(self, other):
                self.values.append(other)
                return self

            def __eq__(self, other):
                return self.values == other.values

            def __hash__(self):
                return len(self.values)

            def __len__(self):
                return len(self.values)

            def __getitem__(self, index):
                return self.values[index]

            def __contains__(self, value):
                print("asked for", value)
                return value in self.values

            def __call__(self, x):
                $effect
                return x in self

            def __neg__(self):
                return $C(*self.values[::-1])

            def __repr__(self):
                return f"<{self.values}>"

            def __format__(self, spec):
                return spec + repr(self)
        """,
        effect=site.effect("x"),
    )
    f = site.function(home)
    site.put(
        home,
        """
        def $f(x):
            a, b = $cls(x), $cls(1, 2)
            c = a | b
            c += 9
            return f"{c:!}", str(2 + a), list(-c), a == b, bool($cls()), c(x), {a: x}[$cls(x)]
        """,
        f=f,
        cls=cls,
    )
    return site.use(home, f).then("$it(n)")


def ordering(site: Site) -> Use:
    """`total_ordering`, iteration and sorting."""
    home = site.home()
    site.std(home, "import functools")
    cls = _cls(
        site,
        home,
        """
        @functools.total_ordering
        class $C:
            def __init__(self, x):
                self.x = x

            def __eq__(self, other):
                return self.x == other.x

            def __lt__(self, other):
                return self.x > other.x

            def __iter__(self):
                yield self.x
                yield from (i for i in range(self.x))
        """,
    )
    return site.use(home, cls).then(
        "([list(p) for p in sorted([$it(2), $it(n), $it(1)])], $it(n) >= $it(1))"
    )


def managed(site: Site) -> Use:
    """A context manager class and an iterator class, used without naming their methods."""
    home = site.home()
    cls = _cls(
        site,
        home,
        """
        class $C:
            def __init__(self, limit):
                self.limit = limit

            def __enter__(self):
                print("open")
                return self

            def __exit__(self, kind, error, trace):
                print("close", kind and kind.__name__)
                return kind is KeyError

            def __iter__(self):
                return self

            def __next__(self):
                self.limit -= 1
                if self.limit < 0:
                    raise StopIteration
                return self.limit
        """,
    )
    f = site.function(home)
    site.put(
        home,
        """
        def $f(x):
            found = []
            with $cls(x) as scope:
                for value in scope:
                    $effect
                    found.append(value)
            return found
        """,
        f=f,
        cls=cls,
        effect=site.effect("value"),
    )
    return site.use(home, f).then("$it(n)")


def data_class(site: Site) -> Use:
    """Dataclasses that inherit, with computed defaults and a post-initialiser."""
    first, second = site.homes()
    site.std(first, "from dataclasses import dataclass, field")
    make = site.function(first)
    site.put(first, "def $make():\n    return [1]", make=make)
    base = _cls(
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
    child = _cls(
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
    color = _cls(
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
    mode = _cls(site, home, "class $C(enum.Flag):\n    R = 1\n    W = 2\n    RW = R | W")
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
    pair = _cls(
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
    sub = _cls(site, home, "class $C($old):\n    def both(self):\n        return self.a, self.b",
               old=old)  # fmt: skip
    other = site.use(home, sub)
    return site.use(home, pair).then("($it(n).total(), $it(n)._replace(y=0), $o(n, 1).both())",
                                     o=other)  # fmt: skip


def subclass_registry(site: Site) -> Use:
    """`__init_subclass__` that registers classes nobody names."""
    first, second = site.homes()
    base = _cls(
        site,
        first,
        """
        class $C:
            known = {}

            def __init_subclass__(cls, key="none", **rest):
                super().__init_subclass__(**rest)
                $C.known[key] = cls

            def show(self, x):
                return type(self).__name__, x
        """,
    )
    parent = site.refer(first, base, second)
    for key in ("'one'", "'two'"):
        _cls(site, second, "class $C($P, key=$k):\n    def show(self, x):\n        $e\n"
             "        return $k, super().show(x)", P=parent, k=key, e=site.effect("x"))  # fmt: skip
    f = site.function(second)
    site.put(second, "def $f(x):\n    return [$P.known[k]().show(x) for k in sorted($P.known)]",
             f=f, P=parent)  # fmt: skip
    return site.use(second, f).then("$it(n)")


def all_subclasses(site: Site) -> Use:
    """`__subclasses__()`, which sees classes that nothing else mentions."""
    home = site.home()
    base = _cls(site, home, "class $C:\n    size = 1")
    _cls(site, home, "class $C($P):\n    size = 2", P=base)
    _cls(site, home, "class $C($P):\n    size = 3", P=base)
    return site.use(home, base).then("sorted(c.size for c in $it.__subclasses__())")


def private_names(site: Site) -> Use:
    """Private attributes and methods of a class and of its subclass."""
    first, second = site.homes()
    base = _cls(
        site,
        first,
        """
        class $C:
            __limit = $k

            def __init__(self, x):
                self.__x = x

            def __double(self):
                return self.__x * 2

            def value(self):
                return self.__double() + self.__limit
        """,
        k=site.number(),
    )
    parent = site.refer(first, base, second)
    child = _cls(
        site,
        second,
        """
        class $C($P):
            def __double(self):
                return -1

            def both(self):
                return self.value(), self.__double()
        """,
        P=parent,
    )
    return site.use(second, child).then("$it(n).both()")


def nested_classes(site: Site) -> Use:
    """Classes inside classes, and a class made inside a function."""
    home = site.home()
    outer = _cls(
        site,
        home,
        """
        class $C:
            class Options:
                depth = $k

                class Deep:
                    name = "deep"

            @classmethod
            def make(cls, x):
                class Local(cls.Options):
                    def get(self):
                        return self.depth + x

                return Local()
        """,
        k=site.number(),
    )
    return site.use(home, outer).then("($it.make(n).get(), $it.Options.Deep.name)")


def metaclass(site: Site) -> Use:
    """A metaclass that changes the class and its calls."""
    first, second = site.homes()
    meta = _cls(
        site,
        first,
        """
        class $C(type):
            count = 0

            def __new__(mcs, name, bases, space, **rest):
                space.setdefault("kind", name.lower())
                return super().__new__(mcs, name, bases, space)

            def __call__(cls, *args):
                $C.count += 1
                return super().__call__(*args)

            def __len__(cls):
                return len(cls.kind)

            @property
            def plural(cls):
                return cls.kind + "s"
        """,
    )
    reached = site.refer(first, meta, second)
    user = _cls(
        site,
        second,
        "class $C(metaclass=$M):\n    def __init__(self, x):\n        self.x = x",
        M=reached,
    )
    f = site.function(second)
    site.put(second, "def $f(x):\n    return $C(x).x, $C.kind, len($C), $C.plural, $M.count",
             f=f, C=user, M=reached)  # fmt: skip
    return site.use(second, f).then("$it(n)")


def descriptor(site: Site) -> Use:
    """A descriptor with `__set_name__`."""
    first, second = site.homes()
    desc = _cls(
        site,
        first,
        """
        class $C:
            def __init__(self, default):
                self.default = default

            def __set_name__(self, owner, name):
                self.name = "_" + name

            def __get__(self, instance, owner=None):
                if instance is None:
                    return self
                return getattr(instance, self.name, self.default)

            def __set__(self, instance, value):
                $effect
                setattr(instance, self.name, value)
        """,
        effect=site.effect("value"),
    )
    reached = site.refer(first, desc, second)
    owner = _cls(
        site,
        second,
        """
        class $C:
            __slots__ = ("_size", "other")
            size = $D($k)

            def grow(self, by):
                self.size = self.size + by
                return self
        """,
        D=reached,
        k=site.number(),
    )
    return site.use(second, owner).then("$it().grow(n).size")


def abstract_base(site: Site) -> Use:
    """An abstract base with a template method, and a protocol checked at run time."""
    first, second = site.homes()
    site.std(first, "import abc")
    base = _cls(
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
    proto = _cls(
        site,
        second,
        "@typing.runtime_checkable\nclass $C(typing.Protocol):\n"
        "    def work(self, x): ...\n    def run(self, x): ...",
    )
    child = _cls(site, second, "class $C($P):\n    def work(self, x):\n        return str(x)",
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
    table = _cls(
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
    encoder = _cls(
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
    visitor = _cls(
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


def dynamic_dispatch(site: Site) -> Use:
    """Methods found by a computed name."""
    home = site.home()
    find = site.one_of(("getattr(self, name)", "object.__getattribute__(self, name)",
                        "type(self).__dict__[name].__get__(self)"))  # fmt: skip
    cls = _cls(
        site,
        home,
        """
        class $C:
            def handle(self, kind, x):
                name = "on_" + kind
                return $find(x)

            def on_int(self, x):
                return x + 1

            def on_str(self, x):
                $effect
                return x * 2
        """,
        find=find,
        effect=site.effect("len(x)"),
    )
    return site.use(home, cls).then("$it().handle(type(n).__name__, n)")


def fallback_attributes(site: Site) -> Use:
    """`__getattr__` and `__setattr__`."""
    home = site.home()
    cls = _cls(
        site,
        home,
        """
        class $C:
            def __init__(self):
                self.log = []

            def __getattr__(self, name):
                if name.startswith("__") or name == "log":
                    raise AttributeError(name)
                return lambda *args: self.note(name, args)

            def __setattr__(self, name, value):
                object.__setattr__(self, name, value)

            def note(self, name, args):
                self.log.append(name)
                return len(self.log), args
        """,
    )
    f = site.function(home)
    site.put(home, "def $f(x):\n    it = $C()\n    return it.anything(x), it.other(), it.log",
             f=f, C=cls)  # fmt: skip
    return site.use(home, f).then("$it(n)")


def custom_errors(site: Site) -> Use:
    """An exception hierarchy; one is raised by a helper and caught by its base."""
    first, second = site.homes()
    base = _cls(
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
    child = _cls(site, second, "class $C($P, ValueError):\n    code = 2", P=parent)
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


def generic_class(site: Site) -> Use:
    """Type variables, a generic class, and an alias of it."""
    first, second = site.homes()
    site.std(first, "from typing import Generic, TypeVar")
    var = site.fresh(first, "T")
    site.put(first, '$T = TypeVar("$T")', T=var)
    base = _cls(
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
    child = _cls(site, second, "class $C($P[int]):\n    pass", P=reached)
    return site.use(second, child).then("$it(n).get()")


def class_decorator(site: Site) -> Use:
    """A class decorator that adds a method and registers the class."""
    first, second = site.homes()
    known, deco = site.variable(first), site.function(first)
    site.put(first, "$known = []", known=known)
    site.put(
        first,
        """
        def $deco(label):
            def change(cls):
                cls.label = lambda self: (label, cls.__name__)
                $known.append(cls.__name__)
                return cls

            return change
        """,
        deco=deco,
        known=known,
    )
    reached = site.refer(first, deco, second)
    _cls(site, second, '@$D("unnamed")\nclass $C:\n    pass', D=reached)
    cls = _cls(site, second, '@$D("used")\nclass $C:\n    pass', D=reached)
    names = site.use(first, known)
    return site.use(second, cls).then("($it().label(), $names)", names=names)


def busy_class_body(site: Site) -> Use:
    """Loops, conditions, comprehensions and calls in a class body."""
    home = site.home()
    f = site.function(home)
    site.put(home, "def $f(x):\n    return x * 3", f=f)
    cls = _cls(
        site,
        home,
        """
        class $C:
            base = $k
            table = {}
            for _i in range(3):
                table[_i] = _i * 2
            if base > 4:
                def size(self):
                    return "large"
            else:
                def size(self):
                    return "small"
            tripled = $f(base)
            squares = [i * i for i in range(3)]
            first, second = 1, base
            handlers = {"size": size}

            def call(self, x):
                $effect
                return self.handlers["size"](self), self.table, self.tripled, self.second, x
        """,
        k=site.number(),
        f=f,
        effect=site.effect("x"),
    )
    return site.use(home, cls).then("$it().call(n)")


def copied_and_pickled(site: Site) -> Use:
    """Instances that are copied, pickled and shown."""
    home = site.home()
    site.std(home, "import copy")
    site.settle_name(home)
    site.std(home, "import pickle")
    cls = _cls(
        site,
        home,
        """
        class $C:
            def __init__(self, x):
                self.x = x

            def __reduce__(self):
                return $C, (self.x + 1,)

            def __deepcopy__(self, memo):
                return $C(copy.deepcopy(self.x, memo))
        """,
    )
    f = site.function(home)
    site.put(home, "def $f(x):\n    it = $C(x)\n"
             "    return pickle.loads(pickle.dumps(it)).x, copy.deepcopy(it).x, $C.__module__",
             f=f, C=cls)  # fmt: skip
    return site.use(home, f).then("$it(n)")


def receiver_from_annotation(site: Site) -> Use:
    """A method called on a parameter whose class only an annotation names."""
    first, second = site.homes()
    cls = _cls(
        site,
        first,
        """
        class $C:
            def __init__(self, x):
                self.x = x
                self.parts = []

            def add(self, part):
                self.parts.append(part)
                return self

            def total(self):
                return self.x + sum(self.parts)
        """,
    )
    reached = site.refer(first, cls, second)
    f, make = site.function(second), site.function(second)
    site.put(second, "def $f(it: $C) -> int:\n    return it.add(2).total()", f=f, C=reached)
    site.put(second, "def $make(x) -> $C:\n    return $C(x)", make=make, C=reached)
    made = site.use(second, make)
    return site.use(second, f).then("$it($made(n))", made=made)


def unknown_receiver(site: Site) -> Use:
    """A method of a class that only travels through containers and callbacks."""
    first, second = site.homes()
    base = _cls(site, first, "class $C:\n    def area(self):\n        return 0")
    parent = site.refer(first, base, second)
    shape = "class $C($P):\n    def __init__(self, x):\n        self.x = x\n\n" \
            "    def area(self):\n        $e\n        return self.x * $k"  # fmt: skip
    one = _cls(site, second, shape, P=parent, k="2", e=site.effect("self.x"))
    two = _cls(site, second, shape, P=parent, k="3", e="pass")
    kinds = site.variable(second)
    site.put(second, "$kinds = {'one': $A, 'two': $B}", kinds=kinds, A=one, B=two)
    f = site.function(second)
    site.put(second, "def $f(x):\n    things = [kind(x) for kind in $k.values()]\n"
             "    return [thing.area() for thing in things]", f=f, k=kinds)  # fmt: skip
    return site.use(second, f).then("$it(n)")
