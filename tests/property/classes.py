"""Ingredients made of classes: inheritance, special methods, and what classes do when defined.

Written like those of `functions.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.property.model import Module, Use
    from tests.property.site import Site


def write_class(site: Site, home: Module, template: str, **names: str) -> str:
    """Write a class, `$C` in the template, and give its name."""
    cls = site.cls(home)
    site.put(home, template, C=cls, **names)
    return cls


def inherited_super(site: Site) -> Use:
    """`super()` without arguments, across modules, with methods that the target never names."""
    first, second = site.homes()
    base = write_class(
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
    child = write_class(
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
    base = write_class(site, first, "class $C:\n    def path(self):\n        return ['base']")
    top = site.refer(first, base, second)
    mixin = "class $C($P):\n    def path(self):\n        return [$tag, *super().path()]"
    left = write_class(site, second, mixin, P=top, tag="'left'")
    right = write_class(site, second, mixin, P=top, tag="'right'")
    both = write_class(site, second, "class $C($L, $R):\n    pass", L=left, R=right)
    return site.use(second, both).then("$it().path()")


def alternative_constructors(site: Site) -> Use:
    """Class methods, static methods, and a count kept on the class."""
    first, second = site.homes()
    base = write_class(
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
    child = write_class(
        site,
        second,
        "class $C($P):\n    @staticmethod\n    def clean(text):\n        return text.upper()",
        P=parent,
    )
    return site.use(second, child).then("($it.of(text).value, $it.made)")


def subclass_registry(site: Site) -> Use:
    """`__init_subclass__` that registers classes nobody names."""
    first, second = site.homes()
    base = write_class(
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
        write_class(site, second, "class $C($P, key=$k):\n    def show(self, x):\n        $e\n"
             "        return $k, super().show(x)", P=parent, k=key, e=site.effect("x"))  # fmt: skip
    f = site.function(second)
    site.put(second, "def $f(x):\n    return [$P.known[k]().show(x) for k in sorted($P.known)]",
             f=f, P=parent)  # fmt: skip
    return site.use(second, f).then("$it(n)")


def all_subclasses(site: Site) -> Use:
    """`__subclasses__()`, which sees classes that nothing else mentions."""
    home = site.home()
    base = write_class(site, home, "class $C:\n    size = 1")
    write_class(site, home, "class $C($P):\n    size = 2", P=base)
    write_class(site, home, "class $C($P):\n    size = 3", P=base)
    return site.use(home, base).then("sorted(c.size for c in $it.__subclasses__())")


def nested_classes(site: Site) -> Use:
    """Classes inside classes, and a class made inside a function."""
    home = site.home()
    outer = write_class(
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
    write_class(site, second, '@$D("unnamed")\nclass $C:\n    pass', D=reached)
    cls = write_class(site, second, '@$D("used")\nclass $C:\n    pass', D=reached)
    names = site.use(first, known)
    return site.use(second, cls).then("($it().label(), $names)", names=names)


def busy_class_body(site: Site) -> Use:
    """Loops, conditions, comprehensions and calls in a class body."""
    home = site.home()
    f = site.function(home)
    site.put(home, "def $f(x):\n    return x * 3", f=f)
    cls = write_class(
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


def receiver_from_annotation(site: Site) -> Use:
    """A method called on a parameter whose class only an annotation names."""
    first, second = site.homes()
    cls = write_class(
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
    base = write_class(site, first, "class $C:\n    def area(self):\n        return 0")
    parent = site.refer(first, base, second)
    shape = """
        class $C($P):
            def __init__(self, x):
                self.x = x

            def area(self):
                $e
                return self.x * $k
        """
    one = write_class(site, second, shape, P=parent, k="2", e=site.effect("self.x"))
    two = write_class(site, second, shape, P=parent, k="3", e="pass")
    kinds = site.variable(second)
    site.put(second, "$kinds = {'one': $A, 'two': $B}", kinds=kinds, A=one, B=two)
    f = site.function(second)
    site.put(second, "def $f(x):\n    things = [kind(x) for kind in $k.values()]\n"
             "    return [thing.area() for thing in things]", f=f, k=kinds)  # fmt: skip
    return site.use(second, f).then("$it(n)")
