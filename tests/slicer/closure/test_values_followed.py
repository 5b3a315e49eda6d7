"""Whose method is called is found behind overrides, callbacks, containers and wrong annotations."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.slicer.small_programs import check, programs

BEFORE = """\
class G:
    def run(self): return 4
class H:
    def __init__(self, n=5): self.n = n
    def run(self): return self.n


"""
PROGRAMS = programs(
    """\
# duck io
import typing
class Tee:
    def __init__(self): self.t = []
    def write(self, s): self.t.append(s)
def dump(out: typing.TextIO): out.write("a")
def f():
    t = Tee(); dump(t); return t.t

# duck subtype
def go(h: "G"): return h.run()
def f(): return go(H())

# annot any
from typing import Any
def go(h: Any): return h.run()
def f(): return go(H())

# annot object
def go(h: object): return h.run()
def f(): return go(H())

# annot list of base
from typing import Iterable
class K(G):
    def run(self): return 9
def go(hs: Iterable[G]): return [h.run() for h in hs]
def f(): return go([K()])

# return annot lie
def make() -> G: return H()
def f(): return make().run()

# return base annot
class K(G):
    def run(self): return 9
def make() -> G: return K()
def f(): return make().run()

# local annot lie
def f():
    h: G = H()
    return h.run()

# attr annot lie
class A:
    h: G
    def __init__(self): self.h = H()
def f(): return A().h.run()

# dataclass field duck
from dataclasses import dataclass
@dataclass
class A:
    h: G
def f(): return A(H()).h.run()

# typevar
from typing import TypeVar
T = TypeVar("T")
def ident(x: T) -> T: return x
def f(): return ident(H()).run()

# generic box
from typing import Generic, TypeVar
T = TypeVar("T")
class Box(Generic[T]):
    def __init__(self, x: T): self.x = x
    def get(self) -> T: return self.x
def f(): return Box(H()).get().run()

# callable annot
from typing import Callable
def go(make: Callable[[], G]): return make().run()
def f(): return go(H)

# optional annot
from typing import Optional
def go(h: Optional[G] = None):
    return h.run() if h else 0
def f(): return go(H())

# property override
class A:
    @property
    def h(self): return G()
    def go(self): return self.h.run()
class B(A):
    @property
    def h(self): return H()
def f(): return B().go()

# method override returns
class A:
    def make(self): return G()
    def go(self): return self.make().run()
class B(A):
    def make(self): return H()
def f(): return B().go()

# abstract method
class A:
    def make(self): raise NotImplementedError
    def go(self): return self.make().run()
class B(A):
    def make(self): return H()
def f(): return B().go()

# method none
class A:
    def make(self): return None
    def go(self): return self.make().run()
class B(A):
    def make(self): return H()
def f(): return B().go()

# method pass
class A:
    def make(self): pass
    def go(self):
        m = self.make()
        return m.run() if m else None
class B(A):
    def make(self): return H()
def f(): return B().go()

# property override attr
class A:
    @property
    def h(self): return G()
    def go(self): return self.h.run()
class B(A):
    h = H()
def f(): return B().go()

# attr overrides property setter
class A:
    def __init__(self): self._h = G()
    @property
    def h(self): return self._h
    @h.setter
    def h(self, v): self._h = v
def f():
    a = A(); a.h = H()
    return a.h.run()

# instance method replaced
class A:
    def make(self): return G()
    def go(self): return self.make().run()
def f():
    a = A(); a.make = lambda: H()
    return a.go()

# class method replaced
class A:
    def make(self): return G()
    def go(self): return self.make().run()
def new(self): return H()
def f():
    A.make = new
    return A().go()

# module function replaced
def make(): return G()
def go(): return make().run()
def new(): return H()
def f():
    global make
    make = new
    return go()

# default arg override
def go(make=G): return make().run()
def f(): return go(), go(H), go(make=H)

# kwargs pass
def go(**kw): return kw["h"].run()
def f(): return go(h=H())

# args pass
def go(*a): return a[0].run(), [x.run() for x in a]
def f(): return go(H(), G())

# kwargs through
class A:
    def __init__(self, h=None, **kw): self.h = h
class B(A):
    def __init__(self, *a, **kw): super().__init__(*a, **kw)
def f(): return B(h=H()).h.run(), B(H()).h.run()

# partial
import functools
def go(h, k): return h.run() + k
def f(): return functools.partial(go, H())(1)

# closure cell
def outer(h):
    def inner(): return h.run()
    return inner
def f(): return outer(H())()

# decorator arg
import functools
def with_h(h):
    def deco(fn):
        @functools.wraps(fn)
        def wrapper(*a): return fn(h, *a)
        return wrapper
    return deco
@with_h(H())
def go(h, k): return h.run() + k
def f(): return go(1)

# generator send
def gen():
    h = yield
    yield h.run()
def f():
    g = gen(); next(g)
    return g.send(H())

# yield from
def inner(): yield H()
def outer(): yield from inner()
def f(): return [x.run() for x in outer()]

# exception attr
class E(Exception):
    def __init__(self, h): self.h = h
def boom(): raise E(H())
def f():
    try: boom()
    except Exception as e: return e.h.run()

# exception args
def boom(): raise ValueError(H())
def f():
    try: boom()
    except ValueError as e: return e.args[0].run()

# exception method
class E(Exception):
    def text(self): return "x"
def boom(): raise E()
def f():
    try: boom()
    except Exception as e: return e.text()

# exception cause
class E(Exception):
    def text(self): return "x"
def boom():
    try: raise E()
    except E as e: raise ValueError() from e
def f():
    try: boom()
    except ValueError as e: return e.__cause__.text()

# dict dispatch
TABLE = {"g": G, "h": H}
def f(): return TABLE["h"]().run()

# dict dispatch get
TABLE = {"g": G()}
TABLE["h"] = H()
def f(): return TABLE.get("h").run()

# registry deco
REG = {}
def register(name):
    def deco(cls):
        REG[name] = cls
        return cls
    return deco
@register("k")
class K:
    def run(self): return 11
def f(): return REG["k"]().run()

# init subclass registry
class Base:
    reg = {}
    def __init_subclass__(cls, name=None, **kw):
        super().__init_subclass__(**kw)
        cls.reg[name] = cls
class K(Base, name="k"):
    def run(self): return 11
def f(): return Base.reg["k"]().run()

# subclasses walk
class Base:
    name = None
class K(Base):
    name = "k"
    def run(self): return 11
def find(n):
    for c in Base.__subclasses__():
        if c.name == n: return c
def f(): return find("k")().run()

# globals lookup
def f(): return globals()["H"]().run()

# getattr delegate
class P:
    def __init__(self, h): self._h = h
    def __getattr__(self, n): return getattr(self._h, n)
def f(): return P(H()).run()

# descriptor
class D:
    def __set_name__(self, o, n): self.n = "_" + n
    def __get__(self, o, t=None): return self if o is None else getattr(o, self.n)
    def __set__(self, o, v): setattr(o, self.n, v)
class A:
    h = D()
def f():
    a = A(); a.h = H()
    return a.h.run()

# cached property
from functools import cached_property
class A:
    @cached_property
    def h(self): return H()
def f(): return A().h.run()

# lru cache
from functools import lru_cache
@lru_cache
def make(): return H()
def f(): return make().run()

# contextmanager
from contextlib import contextmanager
@contextmanager
def cm(): yield H()
def f():
    with cm() as h: return h.run()

# async with
import asyncio
class C:
    async def __aenter__(self): return H()
    async def __aexit__(self, *a): return None
async def go():
    async with C() as h: return h.run()
def f(): return asyncio.run(go())

# async gather
import asyncio
async def make(): return H()
async def go():
    a, b = await asyncio.gather(make(), make())
    return a.run() + b.run()
def f(): return asyncio.run(go())

# async iter
import asyncio
async def gen():
    yield H()
async def go(): return [h.run() async for h in gen()]
def f(): return asyncio.run(go())

# task
import asyncio
async def make(): return H()
async def go():
    t = asyncio.create_task(make())
    await t
    return t.result().run()
def f(): return asyncio.run(go())

# sorted key
def f(): return [h.run() for h in sorted([H(2), H(1)], key=lambda h: h.run())]

# max key method
def f(): return max([H(2), H(1)], key=H.run).run()

# zip enumerate
def f(): return [(i, a.run(), b.run()) for i, (a, b) in enumerate(zip([H()], [G()]))]

# dict items
def f(): return [v.run() for k, v in {"a": H()}.items()]

# chain
import itertools
def f(): return [h.run() for h in itertools.chain([H()], [G()])]

# groupby
import itertools
def f():
    groups = itertools.groupby([H(), H()], key=lambda h: h.n)
    return [(k, [h.run() for h in g]) for k, g in groups]

# reduce
import functools
def f(): return functools.reduce(lambda a, h: a + h.run(), [H(), G()], 0)

# defaultdict
from collections import defaultdict
def f():
    d = defaultdict(H)
    return d["x"].run()

# setdefault
def f(): return {}.setdefault("x", H()).run()

# deque pop
from collections import deque
def f():
    d = deque(); d.append(H())
    return d.popleft().run()

# namedtuple field
from collections import namedtuple
P = namedtuple("P", "h k")
def f(): return P(H(), 1).h.run()

# namedtuple unpack
from typing import NamedTuple
class P(NamedTuple):
    h: object
    k: int
def f():
    h, k = P(H(), 1)
    return h.run()

# star unpack
def f():
    a, *rest = [G(), H(), H()]
    return a.run(), rest[0].run(), [r.run() for r in rest]

# nested tuple
def pair(): return (1, (H(), 2))
def f():
    a, (h, b) = pair()
    return h.run()

# ternary
def f(x=1): return (H() if x else G()).run()

# or default
def f(x=None): return (x or H()).run()

# and value
def f():
    h = H()
    return (h and h.run())

# walrus
def f():
    if (h := H()): return h.run()

# match class
class P:
    __match_args__ = ("h",)
    def __init__(self, h): self.h = h
def f():
    match P(H()):
        case P(h): return h.run()

# match dict
def f():
    match {"h": H()}:
        case {"h": h}: return h.run()

# slice list
def f(): return [h.run() for h in [H(), G()][0:1]]

# list mul
def f(): return [h.run() for h in [H()] * 2]

# list add
def f(): return [h.run() for h in [H()] + [G()]]

# comp nested
def f(): return [h.run() for row in [[H()], [G()]] for h in row]

# copy
import copy
def f(): return copy.copy(H()).run(), copy.deepcopy([H()])[0].run()

# type call
def f(): return type(H())(3).run()

# class attr of instance
def f(): return H().__class__(3).run()

# cls in classmethod
class K(H):
    @classmethod
    def make(cls): return cls(3)
    def run(self): return 30
def f(): return K.make().run()

# inherited classmethod
class A:
    @classmethod
    def make(cls): return cls()
    def run(self): return 1
class B(A):
    def run(self): return 2
def f(): return B.make().run()

# super call
class A:
    def run(self): return 1
class B(A):
    def run(self): return super().run() + 1
class C(B): pass
def f(): return C().run()

# mixin
class M:
    def go(self): return self.base() + 1
class A(M):
    def base(self): return 1
def f(): return A().go()

# operator overload
class A:
    def __init__(self, n): self.n = n
    def __add__(self, o): return A(self.n + o.n)
    def get(self): return self.n
def f(): return sum([A(1), A(2)], A(0)).get()

# radd
class A:
    def __radd__(self, o): return self
    def get(self): return 3
def f(): return (1 + A()).get()

# getitem chain
class A:
    def __getitem__(self, k): return self
    def get(self): return 3
def f(): return A()["a"]["b"].get()

# call chain
class A:
    def __call__(self): return self
    def get(self): return 3
def f(): return A()()().get()

# builder
class A:
    def __init__(self): self.p = []
    def add(self, x):
        self.p.append(x); return self
    def build(self): return self.p
def f(): return A().add(1).add(2).build()

# str format attr
class P:
    def __init__(self): self.h = H()
    @property
    def v(self): return self.h.run()
def f(): return "{0.v}".format(P()), f"{P().v}"

# format map
class D(dict):
    def __missing__(self, k): return self.fill(k)
    def fill(self, k): return "<" + k + ">"
def f(): return "{x}".format_map(D())

# eq in list
class A:
    def __init__(self, n): self.n = n
    def __eq__(self, o): return self.same(o)
    def same(self, o): return self.n == o.n
def f(): return A(1) in [A(2), A(1)], [A(1)].index(A(1))

# hash in set
class A:
    def __init__(self, n): self.n = n
    def __hash__(self): return self.h()
    def h(self): return 1
    def __eq__(self, o): return self.n == o.n
def f(): return len({A(1), A(1)})

# weak
import weakref
def f():
    h = H(); r = weakref.ref(h)
    return r().run()

# thread result
import threading
def f():
    out = []
    t = threading.Thread(target=lambda: out.append(H().run()))
    t.start(); t.join()
    return out

# executor map
from concurrent.futures import ThreadPoolExecutor
def f():
    with ThreadPoolExecutor(1) as p:
        return list(p.map(lambda h: h.run(), [H()]))

# queue
import queue
def f():
    q = queue.Queue(); q.put(H())
    return q.get().run()

# singledispatch
from functools import singledispatch
@singledispatch
def go(x): return 0
@go.register
def _(x: H): return x.run()
def f(): return go(H())

# enum member method
import enum
class E(enum.Enum):
    A = 1
    def run(self): return self.value
def f(): return E["A"].run(), E(1).run(), [e.run() for e in E]

# enum value obj
import enum
class E(enum.Enum):
    A = H()
def f(): return E.A.value.run()

# late attr in init helper
class A:
    def __init__(self): self._setup()
    def _setup(self): self.h = H()
    def go(self): return self.h.run()
def f(): return A().go()

# attr via other self
class Parent:
    def __init__(self):
        self.child = Child(self)
        self.h = H()
class Child:
    def __init__(self, parent): self.parent = parent
    def go(self): return self.parent.h.run()
def f(): return Parent().child.go()

# linked list
class Node:
    def __init__(self, v, nxt=None): self.v = v; self.next = nxt
    def get(self): return self.v
def f():
    n = Node(1, Node(2, Node(3)))
    out = []
    while n is not None:
        out.append(n.get()); n = n.next
    return out

# visitor
class V:
    def visit(self, n): return getattr(self, "visit_" + type(n).__name__)(n)
    def visit_A(self, n): return 1
    def visit_B(self, n): return 2
class A: pass
class B: pass
def f(): return V().visit(A()) + V().visit(B())

# accept
class V:
    def on_a(self, n): return 1
class A:
    def accept(self, v): return v.on_a(self)
def f(): return A().accept(V())

# observer
class Bus:
    def __init__(self): self.subs = []
    def on(self, fn): self.subs.append(fn)
    def emit(self, x): return [s(x) for s in self.subs]
class L:
    def __init__(self, b): b.on(self.got)
    def got(self, x): return x + 1
def f():
    b = Bus(); L(b)
    return b.emit(1)

# strategy kwarg default none
class A:
    def __init__(self, h=None):
        if h is None: h = G()
        self.h = h
    def go(self): return self.h.run()
def f(): return A(H()).go()

# class in list instantiated
KINDS = [G, H]
def f(): return [k().run() for k in KINDS]

# isinstance branch
def go(x):
    if isinstance(x, H): return x.run()
    return 0
def f(): return go(H())

# hasattr branch
def go(x):
    if hasattr(x, "run"): return x.run()
    return 0
def f(): return go(H())

# methodcaller
import operator
def f(): return operator.methodcaller("run")(H())

# attrgetter
import operator
def f(): return operator.attrgetter("run")(H())()

# map unbound
def f(): return list(map(H.run, [H()]))

# iter protocol
class A:
    def __iter__(self): return It()
class It:
    def __init__(self): self.n = 0
    def __iter__(self): return self
    def __next__(self):
        self.n += 1
        if self.n > 2: raise StopIteration
        return self.n
def f(): return list(A()), [*A()], dict(zip(A(), A()))

# len bool
class A:
    def __len__(self): return self.size()
    def size(self): return 0
def f(): return 1 if A() else 2

# del hook
class A:
    def __delattr__(self, n): self.gone(n)
    def gone(self, n): OUT.append(n)
OUT = []
def f():
    a = A(); del a.x
    return OUT

# setattr hook
class A:
    def __setattr__(self, n, v): object.__setattr__(self, n, self.norm(v))
    def norm(self, v): return v * 2
def f():
    a = A(); a.x = 2
    return a.x
""",
    BEFORE,
)


@pytest.mark.parametrize("title", PROGRAMS)
def test_what_runs_is_kept(title: str, tmp_path: Path) -> None:
    check(PROGRAMS[title], tmp_path)
