"""Members that code finds by looking at objects: listed, named by texts, stored in other ways."""

from __future__ import annotations

from pathlib import Path

import pytest
from slicefunc.slicer import Repository, slice_function

from tests.slicer.small_programs import check, check_files, programs

PROGRAMS = programs(
    """\
# the width of a field is a value, too
def a_handler(): return 1
def f(): return globals()["{:{}}_handler".format("a", 1)]()

# the precision of a field is a value, too
def a_b(): return 1
def f(): return globals()["%.*s_%s" % (1, "axx", "b")]()

# a value with a star fills several fields
def do_it(): return 1
def f():
    pair = ["do", "it"]
    return globals()["{}_{}".format(*pair, "zzz")]()

# a part with a star may be none
def do(): return 1
def f(*rest): return globals()["_".join(["do", *rest])]()

# a function gives a name of the module another text
def a_one(): return 1
def a_two(): return 2
MODE = "one"
def turn():
    global MODE
    MODE = "two"
def f():
    turn()
    return globals()["a_" + MODE]()

# more texts than are followed
TABLE = [
    "n0", "n1", "n2", "n3", "n4", "n5", "n6", "n7", "n8", "n9", "n10", "n11", "n12", "n13",
    "n14", "n15", "n16", "n17", "n18", "n19", "n20", "n21", "n22", "n23", "n24", "n25", "n26",
    "n27", "n28", "n29", "n30", "n31", "n32", "n33", "n34", "n35", "n36", "n37", "n38", "n39"
]
class C:
    def do_n39(self): return 39
    def other(self): return 1
def f(): return getattr(C(), "do_" + TABLE[-1])()

# a text is taken apart
A, B = "xy"
def y_it(): return 2
def f(): return globals()[B + "_it"]()

# members of a parameter by dir
class T:
    def test_a(self): return 1
def run(t): return [getattr(t, n)() for n in dir(t) if n.startswith('test')]
def f(): return run(T())

# members of a parameter by getmembers
import inspect
class T:
    def test_a(self): return 1
def run(t): return [v() for n, v in inspect.getmembers(t, inspect.ismethod)]
def f(): return run(T())

# members of a class by getmembers
import inspect
def collect(cls): return sorted(n for n, v in inspect.getmembers(cls, inspect.isfunction))
class T:
    def x(self): return 1
def f(): return collect(T)

# members of a parameter by vars
class T:
    def test_a(self): return 1
def run(t): return [n for n in vars(t) if n[0] != '_']
def f(): return run(T)

# classes of a resolution order by vars
class B:
    def run(self):
        found = {}
        for c in reversed(type(self).__mro__):
            for n, v in vars(c).items():
                if n[:4] == 'cmd_': found[n] = v
        return sorted(found)
class M:
    def cmd_m(self): pass
class T(M, B):
    def cmd_a(self): pass
    def cmd_b(self): pass
def f(): return T().run()

# classes of a resolution order by mro
class B:
    @classmethod
    def fields(cls):
        return [n for c in cls.mro() for n in c.__dict__ if n.startswith('x')]
class T(B):
    x1 = 1
    x2 = 2
def f(): return sorted(T.fields())

# classes of a resolution order beside a member of an abstract type
from collections.abc import Sized
class B:
    def steps(self): return ['b']
class T(B):
    def steps(self): return ['t']
def make(): return T()
def walked(t): return [s for c in type(t).__mro__ if 'steps' in vars(c) for s in c.steps(t)]
def size(things: Sized): return things.__len__()
def f(): return size([1]), walked(make())

# classes of a resolution order while one is made
class B:
    def __init_subclass__(cls):
        cls.commands = [n for c in cls.__mro__ for n, v in vars(c).items() if hasattr(v, 'mark')]
def mark(g): g.mark = 1; return g
class T(B):
    @mark
    def x(self): return 1
def f(): return T.commands

# a namespace prepared by a metaclass
class NS(dict):
    def __init__(self): super().__init__(); self.order = []
    def __setitem__(self, k, v):
        if not k.startswith('_'): self.order.append(k)
        super().__setitem__(k, v)
class M(type):
    @classmethod
    def __prepare__(m, n, b): return NS()
    def __new__(m, n, b, ns):
        c = super().__new__(m, n, b, dict(ns)); c.order = ns.order; return c
class T(metaclass=M):
    x = 1
    def b(self): pass
    y = 2
def f(): return T.order

# a prepared namespace that changes what is bound
class NS(dict):
    def __setitem__(self, k, v):
        super().__setitem__(k, (self[k], v) if k == 'x' and k in self else v)
class M(type):
    @classmethod
    def __prepare__(m, n, b): return NS()
    def __new__(m, n, b, ns): return super().__new__(m, n, b, dict(ns))
class T(metaclass=M):
    x = 1
    x = 2
def f(): return T.x

# a path of members in a loop
class H:
    def ping(self): return 'h'
class C:
    def __init__(self): self.host = H()
def look(o, path):
    for p in path.split('.'): o = getattr(o, p)
    return o
def f(): return look(C(), 'host.ping')()

# a path of properties in a loop
class H:
    @property
    def name(self): return 'h'
class C:
    def __init__(self): self.host = H()
def look(o, path):
    for p in path.split('.'): o = getattr(o, p)
    return o
def f(): return look(C(), 'host.name')

# getattr handed to reduce
from functools import reduce
class H:
    @property
    def name(self): return 'h'
class C:
    def __init__(self): self.host = H()
def f(): return reduce(getattr, 'host.name'.split('.'), C())

# getattr handed to partial
from functools import partial
class T:
    def a(self): return 1
def f(): g = partial(getattr, T()); return g('a')()

# getattr handed to map
class H:
    def go(self): return 1
class C:
    def __init__(self): self.h = H()
def f():
    m = map(getattr, [C()], ['h']); return next(m).go()

# attrgetter of a computed path
from operator import attrgetter, methodcaller
class T:
    def x(self, n): return n
    @property
    def y(self): return Y()
class Y:
    @property
    def z(self): return 4
def f():
    k = 'z'
    called = list(map(methodcaller('x', 1), [T()]))
    return methodcaller('x', 3)(T()), attrgetter('y.' + k)(T()), called

# words of a text
class T:
    def a_one(self): return 1
    def a_two(self): return 2
    def both(self): return [getattr(self, n)() for n in "a_one a_two".split()]
def each(o, names): return [getattr(o, n)() for n in names]
def f(): return T().both(), each(T(), "a_one a_two".split())

# getattribute hands all on
class Real:
    def a(self): return 'z'
class Proxy:
    def __init__(self, t): object.__setattr__(self, '_t', t)
    def __getattribute__(self, n):
        return getattr(object.__getattribute__(self, '_t'), n)
def f(): return Proxy(Real()).a()

# getattribute hands some on
class H:
    def go(self): return 1
class W:
    def __init__(self, o): self.__dict__['o'] = o
    def __getattribute__(self, n):
        if n.startswith('_'): return object.__getattribute__(self, n)
        return getattr(self.__dict__['o'], n)
def f(): return W(H()).go()

# stored by setattr
class H:
    def run(self): return 1
class D:
    def run(self): return 2
class A:
    def __init__(self): self.h = D()
def setup(o):
    setattr(o, 'h', H())
def f():
    a = A(); setup(a); return a.h.run()

# stored as an item of vars
class H:
    def run(self): return 1
class D:
    def run(self): return 2
class A:
    def __init__(self): self.h = D()
def f():
    a = A(); vars(a)['h'] = H(); return a.h.run()

# stored by an update of a namespace
class H:
    def run(self): return 1
class D:
    def run(self): return 2
class A:
    def __init__(self): self.h = D()
def f():
    a = A(); a.__dict__.update(h=H()); return a.h.run()

# options stored one by one
class H:
    def run(self): return 1
class D:
    def run(self): return 2
class A:
    def __init__(self, **kw):
        self.h = D()
        for k, v in kw.items(): setattr(self, k, v)
def f():
    a = A(h=H()); return a.h.run()

# options stored in a namespace
class H:
    def run(self): return 1
class D:
    def run(self): return 2
class A:
    def __init__(self, **kw):
        self.h = D()
        self.__dict__.update(kw)
def f():
    a = A(h=H()); return a.h.run()
"""
)

MODULES = {
    "names of a module by dir": {
        "cfg.py": "MODE = 1\n",
        "m.py": """\
import cfg
def load(mod): return {k: getattr(mod, k) for k in dir(mod) if k.isupper()}
def f(): return load(cfg)
""",
    },
    "classes of a module by getmembers": {
        "cmds.py": """\
class A:
    def go(self): return 1
""",
        "m.py": """\
import cmds
from util import load
def f(): return load(cmds)
""",
        "util.py": """\
import inspect
def load(mod): return [c().go() for _, c in inspect.getmembers(mod, inspect.isclass)]
""",
    },
    "names of a module by vars": {
        "cmds.py": "def cmd_a(): return 1\n",
        "m.py": """\
import cmds
from util import load
def f(): return load(cmds)
""",
        "util.py": """\
def load(mod):
    return sorted(k for k, v in vars(mod).items() if k.startswith('cmd_') and v())
""",
    },
    "names of a star import by vars": {
        "m.py": """\
import models
def f(): return vars(models)['Mean']().go()
""",
        "mean.py": """\
class Mean:
    def go(self): return 1
""",
        "models.py": "from mean import *\n",
    },
    "names of a star import by globals": {
        "m.py": """\
from mean import *
def make(n): return globals()[n]()
def f(): return make('Mean').go()
""",
        "mean.py": """\
class Mean:
    def go(self): return 1
""",
    },
    "names of a star import by globals elsewhere": {
        "m.py": """\
from models import make
def f(): return make('Mean').go()
""",
        "mean.py": """\
class Mean:
    def go(self): return 1
""",
        "models.py": """\
from mean import *
def make(n): return globals()[n]()
""",
    },
    "names of a star import by getattr": {
        "m.py": """\
import models
def make(n): return getattr(models, n)()
def f(): return make('Mean').go()
""",
        "mean.py": """\
class Mean:
    def go(self): return 1
""",
        "models.py": "from mean import *\n",
    },
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_slice_does_the_same(name: str, tmp_path: Path) -> None:
    check(PROGRAMS[name], tmp_path)


@pytest.mark.parametrize("name", MODULES)
def test_the_slice_of_several_modules_does_the_same(name: str, tmp_path: Path) -> None:
    check_files(MODULES[name], tmp_path)


def test_what_is_listed_of_an_argument_of_the_same_class(tmp_path: Path) -> None:
    program = """
class A:
    def kinds(self, other): return [n for n in dir(other) if n.startswith("kind")]
    def kind_one(self): return 1
def f(): return A().kinds(A())
"""
    check(program, tmp_path)


def test_a_computed_name_of_a_parameter_is_one_gap(tmp_path: Path) -> None:
    (tmp_path / "m.py").write_text("def f(x, name): return getattr(x, name)\n")
    (gap,) = slice_function(Repository(tmp_path), "m.py::f").manifest.gaps
    assert gap.detail.endswith("kept members named by text in the slice")


@pytest.mark.parametrize(
    "asked",
    [
        "import inspect\ndef f(): return inspect.isabstract(Shape), inspect.isabstract(Round)\n",
        "def f(): return sorted(Shape.__abstractmethods__), sorted(Round.__abstractmethods__)\n",
    ],
)
def test_abstract_members_are_there_where_somebody_asks_for_them(
    asked: str, tmp_path: Path
) -> None:
    program = (
        "import abc\n"
        "class Shape(abc.ABC):\n"
        "    @abc.abstractmethod\n    def area(self): ...\n"
        "    @property\n    @abc.abstractmethod\n    def name(self): ...\n"
        "    def told(self): return 1\n"
        "class Round(Shape):\n    def area(self): return 3\n    name = 'round'\n"
    )
    check(program + asked, tmp_path)
