"""Ingredients whose point is how the receiver of a method call can be known, and data files.

Written like those of `functions.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.property.model import Module, Use
    from tests.property.site import Site

WORKER = """
    class $C:
        shared = None

        def __init__(self, x, part=None):
            self.x = x
            self.part = part

        def work(self, by=1):
            $effect
            return self.step() * by

        def step(self):
            return self.x + 1

        def clone(self):
            return type(self)(self.x, self.part)

        @classmethod
        def make(cls, x):
            return cls(x)

        def __enter__(self):
            return self

        def __exit__(self, *_error):
            return False

        @property
        def level(self):
            return self.step() - 1

        def unused(self):
            return missing_name
    """

RECEIVERS = (
    "def $f(x):\n    return $C(x).work()",
    "def $f(x):\n    it = $C(x)\n    return it.work(), it.level",
    "def $f(x):\n    it = $C.make(x).clone()\n    return it.work()",
    "def $f(x):\n    with $C(x) as it:\n        return it.work()",
    "def $f(x):\n    return [it.work() for it in [$C(x), $C(1)]]",
    "def $f(x):\n    return [it.work() for it in map($C, (x, 1))]",
    "def $f(x):\n    a, b = $C(x), $C(2)\n    return a.work() - b.work()",
    "def $f(x):\n    it = {'k': $C(x)}\n    return it['k'].work()",
    "def $f(x):\n    (it := $C(x))\n    return it.work()",
    "def $f(x, it=$C(5)):\n    return it.work(x)",
    "def $f(x):\n    it = $C(x, $C(2))\n    return it.part.work()",
    "def $f(x):\n    work = $C(x).work\n    return work(2)",
    "def $f(x):\n    return $C.work($C(x))",
    "def $f(x):\n    it = None\n    if it is None:\n        it = $C(x)\n    return it.work()",
    "def $f(x):\n    return max([$C(x), $C(2)], key=lambda it: it.work()).x",
    "def $f(x):\n    return sorted(($C(2), $C(x)), key=$C.step)[0].x",
    "def $f(x):\n    import operator\n    return operator.methodcaller('work', 3)($C(x))",
    "def $f(x):\n    import operator\n    return operator.attrgetter('part.level')($C(1, $C(x)))",
    "def $f(x):\n    import functools\n    return functools.partial($C, x)().work()",
    "def $f(x):\n    import functools\n    return functools.partial($C.work, by=2)($C(x))",
    "def $f(x):\n    return getattr($C(x), 'work')()",
    "def $f(x):\n    return getattr($C(x), 'wo' + 'rk')()",
    "def $f(x):\n    def inner(it):\n        return it.work()\n    return inner($C(x))",
    "def $f(x):\n    kind = $C if x else type($C(0))\n    return kind(x).work()",
    "def ${f}_give(x):\n    yield $C(x)\ndef $f(x):\n    return [it.work() for it in ${f}_give(x)]",
    "def ${f}_give(x) -> '$C':\n    return $C(x)\ndef $f(x):\n    return ${f}_give(x).work()",
    "def ${f}_give(x):\n    return {'it': [$C(x)]}\ndef $f(x):\n"
    "    return ${f}_give(x)['it'][0].work()",
    "def ${f}_call(it, how):\n    return how(it)\ndef $f(x):\n"
    "    return ${f}_call($C(x), lambda it: it.work())",
    "def ${f}_call(it):\n    return it.work()\ndef $f(x):\n    return ${f}_call($C(x))",
    "def ${f}_call(it):\n    if isinstance(it, $C):\n        return it.work()\ndef $f(x):\n"
    "    return ${f}_call($C(x))",
    "${f}_it = $C(4)\ndef $f(x):\n    return ${f}_it.work(x)",
    "${f}_all = [$C(4), $C(5)]\ndef $f(x):\n    return sum(it.work(x) for it in ${f}_all)",
    "${f}_work = $C(4).work\ndef $f(x):\n    return ${f}_work(x)",
    "$C.shared = $C(7)\ndef $f(x):\n    return $C.shared.work(x)",
    "class ${f}_box:\n    def __init__(self, it):\n        self.it = it\n\n    def go(self):\n"
    "        return self.it.work()\ndef $f(x):\n    return ${f}_box($C(x)).go()",
    "class ${f}_box:\n    kind = $C\n\n    def go(self, x):\n        return self.kind(x).work()\n"
    "def $f(x):\n    return ${f}_box().go(x)",
    "class ${f}_box:\n    it: '$C'\n\n    def go(self):\n        return self.it.work()\n"
    "def $f(x):\n    box = ${f}_box()\n    box.it = $C(x)\n    return box.go()",
    "class ${f}_sub($C):\n    def step(self):\n        return super().step() + 100\n"
    "def ${f}_go(it: $C):\n    return it.work()\ndef $f(x):\n    return ${f}_go(${f}_sub(x))",
    "class ${f}_sub($C):\n    work = $C.clone\ndef $f(x):\n    return ${f}_sub(x).work().x",
    "class ${f}_sub($C):\n    def __getattribute__(self, name):\n"
    "        return object.__getattribute__(self, name)\ndef $f(x):\n    return ${f}_sub(x).work()",
    "class ${f}_sub($C):\n    def __new__(cls, *args):\n        it = super().__new__(cls)\n"
    "        it.extra = 1\n        return it\ndef $f(x):\n    return ${f}_sub(x).extra",
    "class ${f}_front:\n    def __init__(self, it):\n        self._it = it\n\n"
    "    def __getattr__(self, name):\n        return getattr(self._it, name)\n"
    "def $f(x):\n    return ${f}_front($C(x)).work()",
    "def $f(x):\n    return [m for m in ('work', 'step', 'nothing') if hasattr($C, m)]",
    "def $f(x):\n    return sorted(n for n in vars($C(x)))",
    "def $f(x):\n    match $C(x):\n        case $C(x=v, level=w):\n            return v, w",
    "def $f(x):\n    try:\n        return $C(x).missing\n    except AttributeError as error:\n"
    "        return str(error).split()[-1]",
)
"""Texts that define `$f(x)`, which calls methods of `$C`."""


def receiver(site: Site) -> Use:
    """A method call on an object that has come there in one of many ways."""
    first, second = site.homes()
    cls = site.cls(first)
    site.put(first, WORKER, C=cls, effect=site.effect("by"))
    return _with_receiver(site, second, site.refer(first, cls, second))


def _with_receiver(site: Site, home: Module, cls: str) -> Use:
    f = site.function(home)
    for suffix in ("give", "call", "it", "all", "work", "box", "sub", "go", "front"):
        home.bind(f"{f}_{suffix}")
    site.put(home, site.one_of(RECEIVERS), f=f, C=cls)
    return site.use(home, f).then("$it(n)")


def data_file(site: Site) -> Use:
    """A data file read when the module is imported, or when a function is called."""
    home = site.home()
    folder = home.path.rpartition("/")[0]
    site.files.append((f"{folder}/values.json".lstrip("/"), b'{"a": [1, 2]}\n'))
    site.std(home, "import json")
    site.std(home, "from pathlib import Path")
    read = 'json.loads((Path(__file__).parent / "values.json").read_text())'
    if home.package and site.flag():
        site.std(home, "from importlib import resources")
        package = ".".join(home.package)
        read = f'json.loads(resources.files("{package}").joinpath("values.json").read_text())'
    x, f = site.variable(home), site.function(home)
    if site.flag():
        site.put(home, "$x = $read", x=x, read=read)
        site.put(home, "def $f():\n    return $x", f=f, x=x)
    else:
        site.put(home, "def $f():\n    return $read", f=f, read=read)
    return site.use(home, f).then("$it()")


def path_hack(site: Site) -> Use:
    """A module that puts a folder on `sys.path` and imports from there."""
    home = site.home()
    near = site.neighbour(home, "vendored")
    f = site.function(near)
    site.put(near, "def $f(x):\n    $e\n    return x", f=f, e=site.effect("x"))
    stem = near.parts[-1]
    site.std(home, "import os")
    site.std(home, "import sys")
    folder = "os.path.join(os.path.dirname(os.path.abspath(__file__)), 'vendored')"
    site.put(home, f"sys.path.insert(0, {folder})")
    g = site.function(home)
    site.put(home, "from $stem import $f as $g", stem=stem, f=f, g=g)
    return site.use(home, g).then("$it(n)")


def shadowed_submodule(site: Site) -> Use:
    """A package that binds a function under the name of the sub-module which defines it."""
    home = site.home()
    near = site.neighbour(home)
    stem = near.parts[-1]
    site.put(near, "def $f(x):\n    $e\n    return x + 30", f=stem, e=site.effect("x"))
    fronts = [m for m in site.modules if m.is_package and m.parts == near.parts[:-1]
              and site.target.parts[: len(m.parts)] != m.parts]  # fmt: skip
    if not fronts:
        return site.use(near, stem).then("$it(n)")
    fronts[0].tail.append(f"from .{stem} import {stem}")
    return site.use(fronts[0], stem).then("$it(n)")
