"""Which functions call which: one construct a case, with the edges that it must give."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.slicer.graph.graphs import calls, graph_of

CASES = {
    "a function passed as an argument is called by the one that it is passed to": (
        """
        def apply(action):
            return action()
        def target():
            pass
        apply(target)
        """,
        {("main", "main.apply"), ("main.apply", "main.target")},
    ),
    "a partial application that may hold itself ends": (
        """
        from functools import partial
        def target(*given):
            pass
        def collect(function, count):
            while count:
                function = partial(function, count)
                count -= 1
            return function()
        collect(target, 2)
        """,
        {("main", "main.collect"), ("main.collect", "main.target")},
    ),
    "a name bound twice in straight-line code holds the later value only": (
        """
        def first():
            pass
        def second():
            pass
        chosen = first
        chosen = second
        chosen()
        """,
        {("main", "main.second")},
    ),
    "a name bound in both branches holds both values": (
        """
        import sys
        def first():
            pass
        def second():
            pass
        if sys.argv:
            chosen = first
        else:
            chosen = second
        chosen()
        """,
        {("main", "main.first"), ("main", "main.second")},
    ),
    "a parameter that is returned passes through each call by itself": (
        """
        def same(value):
            return value
        def first():
            pass
        def second():
            pass
        one = same(first)
        two = same(second)
        one()
        """,
        {("main", "main.same"), ("main", "main.first")},
    ),
    "a method is found through the resolution order": (
        """
        class A:
            def run(self):
                pass
        class B(A):
            pass
        class C(A):
            def run(self):
                pass
        class D(B, C):
            pass
        D().run()
        """,
        {("main", "main.C.run")},
    ),
    "a method called on self may be an override": (
        """
        class Base:
            def run(self):
                self.step()
            def step(self):
                pass
        class Special(Base):
            def step(self):
                pass
        """,
        {("main.Base.run", "main.Base.step"), ("main.Base.run", "main.Special.step")},
    ),
    "super finds the next class in the order": (
        """
        class A:
            def run(self):
                pass
        class B(A):
            def run(self):
                super().run()
        B().run()
        """,
        {("main", "main.B.run"), ("main.B.run", "main.A.run")},
    ),
    "an attribute of an instance holds what was assigned": (
        """
        class Worker:
            def __init__(self, action):
                self.action = action
            def work(self):
                self.action()
        def job():
            pass
        Worker(job).work()
        """,
        {
            ("main", "main.Worker.__init__"),
            ("main", "main.Worker.work"),
            ("main.Worker.work", "main.job"),
        },
    ),
    "reading a property calls its getter and assigning calls its setter": (
        """
        class Box:
            @property
            def size(self):
                return 1
            @size.setter
            def size(self, value):
                check(value)
        def check(value):
            pass
        def use(box: Box):
            box.size = box.size
        """,
        {("main.use", "main.Box.size"), ("main.Box.size", "main.check")},
    ),
    "static and class methods take no instance": (
        """
        class Maker:
            @classmethod
            def make(cls):
                return cls()
            @staticmethod
            def helper():
                pass
            def run(self):
                self.helper()
        Maker.make().run()
        """,
        {
            ("main", "main.Maker.make"),
            ("main", "main.Maker.run"),
            ("main.Maker.run", "main.Maker.helper"),
        },
    ),
    "items are told apart by constant keys": (
        """
        def first():
            pass
        def second():
            pass
        table = {"a": first, "b": second}
        table["b"]()
        """,
        {("main", "main.second")},
    ),
    "a sign makes an integer of a truth value": (
        """
        def target():
            pass
        def other():
            pass
        table = {-1: target, 1: other}
        table[-True]()
        """,
        {("main", "main.target")},
    ),
    "items under an unknown key may be any": (
        """
        import sys
        def first():
            pass
        def second():
            pass
        table = {"a": first, "b": second}
        table[sys.argv[0]]()
        """,
        {("main", "main.first"), ("main", "main.second")},
    ),
    "a generator hands its items to the loop": (
        """
        def produce():
            yield target
        def target():
            pass
        for item in produce():
            item()
        """,
        {("main", "main.produce"), ("main", "main.target")},
    ),
    "iterating calls the iterator's methods": (
        """
        class Numbers:
            def __iter__(self):
                return self
            def __next__(self):
                raise StopIteration
        for number in Numbers():
            pass
        """,
        {("main", "main.Numbers.__iter__"), ("main", "main.Numbers.__next__")},
    ),
    "a with statement calls the manager's methods": (
        """
        class Lock:
            def __enter__(self):
                return helper
            def __exit__(self, *args):
                pass
        def helper():
            pass
        with Lock() as inside:
            inside()
        """,
        {("main", "main.Lock.__enter__"), ("main", "main.Lock.__exit__"), ("main", "main.helper")},
    ),
    "functions under one decorator stay apart": (
        """
        import functools
        def logged(function):
            @functools.wraps(function)
            def wrapper(*args, **kwargs):
                return function(*args, **kwargs)
            return wrapper
        @logged
        def one(action):
            action()
        @logged
        def two(action):
            action()
        def first():
            pass
        def second():
            pass
        one(first)
        two(second)
        """,
        {
            ("main", "main.logged"),
            ("main", "main.logged.wrapper"),
            ("main.logged.wrapper", "main.one"),
            ("main.logged.wrapper", "main.two"),
            ("main.one", "main.first"),
            ("main.two", "main.second"),
        },
    ),
    "an unknown decorator leaves the function callable": (
        """
        import library
        @library.register
        def target():
            pass
        target()
        """,
        {("main", "main.target")},
    ),
    "a partial application calls its function with both parts of the arguments": (
        """
        from functools import partial
        def run(first, second):
            first()
            second()
        def one():
            pass
        def two():
            pass
        ready = partial(run, one)
        ready(two)
        """,
        {("main", "main.run"), ("main.run", "main.one"), ("main.run", "main.two")},
    ),
    "getattr with a constant name": (
        """
        class Tool:
            def go(self):
                pass
            def stay(self):
                pass
        getattr(Tool(), "go")()
        """,
        {("main", "main.Tool.go")},
    ),
    "getattr with a name put together from constants in a loop": (
        """
        class Visitor:
            def visit_a(self):
                pass
            def visit_b(self):
                pass
            def other(self):
                pass
            def run(self):
                for kind in ("a", "b"):
                    getattr(self, "visit_" + kind)()
        """,
        {
            ("main.Visitor.run", "main.Visitor.visit_a"),
            ("main.Visitor.run", "main.Visitor.visit_b"),
        },
    ),
    "getattr with only the beginning of the name known": (
        """
        class Visitor:
            def visit_a(self):
                pass
            def other(self):
                pass
            def run(self, node):
                getattr(self, f"visit_{type(node).__name__}")()
        """,
        {("main.Visitor.run", "main.Visitor.visit_a")},
    ),
    "operators call the methods of their operands": (
        """
        class Number:
            def __add__(self, other):
                return self
            def __rmul__(self, other):
                return self
            def __getitem__(self, key):
                return self
            def __contains__(self, item):
                return True
            def __len__(self):
                return 1
            def __neg__(self):
                return self
        def use(number: Number):
            number + 1
            2 * number
            number["x"]
            3 in number
            len(number)
            -number
        """,
        {
            ("main.use", f"main.Number.{name}")
            for name in ("__add__", "__rmul__", "__getitem__", "__contains__", "__len__", "__neg__")
        },
    ),
    "a registry filled by a decorator": (
        """
        REGISTRY = {}
        def register(name):
            def decorate(function):
                REGISTRY[name] = function
                return function
            return decorate
        @register("a")
        def first():
            pass
        @register("b")
        def second():
            pass
        def run():
            REGISTRY["a"]()
        """,
        {
            ("main", "main.register"),
            ("main", "main.register.decorate"),
            ("main.run", "main.first"),
        },
    ),
    "an instance that is called": (
        """
        class Task:
            def __call__(self):
                pass
        Task()()
        """,
        {("main", "main.Task.__call__")},
    ),
    "a class that is raised is made": (
        """
        class Problem(Exception):
            def __init__(self):
                pass
        raise Problem
        """,
        {("main", "main.Problem.__init__")},
    ),
    "an annotation gives the receiver where no call does": (
        """
        class Shape:
            def area(self):
                pass
        def total(shapes: "list[Shape]"):
            for shape in shapes:
                shape.area()
        """,
        {("main.total", "main.Shape.area")},
    ),
    "isinstance gives the receiver inside its branch": (
        """
        class Shape:
            def area(self):
                pass
        def total(shape):
            if isinstance(shape, Shape):
                shape.area()
        """,
        {("main.total", "main.Shape.area")},
    ),
    "a dataclass hands its arguments to its fields": (
        """
        from dataclasses import dataclass
        from typing import Callable
        @dataclass
        class Step:
            action: Callable
            def run(self):
                self.action()
        def work():
            pass
        Step(work).run()
        """,
        {("main", "main.Step.run"), ("main.Step.run", "main.work")},
    ),
    "closures reach the variables around them": (
        """
        def outer():
            def helper():
                pass
            def inner():
                helper()
            return inner
        outer()()
        """,
        {
            ("main", "main.outer"),
            ("main", "main.outer.inner"),
            ("main.outer.inner", "main.outer.helper"),
        },
    ),
    "lambdas are numbered in the definition that they stand in": (
        """
        def run(action):
            action()
        run(lambda: target())
        def target():
            pass
        """,
        {("main", "main.run"), ("main.run", "main.<lambda1>"), ("main.<lambda1>", "main.target")},
    ),
    "a global rebound in a function": (
        """
        hook = None
        def install():
            global hook
            hook = target
        def target():
            pass
        def run():
            hook()
        """,
        {("main.run", "main.target")},
    ),
    "the functions that a builtin calls": (
        """
        def key(item):
            pass
        def double(item):
            return target
        def target():
            pass
        sorted([1], key=key)
        for item in map(double, [1]):
            item()
        """,
        {("main", "main.key"), ("main", "main.double"), ("main", "main.target")},
    ),
    "a coroutine that is awaited": (
        """
        async def fetch():
            return target
        def target():
            pass
        async def run():
            found = await fetch()
            found()
        """,
        {("main.run", "main.fetch"), ("main.run", "main.target")},
    ),
    "the subject of a match statement": (
        """
        class Circle:
            def area(self):
                pass
        def run(shape):
            match shape:
                case Circle() as circle:
                    circle.area()
        """,
        {("main.run", "main.Circle.area")},
    ),
    "members of an enumeration are its instances": (
        """
        from enum import Enum
        class Colour(Enum):
            RED = 1
            def show(self):
                pass
        Colour.RED.show()
        """,
        {("main", "main.Colour.show")},
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_call_edges(name: str, tmp_path: Path) -> None:
    source, expected = CASES[name]
    assert calls(graph_of(tmp_path, source)) == expected


def test_modules_are_followed_through_every_kind_of_import(tmp_path: Path) -> None:
    graph = graph_of(
        tmp_path,
        """
        import importlib
        import pkg.deep.mod as alias
        import pkg.other
        from pkg import again, other as renamed
        from pkg.star import *

        alias.in_mod()
        pkg.other.in_other()
        again()
        renamed.in_other()
        in_star()
        importlib.import_module("pkg.late").in_late()
        """,
        pkg_init="from .deep.mod import in_mod as again\n",
        pkg__deep_init="",
        pkg__deep__mod="from ..other import in_other\n\ndef in_mod():\n    in_other()\n",
        pkg__other="def in_other():\n    pass\n",
        pkg__star="__all__ = ['in_star']\n\ndef in_star():\n    pass\n\ndef hidden():\n    pass\n",
        pkg__late="def in_late():\n    pass\n",
    )
    assert calls(graph) == {
        ("main", "pkg.deep.mod.in_mod"),
        ("main", "pkg.other.in_other"),
        ("main", "pkg.star.in_star"),
        ("main", "pkg.late.in_late"),
        ("pkg.deep.mod.in_mod", "pkg.other.in_other"),
    }


def test_what_is_not_of_the_repository_is_named_as_it_is_imported(tmp_path: Path) -> None:
    graph = graph_of(
        tmp_path,
        """
        import json as j
        from library import Client

        class Own(Client):
            def run(self):
                self.send()

        Client("x").connect()
        j.dumps({}).strip()
        print("".join([]))
        Own()
        """,
    )
    assert calls(graph, library=True) == {
        ("main", "library.Client"),
        ("main", "library.Client.connect"),
        ("main", "library.Client.__init__"),
        ("main.Own.run", "library.Client.send"),
        ("main", "json.dumps"),
        ("main", "json.dumps.strip"),
        ("main", "<builtin>.print"),
        ("main", "<**PyStr**>.join"),
    }


def test_long_sums_and_long_chains_of_elif_are_walked(tmp_path: Path) -> None:
    tests = "\n".join(f"    elif x == {i}:\n        y = {i}" for i in range(900))
    text = (
        "def target():\n    return 1\n\n\ndef run(x):\n    y = "
        + " + ".join(["target()"] * 900)
        + f"\n    if x:\n        y = 0\n{tests}\n    return y\n"
    )
    assert ("main.run", "main.target") in calls(graph_of(tmp_path, text))
