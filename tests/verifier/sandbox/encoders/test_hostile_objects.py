"""Objects that lie about themselves run no code while they are encoded, and forge no other type."""

from __future__ import annotations

import datetime as dt
import enum
import io
import socket
import threading
import types
from abc import ABCMeta
from collections import OrderedDict, deque
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from slicefunc.verifier.sandbox.encoders.encode import encode

from tests.verifier.observation.running import difference

RAN: list[str] = []


def ran(*_: object, **__: object) -> object:
    RAN.append("code of theirs")
    return NotImplemented


HOOKS = dict.fromkeys(
    """__eq__ __ne__ __lt__ __repr__ __str__ __format__ __bool__ __len__ __iter__ __contains__
    __getitem__ __getattr__ __reduce__ __reduce_ex__ __getstate__ __sizeof__ __dir__
    __index__ __int__ __float__ __complex__ __bytes__ __fspath__ __enter__ __call__ __next__
    __copy__ __deepcopy__ __length_hint__ __reversed__ __missing__ __instancecheck__
    __subclasscheck__ __array__ __buffer__ keys items values __iadd__ __neg__ __abs__
    __round__ isoformat utcoffset as_integer_ratio hex tobytes encode""".split(),
    ran,
)


def constant_hash(value: object) -> int:
    return 7


def watched_getattribute(self: object, name: str) -> object:
    RAN.append(name)
    raise AttributeError(name)


class Meta(ABCMeta):
    """A metaclass whose classes lie as well."""

    def __eq__(cls, other: object) -> bool:
        RAN.append("metaclass eq")
        return True

    def __hash__(cls) -> int:
        RAN.append("metaclass hash")
        return hash(int)

    def __getattribute__(cls, name: str) -> object:
        RAN.append(f"metaclass {name}")
        return type.__getattribute__(int, name)

    def __instancecheck__(cls, other: object) -> bool:
        RAN.append("metaclass instance check")
        return True


def hostile(*bases: type, meta: type = type, **more: object) -> type:
    space = HOOKS | {"__hash__": constant_hash, "__getattribute__": watched_getattribute} | more
    space["__class__"] = property(lambda _: RAN.append("__class__") or int)
    made = meta("Hostile", bases, space)
    RAN.clear()
    return made


class Key(str):
    """A name that has the hash of another and claims to be equal to everything."""

    __slots__ = ()

    def __hash__(self) -> int:
        return hash("__dict__")

    def __eq__(self, other: object) -> bool:
        RAN.append("key eq")
        return True


BASES = [(), (list,), (tuple,), (dict,), (set,), (frozenset,), (int,), (float,), (complex,), (str,)]
BASES += [(bytes,), (bytearray,), (OrderedDict,), (Exception,), (dt.datetime,), (Fraction,)]


def instances(cls: type, bases: tuple[type, ...]) -> object:
    if bases == (dt.datetime,):
        return dt.datetime.__new__(cls, 2020, 1, 1)
    base = bases[0] if bases else object
    return base.__new__(cls)


@pytest.mark.parametrize("meta", [type, Meta])
@pytest.mark.parametrize("bases", BASES, ids=lambda bases: "_".join(b.__name__ for b in bases))
def test_encoding_runs_nothing(bases: tuple[type, ...], meta: type) -> None:
    value = instances(hostile(*bases, meta=meta), bases)
    nested = [value, (value,), {1: value}]
    RAN.clear()
    text = encode(nested, drives=True)
    assert RAN == []
    assert "Hostile" in text


def test_hostile_keys_elements_and_attributes_run_nothing() -> None:
    cls = hostile()
    first, second = cls(), cls()
    spoiled = type("Spoiled", (), {"a": 1})
    setattr(spoiled, Key("x"), 2)
    named = spoiled()
    space = object.__getattribute__(named, "__dict__")
    space[Key("y")] = 3
    ordered = OrderedDict([(first, 1)])
    values = [{first: 1}, ordered, {first}, frozenset({second}), named, spoiled, {Key("k"): 1}]
    RAN.clear()
    encode(values, drives=True)
    assert RAN == []


def test_a_dictionary_that_is_a_property_hides_the_state() -> None:
    class Hiding:
        __dict__ = property(lambda _: RAN.append("__dict__") or {"x": 1})  # type: ignore[assignment]

    RAN.clear()
    encode(Hiding())
    assert RAN == []


def test_slots_that_are_something_else_are_not_read() -> None:
    class Slotted:
        __slots__ = ("real",)

    class Sub(Slotted):
        real = property(lambda _: RAN.append("real"))  # type: ignore[assignment]

    value = Sub()
    Slotted.real.__set__(value, 5)  # type: ignore[attr-defined]
    RAN.clear()
    assert '["real",5]' in encode(value)
    assert RAN == []


def test_names_that_are_no_plain_text_are_not_asked() -> None:
    cls = type("C", (), {"__module__": hostile(str)("builtins")})
    RAN.clear()
    encode(cls())
    cls.__module__ = hostile()()  # type: ignore[assignment]
    RAN.clear()
    encode(cls())
    assert RAN == []


MADE_BY = [object, int, float, complex, str, bytes, bytearray, list, tuple, dict, set, frozenset]
MADE_BY += [
    OrderedDict,
    deque,
    Exception,
    dt.datetime,
    dt.timedelta,
    Fraction,
    Decimal,
    io.StringIO,
]
NOT_CALLED_ON_INSTANCES = frozenset(
    """__new__ __init__ __init_subclass__ __subclasshook__ __class_getitem__ __doc__ __slots__
    __module__ __qualname__ __dict__ __weakref__ __del__ __abstractmethods__ __orig_bases__
    __parameters__ __match_args__ __name__ __mro__ __bases__ __base__ __flags__ __basicsize__
    __itemsize__ __dictoffset__ __weakrefoffset__ __text_signature__ __annotations__ __class__
    __traceback__ __cause__ __context__ __suppress_context__ __notes__""".split()
)
KINDS = (
    *MADE_BY,
    type,
    memoryview,
    range,
    type(iter([])),
    types.GeneratorType,
    types.CoroutineType,
)
METHODS = sorted(
    {name for kind in (*KINDS, types.AsyncGeneratorType, type(len)) for name in dir(kind)}
    | {f"__{name}__" for name in "index fspath bool enter exit aenter aexit array buffer".split()}
    | {f"__{name}__" for name in "array_interface array_struct array_function dlpack".split()}
    | {f"__{name}__" for name in "missing copy deepcopy getattr length_hint get set".split()}
)
METHODS = [name for name in METHODS if name not in NOT_CALLED_ON_INSTANCES]


class EndError(BaseException):
    """Nothing but the test catches it."""


def ends(*_: object, **__: object) -> object:
    RAN.append("code of theirs")
    raise EndError


@settings(max_examples=150, deadline=None)
@given(
    st.sampled_from(MADE_BY),
    st.one_of(st.just(METHODS), st.lists(st.sampled_from(METHODS), min_size=1, unique=True)),
    st.sampled_from(["plain", "property", "metaclass"]),
    st.booleans(),
)
def test_whatever_a_class_defines_none_of_it_runs(
    base: type, names: list[str], how: str, has_slots: bool
) -> None:
    space: dict[str, object] = {}
    if has_slots and base is object:
        space["__slots__"] = ("x",)
    hooks = dict.fromkeys(names, property(ends) if how == "property" else ends)
    meta = type("Meta", (type,), hooks) if how == "metaclass" else type
    try:
        cls = meta("Hostile", (base,), space | ({} if how == "metaclass" else hooks))
        value = base.__new__(cls, 2020, 1, 1) if base is dt.datetime else base.__new__(cls)
    except (EndError, TypeError, AttributeError):  # making one calls it, or it may not be so
        return
    nested = [value, (value,), {1: value}, [[value]]]
    RAN.clear()
    first, second = (encode(nested, drives=True) for _ in range(2))
    assert RAN == []
    assert first == second
    assert "Hostile" in first


def imposter(of: type, **more: object) -> object:
    """An instance of a class that has the very names of another."""
    names = {"__module__": of.__module__, "__qualname__": of.__qualname__}
    return type(of.__name__, (), names | more)()


class Honest:
    """A class that can be found by its name."""

    def __init__(self) -> None:
        self.x = 1


class Colour(enum.Enum):
    """An enumeration that can be found by its name."""

    RED = 1


def _alike(value: object, real: object) -> object:
    object.__getattribute__(value, "__dict__").update(vars(real))
    return value


@pytest.mark.parametrize(
    ("real", "forged"),
    [
        (1, True),
        (1, 1.0),
        (0.0, 0),
        ("a", b"a"),
        ([1], (1,)),
        ({1}, frozenset({1})),
        ({}, OrderedDict()),
        ([1], hostile(list)()),
        (1, type("int", (int,), {"__module__": "builtins"})(1)),
        (None, imposter(type(None))),
        ([], imposter(list)),
        (dt.date(2020, 1, 1), imposter(dt.date)),
        (Honest(), _alike(imposter(Honest), Honest())),
        (Honest, type(_alike(imposter(Honest), Honest()))),
        (Colour.RED, _alike(imposter(Colour), Colour.RED)),
        (len, lambda: 1),
        (Fraction(1, 2), imposter(Fraction, _numerator=1, _denominator=2)),
        (ValueError(1), imposter(ValueError, args=(1,))),
        ("x", Key("x")),
        (["a", "b"], "ab"),
        ({"kind": "float", "value": "1.0"}, 1.0),
    ],
)
def test_no_value_passes_for_another(real: object, forged: object) -> None:
    assert difference(real, real) is None
    assert difference(real, forged) is not None


def test_a_forged_spelling_of_the_names_of_functions_is_opaque() -> None:
    def forged() -> None: ...

    forged.__module__, forged.__qualname__ = encode.__module__, encode.__qualname__
    assert '"kind":"named"' in encode(encode)
    assert '"kind":"opaque"' in encode(forged)


@pytest.mark.parametrize("make", [io.BufferedReader, threading.Lock, socket.socket])
def test_what_keeps_its_state_out_of_sight_is_opaque(make: Callable[..., object]) -> None:
    value = make(io.BytesIO()) if make is io.BufferedReader else make()
    assert '"kind":"opaque"' in encode(value)
