"""Ingredients made of functions: what they call, keep, yield, decorate, and match.

An ingredient is a function of the site. It writes definitions into modules and returns an
expression of the target's parameters `n` (int), `text` (str), `items` (list) and `table` (dict).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.property.model import Use
    from tests.property.site import Site


def plain_call(site: Site) -> Use:
    """A function of another module; it may print or raise."""
    home = site.home()
    f = site.function(home)
    site.put(
        home,
        """
        def $f(x):
            $effect
            return x + $k
        """,
        f=f,
        effect=site.effect("x"),
        k=site.number(),
    )
    return site.use(home, f).then("$it(n)")


def call_chain(site: Site) -> Use:
    """A function that calls one of an earlier module."""
    first, second = site.homes()
    inner = site.function(first)
    site.put(first, "def $f(x):\n    $e\n    return x * 2", f=inner, e=site.effect("x"))
    reached = site.refer(first, inner, second)
    outer = site.function(second)
    site.put(second, "def $f(x, *, by=1):\n    return $g(x) - by", f=outer, g=reached)
    return site.use(second, outer).then("$it(n, by=3)")


def changed_argument(site: Site) -> Use:
    """A function that changes the list and the dict that it is given."""
    home = site.home()
    f = site.function(home)
    change = site.one_of(
        ("rows.append(x)", "rows[:] = rows[::-1]", "marks[x] = len(rows)", "rows += [x, x]")
    )
    site.put(home, "def $f(rows, marks, x):\n    $change\n    return len(rows)", f=f, change=change)
    return site.use(home, f).then("$it(items, table, n)")


def computed_default(site: Site) -> Use:
    """A default argument that is computed when the function is defined, or kept between calls."""
    first, home = site.homes()
    base = site.variable(first)
    site.put(first, "$base = $k + 1", base=base, k=site.number())
    reached = site.refer(first, base, home)
    f = site.function(home)
    site.put(
        home,
        """
        def $f(x, base=$base, seen=[]):
            seen.append(x)
            return base * len(seen)
        """,
        f=f,
        base=reached,
    )
    return site.use(home, f).then("$it(n)")


def closure(site: Site) -> Use:
    """A factory whose product counts with `nonlocal`."""
    home = site.home()
    make, product = site.function(home), site.variable(home)
    site.put(
        home,
        """
        def $make(step):
            total = 0

            def advance(x):
                nonlocal total
                $effect
                total += step * x
                return total

            return advance


        $product = $make($k)
        """,
        make=make,
        product=product,
        k=site.number(),
        effect=site.effect("x"),
    )
    return site.use(home, product).then("($it(n), $it(1))")


def generator(site: Site) -> Use:
    """A generator that delegates to another."""
    first, second = site.homes()
    inner = site.function(first)
    site.put(
        first,
        "def $f(x):\n    for i in range(x):\n        $e\n        yield i",
        f=inner,
        e=site.effect("i"),
    )
    reached = site.refer(first, inner, second)
    outer = site.function(second)
    site.put(second, "def $f(x):\n    yield 7\n    yield from $g(x)", f=outer, g=reached)
    return site.use(second, outer).then("list($it(n))")


def coroutine(site: Site) -> Use:
    """Async functions, driven by hand, with an async generator and an async context."""
    first, second = site.homes()
    inner = site.function(first)
    site.put(first, "async def $f(x):\n    $e\n    return x + 1", f=inner, e=site.effect("x"))
    reached = site.refer(first, inner, second)
    drive = site.function(second)
    site.put(
        second,
        """
        def $drive(x):
            async def several(k):
                for i in range(k):
                    yield await $inner(i)

            async def main():
                return [v async for v in several(x)]

            try:
                main().send(None)
            except StopIteration as stop:
                return stop.value
        """,
        drive=drive,
        inner=reached,
    )
    return site.use(second, drive).then("$it(n)")


def module_lambda(site: Site) -> Use:
    """A lambda bound at module level, over a name that is bound after it."""
    home = site.home()
    f, later = site.function(home), site.variable(home)
    site.put(home, "$f = lambda x, k=$k: (x + k) * $later", f=f, later=later, k=site.number())
    site.put(home, "$later = 3", later=later)
    return site.use(home, f).then("$it(n)")


def matching(site: Site) -> Use:
    """`match` on values, classes and constants of a class."""
    home = site.home()
    shape, f = site.cls(home), site.function(home)
    site.put(
        home,
        """
        class $shape:
            __match_args__ = ("x", "y")
            ORIGIN = 0

            def __init__(self, x, y):
                self.x, self.y = x, y


        def $f(value):
            match value:
                case $shape(x=$shape.ORIGIN):
                    return "origin"
                case $shape(x, y) if x > y:
                    return ("shape", x)
                case [first, *rest]:
                    return (first, len(rest))
                case {"k": found}:
                    return found
                case str() | int():
                    return "plain"
                case _:
                    return None
        """,
        shape=shape,
        f=f,
    )
    made = site.use(home, shape)
    return site.use(home, f).then("[$it(v) for v in ($made(n, 1), items, table, text)]", made=made)


def walrus(site: Site) -> Use:
    """Assignment expressions in a condition and in a comprehension."""
    home = site.home()
    f = site.function(home)
    site.put(
        home,
        """
        def $f(values):
            if (size := len(values)) > 2:
                return size
            return [last := v for v in values], last if values else None
        """,
        f=f,
    )
    return site.use(home, f).then("$it(items)")


def wrapping_decorator(site: Site) -> Use:
    """A decorator with `functools.wraps`, plain or with arguments, from another module."""
    first, second = site.homes()
    site.std(first, "import functools")
    deco = site.function(first)
    site.put(
        first,
        """
        def $deco(function=None, *, times=2):
            if function is None:
                return lambda f: $deco(f, times=times)

            @functools.wraps(function)
            def wrapper(*args, **kwargs):
                return [function(*args, **kwargs) for _ in range(times)]

            return wrapper
        """,
        deco=deco,
    )
    reached = site.refer(first, deco, second)
    f = site.function(second)
    arguments = site.one_of(("", "(times=1)"))
    site.put(
        second,
        """
        @$deco$arguments
        def $f(x):
            "What it does."
            $effect
            return -x
        """,
        deco=reached,
        arguments=arguments,
        f=f,
        effect=site.effect("x"),
    )
    return site.use(second, f).then("($it(n), $it.__name__, $it.__doc__)")


def decorator_class(site: Site) -> Use:
    """A class used as a decorator; it counts its calls."""
    home = site.home()
    counting, f = site.cls(home), site.function(home)
    site.put(
        home,
        """
        class $counting:
            def __init__(self, function):
                self.function = function
                self.calls = 0

            def __call__(self, *args):
                self.calls += 1
                return self.function(*args), self.calls


        @$counting
        def $f(x):
            $effect
            return x
        """,
        counting=counting,
        f=f,
        effect=site.effect("x"),
    )
    return site.use(home, f).then("$it(n)")


def library_decorators(site: Site) -> Use:
    """`lru_cache`, `partial` and `contextmanager`."""
    home = site.home()
    site.std(home, "import functools")
    site.std(home, "from contextlib import contextmanager")
    slow, part, scope, f = (site.function(home) for _ in range(4))
    site.put(
        home,
        """
        @functools.lru_cache(maxsize=None)
        def $slow(x):
            print("computing", x)
            return x * x


        $part = functools.partial($slow, 3)


        @contextmanager
        def $scope(label):
            print("enter", label)
            try:
                yield label * 2
            finally:
                print("leave")


        def $f(x):
            with $scope(x) as doubled:
                return $slow(doubled) + $part()
        """,
        slow=slow,
        part=part,
        scope=scope,
        f=f,
    )
    return site.use(home, f).then("$it(n)")


def single_dispatch(site: Site) -> Use:
    """`functools.singledispatch`, with implementations that all have the name `_`."""
    home = site.home()
    site.std(home, "from functools import singledispatch")
    show = site.function(home)
    by_annotation = """
        @$show.register
        def _(value: list):
            return [$show(v) for v in value]
        """
    by_call = "$show.register(list, lambda value: [$show(v) for v in value])"
    site.put(home, '@singledispatch\ndef $show(value):\n    return "other"', show=show)
    site.put(home, '@$show.register(int)\ndef _(value):\n    return f"int {value}"', show=show)
    site.put(home, by_call if home.future else by_annotation, show=show)
    return site.use(home, show).then("$it([n, text, items])")


def mutual_recursion(site: Site) -> Use:
    """Two functions that call each other."""
    home = site.home()
    even, odd = site.function(home), site.function(home)
    site.put(home, "def $f(x):\n    return x <= 0 or $g(x - 1)", f=even, g=odd)
    site.put(home, "def $g(x):\n    return x > 0 and $f(x - 1)", f=even, g=odd)
    return site.use(home, even).then("$it(n)")


def name_in_globals(site: Site) -> Use:
    """A function found by its name in `globals()`."""
    home = site.home()
    handle, f = site.function(home), site.function(home)
    site.put(home, "def $h(x):\n    return x + 5", h=handle)
    site.put(home, 'def $f(x):\n    return globals()["$h"](x)', f=f, h=handle)
    return site.use(home, f).then("$it(n)")


def own_module_name(site: Site) -> Use:
    """`__name__`, directly and through a logger."""
    home = site.home()
    site.std(home, "import logging")
    site.settle_name(home)
    log, f = site.fresh(home, "logger"), site.function(home)
    site.put(home, "$log = logging.getLogger(__name__)", log=log)
    site.put(home, "def $f():\n    return $log.name, __name__, __name__.upper()", f=f, log=log)
    return site.use(home, f).then("$it()")


def type_checking_import(site: Site) -> Use:
    """A class imported under `TYPE_CHECKING` and used in annotations only."""
    first, second = site.homes()
    site.std(second, "from typing import TYPE_CHECKING")
    cls = site.cls(first)
    site.put(first, "class $cls:\n    size = 4", cls=cls)
    hidden = cls
    if first is not second:
        hidden = site.fresh(second, f"{cls}Type")
        second.imports.append(
            f"if TYPE_CHECKING:\n    from {first.dotted} import {cls} as {hidden}"
        )
    f = site.function(second)
    annotation = hidden if second.future or first is second else f'"{hidden}"'
    site.put(
        second,
        """
        def $f(x: $a, y: int = 2) -> $a:
            return x.size + y
        """,
        f=f,
        a=annotation,
    )
    return site.use(second, f).then("$it($cls())", cls=site.use(first, cls))


def evaluated_annotations(site: Site) -> Use:
    """`get_type_hints` of a function whose annotations are strings."""
    first, home = site.homes()
    site.std(home, "from typing import get_type_hints")
    alias = site.variable(first)
    site.put(first, "$alias = dict[str, int]", alias=alias)
    reached = site.refer(first, alias, home)
    f, g = site.function(home), site.function(home)
    site.put(home, 'def $f(x: "$alias", y: int) -> "list[$alias]":\n    pass', f=f, alias=reached)
    site.put(home, "def $g():\n    return sorted(get_type_hints($f))", f=f, g=g)
    return site.use(home, g).then("$it()")


def local_import(site: Site) -> Use:
    """A helper that imports from an earlier module when it is called."""
    first, second = site.homes()
    inner = site.function(first)
    site.put(first, "def $f(x):\n    $e\n    return x - 1", f=inner, e=site.effect("x"))
    outer = site.function(second)
    body = f"from {first.dotted} import {inner} as inner" if first is not second else "pass"
    name = inner if first is second else "inner"
    site.put(second, "def $f(x):\n    $i\n    return $g(x)", f=outer, i=body, g=name)
    return site.use(second, outer).then("$it(n)")


def import_cycle(site: Site) -> Use:
    """Two modules that import each other: at the bottom, as modules, or one when it is called."""
    one = site.neighbour(site.home())
    two = site.neighbour(one)
    f, g = site.function(one), site.function(two)
    kind = site.one_of(("bottom", "module", "lazy"))
    match kind:
        case "bottom":
            one.tail.append(f"from {two.dotted} import {g} as there")
            two.tail.append(f"from {one.dotted} import {f} as there")
            calls = "there", "there"
        case "module":
            one.imports.append(f"import {two.dotted} as peer")
            two.imports.append(f"import {one.dotted} as peer")
            calls = f"peer.{g}", f"peer.{f}"
        case _:
            two.imports.append(f"from {one.dotted} import {f} as there")
            site.put(one, "def late():\n    from $m import $g\n    return $g", m=two.dotted, g=g)
            calls = "late()", "there"
    site.put(one, "def $f(x):\n    return 0 if x < 1 else 1 + $c(x - 1)", f=f, c=calls[0])
    site.put(two, "def $g(x):\n    return 0 if x < 1 else 2 + $c(x - 1)", g=g, c=calls[1])
    entry, name = site.one_of(((one, f), (two, g)))
    return site.use(entry, name).then("$it(n)")
