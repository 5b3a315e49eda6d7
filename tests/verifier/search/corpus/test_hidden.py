"""Hidden cases tell apart what few small cases do not."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from slicefunc.driver.pipeline.case_synthesis import format_search, search_cases
from slicefunc.driver.pipeline.passes import compile_slice
from slicefunc.slicer import Repository
from slicefunc.verifier.inputs.argument_pools import Inputs, Pool, Receivers, inputs_of
from slicefunc.verifier.inputs.statements import Statement
from slicefunc.verifier.search.corpus.search_result import Synthesis
from slicefunc.verifier.search.drafts.code_literals import CodeLiterals
from slicefunc.verifier.search.drafts.drafts import Draft
from slicefunc.verifier.search.exploration import Budget
from slicefunc.verifier.search.hidden import hidden_cases
from slicefunc.verifier.search.hidden.proposals import proposals
from slicefunc.verifier.search.plausibility.plausible import PlausibleValues

from tests.nightly import one_in
from tests.verifier.one_executor import one_executor


def inputs_of_target(folder: Path, text: str, target: str) -> Inputs | None:
    (folder / "a.py").write_text(text)
    repository = Repository(folder)
    return inputs_of(repository, compile_slice(repository, (f"a.py::{target}",)))


def found(folder: Path, text: str, target: str) -> Synthesis:
    (folder / "a.py").write_text(text)
    repository = Repository(folder)
    sliced = compile_slice(repository, (f"a.py::{target}",))
    return search_cases(repository, sliced, one_executor().run, Budget(drafts=200))


# what a plausible wrong candidate does instead, for an original that two cases cover
WRONG = [
    ("def pick(items: list[int]):\n    return sorted(items)[0]\n", "return items[0]"),
    ("def pick(items: list[int]):\n    return sorted(items)[0]\n", "return sorted(items)[-1]"),
    (
        "def parts(text: str):\n    return dict(p.split('=') for p in text.split(';'))\n",
        "found = {}\n    for p in text.split(';'):\n        k, v = p.split('=')\n"
        "        found.setdefault(k, v)\n    return found",
    ),
    ("def ramp(step: int, steps: int = 10):\n    return (step / steps) ** 2\n", "return step / 10"),
    ("def unique(items: list[str]):\n    return list(dict.fromkeys(items))\n", "return items"),
    (
        "def checked(value, **limits):\n    equal = limits.pop('equal', MISSING)\n"
        "    return 'any' if equal is MISSING else value == equal\n\n\nMISSING = object()\n",
        "equal = limits.pop('equal', None)\n    return 'any' if equal is None else value == equal",
    ),
    (
        "def shared(a: str, b: str):\n    same = 0\n    while a[same:same + 1] == b[same:same + 1] "
        "and same < min(len(a), len(b), 4):\n        same += 1\n    return same\n",
        "same = 0\n    while a[same:same + 1] == b[same:same + 1] and same < min(len(a), len(b)):"
        "\n        same += 1\n    return same",
    ),
    (
        "def heads(text: str):\n"
        "    return [text[i:i + 600][:2] for i in range(0, len(text), 600)]\n",
        "return [text[:2]] if text else []",
    ),
    (
        "def path(names: dict[str, int]):\n    found = {}\n"
        "    for name, value in names.items():\n"
        "        head, *keys = name.replace(']', '').split('[')\n"
        "        for key in keys:\n            found[head, key] = value\n    return found\n",
        "found = {}\n    for name, value in names.items():\n"
        "        head, *keys = name.replace(']', '').split('[')\n        for key in keys:\n"
        "            found[head, int(key) if key.isdigit() else key] = value\n    return found",
    ),
    ("def named(part: str):\n    return part + '_x'\n", "return part.rstrip('s') + '_x'"),
    (
        "def bare_option(arg: str):\n    return arg[2:] if arg.startswith('--') else arg\n",
        "return arg[2:] if arg.startswith('-') else arg",
    ),
    (
        "def quote(text: str):\n    import shlex\n    return shlex.quote(text)\n",
        "import shlex\n    return shlex.quote(text) if set(text) & set(' \"') else text or \"''\"",
    ),
    (
        "def size(box):\n    if not isinstance(box, Box):\n        raise TypeError(box)\n"
        "    return box.size\n\n\nclass Box:\n    size = 3\n",
        "box = box() if isinstance(box, type) else box\n    if not isinstance(box, Box):\n"
        "        raise TypeError(box)\n    return box.size",
    ),
    (
        "def told(name: str, note: str | None, n: int = 3):\n    return name, note, n\n",
        "return name, note or None, n",
    ),
    (
        "def bare(version: str):\n    return version.lstrip('v')\n",
        "return version.removeprefix('v')",
    ),
    (
        "def part(x):\n    if type(x) is not slice:\n        return repr(x)\n"
        "    return f'{x.start}:{x.stop}' if x.step is None else f'{x.start}:{x.stop}:{x.step}'\n",
        "if type(x) is not slice:\n        return repr(x)\n"
        "    return f'{x.start}:{x.stop}:{x.step}' if x.step else f'{x.start}:{x.stop}'",
    ),
    (
        "def is_line(text: str):\n    return text.endswith('\\n') or text.endswith('\\r')\n",
        "return text.endswith('\\n') or text.endswith('\\r\\n')",
    ),
    (
        "def bits(kind: str):\n    if kind == 'wide':\n        return 16\n    return 8\n",
        "return 16 if kind.lower() == 'wide' else 8",
    ),
    (
        "def raw(x):\n    if isinstance(x, bytes):\n        return x\n"
        "    if not isinstance(x, str):\n        raise TypeError(x)\n    return x.encode()\n",
        "if isinstance(x, (bytes, bytearray)):\n        return bytes(x)\n"
        "    if not isinstance(x, str):\n        raise TypeError(x)\n    return x.encode()",
    ),
    (
        "def held(table: dict, key: str):\n    return table[key] if key in table else 'none'\n",
        "return table[key] if table.get(key) is not None else 'none'",
    ),
    (
        "def ending(name: str):\n    return name.split('.')[-1]\n",
        "return name.partition('.')[2] or name",
    ),
    (
        "def price(n: int, more: int):\n    if more < 5 and n >= 90:\n        return 'a'\n"
        "    return 'b'\n",
        "return 'a' if more <= 5 and n >= 90 else 'b'",
    ),
    ("def low(text: str):\n    return text.casefold().strip()\n", "return text.lower().strip()"),
]


@pytest.mark.parametrize(("text", "wrong"), one_in(4, WRONG))
def test_a_wrong_candidate_fails_in_some_case(tmp_path: Path, text: str, wrong: str) -> None:
    name = text.split("(", maxsplit=1)[0].removeprefix("def ")
    made = found(tmp_path, text, name)
    cases = [*made.cases, *made.hidden]
    right: dict[str, object] = {}
    other: dict[str, object] = {}
    exec(text, right)
    exec(text, other)
    exec(text.split("\n", 1)[0] + f"\n    {wrong}\n", other)

    def outcome(space: dict[str, object], code: str, case: str) -> object:
        exec(code, space)
        try:
            return space[case]()  # type: ignore[operator]
        except (ValueError, LookupError, TypeError, ArithmeticError) as error:
            return type(error)

    assert any(outcome(right, c.code, c.name) != outcome(other, c.code, c.name) for c in cases)


def test_values_that_a_constructor_checks_go_through_it(tmp_path: Path) -> None:
    text = (
        "class Field:\n    def __init__(self, make=None):\n"
        "        if make is not None and not callable(make):\n"
        "            raise TypeError(make)\n        self.make = make\n\n"
        "    def told(self):\n        if self.make is None:\n            return 'none'\n"
        "        return getattr(self.make, '__name__', 'other')\n"
    )
    made = found(tmp_path, text, "Field.told")
    codes = [case.code for case in (*made.cases, *made.hidden)]
    assert any("Field(make=dict)" in code for code in codes)
    assert not [code for code in codes if ".make = " in code]


def test_no_case_shows_an_address(tmp_path: Path) -> None:
    text = (
        "def shown(value: str = ''):\n    if value:\n        return value\n"
        "    return repr(object())\n"
    )
    made = found(tmp_path, text, "shown")
    assert made.cases
    assert not [case for case in made.cases if case.code.endswith("shown()\n")]


def test_people_are_shown_five_cases_where_so_many_differ(tmp_path: Path) -> None:
    made = found(tmp_path, "def double(n: int):\n    return n * 2\n", "double")
    assert len(made.cases) == 5
    assert not {c.code for c in made.cases} & {c.code for c in made.hidden}


def test_hidden_cases_are_the_same_each_time(tmp_path: Path) -> None:
    text = "def words(text: str):\n    return text.split()\n"
    assert found(tmp_path, text, "words").hidden == found(tmp_path, text, "words").hidden


def test_no_argument_is_of_another_kind_than_the_annotation(tmp_path: Path) -> None:
    made = found(tmp_path, "def twice(n: int):\n    return n * 2\n", "twice")
    given = [case.code.split("twice(n=")[1].rstrip("\n)") for case in (*made.cases, *made.hidden)]
    assert len(given) > 10
    assert all(each.lstrip("-").isdigit() for each in given)


def test_calls_of_a_function_in_a_row_show_what_a_module_keeps(tmp_path: Path) -> None:
    text = "KEPT = {}\n\n\ndef put(key: str, n: int):\n    KEPT[key] = n\n"
    made = found(tmp_path, text, "put")
    calls = [re.findall(r"put\(key=(.+), n=(.+)\)", case.code) for case in made.hidden]
    again = [call for call in calls if len(call) > 1]
    assert any(call[0][0] == call[1][0] and call[0][1] != call[1][1] for call in again)
    assert any(call[0][0] != call[1][0] for call in again)
    three = [call for call in again if len(call) > 2]
    assert any(a[0] == c[0] != b[0] and a[1] != c[1] for a, b, c in three)


def test_calls_in_a_row_show_what_an_object_keeps(tmp_path: Path) -> None:
    text = (
        "class Bag:\n    def __init__(self):\n        self.held = []\n\n"
        "    def put(self, n: int):\n        self.held.append(n)\n        return sum(self.held)\n"
    )
    made = found(tmp_path, text, "Bag.put")
    assert any("getattr(bag, 'put')(" in case.code for case in made.hidden)


SETTING = (
    "class Setting:\n    value = None\n    default = None\n\n    def __init__(self):\n"
    "        self.value = self.default\n\n    def get(self):\n        return self.value\n\n\n"
    "class Workers(Setting):\n    default = 3\n\n\nWORKERS = Workers()\n"
)


def test_an_attribute_is_like_nothing_where_a_default_would_be_taken_for_it(tmp_path: Path) -> None:
    made = found(tmp_path, SETTING, "Setting.get")
    codes = [case.code for case in (*made.cases, *made.hidden)]
    for value in ("None", "0"):
        assert any(f".value = {value}\n" in code for code in codes)


def test_what_has_no_literals_takes_no_turn_from_what_has(tmp_path: Path) -> None:
    inputs_ = inputs_of_target(tmp_path, SETTING, "Setting.get")
    assert inputs_ is not None
    plain = [Draft(f"Setting{n}()", ()) for n in range(40)]
    last = Draft("Setting()", (), (Statement("{it}.value = 1.5"),))
    made = proposals([*plain, last], inputs_, CodeLiterals(), PlausibleValues({}))
    assert Statement("{it}.value = 0.0") in {each for p in made for each in p.draft.before}
    set_on = {p.draft.receiver for p in made if p.draft.before == (Statement("{it}.value = None"),)}
    assert {"Setting0()", "Setting1()"} <= set_on


def test_the_same_again_comes_with_each_flag(tmp_path: Path) -> None:
    text = (
        "class Bag:\n    def __init__(self):\n        self.held = {}\n\n"
        "    def put(self, key: str, overwrite: bool = False):\n"
        "        if key in self.held and not overwrite:\n            raise KeyError(key)\n"
        "        self.held[key] = len(self.held)\n        return self.held\n"
    )
    made = found(tmp_path, text, "Bag.put")
    again = [case.code for case in made.hidden if "getattr(bag, 'put')(" in case.code]
    assert any("overwrite=True" in code.rpartition("return")[2] for code in again)


def test_options_come_with_each_class_of_what_is_needed(tmp_path: Path) -> None:
    text = (
        "def since(value, when: int | None = None):\n    return value if when is None else when\n"
    )
    inputs_ = inputs_of_target(tmp_path, text, "since")
    assert inputs_ is not None
    time = "__import__('datetime').datetime(2024, 1, 1)"
    seeds = [Draft("", (("value", each),)) for each in ("1", "2", "3", "4", time)]
    made = proposals(seeds, inputs_, CodeLiterals(), PlausibleValues({}))
    given = [dict(p.draft.arguments) for p in made if p.tag == "option when"]
    assert any(each["value"] == time and "when" in each for each in given)


def test_what_is_called_may_be_told_by_a_stand_in_that_records(tmp_path: Path) -> None:
    text = (
        "def kept(items, keep=lambda item: item > 1):\n"
        "    return [item for item in items if keep(item)]\n"
    )
    made = found(tmp_path, text, "kept")
    assert any("calls" in case.code and "keep=" in case.code for case in made.hidden)


def test_state_that_the_target_ignores_takes_few_cases(tmp_path: Path) -> None:
    text = (
        "class Page:\n    def __init__(self, title='a', tags=('b', 'c'), width=3):\n"
        "        self.title = title\n        self.tags = tags\n        self.width = width\n\n"
        "    def padded(self, text: str):\n        return text.ljust(self.width)\n"
    )
    hidden = found(tmp_path, text, "Page.padded").hidden
    texts = {case.code.rpartition("text=")[2] for case in hidden}
    assert len(texts) > len(hidden) // 3


COUNTED = """\
class Counted:
    def __init__(self, limit: int = 10):
        self.limit = limit
        self._counts = {}
        self._order = []

    def __setitem__(self, key: str, amount: int):
        if key not in self._counts:
            self._order.append(key)
        self._counts[key] = self._counts.get(key, 0) + amount

    def rarest(self):
        if not self._order:
            raise KeyError("empty")
        return min(self._order, key=self._counts.__getitem__)
"""


def test_an_object_is_filled_through_its_own_methods(tmp_path: Path) -> None:
    drop = "    def drop(self):\n        self[self.rarest()] = 1\n        return self.rarest()\n"
    text = f"{COUNTED}\n{drop}"
    cases = found(tmp_path, text, "Counted.drop").hidden
    assert any(each.code.count("] = ") > 1 for each in cases)
    assert not any("._counts = " in each.code or "._order = " in each.code for each in cases)


UNIT = """\
import re


def minutes(text: str):
    found = re.match("(-?[0-9]+)([hms]?)$", text)
    if found is None:
        return None
    return int(found[1]) * {"h": 60, "s": 1 / 60}.get(found[2], 1)
"""


def test_each_form_that_a_pattern_tells_apart_is_there_and_what_is_nearly_one(
    tmp_path: Path,
) -> None:
    made = found(tmp_path, UNIT, "minutes")
    texts = {each.code.rpartition("text=")[2].strip(" )\n") for each in (*made.hidden, *made.cases)}
    assert {"'-1h'", "'-1s'", "'1h'", "'-1'"} <= texts
    assert texts & {"'-1x'", "'+1h'", "'-1hh'", "'x-1h'"}


CLOCK = """\
import time


def late(text: str, limit: int = 5):
    return text.upper() * limit if time.time() % 7 < limit else text
"""


def test_few_of_the_first_calls_are_made_at_other_times(tmp_path: Path) -> None:
    hidden = found(tmp_path, CLOCK, "late").hidden[:64]
    elsewhere = [each for each in hidden if "time" in each.code.partition("late(")[0]]
    assert 0 < len(elsewhere) < 20


def test_what_can_be_entered_is_given_where_a_target_only_hands_it_on(tmp_path: Path) -> None:
    text = (
        "class Null:\n    def __init__(self, result=None):\n        self.result = result\n\n"
        "    def __enter__(self):\n        return self.result\n"
    )
    made = found(tmp_path, text, "Null.__enter__")
    assert any("nullcontext" in case.code for case in made.hidden)


def test_an_option_comes_with_each_kind_of_what_it_takes() -> None:
    inputs = Inputs("f", "function", pools=(Pool("a", "keyword", (*"123456", "['x']"), True),))
    made = proposals([Draft("", ())], inputs, CodeLiterals(), PlausibleValues({}))
    assert any(each.tag == "option a" and "['x']" in each.draft.texts for each in made)


def test_an_attribute_is_empty_where_it_is_a_text() -> None:
    receivers = Receivers(("A()",), (Statement("{it}.name = 'name-1'"),))
    inputs = Inputs("A.f", "method", receivers)
    made = proposals([Draft("A()", ())], inputs, CodeLiterals(), PlausibleValues({}))
    assert any(Statement("{it}.name = ''") in each.draft.before for each in made)


def test_what_a_class_keeps_to_itself_is_not_set_to_what_can_be_entered(tmp_path: Path) -> None:
    text = (
        "class Address:\n    def __init__(self, text: str):\n        self._zero = text == '0'\n\n"
        "    def is_zero(self):\n        return self._zero\n"
    )
    made = found(tmp_path, text, "Address.is_zero")
    assert not any("nullcontext" in case.code for case in (*made.cases, *made.hidden))


def test_calls_that_take_too_long_are_left_out_and_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "def half(n: int):\n    return n // 2 if n > 3 else -n\n"
    usual = found(tmp_path, text, "half")
    assert usual.hidden_too_slow == 0
    monkeypatch.setattr(hidden_cases, "_MOST_SECONDS", 0.0)
    none = found(tmp_path, text, "half")
    assert not none.hidden
    assert none.hidden_too_slow >= len(usual.hidden)
    assert f"{none.hidden_too_slow} hidden ones left out" in format_search(none)
