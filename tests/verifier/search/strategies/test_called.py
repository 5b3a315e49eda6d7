"""What a repository's tests give to a target, as drafts of cases."""

from __future__ import annotations

import textwrap
from dataclasses import replace
from importlib.metadata import entry_points
from pathlib import Path
from random import Random

import pytest
from slicefunc.driver.pipeline.case_synthesis import search_cases
from slicefunc.driver.pipeline.passes import compile_slice
from slicefunc.slicer import Repository
from slicefunc.verifier.evidence.recordings.relevant_tests import relevant_test_files
from slicefunc.verifier.execution.executors.interface import Profile
from slicefunc.verifier.inputs.argument_pools import inputs_of
from slicefunc.verifier.inputs.statements import Statement
from slicefunc.verifier.scoring.oracle.oracle_recording import STILL
from slicefunc.verifier.search.corpus.draft_sources import DraftSources
from slicefunc.verifier.search.drafts.drafts import case_of, first_draft
from slicefunc.verifier.search.exploration import Budget
from slicefunc.verifier.search.strategies.recorded_test_calls import called, job_of, suite_of
from slicefunc.verifier.search.variation.call_sequences import call_sequences
from slicefunc.verifier.search.variation.kept_items import about_items

from tests.verifier.one_executor import one_executor

WITH_PYTEST = Profile(
    name="test", preload=tuple(sorted(each.module for each in entry_points(group="pytest11")))
)
"""With the plugins that it would import in each run."""
SHOP = """
    import enum
    from dataclasses import dataclass, field

    class Kind(enum.Enum):
        BOOK = 1
        FOOD = 2

    @dataclass
    class Item:
        price: int
        kind: Kind = Kind.BOOK

    class Basket:
        def __init__(self, owner, *items, rate=10):
            self.owner = owner.upper()
            self.items = list(items)
            self.rate = rate
            self.closed = False

        def add(self, item):
            self.items.append(item)

        def total(self, discount=0, *more, note=None, **options):
            mine = [item for item in self.items if isinstance(item, Item)]
            net = sum(item.price for item in mine if item.kind is Kind.BOOK)
            return self.owner, net - discount, self.rate, more, note, options

        @property
        def is_closed(self):
            return self.closed

        @classmethod
        def of(cls, prices):
            return cls("somebody", *map(Item, prices))

    class Plain:
        def __init__(self, value):
            self.value = value
            self.other = 1

    def valued(plain):
        return plain.value

    def is_plain(plain):
        return isinstance(plain, Plain) and plain.value

    def apply(function, values, plain=None):
        return [function(value) for value in values]

    async def later(value):
        return value

    def counted(values):
        for value in values:
            yield value
"""
TESTS = """
    import pathlib, datetime, re
    from shop import Basket, Item, Kind, Plain, apply, counted, is_plain, later, valued

    def test_total():
        basket = Basket("ann", Item(3), rate=20)
        basket.add(Item(4, Kind.FOOD))
        basket.closed = True
        assert basket.total(1, "x", note={"a": (1.5, None)}, deep=True)
        assert basket.is_closed

    def test_plain():
        assert valued(Plain(7)) and is_plain(Plain(7))

    def test_of():
        assert Basket.of([1, 2]).items

    def test_apply():
        apply(lambda value: value + 1, {1, 2})
        apply(str.upper, ["a"], Plain(pathlib.Path("x")))
        apply(bool, [re.compile("a+", re.I), datetime.date(2024, 1, 2)])

    def test_many():
        for number in range(9):
            apply(abs, [number])

    def test_later():
        import asyncio
        assert asyncio.run(later(b"x")) == b"x"
        assert list(counted((n for n in [1]))) == [1]
        assert list(counted([1])) == [1]
"""


class Shop:
    """A repository with tests, and where they run."""

    def __init__(self, folder: Path, shop: str = SHOP, tests: str = TESTS) -> None:
        (folder / "tests").mkdir(parents=True)
        (folder / "shop.py").write_text(textwrap.dedent(shop).lstrip())
        (folder / "tests/test_shop.py").write_text(textwrap.dedent(tests).lstrip())
        self.repository = Repository(folder)

    def cases(self, qualname: str) -> list[str]:
        """The calls that the tests make, as the lines of cases behind the head."""
        sliced = compile_slice(self.repository, (f"shop.py::{qualname}",))
        suite, inputs = suite_of(self.repository, sliced), inputs_of(self.repository, sliced)
        assert suite is not None
        assert inputs is not None
        outcome = one_executor(WITH_PYTEST).run(job_of(self.repository, suite, STILL))
        found = called(outcome, self.repository, sliced, inputs)
        assert found or '{"kind":"end"}' in outcome.records, outcome
        codes = (case_of(inputs, draft, "case_1").code for draft in found)
        return [" | ".join(line.strip() for line in code.splitlines()[1:]) for code in codes]


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Shop:
    return Shop(tmp_path_factory.mktemp("shop"))


def test_an_instance_is_made_as_the_test_made_it_and_then_changed(shop: Shop) -> None:
    (case,) = shop.cases("Basket.total")
    made, items, closed, call = case.split(" | ")
    assert made == "basket = Basket('ann', Item(price=3), rate=20)"
    assert items == "basket.items = [Item(price=3), Item(price=4, kind=Kind.FOOD)]"
    assert closed == "basket.closed = True"
    assert call == ("return basket.total(1, *('x',), note={'a': (1.5, None)}, **{'deep': True})")


def test_properties_and_class_methods(shop: Shop) -> None:
    assert shop.cases("Basket.is_closed")[0].endswith("return basket.is_closed")
    assert shop.cases("Basket.of") == ["return Basket.of(prices=[1, 2])"]


def test_functions_and_values_of_the_library_are_written_by_name(shop: Shop) -> None:
    first, second, third, *_ = shop.cases("apply")
    assert first == "return apply(function=lambda value: value + 1, values={1, 2})"
    assert "function=str.upper, values=['a']" in second
    assert "__import__('re').compile('a+', 2)" in third
    assert "__import__('datetime').date(2024, 1, 2)" in third


def test_modules_and_loggers_are_written_by_name(tmp_path: Path) -> None:
    tests = """
        import json, logging
        from shop import apply

        def test_it():
            apply(json, logging.getLogger("a.b"))
    """
    assert Shop(tmp_path, tests=tests).cases("apply") == [
        "return apply(function=__import__('importlib').import_module('json'), "
        "values=__import__('logging').getLogger('a.b'))"
    ]


def test_of_a_class_that_the_slice_lacks_what_is_read_stands_in(shop: Shop) -> None:
    (case,) = shop.cases("valued")
    assert case == "return valued(plain=type('Plain', (), {'value': 7})())"


def test_an_instance_is_made_without_a_constructor_that_the_slice_lacks(shop: Shop) -> None:
    (case,) = shop.cases("is_plain")
    assert case == "return is_plain(plain=type('Plain', (Plain,), {'value': 7})())"


def test_of_calls_that_are_alike_few_are_kept(shop: Shop) -> None:
    numbers = [case for case in shop.cases("apply") if "function=abs" in case]
    assert [case.partition("values=")[2] for case in numbers] == ["[0])", "[1])", "[2])", "[3])"]


def test_coroutines_and_generators_are_noted_when_they_begin(shop: Shop) -> None:
    assert shop.cases("later") == ["return await later(value=b'x')"]
    # of the first call nothing can be written
    assert shop.cases("counted") == ["return counted(values=[1])"]


def test_files_of_tests_are_laid_out_where_the_case_runs(tmp_path: Path) -> None:
    tests = """
        from shop import apply

        def test_file(tmp_path):
            (tmp_path / "in").mkdir()
            (tmp_path / "in" / "a.txt").write_text("one")
            apply(str(tmp_path / "in" / "a.txt"), tmp_path / "out.txt")

        def test_folder(tmp_path):
            (tmp_path / "b.txt").write_text("two")
            apply(tmp_path, 1)
    """
    file, folder = Shop(tmp_path, tests=tests).cases("apply")
    assert file == (
        "__import__('os').makedirs('in', exist_ok=True) | "
        "__import__(\"pathlib\").Path('in/a.txt').write_text('one') | "
        "return apply(function='in/a.txt', values=__import__('pathlib').Path('out.txt'))"
    )
    assert folder == (
        "__import__(\"pathlib\").Path('b.txt').write_text('two') | "
        "return apply(function=__import__('pathlib').Path('.'), values=1)"
    )


def test_without_pytest_unittest_runs_them(tmp_path: Path) -> None:
    tests = """
        import sys, unittest
        sys.modules["pytest"] = None
        from shop import apply

        class ApplyTest(unittest.TestCase):
            def test_it(self):
                self.assertEqual(apply(len, ["ab"]), [2])
    """
    assert Shop(tmp_path, tests=tests).cases("apply") == [
        "return apply(function=len, values=['ab'])"
    ]


def test_tests_that_do_not_load_give_nothing(tmp_path: Path) -> None:
    assert Shop(tmp_path, tests="import absent\nfrom shop import apply\n").cases("apply") == []


def test_a_test_that_never_ends_is_cut_off(tmp_path: Path) -> None:
    tests = """
        from shop import apply

        def test_first():
            while True:
                pass

        def test_second():
            apply(len, [])
    """
    assert Shop(tmp_path, tests=tests).cases("apply") == ["return apply(function=len, values=[])"]


def test_tests_that_only_wait_leave_time_for_others(tmp_path: Path) -> None:
    tests = """
        import pytest, threading
        from shop import apply

        @pytest.mark.parametrize("number", range(3))
        def test_waiting(number):
            threading.Event().wait()

        def test_last():
            apply(len, [])
    """
    shop = Shop(tmp_path, tests=tests)
    sliced = compile_slice(shop.repository, ("shop.py::apply",))
    suite = suite_of(shop.repository, sliced)
    assert suite is not None
    job = job_of(shop.repository, replace(suite, seconds=2.0), STILL)
    limits = replace(job.limits, wall_seconds=25.0)  # a test with work to do has ten seconds
    outcome = one_executor(WITH_PYTEST).run(replace(job, limits=limits))
    assert '{"kind":"end"}' in outcome.records, outcome


@pytest.mark.parametrize("where", ["test", "fixture"])
def test_where_tests_only_wait_the_rest_is_left_out(where: str, tmp_path: Path) -> None:
    waits = "threading.Event().wait()"
    tests = f"""
        import pytest, threading

        @pytest.fixture
        def server():
            {waits if where == "fixture" else "return 1"}

        @pytest.mark.parametrize("number", range(20))
        def test_apply(number, server):
            {waits}
    """
    shop = Shop(tmp_path, tests=tests)
    suite = suite_of(shop.repository, compile_slice(shop.repository, ("shop.py::apply",)))
    assert suite is not None
    job = job_of(shop.repository, replace(suite, seconds=0.5), STILL)
    limits = replace(job.limits, wall_seconds=15.0)  # all of them would take that
    outcome = one_executor(WITH_PYTEST).run(replace(job, limits=limits))
    assert '{"kind":"end"}' in outcome.records, outcome


def test_tests_that_name_the_target_come_first(tmp_path: Path) -> None:
    tests = """
        import pytest
        from shop import Basket, Item, apply

        @pytest.mark.parametrize("number", range(400))
        def test_others(number):
            pass

        @pytest.mark.parametrize("number", range(400))
        def test_nearly(number):
            assert apply(str, [])  == []

        def test_it():
            assert apply(len, []) == []
    """
    cases = Shop(tmp_path, tests=tests).cases("apply")
    assert sorted(cases) == [
        "return apply(function=len, values=[])",
        "return apply(function=str, values=[])",
    ]


def test_the_tests_are_those_that_name_the_target_or_its_caller(tmp_path: Path) -> None:
    for name, text in {
        "code.py": "def f(a):\n    return 1\n\ndef outer():\n    return f(1)\n",
        "tests/test_code.py": "import code\n",
        "tests/test_a.py": "from code import f\n",
        "tests/test_b.py": "from code import outer\n",
        "tests/test_c.py": "x = 1\n",
        "tests/helper.py": "from code import f\n",
    }.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    found = relevant_test_files(Repository(tmp_path), "code.py", "f")
    assert found == ("tests/test_code.py", "tests/test_a.py", "tests/test_b.py")


KEYED = """
    import hashlib

    def opened(text):
        digest = hashlib.sha256(text.encode()).hexdigest()
        if digest.startswith("2bd806c97f0e00af"):
            return "open"
        return "shut"
"""


def test_what_the_search_does_not_find_is_taken_from_there(tmp_path: Path) -> None:
    shop = Shop(
        tmp_path,
        shop=KEYED,
        tests="from shop import opened\ndef test_it():\n"
        "    for word in sorted(['alice']):\n        opened(word)\n",
    )
    sliced = compile_slice(shop.repository, ("shop.py::opened",))
    inputs = inputs_of(shop.repository, sliced)
    assert inputs is not None
    asked: list[int] = []

    def further() -> tuple[object, ...]:
        asked.append(1)
        suite = suite_of(shop.repository, sliced)
        assert suite is not None
        outcome = one_executor(WITH_PYTEST).run(job_of(shop.repository, suite, STILL))
        return called(outcome, shop.repository, sliced, inputs)

    budget, run = Budget(drafts=200), one_executor().run
    found = search_cases(shop.repository, sliced, run, budget, DraftSources(further))
    assert found.coverage is not None
    assert found.coverage.share == 1.0
    assert any("'alice'" in case.code for case in found.cases)
    assert asked == [1]


def test_what_an_instance_holds_is_put_into_it_again_as_its_users_do(tmp_path: Path) -> None:
    tests = """
        from shop import Box

        def test_box():
            box = Box(3)
            box["a"] = 1
            box["b"] = 2
            assert box.pop("a") == 1
    """
    (found,) = Shop(tmp_path, BOX, tests).cases("Box.pop")
    assert found == ("box = Box(most=3) | box['a'] = 1 | box['b'] = 2 | return box.pop(key='a')")


BOX = """
    class Box:
        def __init__(self, most):
            self.__most = most
            self.__data = {}

        def keys(self):
            return self.__data.keys()

        def __iter__(self):
            return iter(self.__data)

        def __len__(self):
            return len(self.__data)

        def __getitem__(self, key):
            return self.__data[key]

        def __setitem__(self, key, value):
            while len(self.__data) >= self.__most:
                del self.__data[next(iter(self.__data))]
            self.__data[key] = value

        def pop(self, key, default=None):
            return self.__data.pop(key, default) if key in self.__data else default
"""


def test_without_tests_calls_are_about_what_their_object_holds(tmp_path: Path) -> None:
    (tmp_path / "box.py").write_text(textwrap.dedent(BOX))
    repository = Repository(tmp_path)
    sliced = compile_slice(repository, ("box.py::Box.pop", "box.py::Box.__setitem__"))
    inputs = inputs_of(repository, sliced)
    assert inputs is not None
    good = [
        first_draft(inputs),
        *about_items(replace(first_draft(inputs), before=(Statement("{it}[7] = 1"),))),
    ]
    (key,) = (text for name, text in good[0].arguments if name == "key")
    assert Statement(f"{{it}}[{key}] = 1") in good[1].before
    assert ("key", "7") in good[2].arguments
    rows = [*call_sequences(inputs, good, Random(1))]
    overfull = [each for each in rows if len({*each.before}) > 2]
    assert overfull
    assert any(any(dict(d.arguments)["key"] in s.text for s in d.before) for d in overfull)
