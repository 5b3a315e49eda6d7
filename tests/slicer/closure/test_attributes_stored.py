"""What becomes an attribute is found again by whoever reads it, wherever it was stored."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.slicer.small_programs import check, check_files, programs

PROGRAMS = programs(
    """\
# in the place of what lies outside
import queue
class Reader:
    def __init__(self): self.lines = queue.Queue()
    def read(self): return self.lines.get_nowait()
class Lines:
    def get_nowait(self): return "line"
def f():
    reader = Reader()
    reader.lines = Lines()
    return reader.read()

# a base that is a parameter
class Base:
    @classmethod
    def create(cls): return cls.__name__
    def say(self): return "said"
def mix(base):
    class Local(base):
        def more(self): return self.say()
    return Local
class Mixed(mix(Base)): pass
def louder(cls):
    class Wrapped(cls):
        def loud(self): return self.say() + "!"
    return Wrapped
@louder
class Plain:
    def say(self): return "plain"
def f(): return Mixed.create(), Mixed().say(), mix(Base)().more(), Plain().loud()

# a class that a function makes once
class Base:
    def say(self): return "said"
MADE = {}
def make(key):
    found = MADE.get(key)
    if found is not None:
        return found
    class Local(Base): pass
    MADE[key] = Local
    return Local
def f(): return make(1)().say()

# fields without annotations
import attr, attrs
class Reader:
    def read(self): return 3
@attr.s
class Old:
    reader = attr.ib()
@attrs.define
class New:
    reader = attrs.field(factory=Reader)
    _other = attrs.field()
    @_other.default
    def _make(self): return Reader()
    def both(self): return self.reader.read(), self._other.read()
def f(): return Old(Reader()).reader.read(), New().both()

# classmethod store
class S:
    inst = None
    @classmethod
    def get(cls):
        if cls.inst is None:
            cls.inst = cls()
            cls.inst.setup()
        return cls.inst
    def setup(self): self.x = 1
def f(): return S.get().x

# new singleton
class S:
    inst = None
    def __new__(cls):
        if cls.inst is None:
            cls.inst = super().__new__(cls)
            cls.inst.setup()
        return cls.inst
    def setup(self): self.x = 1
def f(): return S().x

# static store
class H:
    def run(self): return 5
class S:
    handler = None
def prepare(): S.handler = H()
def f():
    prepare()
    return S.handler.run()

# other store on instance
class H:
    def run(self): return 5
class A:
    def __init__(self): self.h = None
def prepare(a): a.h = H()
def f():
    a = A(); prepare(a)
    return a.h.run()

# other store over typed
class G:
    def run(self): return 4
class H:
    def run(self): return 5
class A:
    def __init__(self): self.h = G()
def prepare(a): a.h = H()
def f():
    a = A(); prepare(a)
    return a.h.run()

# other store class default
class G:
    def run(self): return 4
class H:
    def run(self): return 5
class A:
    h = G()
def f():
    a = A(); a.h = H()
    return a.h.run()

# class attr replaced
class G:
    def run(self): return 4
class H:
    def run(self): return 5
class A:
    cls = G
def f():
    A.cls = H
    return A.cls().run()

# setattr store
class H:
    def run(self): return 5
class A:
    h = None
def f():
    a = A(); setattr(a, "h", H())
    return a.h.run()

# dict store
class H:
    def run(self): return 5
class A:
    h = None
def f():
    a = A(); a.__dict__["h"] = H()
    return a.h.run()

# dict update
class H:
    def run(self): return 5
class A:
    h = None
    def __init__(self, **kw): self.__dict__.update(kw)
def f():
    return A(h=H()).h.run()

# module attr
class H:
    def run(self): return 5
current = None
def prepare():
    global current
    current = H()
def f():
    prepare()
    return current.run()

# subclass override attr
class G:
    def run(self): return 4
class H:
    def run(self): return 5
class A:
    kind = G
    def go(self): return self.kind().run()
class B(A):
    kind = H
def f(): return B().go()

# subclass store
class H:
    def run(self): return 5
class A:
    h = None
    def go(self): return self.h.run()
class B(A):
    def __init__(self): self.h = H()
def f(): return B().go()

# subclass store over
class G:
    def run(self): return 4
class H:
    def run(self): return 5
class A:
    def __init__(self): self.h = G()
    def go(self): return self.h.run()
class B(A):
    def __init__(self):
        super().__init__()
        self.h = H()
def f(): return B().go()

# mro getattr
class A:
    m = {"a": 1}
    def all(self):
        r = {}
        for c in reversed(self.__class__.__mro__):
            r.update(getattr(c, "m", {}))
        return r
class B(A):
    m = {"b": 2}
class C(B): pass
def f(): return C().all()

# mro attr type
class A:
    m = ["a"]
    def all(self):
        return [x for c in type(self).__mro__ if hasattr(c, "m") for x in c.m]
class B(A):
    m = ["b"]
def f(): return B().all()

# mro dict
class A:
    m = ["a"]
    def all(self):
        r = []
        for c in type(self).mro():
            if "m" in c.__dict__: r += c.__dict__["m"]
        return r
class B(A):
    m = ["b"]
def f(): return B().all()

# mro vars
class A:
    m = ["a"]
    @classmethod
    def all(cls):
        r = []
        for c in cls.__mro__:
            r += vars(c).get("m", [])
        return r
class B(A):
    m = ["b"]
def f(): return B.all()

# bases loop
class A:
    m = ["a"]
class B(A):
    m = ["b"]
    @classmethod
    def all(cls):
        return [b.m for b in cls.__bases__]
def f(): return B.all()

# subclasses
class A:
    m = ["a"]
    @classmethod
    def all(cls):
        return [b.m for b in cls.__subclasses__()]
class B(A):
    m = ["b"]
def f(): return A.all()

# super attr
class A:
    m = ["a"]
class B(A):
    m = ["b"]
    def all(self): return super().m + self.m
def f(): return B().all()

# meta call
class Meta(type):
    def __call__(cls, key, **kw): return type.__call__(cls, key, 1)
class Tag(metaclass=Meta):
    def __init__(self, key, more): self.k = (key, more)
def make(cls, *a): return cls(*a)
def f(): return make(Tag, "x").k

# meta call table
class Meta(type):
    known = {}
    def __init__(cls, name, bases, d):
        if getattr(cls, "word", None): cls.known[cls.word] = cls
    def __call__(cls, key, **kw):
        c = cls.known[key]
        return type.__call__(c, key, 1)
class Tag(metaclass=Meta):
    def __init__(self, key, more): self.k = (key, more)
class Sub(Tag):
    word = "sub"
    def run(self): return 7
class P:
    def add(self, cls, *a, **kw):
        kw.setdefault("z", 1)
        node = cls(*a, **kw)
        return node
def f(): return P().add(Tag, "sub").run()

# meta call finds another class
class Meta(type):
    known = {}
    def __init__(cls, name, bases, d):
        if getattr(cls, "word", None): cls.known[cls.word] = cls
    def __call__(cls, key): return type.__call__(cls.known[key], key)
class Tag(metaclass=Meta):
    def __init__(self, key, more): self.k = (key, more)
class Sub(Tag):
    word = "sub"
    def __init__(self, key): self.k = key
def f(): return Tag("sub").k

# annot class attr
from typing import ClassVar, Optional
class S:
    inst: ClassVar[Optional["S"]] = None
    @classmethod
    def get(cls):
        if not cls.inst: cls.inst = cls()
        return cls.inst
    def setup(self): return 1
def f(): return S.get().setup()

# list default attr
class H:
    def run(self): return 5
class A:
    items = []
def f():
    A.items.append(H())
    return A.items[0].run()

# dict attr outside
class H:
    def run(self): return 5
class A:
    def __init__(self): self.items = {}
def put(a): a.items["h"] = H()
def f():
    a = A(); put(a)
    return a.items["h"].run()

# dict attr get
class H:
    def run(self): return 5
class A:
    def __init__(self): self.items = {}
    def add(self, k, v): self.items.setdefault(k, []).append(v)
def f():
    a = A(); a.add("x", H())
    return a.items.get("x")[0].run()

# name literal attr
class A:
    NAME = "base"
    def reg(self): return self.NAME
class B(A):
    NAME: str = "html"
def use(r):
    if r.NAME == "html": return r.reg()
def f(): return use(B())

# tuple swap
class G:
    def run(self): return 4
class H:
    def run(self): return 5
def f():
    a, b = G(), H()
    a, b = b, a
    return a.run(), b.run()

# cached attr
class H:
    def run(self): return 5
class A:
    _h = None
    @property
    def h(self):
        if self._h is None:
            self._h = H()
        return self._h
def f(): return A().h.run()

# with as self
class H:
    def run(self): return 5
    def __enter__(self): return self
    def __exit__(self, *a): return None
class A:
    h = None
def f():
    a = A()
    with H() as a.h:
        return a.h.run()

# for attr
class H:
    def run(self): return 5
class A:
    h = None
def f():
    a = A()
    for a.h in [H()]: pass
    return a.h.run()

# walrus default param
class H:
    def run(self): return 5
def g(h=None):
    h = h or H()
    return h.run()
def f(): return g()

# default none param called elsewhere
class H:
    def run(self): return 5
def g(h=None):
    if h is not None: return h.run()
def f(): return g(H()), g(h=H())

# global list
class H:
    def run(self): return 5
STACK = []
def push(): STACK.append(H())
def f():
    push()
    return STACK[-1].run(), STACK.pop().run()

# instance default none annot
class H:
    def run(self): return 5
class A:
    h: "H | None" = None
def f():
    a = A(); a.h = H()
    return a.h.run()

# slots state
class H:
    def run(self): return 5
class A:
    __slots__ = ("h",)
def f():
    a = A(); a.h = H()
    return a.h.run()

# object setattr
class H:
    def run(self): return 5
class A:
    h = None
    def __init__(self): object.__setattr__(self, "h", H())
def f(): return A().h.run()

# metaclass attr store
class H:
    def run(self): return 5
class M(type):
    h = None
    def __init__(cls, *a):
        super().__init__(*a)
        cls.h = H()
class A(metaclass=M):
    h = None
def f(): return A.h.run()

# init subclass store
class H:
    def run(self): return 5
class A:
    h = None
    def __init_subclass__(cls): cls.h = H()
class B(A): pass
def f(): return B.h.run(), B().h.run()

# decorator store
class H:
    def run(self): return 5
def deco(cls):
    cls.h = H()
    return cls
@deco
class A:
    h = None
def f(): return A.h.run()

# function attr
class H:
    def run(self): return 5
def g(): return g.h.run()
g.h = None
def f():
    g.h = H()
    return g()

# nonlocal store
class H:
    def run(self): return 5
def f():
    h = None
    def put():
        nonlocal h
        h = H()
    put()
    return h.run()

# module other file
class H:
    def run(self): return 5
class Conf:
    h = None
conf = Conf()
def f():
    conf.h = H()
    return use()
def use(): return conf.h.run()

# annot wrong default
class G:
    def run(self): return 4
class H:
    def run(self): return 5
class A:
    def __init__(self, h: G): self.h = h
def f(): return A(H()).h.run()

# in place, of an instance
class A:
    def __add__(self, other): return B()
class B:
    def go(self): return 'b'
class H:
    def __init__(self): self.x = A()
def f():
    h = H(); h.x += 1
    return h.x.go()

# in place, through a parameter
class Money:
    def __init__(self, n): self.n = n
    def __add__(self, other): return Total(self.n + other)
class Total(Money):
    def show(self): return f'{self.n}'
class Account:
    def __init__(self): self.held = Money(0)
def pay(account, n): account.held += n
def f():
    account = Account(); pay(account, 2); pay(account, 3)
    return account.held.show()

# an in-place method that gives another object
class Empty:
    def fire(self): return 'none'
class Signal:
    def __iadd__(self, other): return self
    def __isub__(self, other): return Empty()
    def fire(self): return 'some'
class Button:
    def __init__(self): self.clicked = Signal()
def f():
    button = Button(); button.clicked += 1; button.clicked -= 1
    return button.clicked.fire()

# a state that gives the next one
class Draw:
    def advance(self): return Play()
class Play:
    def advance(self): return End()
class End:
    def finish(self): return 'done'
class Game:
    def __init__(self): self.phase = Draw()
def step(game): game.phase = game.phase.advance()
def f():
    game = Game(); step(game); step(game)
    return game.phase.finish()

# what a function makes of the attribute
class Leaf:
    def grow(self): return Branch()
class Branch:
    def depth(self): return 2
def grown(node): return node.grow() if isinstance(node, Leaf) else node
class Tree:
    def __init__(self): self.root = Leaf()
def grow(tree): tree.root = grown(tree.root) or tree.root
def f():
    tree = Tree(); grow(tree)
    return tree.root.depth()

# what a function makes of its argument, or gives back
class A:
    def nm(self): return 'A'
class B:
    def only(self): return 'o'
class M:
    def __init__(self): self.state = A()
def following(s): return B() if isinstance(s, A) else s
def step(m): m.state = following(m.state)
def f():
    m = M(); step(m)
    return m.state.only()

# duck annotation
class G:
    def run(self): return 4
class H:
    def run(self): return 5
def go(h: G): return h.run()
def f(): return go(H())
"""
)

REPLACED = programs(
    """\
# in the namespace of a class that is made
def f(): return type("X", (R,), {"impl": B})().go()

# in a namespace of keywords
def f(): return type("X", (R,), dict(impl=B))().go()

# in a namespace with a name
def make(impl):
    namespace = {"other": 1}
    namespace["impl"] = impl
    return type("X", (R,), namespace)
def f(): return make(B)().go()

# by a decorator
def replacing(cls): return type(cls.__name__, (cls,), {"impl": B})
@replacing
class S(R): pass
def f(): return S().go()

# by its special method
def f():
    r = R()
    r.__setattr__("impl", B)
    return r.go()

# by the special method of object
def f():
    r = R()
    object.__setattr__(r, "impl", B)
    return r.go()

# by a patch
from unittest.mock import patch
def f():
    with patch.object(R, "impl", B): return R().go()
""",
    before="""\
class A:
    def run(self): return "a"
class B:
    def run(self): return "b"
class R:
    impl = A
    def go(self): return self.impl().run()
""",
)


@pytest.mark.parametrize("title", PROGRAMS)
def test_what_is_stored_is_found(title: str, tmp_path: Path) -> None:
    check(PROGRAMS[title], tmp_path)


@pytest.mark.parametrize("title", REPLACED)
def test_what_is_stored_in_its_place_is_found(title: str, tmp_path: Path) -> None:
    check(REPLACED[title], tmp_path)


_LIBRARY = """\
import json
class Files:
    @staticmethod
    def read(name): return "real " + name
def load(name): return Files.read(name)
def parse(text): return json.loads(text)
"""
_FAKES = """\
import lib
class FakeFiles:
    def read(self, name): return "fake " + name
class FakeJson:
    def loads(self, text): return "fake " + text
"""
IN_MODULES = {
    "an instance for a class": "def f():\n    lib.Files = FakeFiles()\n    return lib.load('x')\n",
    "at the top level": "lib.Files = FakeFiles()\ndef f(): return lib.load('x')\n",
    "by setattr": "def f():\n    setattr(lib, 'Files', FakeFiles())\n    return lib.load('x')\n",
    "for another library": "def f():\n    lib.json = FakeJson()\n    return lib.parse('[]')\n",
}


@pytest.mark.parametrize("stores", IN_MODULES.values(), ids=IN_MODULES)
def test_what_is_put_into_another_module_is_asked_for_what_stood_there(
    stores: str, tmp_path: Path
) -> None:
    check_files({"lib.py": _LIBRARY, "m.py": _FAKES + stores}, tmp_path)


def test_a_name_from_a_star_import_may_be_bound_anew_with_what_it_was(tmp_path: Path) -> None:
    program = "from lib import *\nthing = Other(thing)\ndef f(): return thing.last()\n"
    library = (
        "class Thing:\n    def first(self): return 1\n"
        "class Other:\n    def __init__(self, thing): self.thing = thing\n"
        "    def last(self): return self.thing.first()\n"
        "thing = Thing()\n"
    )
    check_files({"lib.py": library, "m.py": program}, tmp_path)
