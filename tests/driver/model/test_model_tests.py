"""Tests that a model writes are run in the sandbox, and only the calls that they make come out."""

from __future__ import annotations

import hashlib
import json
import textwrap
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from slicefunc.driver.model.model_session import ModelPart
from slicefunc.driver.model.model_tests import ModelTestResult, ModelTests, RunTests
from slicefunc.driver.pipeline.case_synthesis import synthesised
from slicefunc.driver.pipeline.passes import Options, compile_slice
from slicefunc.driver.places.script_environment import current_interpreter
from slicefunc.llm.client.answer_cache import Cache
from slicefunc.llm.client.client import Client
from slicefunc.llm.client.model_settings import Settings
from slicefunc.llm.stages.written_tests import WrittenTest
from slicefunc.slicer import Repository
from slicefunc.slicer.model import Slice
from slicefunc.verifier.execution.executors.choose_executor import (
    Choice,
    choose,
    with_warm_executors,
)
from slicefunc.verifier.inputs.argument_pools import inputs_of
from slicefunc.verifier.search.corpus.draft_sources import DraftSources
from slicefunc.verifier.search.corpus.search_result import Synthesis
from slicefunc.verifier.search.drafts.drafts import Draft, case_of

from tests.driver.record.test_environment import needs_sandbox
from tests.llm.service import Handler, Service, completion, failing, saying, serving

DIGEST = hashlib.sha256(b"open sesame").hexdigest()
LINES = """
    class Line:
        def __init__(self, net, note=""):
            self.net = net
            self.note = note

    def taxed(line, rate):
        return line.net + line.net * rate // 100
"""
ORDERS = f"""
    import hashlib

    from .lines import Line, taxed

    RATE = 20

    class Order:
        def __init__(self, lines):
            self.lines = [Line(*line) for line in lines]
            self.is_open = True
            self._rate = RATE

        def total(self, discount=0, *more, cents=False):
            if discount > 10:
                raise ValueError(discount)
            net = sum(taxed(line, self._rate) for line in self.lines)
            return net - discount if self.is_open else 0

        @property
        def size(self):
            return len(self.lines)

        @classmethod
        def of(cls, nets):
            return cls([(net,) for net in nets])

    def longest(lines, least=1):
        found = [line.note for line in lines if len(line.note) >= least]
        return max(found, key=len) if found else Line(0).note

    def enter(word):
        if hashlib.sha256(word.encode()).hexdigest() == "{DIGEST}":
            return "open"
        return "shut"
"""
pytestmark = needs_sandbox


@pytest.fixture(scope="module")
def warm() -> Iterator[Choice]:
    with with_warm_executors(choose()) as choice:
        yield choice


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Repository:
    folder = tmp_path_factory.mktemp("shop")
    (folder / "src/shop").mkdir(parents=True)
    (folder / "src/shop/__init__.py").touch()
    (folder / "src/shop/lines.py").write_text(textwrap.dedent(LINES))
    (folder / "src/shop/orders.py").write_text(textwrap.dedent(ORDERS))
    return Repository(folder)


def runs(repository: Repository, qualname: str, warm: Choice) -> RunTests:
    targets = (f"src/shop/orders.py::{qualname}",)
    sliced = compile_slice(repository, targets)

    @cache
    def package() -> Slice:
        return compile_slice(repository, targets, Options(emit="package"))

    return RunTests(repository, sliced, package, current_interpreter(sliced.manifest), warm)


def calls(tests: RunTests, drafts: tuple[Draft, ...]) -> list[str]:
    """The lines of each case behind its head."""
    inputs = inputs_of(tests.repository, tests.sliced)
    assert inputs is not None
    codes = (case_of(inputs, draft, "case").code for draft in drafts)
    return [" | ".join(line.strip() for line in code.splitlines()[1:]) for code in codes]


@pytest.fixture
def ran(shop: Repository, warm: Choice) -> Callable[..., tuple[list[str], ModelTestResult]]:
    """What comes of a test of a target: the calls as text, and all that is known."""

    def run(qualname: str, test: str, *imports: str) -> tuple[list[str], ModelTestResult]:
        tests = runs(shop, qualname, warm)
        found = tests.ran(WrittenTest(imports=list(imports), test=textwrap.dedent(test)))
        return calls(tests, found.drafts), found

    return run


Running = Callable[..., tuple[list[str], ModelTestResult]]


def test_the_calls_of_a_function_are_drafts(ran: Running) -> None:
    test = """
        def test_longest():
            assert longest([Line(1, "ab"), Line(2)]) == longest_new_implementation([Line(1, "ab")])
            assert longest([], least=math.floor(2.5)) == longest_new_implementation([], least=2)
    """
    found, all_of_it = ran("longest", test, "import math", "import nowhere")
    line = "__import__('importlib').import_module('shop.lines').Line"
    assert [each.replace(line, "Line") for each in found] == [
        "return longest(lines=[Line(net=1, note='ab'), Line(net=2)])",
        "return longest(lines=[Line(net=1, note='ab')])",
        "return longest(lines=[], least=2)",
    ]
    assert (all_of_it.noted, all_of_it.problem) == (3, "")


def test_a_loop_gives_as_many_calls_as_are_wanted(ran: Running) -> None:
    test = """
        def test_total():
            for discount in range(100):
                try:
                    assert Order([(3,)]).total(discount) == 3 - discount
                except (AssertionError, ValueError):
                    pass
                try:
                    Order([(3,)]).total_new_implementation(discount)
                except ValueError:
                    continue
    """
    found, all_of_it = ran("Order.total", test)
    assert len(found) == len(set(found)) == 40
    assert "order = Order(lines=[(3,)]) | return order.total(discount=7)" in found
    assert all_of_it.problem == ""


def test_methods_are_called_on_what_the_test_has_made(ran: Running) -> None:
    test = """
        def test_total():
            order = Order([(3, "x"), (4,)])
            order.is_open = False
            order._rate = 0
            assert order.total(1, 2, cents=True) == order.total_new_implementation(1, 2, cents=True)
    """
    assert ran("Order.total", test)[0] == [
        "order = Order(lines=[(3, 'x'), (4,)]) | order.is_open = False | order._rate = 0 | "
        "return order.total(1, *(2,), cents=True)"
    ]


def test_properties_and_class_methods_have_another_name_too(ran: Running) -> None:
    test = (
        "def test_size():\n    assert Order([(1,)]).size == Order([(2,)]).size_new_implementation"
    )
    found, all_of_it = ran("Order.size", test)
    assert found == [f"order = Order(lines=[({n},)]) | return order.size" for n in (1, 2)]
    test = "def test_of():\n    assert Order.of([1]).lines != Order.of_new_implementation([2])"
    found, all_of_it = ran("Order.of", test)
    assert found == [f"return Order.of(nets=[{n}])" for n in (1, 2)]
    assert all_of_it.problem == ""


@pytest.mark.parametrize(
    ("test", "problem"),
    [
        ("assert enter('b') == 1, 'wrong\\nhere'", "AssertionError: wrong here (at `assert enter("),
        ("print('PASSED' * 9)\nenter('b')", ""),
        ("import sys\nenter('b')\nsys.exit(0)", "SystemExit: 0 (at `sys.exit(0)`)"),
        ("import os\nenter('b')\nos._exit(0)", "the process ended before the test"),
        pytest.param(
            "enter('b')\nwhile True: pass",
            "TimeoutError: the test takes too long",
            marks=pytest.mark.nightly,
        ),
        ("global enter\nenter('b')\nenter = lambda word: 'PASSED'\nenter('c')", ""),
        ("enter('b')\nshop.orders.enter = print\nshop.orders.enter('c')", "NameError: name 'shop'"),
        ("hashlib.sha256 = print\nenter('b')", "AttributeError: 'NoneType'"),
        ("enter('b')\nenter.__code__ = (lambda word: 'PASSED').__code__\nenter('c')", ""),
        ("enter('b')\nenter(open)\nraise KeyboardInterrupt", "AttributeError: "),
    ],
)
def test_what_a_test_does_beside_its_calls_is_of_no_consequence(
    ran: Running, test: str, problem: str
) -> None:
    source = "def test_enter():\n" + textwrap.indent(test, "    ")
    found, all_of_it = ran("enter", source)
    assert found == ["return enter(word='b')"]
    assert all_of_it.problem.startswith(problem)
    assert bool(all_of_it.problem) == bool(problem)


def test_only_values_come_out_of_what_a_test_forges(ran: Running) -> None:
    record = {
        "kind": "call",
        "call": {"receiver": "", "states": [], "arguments": [["word", "print('PASSED')"]]},
    }
    lines = [json.dumps(record), '{"kind":"call"}', "[]", "{", '{"kind":"end"}']
    test = f"""
        def test_enter():
            for line in {lines!r}:
                __slice_func_note__.__self__._emit(line)
            __slice_func_note__("=", ("word",), (None,), (open,))
            __slice_func_note__("=", ("word",), (None,), (Line.total,))
    """
    assert ran("enter", test)[0] == []


def test_methods_that_a_test_replaces_are_those_of_the_repository(ran: Running) -> None:
    test = """
        def test_total():
            order = Order([(3,)])
            order.taxed = order.later = lambda *args: 0
            Order.size = 7
            assert order.total(1) == 2
    """
    assert ran("Order.total", test)[0] == [
        "order = Order(lines=[(3,)]) | return order.total(discount=1)"
    ]


@pytest.mark.parametrize(
    ("test", "problem"),
    [
        ("def test_enter(:", "the test is no Python: line 1"),
        ("word = 1", "the test holds no function"),
        ("def test_enter(word):\n    enter(word)", "the test test_enter takes parameters"),
        ("nowhere.x = 1\ndef test_enter():\n    enter('b')", "NameError: name 'nowhere'"),
    ],
)
def test_what_cannot_run_says_why(ran: Running, test: str, problem: str) -> None:
    found, all_of_it = ran("enter", test)
    assert found == []
    assert all_of_it.problem.startswith(problem)


def test_models_of_pydantic_are_made_of_what_they_were_given(tmp_path: Path, warm: Choice) -> None:
    pytest.importorskip("pydantic")
    (tmp_path / "src/shop").mkdir(parents=True)
    (tmp_path / "src/shop/orders.py").write_text(
        "from pydantic import BaseModel, Field\n\nclass Line(BaseModel):\n    net: int\n"
        "    note: str = ''\n    kind: str = Field('', alias='type')\n\n"
        "def net(line):\n    return line.net if line.kind else 0\n\n"
        "def made(net):\n    return Line(net=net)\n"
    )
    targets = ("src/shop/orders.py::net", "src/shop/orders.py::made")
    repository = Repository(tmp_path)
    sliced = compile_slice(repository, targets)
    package = compile_slice(repository, targets, Options(emit="package"))
    tests = RunTests(
        repository, sliced, lambda: package, current_interpreter(sliced.manifest), warm
    )
    test = "def test_net():\n    assert net(Line(net=3, type='x')) == 3"
    assert calls(tests, tests.ran(WrittenTest(test=test)).drafts) == [
        "return net(line=Line(net=3, type='x'))"
    ]


# ------------------------------------------------------------------------- who asks


@contextmanager
def asking(
    shop: Repository, warm: Choice, folder: Path, *says: Handler
) -> Iterator[tuple[ModelTests, Service, list[str]]]:
    """Tests of `enter` that a service writes, the service, and what people are told."""
    told: list[str] = []
    with serving(*says) as service:
        settings = Settings("m", service.url, retries=0, cache=folder / "answers")
        client = Client(settings, Cache(folder / "answers"))
        try:
            part = ModelPart.of(client, told.append)
            yield ModelTests(runs(shop, "enter", warm), part), service, told
        finally:
            client.close()


def written(body: str) -> dict[str, Any]:
    return {"imports": [], "test": f"def test_enter():\n    {body}\n"}


def test_a_model_is_asked_for_a_test(shop: Repository, warm: Choice, tmp_path: Path) -> None:
    test = written("assert enter('open ' + 'sesame') == enter_new_implementation('x')")
    with asking(shop, warm, tmp_path, saying(test)) as (model, service, _):
        assert calls(model.tests, model.drafts()) == [
            "return enter(word='open sesame')", "return enter(word='x')",
        ]  # fmt: skip
        (sent,) = service.asked
        question = sent["messages"][1]["content"]
        for text in (DIGEST, "enter_new_implementation", "test_enter", "  def enter(word):\n"):
            assert text in question
        assert dict(model.model.calls)["tests of enter"].calls == 1


def test_what_came_of_a_test_is_said_and_asked_again(
    shop: Repository, warm: Choice, tmp_path: Path
) -> None:
    says = (saying(written("enter(nowhere)")), saying(written("enter('x')")))
    with asking(shop, warm, tmp_path, *says) as (model, service, _):
        assert calls(model.tests, model.drafts()) == ["return enter(word='x')"]
        again = service.asked[1]["messages"][3]["content"]
        assert "It made no call." in again
        assert "name 'nowhere' is not defined (at `enter(nowhere)`)" in again
        assert model.drafts() == ()  # two answers are all that the settings allow
        assert len(service.asked) == 2


@pytest.mark.parametrize("says", [completion(None, refusal="no"), failing(401), failing(503)])
def test_without_an_answer_there_are_no_drafts(
    shop: Repository, warm: Choice, tmp_path: Path, says: Handler
) -> None:
    with asking(shop, warm, tmp_path, says) as (model, service, told):
        assert model.drafts() == model.drafts() == ()
        assert len(service.asked) == len(told) + len(model.model.failures) == 1


@pytest.fixture(scope="module")
def unasked(shop: Repository, warm: Choice) -> Synthesis:
    """The cases of `enter` that are found without a model."""
    tests = runs(shop, "enter", warm)
    return synthesised(shop, tests.sliced, warm, tests.place.profile)


@pytest.mark.parametrize(
    ("body", "share"),
    [
        ("enter('open sesame')", 1.0),
        ("print('PASSED'); enter('a'); exit()", 0.5),
        ("enter.__code__ = print; raise SystemExit", 0.5),
        ("(", 0.5),
    ],
)
def test_the_search_takes_what_leads_further_and_nothing_else(
    shop: Repository, warm: Choice, unasked: Synthesis, tmp_path: Path, body: str, share: float
) -> None:
    with asking(shop, warm, tmp_path, saying(written(body))) as (model, _, _):
        tests = model.tests
        further = DraftSources(model.drafts)
        found = synthesised(shop, tests.sliced, warm, tests.place.profile, further)
    coverage = [each.coverage.share for each in (unasked, found) if each.coverage]
    assert coverage == [0.5, share]
    if share < 1:
        assert found.killed == unasked.killed
        assert not any("exit" in case.code or "__code__" in case.code for case in found.cases)
