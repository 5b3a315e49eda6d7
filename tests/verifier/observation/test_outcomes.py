"""What tells two outcomes apart, and what does not: kind by kind, what must and must not differ."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from slicefunc.verifier.observation.compare_observations import first_difference
from slicefunc.verifier.observation.shown_evidence import evidence

from tests.verifier.observation.running import difference, observe, seen

ERRORS = """
class Coded(Exception):
    def __init__(self, status, body="", detail=""):
        super().__init__(f"status {status}: {detail}")
        self.status, self.body, self.detail, self.hint = status, body, detail, "have a look"
"""


def _apart(
    folder: Path, expected: str, observed: str, case: str = "return f(1)", head: str = ""
) -> str | None:
    """Where two bodies of `f(x)` first differ in a case, if they do."""
    old, new = (
        observe(folder, f"{head}\ndef f(x):\n{_indented(body)}", "f", case)
        for body in (expected, observed)
    )
    found = first_difference(old, new)
    return None if found is None else str(found)


def _indented(text: str) -> str:
    return "".join(f"    {line}\n" for line in text.splitlines())


# accidents


@pytest.mark.parametrize(
    ("fails", "is_same"),
    [
        ("row['seat']", True),
        ("row.seat", True),
        ("[][x]", True),
        ("raise_(KeyError(x))", False),
        ("int('x')", False),
    ],
)
def test_how_far_a_call_came_by_an_accident_does_not_count(
    tmp_path: Path, fails: str, is_same: bool
) -> None:
    head = "seats = []\nrow = {}\ndef raise_(error): raise error\n"
    expected, observed = f"seats.append(x)\n{fails}", f"{fails}\nseats.append(x)"
    assert (_apart(tmp_path, expected, observed, head=head) is None) == is_same


def test_an_accident_is_still_an_exception_of_its_class(tmp_path: Path) -> None:
    assert _apart(tmp_path, "return {}[x]", "return {}.get(x)") is not None
    assert _apart(tmp_path, "return {}[x]", "return [][x]") is not None


# numbers


@pytest.mark.parametrize(
    ("left", "right", "is_same"),
    [
        (0.1 + 0.2, 0.3, True),
        (math.fsum([0.1] * 1000), sum([0.1] * 1000), True),
        (1.0, 1.0 + 1e-12, False),
        (1_700_000_000.0, 1_700_000_001.0, False),
        (2.2e-10, 2.2e-11, False),
        (1e300, 1e300 * (1 + 1e-15), True),
        (0.0, 1e-300, False),
        (complex(1e10, 1), complex(1e10, 2), False),
    ],
)
def test_numbers_agree_but_for_rounding(left: complex, right: complex, is_same: bool) -> None:
    assert (difference(left, right) is None) == is_same


# exceptions


@pytest.mark.parametrize(
    ("expected", "observed", "where"),
    [
        ("raise Coded(404)", "raise Coded(404)", None),
        ("raise Coded(404, detail='no such page')", "raise Coded(404, detail='gone')", None),
        ("raise Coded(404)", "raise Coded(500)", "exception.status: 404 != 500"),
        ("raise Coded(404, 'a')", "raise Coded(404, 'b')", "exception.body: 'a' != 'b'"),
        ("raise ValueError('one')", "raise ValueError('two', 3)", None),
        ("raise ValueError", "raise KeyError", "exception: ValueError != KeyError"),
        (
            "raise ExceptionGroup('a', [KeyError(1), OSError(2)])",
            "raise ExceptionGroup('b', [KeyError('x'), OSError()])",
            None,
        ),
        (
            "raise ExceptionGroup('a', [KeyError(1), OSError(2)])",
            "raise ExceptionGroup('a', [OSError(2), KeyError(1)])",
            "exception.members[0]: ",
        ),
        (
            "raise ExceptionGroup('a', [Coded(1), OSError(2)])",
            "raise ExceptionGroup('a', [Coded(1)])",
            "len(exception.members): 2 != 1",
        ),
        (
            "raise ExceptionGroup('a', [Coded(1)])",
            "raise ExceptionGroup('a', [Coded(2)])",
            "exception.members[0].status: 1 != 2",
        ),
    ],
)
def test_of_exceptions_all_but_the_words_counts(
    tmp_path: Path, expected: str, observed: str, where: str | None
) -> None:
    found = _apart(tmp_path, expected, observed, head=ERRORS)
    assert found == where or (where is not None and found is not None and where in found)


FROM = "try:\n    int('x')\nexcept ValueError{name}:\n    raise LookupError{cause}"


@pytest.mark.parametrize(
    ("expected", "observed", "is_same"),
    [
        (" from error", " from error", True),
        (" from error", "", True),
        (" from error", " from None", False),
        (" from error", " from KeyError()", False),
        ("", " from error", True),
        ("", " from None", True),
    ],
)
def test_what_an_exception_is_said_to_come_from_counts(
    tmp_path: Path, expected: str, observed: str, is_same: bool
) -> None:
    one, other = (FROM.format(name=" as error", cause=cause) for cause in (expected, observed))
    assert (_apart(tmp_path, one, other) is None) == is_same


def test_the_words_of_what_ends_a_generator_do_not_count(tmp_path: Path) -> None:
    body = "yield x\nraise {}"
    assert _apart(tmp_path, body.format("KeyError('a')"), body.format("KeyError('b')")) is None
    found = _apart(tmp_path, body.format("KeyError('a')"), body.format("OSError('a')"))
    assert found is not None


# iterators


@pytest.mark.parametrize(
    ("observed", "is_same"),
    [
        ("return map(lambda n: n * 2, [x, 3])", True),
        ("return iter([2, 6])", True),
        ("return (n * 2 for n in (x, 3))", True),
        ("return [2, 6]", False),
        ("return iter([2, 7])", False),
        ("yield 2\nyield 6\nreturn 1", False),
    ],
)
def test_iterators_agree_that_give_the_same(tmp_path: Path, observed: str, is_same: bool) -> None:
    assert (_apart(tmp_path, "yield x * 2\nyield 6", observed) is None) == is_same


@pytest.mark.parametrize(
    ("case", "where"),
    [
        ("return f(iter([1, 2, 3]))", "0 after the first item: not yet done with != done with"),
        ("return f([1, 2, 3])", None),
    ],
)
def test_who_takes_more_than_the_first_item_needs_is_told_from_who_does_not(
    tmp_path: Path, case: str, where: str | None
) -> None:
    lazy = "for n in x:\n    yield n"
    assert _apart(tmp_path, lazy, "yield from list(x)", case) == where
    assert _apart(tmp_path, lazy, "return map(int, x)", case) is None
    assert _apart(tmp_path, "yield from list(x)", lazy, case) is None


def test_what_is_changed_only_when_asked_for_is_told(tmp_path: Path) -> None:
    lazy = "for n in range(2):\n    x.append(n)\n    yield n"
    eager = "x.extend([0, 1])\nyield 0\nyield 1"
    found = _apart(tmp_path, lazy, eager, "return f([])")
    assert found == "0 after the first item: not yet done with != done with"


SUMS = """
total = 0
while True:
    got = yield total
    total += got or x
"""


@pytest.mark.parametrize(
    ("observed", "is_same"),
    [
        ("total = 0\nwhile 1:\n    total += (yield total) or x", True),
        ("total = 0\nwhile True:\n    yield total\n    total += x", False),
        ("return itertools.count(0, x)", False),
        ("total = 0\nwhile True:\n    got = yield total\n    total = got or x", False),
    ],
)
def test_who_uses_what_is_sent_is_told_from_who_does_not(
    tmp_path: Path, observed: str, is_same: bool
) -> None:
    assert (_apart(tmp_path, SUMS, observed, head="import itertools") is None) == is_same


def test_generators_that_drop_what_is_sent_are_gone_through(tmp_path: Path) -> None:
    expected = "for n in range(40):\n    yield n\nyield from [x]"
    assert _apart(tmp_path, expected, "return iter([*range(40), x])") is None


KEPT_GOING = """
total = 0
while True:
    try:
        total += (yield total) or x
    except ValueError:
        total = -1
"""


@pytest.mark.parametrize(
    ("observed", "is_same"),
    [
        (KEPT_GOING.replace("-1", "0 - 1"), True),
        (KEPT_GOING.replace("-1", "7"), False),
        (KEPT_GOING.replace("total = -1", "return 5"), False),
        (KEPT_GOING.replace("total = -1", "raise"), False),
        ("total = 0\nwhile True:\n    total += (yield total) or x", False),
    ],
)
def test_what_a_generator_does_with_an_exception_is_told(
    tmp_path: Path, observed: str, is_same: bool
) -> None:
    assert (_apart(tmp_path, KEPT_GOING, observed) is None) == is_same


def test_a_generator_that_ends_with_an_exception_need_not_know_it(tmp_path: Path) -> None:
    with_end = SUMS.replace("while", "try:\n  while").replace("\n    ", "\n      ")
    expected = f"{with_end}\nfinally:\n  x = 0"
    assert _apart(tmp_path, expected, SUMS) is None


@pytest.mark.parametrize(
    ("observed", "is_same"),
    [
        ("n = 0\nwhile True:\n    n = n + ((yield n) or x)", True),
        ("n = 0\nwhile True:\n    yield n\n    n += x", False),
        ("n = 0\nwhile True:\n    n += ((yield n) or x) * 2", False),
        (
            "n = 0\nwhile True:\n    try:\n        n += (yield n) or x\n"
            "    except ValueError:\n        n = 0",
            False,
        ),
    ],
)
def test_asynchronous_generators_are_sent_values_and_an_exception(
    tmp_path: Path, observed: str, is_same: bool
) -> None:
    scripts = [
        f"async def f(x):\n{_indented(body)}"
        for body in ("n = 0\nwhile True:\n    n += (yield n) or x", observed)
    ]
    old, new = (observe(tmp_path, each, "f", "return f(1)") for each in scripts)
    assert (first_difference(old, new) is None) == is_same


# functions that are given

ADDER = "def more(y, *, by=1):\n    return x + y * by\nreturn more"


@pytest.mark.parametrize(
    ("expected", "observed", "is_same"),
    [
        (ADDER, "return lambda y: y + x", True),
        (ADDER, "return lambda *ys: sum(ys, x) if len(ys) == 1 else None", True),
        (ADDER, "return lambda y: x - y", False),
        (ADDER, "return x + 1", False),
        ("return [lambda t: t.upper() * x]", "return [lambda t: str(t).upper() * x]", True),
        ("return [lambda t: t.upper() * x]", "return [lambda t: t.lower() * x]", False),
        ("return lambda: [*map(str, range(x))]", "return lambda: [str(n) for n in range(x)]", True),
        (
            "n = 0\ndef f():\n    nonlocal n\n    n += 1\n    return n\nreturn f",
            "return lambda: 1",
            False,
        ),
        (ADDER, "def more(y):\n    nonlocal x\n    x += y\n    return x\nreturn more", False),
        ("return lambda: (lambda: x)", "return lambda: (lambda: x + 1)", False),
        ("return lambda: (n for n in [x])", "return lambda: iter([x])", True),
        ("return lambda a, b, c: x", "return lambda a, b, c: 0", True),
    ],
)
def test_functions_that_are_given_are_called(
    tmp_path: Path, expected: str, observed: str, is_same: bool
) -> None:
    assert (_apart(tmp_path, expected, observed) is None) == is_same


# the same object


@pytest.mark.parametrize(
    ("expected", "observed", "is_same"),
    [
        ("x.append(1)\nreturn x", "x.append(1)\nreturn list(x)", False),
        ("x.append(1)\nreturn x", "x += [1]\nreturn x", True),
        ("return x", "return list(x)", True),
        ("return list(x)", "return x", True),
    ],
)
def test_who_changes_an_argument_and_gives_it_back_gives_that_very_object(
    tmp_path: Path, expected: str, observed: str, is_same: bool
) -> None:
    assert (_apart(tmp_path, expected, observed, "return f([2])") is None) == is_same


# what a case does after the call

GRID = "return {n: [0] * x for n in range(x)}"
ALIASED = "return dict.fromkeys(range(x), [0] * x)"


@pytest.mark.parametrize(
    ("case", "where"),
    [
        ("return f(2)", None),
        ("g = f(2)\ng[0][0] = 1\nreturn g", "after the call: value[1][0]: 0 != 1"),
        ("g = f(2)\ng[0][0] = 1\nassert not g[1][0]", "after the call: outcome: "),
        ("g = f(2)\ng[0][0] = 1\nprint(g)", "after the call: stdout: "),
        ("return (lambda g: g[0].append(1) or len(g[1]))(f(2))", "after the call: value: 2 != 3"),
    ],
)
def test_what_a_case_does_after_the_call_is_compared(
    tmp_path: Path, case: str, where: str | None
) -> None:
    found = _apart(tmp_path, GRID, ALIASED, case)
    assert found == where or (where is not None and found is not None and found.startswith(where))
    assert (
        _apart(tmp_path, GRID, "return {n: [0 for _ in range(x)] for n in range(x)}", case) is None
    )


def test_one_list_in_several_places_shows_before_anybody_changes_it(tmp_path: Path) -> None:
    rows, row = "return [[0] * x for _ in range(x)]", "return [[0] * x] * x"
    found = _apart(tmp_path, rows, row, "return f(2)")
    assert found == "value[1]: a container of its own != that of [0]"
    assert _apart(tmp_path, row, rows, "return f(2)") is None


def test_a_case_that_goes_on_takes_from_an_iterator_what_it_wants(tmp_path: Path) -> None:
    lazy = "for n in (1, 2, 3):\n    x.append(n)\n    yield n"
    eager = "x += [1, 2, 3]\nyield from (1, 2, 3)"
    case = "s = []\nreturn next(f(s)), s"
    assert _apart(tmp_path, lazy, eager, case) == "after the call: len(value[1]): 1 != 3"
    old = observe(tmp_path, f"def f(x):\n{_indented(lazy)}", "f", case)
    assert evidence(old) != "none"


def test_what_a_case_lets_through_is_no_more_than_the_call(tmp_path: Path) -> None:
    found = observe(tmp_path, "def f(x): raise KeyError(x)\n", "f", "y = f(1)\nreturn y")
    assert (found.outcome, found.then) == ("raised", None)
    caught = "try:\n    f(1)\nexcept KeyError as e:\n    return e.args"
    assert observe(tmp_path, "def f(x): raise KeyError(x)\n", "f", caught).then is not None


# warnings


@pytest.mark.parametrize(
    ("observed", "is_same"),
    [
        ("warnings.warn('other words', DeprecationWarning)\nreturn x", True),
        ("warnings.warn(DeprecationWarning('so'))\nreturn x", True),
        ("return x", False),
        ("warnings.warn('old')\nreturn x", False),
    ],
)
def test_warnings_are_told_by_their_class(tmp_path: Path, observed: str, is_same: bool) -> None:
    expected = "warnings.warn('old', DeprecationWarning, stacklevel=2)\nreturn x"
    assert (_apart(tmp_path, expected, observed, head="import warnings") is None) == is_same


def test_what_others_warn_of_is_not_the_scripts_doing(tmp_path: Path) -> None:
    head = "import warnings\nsay = eval('lambda: w(\"x\")', {'w': warnings.warn})"
    assert _apart(tmp_path, "return x", "say()\nreturn x", head=head) is None


def test_values_in_results_that_are_exceptions_keep_their_words() -> None:
    assert difference([KeyError("a")], [KeyError("b")]) is not None
    assert first_difference(seen(KeyError("a")), seen(KeyError("a"))) is None


# the order of dictionaries


_SCORES = "return f({'b': 2, 'c': 1, 'a': 3})"


@pytest.mark.parametrize(
    ("expected", "observed", "is_same"),
    [
        ("return dict(sorted(x.items()))", "return {k: x[k] for k in sorted(x)}", True),
        ("return dict(sorted(x.items()))", "return dict(x)", False),
        ("return dict(sorted(x.items()))", "return dict(sorted(x.items(), reverse=True))", False),
        ("return {k: x[k] for k in sorted(x, key=x.get)}", "return dict(x)", False),
        ("return dict(x)", "return {k: x[k] for k in reversed(x)}", True),
        ("return {k: 1 for k in [*x][:2]}", "return {k: 1 for k in reversed([*x][:2])}", True),
    ],
)
def test_a_dictionary_that_was_put_in_order_has_that_order(
    tmp_path: Path, expected: str, observed: str, is_same: bool
) -> None:
    assert (_apart(tmp_path, expected, observed, _SCORES) is None) == is_same


_SORTED = "[{'n': {k: v for k, v in sorted(x['rows'].items())}}, x['rows'].get('a')]"


@pytest.mark.parametrize(
    ("observed", "is_same"),
    [
        ("[{'n': dict(sorted(x['rows'].items()))}, x['rows']['a']]", True),
        ("[{'n': dict(x['rows'])}, x['rows']['a']]", False),
        ("[{'n': dict(reversed(sorted(x['rows'].items())))}, x['rows']['a']]", False),
    ],
)
def test_a_dictionary_inside_of_others_has_its_order(
    tmp_path: Path, observed: str, is_same: bool
) -> None:
    case = "return f({'rows': {'b': 2, 'c': 1, 'a': 3}})"
    assert (_apart(tmp_path, f"return {_SORTED}", f"return {observed}", case) is None) == is_same
    unsorted = "return [{'n': dict(x['rows'])}, x['rows']['a']]"
    assert _apart(tmp_path, unsorted, f"return {observed}", case) is None


def test_keys_in_the_order_of_a_set_are_in_no_order(tmp_path: Path) -> None:
    case = "return f([3, 1, 2, 3])"
    assert (
        _apart(tmp_path, "return {k: 1 for k in set(x)}", "return dict.fromkeys(x, 1)", case)
        is None
    )


def test_keys_that_came_in_that_order_are_in_no_order_of_their_own(tmp_path: Path) -> None:
    case = "return f({'a': 1, 'b': 2, 'c': 3})"
    assert (
        _apart(tmp_path, "return dict(sorted(x.items()))", "return dict(reversed(x.items()))", case)
        is None
    )


# what stand-ins are asked


STAND_IN = """
class StandIn:
    def __init__(self):
        self.calls = []

    def send(self, *args, **named):
        self.calls.append(("send", *args, named))
"""


@pytest.mark.parametrize(
    ("expected", "observed", "is_same"),
    [
        ("x.send('/', [1], wait=True)", "x.send('/', body=[1], wait=True)", True),
        ("x.send('/', body=[1], wait=True)", "x.send('/', [1], wait=True)", True),
        ("x.send('/', 1, [2])", "x.send(url='/', times=[2], body=1)", True),
        ("x.send('/', [1], wait=True)", "x.send('/', body=[2], wait=True)", False),
        ("x.send('/', [1], wait=True)", "x.send('/', body=[1])", False),
        ("x.send('/', [1], wait=True)", "x.send('/', body=[1], wait=False)", False),
        ("x.send('/', [1], wait=True)", "x.send('/', [1], late=True)", False),
        ("x.send('/', [1])", "x.send('/', body=[1], wait=True)", False),
        ("x.send('/', 1)", "x.send('/')", False),
        ("x.send('/')", "x.send('/', None)", False),
        ("x.send('/', body=None)", "x.send('/')", True),
        ("x.send('/', wait=True)", "x.send('/', wait=True, body=None)", True),
        ("x.send('/', wait=None)", "x.send('/', body=None)", True),
        ("x.send('/', None)", "x.send('/', body=None)", True),
        ("x.send('/', wait=False)", "x.send('/')", False),
        ("x.send('/', wait=None)", "x.send('/', wait=False)", False),
    ],
)
def test_a_stand_in_takes_arguments_by_position_and_by_keyword_alike(
    tmp_path: Path, expected: str, observed: str, is_same: bool
) -> None:
    found = _apart(tmp_path, expected, observed, "return f(StandIn())", STAND_IN)
    assert (found is None) == is_same, found


@pytest.mark.parametrize(
    ("expected", "observed", "is_same"),
    [
        ("x.is_open(), x.get_rows(1)", "x.get_rows(1), x.is_open()", True),
        ("x.get_rows(1)", "x.get_rows(1), x.get_rows(1)", True),
        ("x.is_open(), x.send(1)", "x.send(1), x.is_open()", True),
        ("x.is_open(), x.send(1)", "x.send(1)", True),
        ("x.is_open()", "pass", True),
        ("pass", "x.is_open()", True),
        ("x.get_rows(1)", "x.get_rows(limit=1)", True),
        ("x.get_rows(1)", "x.get_rows(2)", False),
        ("x.get_rows(1), x.send(1)", "x.get_rows(2), x.send(1)", False),
        ("x.is_open(), x.send(1)", "x.is_open()", False),
        ("x.send(1)", "pass", False),
        ("x.send(1), x.stop()", "x.stop(), x.send(1)", False),
        ("x.get(), x.get()", "x.get()", False),
        ("x.islands(1)", "x.islands(1), x.islands(1)", False),
    ],
)
def test_questions_to_a_stand_in_are_asked_as_often_as_one_likes(
    tmp_path: Path, expected: str, observed: str, is_same: bool
) -> None:
    head = (
        STAND_IN
        + """
    def stop(self, *args, **named): self.calls.append(("stop", *args, named))
    def is_open(self, *args, **named): self.calls.append(("is_open", *args, named))
    def get_rows(self, *args, **named): self.calls.append(("get_rows", *args, named))
    def get(self, *args, **named): self.calls.append(("get", *args, named))
    def islands(self, *args, **named): self.calls.append(("islands", *args, named))
"""
    )
    found = _apart(tmp_path, expected, observed, "return f(StandIn())", head)
    assert (found is None) == is_same, found


# containers that somebody holds

JOBS = """
class Jobs:
    def __init__(self, jobs):
        self.jobs, self._names = list(jobs), {job.upper() for job in jobs}
        self._given = jobs
"""


@pytest.mark.parametrize(
    ("expected", "observed", "where"),
    [
        ("it.jobs.remove('a')", "it.jobs = it.jobs[1:]", "0.jobs: the same object"),
        ("it.jobs.remove('a')", "it.jobs[:] = it.jobs[1:]", None),
        ("it.jobs = it.jobs[1:]", "it.jobs = list(it.jobs)[1:]", None),
        ("it.jobs.sort()", "it.jobs = sorted(it.jobs)", None),
        ("it._names.clear()", "it._names = set()", None),
        ("it.jobs.insert(0, {})", "it.jobs = [{}, *it.jobs]", "0.jobs: the same object"),
    ],
)
def test_what_is_changed_in_place_may_not_be_replaced(
    tmp_path: Path, expected: str, observed: str, where: str | None
) -> None:
    bodies = (text.replace("it.", "x.") for text in (expected, observed))
    found = _apart(tmp_path, *bodies, case="f(Jobs(['a', 'b']))", head=JOBS)
    assert found == where or (where is not None and found is not None and where in found)


@pytest.mark.parametrize(
    ("case", "is_same"),
    [
        ("mine = ['a', 'b']\nreturn f(Jobs(mine))", False),
        ("it = Jobs(['a', 'b'])\nit.jobs = []\nreturn f(it)", True),
    ],
)
def test_what_has_an_underscore_counts_where_the_caller_holds_it(
    tmp_path: Path, case: str, is_same: bool
) -> None:
    bodies = ("x._given.clear()", "x._given = []")
    assert (_apart(tmp_path, *bodies, case=case, head=JOBS) is None) == is_same


@pytest.mark.parametrize(
    "case",
    ["return Jobs(['a']).clear()", "it = Jobs(jobs=['a'])\nreturn it.clear()"],
)
def test_a_case_holds_what_it_gives_to_a_constructor(tmp_path: Path, case: str) -> None:
    old, new = (
        observe(tmp_path, f"{JOBS}\n    def clear(self):\n        {body}\n", "Jobs.clear", case)
        for body in ("self._given.clear()", "self._given = []")
    )
    assert "self._given: the same object" in str(first_difference(old, new))


@pytest.mark.parametrize(
    ("expected", "observed", "where"),
    [
        ("return Jobs(list(x))", "return Jobs(x)", "value._given: an object of its own"),
        ("return Jobs(x)", "return Jobs(list(x))", None),
        ("return Jobs(tuple(x))", "return Jobs(tuple(x))", None),
        ("return list(x)", "return x", None),
        ("it = Jobs('')\nit.jobs = {'a': list(x)}\nreturn it",
         "it = Jobs('')\nit.jobs = {'a': x}\nreturn it", "value.jobs['a']: "),
    ],
)  # fmt: skip
def test_what_is_copied_may_not_be_stored(
    tmp_path: Path, expected: str, observed: str, where: str | None
) -> None:
    found = _apart(tmp_path, expected, observed, case="return f(['a', 'b'])", head=JOBS)
    assert found == where or (where is not None and found is not None and where in found)
