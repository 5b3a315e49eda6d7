"""Ingredients made of classes with special methods, descriptors and computed attributes.

Written like those of `functions.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.property.classes import write_class

if TYPE_CHECKING:
    from tests.property.model import Use
    from tests.property.site import Site


def properties(site: Site) -> Use:
    """A property with a setter, one made by a call, and a cached one."""
    home = site.home()
    site.std(home, "from functools import cached_property")
    cls = write_class(
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


def operators(site: Site) -> Use:
    """Operators, some of them aliases of methods in the class body."""
    home = site.home()
    cls = write_class(
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
    cls = write_class(
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
    cls = write_class(
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


def descriptor(site: Site) -> Use:
    """A descriptor with `__set_name__`."""
    first, second = site.homes()
    desc = write_class(
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
    owner = write_class(
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


def metaclass(site: Site) -> Use:
    """A metaclass that changes the class and its calls."""
    first, second = site.homes()
    meta = write_class(
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
    user = write_class(
        site,
        second,
        "class $C(metaclass=$M):\n    def __init__(self, x):\n        self.x = x",
        M=reached,
    )
    f = site.function(second)
    site.put(second, "def $f(x):\n    return $C(x).x, $C.kind, len($C), $C.plural, $M.count",
             f=f, C=user, M=reached)  # fmt: skip
    return site.use(second, f).then("$it(n)")


def fallback_attributes(site: Site) -> Use:
    """`__getattr__` and `__setattr__`."""
    home = site.home()
    cls = write_class(
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


def dynamic_dispatch(site: Site) -> Use:
    """Methods found by a computed name."""
    home = site.home()
    find = site.one_of(("getattr(self, name)", "object.__getattribute__(self, name)",
                        "type(self).__dict__[name].__get__(self)"))  # fmt: skip
    cls = write_class(
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


def private_names(site: Site) -> Use:
    """Private attributes and methods of a class and of its subclass."""
    first, second = site.homes()
    base = write_class(
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
    child = write_class(
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


def copied_and_pickled(site: Site) -> Use:
    """Instances that are copied, pickled and shown."""
    home = site.home()
    site.std(home, "import copy")
    site.settle_name(home)
    site.std(home, "import pickle")
    cls = write_class(
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
