"""Stubs behave: whatever code does with what is not there works, ends, and gives the same again."""

from __future__ import annotations

import abc
import asyncio
import copy
import dataclasses
import inspect
import math
import pickle
import subprocess
import sys
import typing
from typing import Any, Generic, Optional, TypeVar

import pytest
from hypothesis import given
from hypothesis import strategies as st
from slicefunc.mocker.world.core import world
from slicefunc.mocker.world.stubs import stub_answers
from slicefunc.mocker.world.stubs.stub_answers import InTurn, Raises, expect
from slicefunc.mocker.world.stubs.stubs import PlainStub, Stub, stub_class, stub_error

Base: Any = stub_class("lib.Base")
call: Any = Stub("lib.call")
T = TypeVar("T")


@pytest.fixture(autouse=True)
def fresh() -> None:
    """Nothing said, nothing asked, nothing noted."""
    for held in (
        stub_answers._asked,
        stub_answers._answers,
        stub_answers._decorators,
        stub_answers._coroutines,
        stub_answers._holders,
        world.effects,
        world.choices,
    ):
        held.clear()


def noted() -> list[str]:
    return [f"{kind} {target}" for kind, target, *_ in world.effects]


class TestBaseClasses:
    def test_super_init_takes_anything(self):
        class Mine(Base):
            def __init__(self, x):
                super().__init__(x, name="n")
                self.x = x

        mine = Mine(3)
        assert (mine.x, mine.name) == (3, "n")
        assert isinstance(mine, Base)
        assert issubclass(Mine, Base)
        assert world.effects == [("call", "lib.Base", 3, ("name", "n"))]

    def test_methods_that_are_not_overridden_are_noted(self):
        class Mine(Base):
            pass

        Mine().listen("x")
        assert noted() == ["call lib.Base", "call lib.Base().listen"]

    def test_beside_an_abstract_class_on_either_side(self):
        class Able(abc.ABC):
            @abc.abstractmethod
            def able(self): ...

        class One(Base, Able):
            def able(self):
                return 1

        class Two(Able, Base):
            def able(self):
                return 2

        assert One().able() + Two().able() == 3
        with pytest.raises(TypeError):
            type("Three", (Base, Able), {})()

    def test_beside_a_metaclass_of_any_kind(self):
        class Meta(type):
            pass

        class Real(metaclass=Meta):
            pass

        class One(stub_class("lib.Plain", PlainStub), Real):
            pass

        class Two(call, Real):
            pass

        assert isinstance(One(), Real)
        assert isinstance(Two(), Real)
        assert isinstance(Two(), call)

    def test_beside_a_class_that_makes_its_own_objects(self):
        class Mine(Base, tuple):
            __slots__ = ()

        assert tuple.__len__(Mine((1, 2))) == 2

    def test_own_new_and_class_keywords(self):
        class Mine(Base, table=True):
            def __new__(cls, *_args):
                made = super().__new__(cls)
                made.made = True
                return made

        class Registering(Base):
            flags: typing.ClassVar[list[int]] = []

            def __init_subclass__(cls, *, flag=0):
                cls.flags.append(flag)

        assert Mine(1).made
        type("Sub", (Registering,), {}, flag=7)
        assert Registering.flags == [7]

    def test_fields_of_models_and_dataclasses(self):
        class Model(Base):
            a: int
            b: str = "x"

        @dataclasses.dataclass
        class Record(Base):
            a: int
            b: str = "x"

        assert vars(Model(a=5, b="q")) == {"a": 5, "b": "q"}
        assert Model(7).a == 7
        assert Record(1) == Record(1) != Record(2)

    def test_generic_and_subscripted(self):
        class Of(Base, Generic[T]):
            pass

        class Fixed(Base["x"]):
            pass

        assert isinstance(Of[int](), Base)
        assert isinstance(Fixed(), Base)

    def test_private_names_of_an_own_class_are_missing_until_set(self):
        class Mine(Base):
            pass

        assert not hasattr(Mine(), "_cache")
        assert hasattr(Mine(), "connection")

    def test_a_pydantic_field(self):
        import pydantic

        class Model(pydantic.BaseModel):
            client: Base
            other: Optional[call] = None  # noqa: UP045 - as people write it

        assert Model(client=call()).other is None


class TestDecorators:
    def test_with_and_without_arguments(self):
        expect({}, ("command", "event", "Task"))

        @call.event
        def one():
            return 1

        @Base().command(name="x")
        def two():
            return 2

        @stub_class("lib.Task")
        class Three:
            pass

        assert (one(), two()) == (1, 2)
        assert inspect.isclass(Three)
        assert not isinstance(Three, PlainStub)

    def test_what_decorates_nothing_takes_functions_as_arguments(self):
        assert isinstance(call.register(len), Stub)
        assert isinstance(call.register(fresh), Stub)


class TestProtocols:
    def test_context_managers_and_iteration(self):
        async def use():
            async with call.session() as session:
                return [str(each) async for each in session.get("u")]

        with call.open() as opened:
            assert len(list(opened)) == len(opened) == 2
        assert asyncio.run(use()) == [f"lib.call.session().get('u')[{n}]" for n in (0, 1)]

    def test_awaited_alone_and_together(self):
        async def use():
            first, second = await asyncio.gather(call(1), call(2))
            return await asyncio.wait_for(call(1), 1) == first != second

        assert asyncio.run(use())

    def test_run_as_coroutines(self):
        expect({}, (), ("start", "poll"))

        async def use():
            task = asyncio.create_task(call.poll(1))
            return str(await task), str(await call.start())

        assert asyncio.run(use()) == ("lib.call.poll(1)", "lib.call.start()")
        assert str(asyncio.run(call.start())) == "lib.call.start()"

    def test_unpacked_into_any_number(self):
        a, b, c = call()
        d, *e = call()
        (f,) = call()
        g, (h, i) = call()
        assert str(c) == "lib.call()[2]"
        assert [str(each) for each in (a, d, f, g)] == ["lib.call()[0]"] * 4
        assert (str(b), str(h), str(i)) == ("lib.call()[1]", "lib.call()[1][0]", "lib.call()[1][1]")
        assert len(e) == 0
        assert [f"{k} {v}" for k, v in call.items()][
            1
        ] == "lib.call.items()[1][0] lib.call.items()[1][1]"

    def test_next_ends(self):
        reader = call.reader()
        assert len([next(reader), next(reader)]) == 2
        with pytest.raises(StopIteration):
            next(reader)

    def test_numbers_and_texts(self):
        assert float(call() + 1) == float(3 - call()) == 2.0
        assert (int(call()), float(call()), range(3)[call()], math.floor(call())) == (1, 1.0, 1, 1)
        assert (
            f"{call():.2f}|{call()}|{call():>12}|%s" % call()
            == "1.00|lib.call()|  lib.call()|lib.call()"
        )
        assert "a" + call() == "alib.call()"
        assert call() < 3 <= call() + 2
        assert sorted([call(2), call(1)]) == [call(2), call(1)]
        assert round(call(), 2) == abs(call()) == 1 == -1 * -call()

    def test_arrays_do_not_explode(self):
        import numpy as np

        assert np.array(call()).tolist() == [1.0, 1.0]
        assert np.sqrt(call()).shape == (2,)

    def test_items(self):
        table = call.table()
        table["a"] = 5
        assert table["a"] == 5
        assert "a" in table
        assert "b" not in table
        assert str(table["b"][0:3]) == "lib.call.table()['b']['0:3:None']"
        assert noted()[-1] == "call lib.call.table().__setitem__"
        with pytest.raises(IndexError):
            table[7]

    def test_attributes_keep_what_is_set(self):
        client = call.client()
        client.session.headers = {"a": "b"}
        client.limit = 3
        assert (client.session.headers, client.limit) == ({"a": "b"}, 3)

    def test_copies_hashes_and_pickles(self):
        assert copy.copy(call(1)) == copy.deepcopy(call(1)) == call(1) != call(2)
        assert pickle.loads(pickle.dumps(call(1))) == call(1)
        assert {call(1): "x"}[call(1)] == "x"

    @pytest.mark.parametrize(
        "name",
        [
            "__wrapped__",
            "__path__",
            "__all__",
            "__fields__",
            "_is_coroutine_marker",
            "_ipython_display_",
        ],
    )
    def test_what_python_asks_everybody_is_not_there(self, name: str):
        for thing in (call, call(), Base, Base(), stub_error("lib.Bad")("x")):
            assert not hasattr(thing, name)

    def test_what_libraries_ask(self):
        assert inspect.unwrap(call) is call
        assert not inspect.iscoroutinefunction(call)
        assert callable(call)
        assert inspect.isclass(Base)


class TestTypes:
    def test_annotations(self):
        assert typing.Optional[Base] == Base | None  # noqa: UP045 - likewise
        assert typing.get_args(typing.Optional[call]) == (call, type(None))  # noqa: UP045
        assert repr(list[Base]) == "list[lib.Base]"
        assert str(call | None) == "(lib.call | None)"

    def test_isinstance(self):
        assert isinstance(call(), Base)
        assert not isinstance(3, Base)
        assert not isinstance(call(), stub_class("other.Base"))
        assert isinstance(stub_class("lib.call")(), call)
        match Base():
            case Base():
                pass
            case _:
                pytest.fail("is one")

    def test_exceptions(self):
        bad = call.errors.BadError
        with pytest.raises(bad) as caught:
            raise bad("x", code=3)
        assert (str(caught.value), caught.value.code) == ("x", 3)
        assert issubclass(stub_error("lib.OldWarning"), Warning)

    def test_names_of_a_class(self):
        assert str(Base.objects.filter(a=1)) == "lib.Base.objects.filter(a=1)"
        assert Base.RED == Base.RED != Base.GREEN
        assert len(list(Base)) == 2


class TestAnswers:
    def test_of_the_table_and_of_the_case(self):
        expect(
            {"lib.call.status()": {"default": {"n": [1]}, "bad": Raises("builtins.OSError", "no")}}
        )
        first = call.status()
        first["n"].append(2)
        assert call.status() == {"n": [1]}
        world.choose(**{"lib.call.status()": "bad"})
        with pytest.raises(OSError, match="no"):
            call.status()

    def test_an_exception_of_a_class_in_a_module(self):
        bad = Raises("unittest.TestCase.failureException", "no")
        expect({"lib.call.status()": {"default": bad}})
        with pytest.raises(AssertionError, match="no"):
            call.status()

    def test_in_turn(self):
        expect({"lib.ok()": {"default": InTurn(True, False)}})
        ok = Stub("lib.ok")
        assert [ok(), ok(), ok()] == [True, False, True]

    def test_loops_end(self):
        rounds = 0
        while call.read():
            rounds += 1
        assert rounds == stub_answers.TIRED
        with pytest.raises(KeyboardInterrupt):
            self.read_for_ever()

    @staticmethod
    def read_for_ever():
        while True:
            call.read()

    def test_arguments_are_noted_as_plain_data(self):
        call.send([1, {"k": object()}], len, ValueError("x"), data={3, 1}, to=call.x)
        (kind, target, *arguments) = world.effects[-1]
        assert (kind, target) == ("call", "lib.call.send")
        assert arguments == [
            [1, {"k": "<object>"}], "len", "ValueError: x", ("data", [1, 3]), ("to", "lib.call.x"),
        ]  # fmt: skip


_STEPS = st.lists(
    st.sampled_from([
        ".name", ".NAME", ".Name()", ".Name.member", "()", "(1)", '(key="v")', "[0]", '["k"]',
        "[0:2]", " + 1", "",
    ]),
    max_size=6,
)  # fmt: skip
_ENDS = st.sampled_from([
    "str({})", "int({})", "bool({})", "list({})", "len({})", "f'{{{}:.1f}}'", "len({{{}}})",
    "repr({})", "{} < 2", "copy.deepcopy({})", "dict(k={})", "[x for x in {}]",
    "isinstance({}, lib)",
])  # fmt: skip


@given(_STEPS, _ENDS)
def test_any_chain_of_uses_works_and_gives_the_same_again(steps: list[str], end: str):
    expression = "lib"
    for step in steps:
        expression = f"({expression}{step})"
    code = end.format(expression)
    names = {"lib": Stub("lib"), "copy": copy}
    stub_answers._asked.clear()
    first = repr(eval(code, dict(names)))
    stub_answers._asked.clear()
    assert repr(eval(code, dict(names))) == first
    assert " at 0x" not in first


def test_instances_of_a_class_have_the_same_hashes_in_every_process():
    made = [stub_class("a.B")() for _ in range(3)]
    assert [hash(each) - hash(made[0]) for each in made] == [0, 1, 2]
    assert [hash(each) for each in made] == [hash(each) for each in made]
    (number,) = {hash(each) for each in made[:1]}
    del made[0]
    assert number not in {hash(stub_class("a.B")()) for _ in range(100)}


def test_an_instance_that_is_made_again_keeps_its_hash():
    class Kept(stub_class("a.B")):
        made = None

        def __new__(cls):
            cls.made = cls.made or super().__new__(cls)
            return cls.made

    known = {Kept()}
    assert Kept() in known


def test_texts_are_the_same_in_every_process():
    code = (
        "from slicefunc.mocker.world.stubs.stubs import Stub, stub_class\n"
        "print(Stub('a').b({3, 'x', 1}), stub_class('a.B')(), [hash(Stub('a')) == hash(Stub('a'))])"
    )
    path = ":".join(sys.path)
    seen = {
        subprocess.run(
            [sys.executable, "-c", code], env={"PYTHONHASHSEED": seed, "PYTHONPATH": path},
            capture_output=True, text=True, check=True,
        ).stdout
        for seed in ("1", "2")
    }  # fmt: skip
    assert len(seen) == 1
