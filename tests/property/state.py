"""Ingredients made of module-level state: how it is bound, changed, and read back.

Written like those of `functions.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.property.model import Module, Use
    from tests.property.site import Site

CALLED_LAMBDA = "$X = []\n(lambda: $X.append($k))()"
METHOD_OF_THE_CLASS = "$X = {}\ndict.update($X, a=$k)"
STORED_METHOD = "$X = []\n${X}_add = $X.append\n${X}_add($k)"

BINDINGS = (
    "$X = $k",
    "$X: int = $k",
    "$X: int\n$X = $k",
    "$X = $k\n$X = $X + 1",
    "$X = $k\n$X += 2",
    "$X, ${X}_rest = $k, [1, 2]",
    "${X}_first, *$X = 1, 2, $k",
    "$X = ${X}_also = [$k]\n${X}_also.append(2)",
    "[($X := v) for v in (1, 2, $k)]",
    "if ($X := $k) > 4:\n    $X = 4",
    "if $k > 4:\n    $X = 'many'\nelse:\n    $X = 'few'",
    "if $k > 4:\n    def $X(): return 1\nelse:\n    def $X(): return 2\n$X = $X()",
    "try:\n    $X = [1, 2][$k]\nexcept IndexError:\n    $X = -1",
    "try:\n    $X = int('1')\nfinally:\n    ${X}_done = True",
    "try:\n    $X = {}['missing']\nexcept KeyError as error:\n"
    "    $X = str(error)\nelse:\n    $X = 0",
    "for $X in range($k + 1):\n    pass",
    "for ${X}_i, $X in enumerate('abc'):\n    if ${X}_i == 1:\n        break",
    "$X = 0\nfor ${X}_i in range(3):\n    $X += ${X}_i",
    "$X = 0\nwhile $X < $k:\n    $X += 2",
    "import contextlib\nwith contextlib.nullcontext($k) as $X:\n    pass",
    "match $k:\n    case 0 | 1:\n        $X = 'small'\n    case $X:\n        pass",
    "$X = {i: i * $k for i in range(3)}",
    "$X = $k; ${X}_b = $X; $X = ${X}_b * 2",
    "$X = 1\ndel $X\n$X = $k",
    "def $X():\n    return $k\n$X = $X()",
    "def $X():\n    return $k\n${X}_old = $X\ndef $X():\n    return ${X}_old() + 1\n$X = $X()",
    "class ${X}_space:\n    inner = $k\n$X = ${X}_space.inner",
    "globals()['$X'] = $k",
    "$X = [$k]\n$X.append(5)",
    "$X = [$k]\n$X[0] = 9; $X += [3]",
    "$X = [1, 2, 3]\ndel $X[0]",
    "$X = {}\n$X['a'] = $k; $X.setdefault('b', 2)",
    "$X = {}\n$X.update(a=$k)",
    "$X = {'a': []}\n$X['a'].append($k)",
    "$X = []\n${X}_alias = $X\n${X}_alias.append($k)",
    STORED_METHOD,
    "$X = [3, 1, $k]\n$X.sort()",
    "$X = set()\n$X |= {$k}\n$X = sorted($X)",
    "$X = []\nfor ${X}_i in range(3):\n    $X.append(${X}_i)",
    "$X = []\ndef ${X}_fill(into):\n    into.append($k)\n${X}_fill($X)",
    "$X = []\ndef ${X}_fill():\n    $X.append($k)\n${X}_fill()",
    "$X = None\ndef ${X}_set():\n    global $X\n    $X = $k\n${X}_set()",
    "def ${X}_set():\n    global $X\n    $X = $k\n${X}_set()",
    "$X = []\ndef ${X}_fill(v, into=$X):\n    into.append(v)\n${X}_fill($k)",
    CALLED_LAMBDA,
    METHOD_OF_THE_CLASS,
    "$X = []\n_ = [$X.append(i) for i in range(3)]",
)
"""Texts that bind `$X` at module level, once or several times, or change what it holds."""


SUFFIXES = (
    "rest",
    "first",
    "also",
    "done",
    "i",
    "b",
    "old",
    "space",
    "alias",
    "add",
    "fill",
    "set",
)


def _bound_somehow(site: Site, home: Module) -> str:
    """A variable of `home` that is bound in one of the ways of `BINDINGS`."""
    x = site.variable(home)
    for suffix in SUFFIXES:
        home.bind(f"{x}_{suffix}")
    home.bind("contextlib", shared=True)
    home.bind("error")
    site.put(home, site.one_of(BINDINGS), X=x, k=site.number())
    return x


def module_variable(site: Site) -> Use:
    """A variable bound in any way, read through a function."""
    home = site.home()
    x, f = _bound_somehow(site, home), site.function(home)
    site.put(home, "def $f():\n    return $x", f=f, x=x)
    return site.use(home, f).then("$it()")


def imported_variable(site: Site) -> Use:
    """A variable bound in any way, and read where it was imported."""
    home = site.home()
    return site.use(home, _bound_somehow(site, home))


def computed_constant(site: Site) -> Use:
    """A constant whose initialiser calls a function of an earlier module, which may print."""
    first, second = site.homes()
    f = site.function(first)
    noise = site.one_of(("pass", 'print("at import")'))
    site.put(first, "def $f(x):\n    $noise\n    return [x] * 2", f=f, noise=noise)
    reached = site.refer(first, f, second)
    x = site.variable(second)
    site.put(second, "$x = $f($k)", x=x, f=reached, k=site.number())
    return site.use(second, x)


def counter(site: Site) -> Use:
    """A global that a function counts up."""
    home = site.home()
    x, f, g = site.variable(home), site.function(home), site.function(home)
    site.put(home, "$x = $k", x=x, k=site.number())
    site.put(home, "def $f():\n    global $x\n    $x += 1\n    return $x", f=f, x=x)
    site.put(home, "def $g():\n    return $x", g=g, x=x)
    peek = site.use(home, g)
    return site.use(home, f).then("($it(), $it(), $peek())", peek=peek)


def remembered_arguments(site: Site) -> Use:
    """A module-level cache that calls fill."""
    home = site.home()
    cache, f = site.variable(home), site.function(home)
    site.put(home, "$cache = {}", cache=cache)
    site.put(
        home,
        """
        def $f(x):
            if x not in $cache:
                $effect
                $cache[x] = len($cache)
            return dict($cache)
        """,
        f=f,
        cache=cache,
        effect=site.effect("x"),
    )
    return site.use(home, f).then("$it(n)")


def decorator_registry(site: Site) -> Use:
    """Functions that a decorator registers, and that nobody names."""
    first, second = site.homes()
    table, register = site.variable(first), site.function(first)
    site.put(first, "$table = {}", table=table)
    site.put(
        first,
        """
        def $register(key):
            def add(function):
                $table[key] = function
                return function
            return add
        """,
        table=table,
        register=register,
    )
    if first is not second:
        site.put(first, '@$register("early")\ndef registered_early(x):\n    return x',
                 register=register)  # fmt: skip
        first.bind("registered_early")
    reached = site.refer(first, register, second)
    f, g = site.function(second), site.function(second)
    site.put(
        second, '@$r("late")\ndef $g(x):\n    $e\n    return -x', r=reached, g=g, e=site.effect("x")
    )
    known = site.refer(first, table, second)
    site.put(second, "def $f(x):\n    return {k: $t[k](x) for k in sorted($t)}", f=f, t=known)
    return site.use(second, f).then("$it(n)")


def plugin_registry(site: Site) -> Use:
    """Functions that a module registers which is imported for nothing else."""
    home = site.home()
    table = site.variable(home)
    site.put(home, "$table = {}", table=table)
    f = site.function(home)
    site.put(home, "def $f(x):\n    return {k: $t[k](x) for k in sorted($t)}", f=f, t=table)
    if home is not site.target:
        plugin = site.neighbour(home)
        change = site.one_of(
            (
                "from $home import $t\n\n$t['one'] = lambda x: x + 1",
                "import $home as core\n\ncore.$t['one'] = lambda x: x + 1",
                "from $home import $t\n\ndef one(x):\n    return x\n\n$t.update(one=one)",
                "from $home import $t as known\n\ndef add():\n    known['one'] = str\n\nadd()",
            )
        )
        site.put(plugin, change, home=home.dotted, t=table)
        site.load(plugin, site.target)
    return site.use(home, f).then("$it(n)")


def module_never_imported(site: Site) -> Use:
    """A module that changes a table, but that nothing imports."""
    home = site.home()
    table = site.variable(home)
    site.put(home, "$table = {'a': 1}", table=table)
    stray = site.neighbour(home)
    site.put(stray, "from $home import $t\n\n$t['stray'] = 2", home=home.dotted, t=table)
    return site.use(home, table).then("dict($it)")


def written_through_module(site: Site) -> Use:
    """`config.X` read in one module and written from another, when called or when imported."""
    first, second = site.homes()
    x, read = site.variable(first), site.function(first)
    site.put(first, "$x = $k", x=x, k=site.number())
    site.put(first, "def $read():\n    return $x", read=read, x=x)
    if first is second:
        site.std(second, "import sys")
        config = "sys.modules[__name__]"
    else:
        config = site.fresh(second, "config")
        second.imports.append(f"import {first.dotted} as {config}")
    at_import = site.flag()
    if at_import:
        site.put(second, "$c.$x = 40", c=config, x=x)
    write = site.function(second)
    site.put(second, "def $w(value):\n    $c.$x = value\n    return $c.$x", w=write, c=config, x=x)
    reader = site.use(first, read)
    return site.use(second, write).then("($read(), $it(n), $read())", read=reader)


def filled_by_function(site: Site) -> Use:
    """An object that a function of the module fills with `setattr` while the module loads."""
    home = site.home()
    codes, cls, fill = site.variable(home), site.cls(home), site.function(home)
    site.put(home, "class $cls:\n    pass", cls=cls)
    site.put(home, "$codes = $cls()", codes=codes, cls=cls)
    call = site.one_of(("$fill()", "if True:\n    $fill()", "for _ in range(1):\n    $fill()"))
    site.put(
        home,
        """
        def $fill():
            for number, name in enumerate(("ok", "missing")):
                setattr($codes, name, number)
        """,
        fill=fill,
        codes=codes,
    )
    site.put(home, call, fill=fill)
    return site.use(home, codes).then("vars($it)")


def through_alias(site: Site) -> Use:
    """A table object that is changed through a bound method and through another name."""
    home = site.home()
    cls, table = site.cls(home), site.variable(home)
    site.put(
        home,
        """
        class $cls:
            def __init__(self):
                self.known = {}

            def register(self, key, function=None):
                if function is None:
                    return lambda f: self.register(key, f)
                self.known[key] = function
                return function

            def unused(self):
                return None
        """,
        cls=cls,
    )
    site.put(home, "$table = $cls()", table=table, cls=cls)
    change = site.one_of(
        (
            "$table.register('a', len)",
            "@$table.register('a')\ndef ${table}_one(x):\n    return len(x)",
            "${table}_reg = $table.register\n${table}_reg('a', len)",
            "${table}_same = $table\n${table}_same.register('a', len)",
            "for ${table}_key in ('a', 'b'):\n    $table.register(${table}_key, len)",
            "$table.known['a'] = len",
            "$table.known.update(a=len)",
            "def ${table}_go(where):\n    where.register('a', len)\n${table}_go($table)",
        )
    )
    for suffix in ("one", "reg", "same", "key", "go"):
        home.bind(f"{table}_{suffix}")
    site.put(home, change, table=table)
    return site.use(home, table).then("{k: f(items) for k, f in $it.known.items()}")


def two_meanings(site: Site) -> Use:
    """One name bound to two different things in two modules."""
    first, second = site.homes()
    f, g = site.function(first), site.function(second)
    if first is not second and not first.taken("datetime") and not second.taken("datetime"):
        first.bind("datetime")
        second.bind("datetime")
        first.imports.append("import datetime")
        second.imports.append("from datetime import datetime")
        site.put(first, "def $f():\n    return datetime.datetime(2020, 1, 2).day", f=f)
        site.put(second, "def $g():\n    return datetime(2020, 1, 2).year", g=g)
    else:
        site.put(first, "def $f():\n    return 'first'", f=f)
        site.put(second, "def $g():\n    return 'second'", g=g)
    one = site.use(first, f)
    return site.use(second, g).then("($one(), $it())", one=one)


def lazy_module_attribute(site: Site) -> Use:
    """A module with `__getattr__`."""
    home = site.neighbour(site.home())
    site.put(
        home,
        """
        def make_lazy(name):
            return name * 2


        def __getattr__(name):
            if name.startswith("lazy_"):
                print("making", name)
                return make_lazy(name)
            raise AttributeError(name)
        """,
    )
    site.target.imports.append(f"import {home.dotted} as {(alias := site.fresh(site.target, 'm'))}")
    return site.use(home, "make_lazy").then(f"({alias}.lazy_thing, $it(text))")


def changed_class(site: Site) -> Use:
    """A class that gets attributes and methods after its body, there or in another module."""
    first, second = site.homes()
    cls = site.cls(first)
    site.put(first, "class $cls:\n    level = 1\n\n    def show(self):\n        return self.level",
             cls=cls)  # fmt: skip
    change = site.one_of(
        (
            "$cls.level = 2",
            "$cls.show = lambda self: 'patched'",
            "def ${f}(self):\n    return 'patched', self.level\n\n\n$cls.show = $f",
            "setattr($cls, 'level', 3)",
            "for ${f} in ('a', 'b'):\n    setattr($cls, ${f}, 1)",
            "$cls.level += 5",
        )
    )
    reached = site.refer(first, cls, second)
    site.put(second, change, cls=reached, f=site.function(second))
    make = site.function(second)
    site.put(second, "def $make():\n    return $cls()", make=make, cls=reached)
    return site.use(second, make).then("($it().show(), $it().level, hasattr($it(), 'a'))")


def own_module_object(site: Site) -> Use:
    """A constant read through `sys.modules[__name__]`."""
    home = site.home()
    site.std(home, "import sys")
    x, f = site.variable(home), site.function(home)
    site.put(home, "$x = $k", x=x, k=site.number())
    site.put(home, 'def $f():\n    return getattr(sys.modules[__name__], "$x")', f=f, x=x)
    return site.use(home, f).then("$it()")
