"""What becomes of a class body, and who gets the class while it is made or by an annotation."""

from __future__ import annotations

from pathlib import Path

import pytest
from slicefunc.slicer import Repository, slice_function

from tests.slicer.small_programs import check, programs

ENUMERATIONS = programs(
    """\
# a member has the methods of its class
class E(enum.Enum):
    A = 1
    def label(self): return "l"
def f(): return E.A.label()

# a member is formatted by its class
class E(enum.Enum):
    A = 1
    def __str__(self): return "x"
def f(): return f"{E.A}"

# operators on flags give members
class Perm(enum.Flag):
    R = 1
    X = 4
    def code(self): return self.value
def f(): return (Perm.R | Perm.X).code(), (~Perm.R).code(), (Perm.R & Perm.X).code()

# a tuple is handed to the constructor
class Planet(enum.Enum):
    EARTH = (6, 2.0)
    def __init__(self, mass, radius): self.mass = mass; self.radius = radius
    @property
    def gravity(self): return self.mass / self.radius
def pick(): return Planet.EARTH
def f(): return pick().gravity, Planet.EARTH.value[0]

# texts as members, and a default
class S(str, enum.Enum):
    A = "a"
    def up(self): return self.value.upper()
    @classmethod
    def default(cls): return cls.A
def f(x=S.A): return x.up(), S.default().up()

# a base with methods alone, members in attributes
class Base(enum.Enum):
    def show(self): return self.name
class S(Base):
    A = "a"
    B = "b"
class H:
    d = S.A
    def __init__(self): self.e = S.A
def f(): return H().e.show(), H.d.show(), S.B.show()

# a value with methods of its own
class Item:
    def price(self): return 3
class S(enum.Enum):
    A = Item()
    def n(self): return self.name
def f(): return S.A.value.price(), S.A.n()
""",
    "import enum\n",
)
CREATORS = programs(
    """\
# a base gives its subclasses to a manager
class Manager:
    def __init__(self, model): self.model = model
    def create(self, x): return self.model(x)
class Base:
    def __init_subclass__(cls): cls.objects = Manager(cls)
    def __init__(self, x): self.x = x
    def show(self): return self.x
class Book(Base): pass
def f(): return Book.objects.create(1).show()

# so does a metaclass
class Manager:
    def __init__(self, model): self.model = model
    def create(self, x): return self.model(x)
class Meta(type):
    def __new__(mcs, name, bases, namespace):
        cls = super().__new__(mcs, name, bases, namespace)
        cls.objects = Manager(cls)
        return cls
class Book(metaclass=Meta):
    def __init__(self, x): self.x = x
def f(): return Book.objects.create(1).x

# so does a decorator
class Pool:
    def __init__(self, cls): self.cls = cls
    def get(self): return self.cls(2)
def pooled(cls):
    cls.pool = Pool(cls)
    return cls
@pooled
class A:
    def __init__(self, n): self.n = n
def f(): return A.pool.get().n

# a metaclass collects functions
class M(type):
    def __new__(m, name, bases, ns):
        cls = super().__new__(m, name, bases, ns)
        cls.commands = {k: v for k, v in ns.items() if callable(v)}
        return cls
class Bot(metaclass=M):
    def hi(self): return "hi"
def f(): return Bot.commands["hi"](Bot())

# a metaclass collects names that begin alike
class M(type):
    def __init__(cls, name, bases, ns):
        cls.commands = {k[3:]: v for k, v in ns.items() if k.startswith("do_")}
class Bot(metaclass=M):
    def do_hi(self): return self.word()
    def word(self): return "hi"
def f(): return Bot.commands["hi"](Bot())

# a metaclass leaves out what begins with an underscore
class M(type):
    def __init__(cls, name, bases, ns):
        cls.commands = {k: v for k, v in ns.items() if callable(v) and not k.startswith("_")}
class Bot(metaclass=M):
    def hi(self): return "hi"
def f(): return Bot.commands["hi"](Bot())

# so does a decorator that asks nothing else
def collect(cls):
    cls.names = sorted(n for n in vars(cls) if not n.startswith("_") and n != "names")
    return cls
@collect
class A:
    def one(self): return 1
    def two(self): return 2
def f(): return A.names

# a decorator walks the class
def collect(cls):
    cls.rules = [v for k, v in vars(cls).items() if k.startswith("rule_")]
    return cls
@collect
class A:
    def rule_positive(self, x): return x > 0
    def rule_even(self, x): return x % 2 == 0
def f(): return [r(A(), 2) for r in A.rules]

# a descriptor makes what is read
class Query:
    def all(self): return 1
class D:
    def __get__(self, obj, owner): return Query()
class A:
    q = D()
def f(): return A.q.all(), A().q.all()

# a descriptor gives itself to the class
class Query:
    def all(self): return 1
class D:
    def __get__(self, obj, owner): return self if obj is None else Query()
    def name(self): return "d"
class A:
    q = D()
def f(): return A.q.name(), A().q.all()
"""
)
ANNOTATED = programs(
    """\
# what a signature names is made
import inspect
class Db:
    def __init__(self): self.rows = [1]
    def all(self): return self.rows
class Service:
    def __init__(self, db: Db): self.db = db
    def run(self): return self.db.all()
def build(cls):
    return cls(**{n: build(p.annotation) for n, p in inspect.signature(cls).parameters.items()})
def f(): return build(Service).run()

# what type hints name is made
from typing import get_type_hints
class Uid:
    def __init__(self, text): self.number = int(text)
def view(uid: Uid): return uid.number
def f(): return view(**{k: t("4") for k, t in get_type_hints(view).items()})

# what fields name is made
from dataclasses import dataclass, fields
class Celsius:
    def __init__(self, text): self.degrees = float(text)
@dataclass
class Settings:
    temperature: Celsius
    @classmethod
    def load(cls, d): return cls(**{x.name: x.type(d[x.name]) for x in fields(cls)})
def f(): return Settings.load({"temperature": "2"}).temperature.degrees
"""
)
SPECIAL = programs(
    """\
# positional patterns read what the class names
class R:
    __match_args__ = ("w", "h")
    def __init__(self, w): self.w = w
    @property
    def h(self): return 3
def f():
    match R(2):
        case R(w, h): return w * h

# a class that compares and does not hash has no hash
class C:
    def __init__(self, a): self.a = a
    def __eq__(self, o): return self.a == o.a
def f():
    try: hash(C(1))
    except TypeError: return "none"
    return "one"
"""
)

GIVEN_THE_CLASS = programs(
    """\
# a descriptor that makes an instance
class Default:
    def __get__(self, obj, owner): return owner('z')
class A:
    default = Default()
    def __init__(self, v): self.v = v
    def go(self): return self.v
def f(): return A.default.go()

# a decorator of methods that hands the class over
class classproperty:
    def __init__(self, function): self.function = function
    def __get__(self, obj, owner): return self.function(owner)
class A:
    @classproperty
    def default(cls): return cls(1)
    def __init__(self, x): self.x = x
    def show(self): return self.x
def f(): return A.default.show()

# a descriptor that asks the class
class Next:
    def __get__(self, obj, owner): return owner.n + 1
class A:
    n = 1
    unasked = 2
    next = Next()
def f(): return A.next

# a decorator of classes that asks for the constructor
def counted(cls):
    cls.count = cls.__init__.__code__.co_argcount
    return cls
@counted
class A:
    def __init__(self, a, b): pass
def f(): return A.count

# a metaclass that asks for the constructor
class Meta(type):
    def __init__(cls, name, bases, namespace):
        super().__init__(name, bases, namespace)
        cls.count = cls.__init__.__code__.co_argcount
class A(metaclass=Meta):
    def __init__(self, a, b): pass
def f(): return A.count

# a class method of a lambda
class A:
    on = set()
    @classmethod
    def _set(cls, name): cls.on.add(name)
    enable = classmethod(lambda cls, name: cls._set(name))
def f():
    A.enable('a')
    return A.on

# a body that looks at its own names
class E:
    red = 1
    blue = 2
    ALL = {k: v for k, v in vars().items() if isinstance(v, int)}
def f(): return E.ALL

# a body that looks for some of its own names
class VM:
    def op_push(self): return 'push'
    def op_pop(self): return 'pop'
    ops = {n[3:]: v for n, v in list(locals().items()) if n.startswith('op_')}
    def run(self): return [op(self) for op in self.ops.values()]
def f(): return VM().run()

# a subclass that is named, and found by its base
class P: pass
class A(P):
    def go(self): return 1
def f(): return A.__name__, [c().go() for c in P.__subclasses__()]
"""
)


@pytest.mark.parametrize("title", GIVEN_THE_CLASS)
def test_who_is_given_the_class(title: str, tmp_path: Path) -> None:
    check(GIVEN_THE_CLASS[title], tmp_path)


@pytest.mark.parametrize("title", SPECIAL)
def test_what_python_reads_of_a_class(title: str, tmp_path: Path) -> None:
    check(SPECIAL[title], tmp_path)


@pytest.mark.parametrize("title", ENUMERATIONS)
def test_members_of_enumerations_are_instances(title: str, tmp_path: Path) -> None:
    check(ENUMERATIONS[title], tmp_path)


@pytest.mark.parametrize("title", CREATORS)
def test_who_sees_the_class_being_made(title: str, tmp_path: Path) -> None:
    check(CREATORS[title], tmp_path)


@pytest.mark.parametrize("title", ANNOTATED)
def test_annotations_that_are_read_name_what_is_made(title: str, tmp_path: Path) -> None:
    check(ANNOTATED[title], tmp_path)


def test_a_base_of_a_library_makes_what_it_is_given(tmp_path: Path) -> None:
    (tmp_path / "m.py").write_text(
        "import fp\nclass Begin(fp.Statement):\n    @classmethod\n"
        "    def from_string(cls, text): return cls(text)\n"
        "class Block(fp.Block[Begin, int]): pass\ndef f(text): return fp.parse(text, Block)\n"
    )
    kept = slice_function(Repository(tmp_path), "m.py::f").manifest.definitions
    assert "Begin.from_string" in {each.qualname for each in kept}
