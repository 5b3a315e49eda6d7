"""Arguments of a kind that no evidence names are no input."""

from __future__ import annotations

import ast

import pytest
from slicefunc.verifier.evidence.recordings.likely_invariants import (
    Domain,
    ParameterDomain,
    domain_of,
)
from slicefunc.verifier.evidence.recordings.recorded_calls import RecordedCall
from slicefunc.verifier.inputs.argument_pools import Inputs, Pool
from slicefunc.verifier.inputs.statements import Statement
from slicefunc.verifier.inputs.types.value_kinds import annotated_kinds
from slicefunc.verifier.mutation.mutated_block import Block
from slicefunc.verifier.search.drafts.drafts import Draft
from slicefunc.verifier.search.plausibility.plausible import (
    PlausibleValues,
    informed,
    named_arguments,
    plausible,
)

INPUTS = Inputs("f", "function", pools=(Pool("a", "keyword", ("1",)),))


def known(text: str, *recorded: str) -> PlausibleValues:
    block = Block(text, 1, len(text.splitlines()))
    return plausible(INPUTS, block, [Draft("", (("a", each),)) for each in recorded])


def takes(text: str, value: str, *recorded: str) -> bool:
    return known(text, *recorded)(Draft("", (("a", value),)))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("def f(a: int): return a", "'text-1'"),
        ("def f(a: 'int | None'): return a", "'text-1'"),
        ("def f(a: list[int]): return a", "{'key': 1}"),
        ("def f(a=0): return a", "'pos-1'"),
        ("def f(a: str): return a", "None"),
    ],
)
def test_a_value_of_another_kind_is_not_plausible(text: str, value: str) -> None:
    assert not takes(text, value)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("def f(a: float): return a", "3"),
        ("def f(a: Optional[int]): return a", "None"),
        ("def f(a: int = None): return a", "None"),
        ("def f(a): return a", "'text-1'"),  # nothing is known
        ("def f(a=None): return a", "'text-1'"),
        ("def f(a: Iterable[int]): return a", "(1, 2)"),
        ("def f(a: int): return Length(a)", "Length(1)"),
    ],
)
def test_a_value_that_may_be_meant_is_plausible(text: str, value: str) -> None:
    assert takes(text, value)


@pytest.mark.parametrize(
    "text",
    [
        "def f(a: int):\n    if isinstance(a, str): return 1\n",
        "def f(a: int):\n    if isinstance(a, (bytes, str)): return 1\n",
        "def f(a: int):\n    if isinstance(a, Name): return 1\n",
        "def f(a: int):\n    if not a: raise TypeError('a is needed')\n",
        "def f(a=0):\n    try:\n        return a + 1\n    except TypeError:\n        return None\n",
    ],
)
def test_who_looks_at_kinds_is_given_them(text: str) -> None:
    assert takes(text, "'text-1'")


@pytest.mark.parametrize(
    "text",
    [
        "def f(a: int):\n    try:\n        g(a)\n    except (TypeError, ValueError): pass\n",
        "def f(a: int):\n    if isinstance(a, bytes): return 1\n",
    ],
)
def test_an_annotation_says_what_a_handler_does_not(text: str) -> None:
    assert not takes(text, "'text-1'")


def test_what_recorded_calls_pass_is_evidence_where_nothing_is_declared() -> None:
    assert not takes("def f(a): return a", "'text-1'", "3", "4")
    assert takes("def f(a): return a", "5", "3", "4")
    assert takes("def f(a): return a", "'text-1'", "3", "'x'")


def test_what_is_made_a_number_may_be_one_of_another_kind() -> None:
    assert takes("def f(a): return int(a)", "0.6", "3", "4")
    assert not takes("def f(a): return a + 1", "0.6", "3", "4")
    assert not takes("def f(a): return int(a)", "0.6", "'3'", "'4'")
    assert not takes("def f(a: int): return int(a)", "0.6", "3")


def test_kinds_of_annotations() -> None:
    def kinds(text: str) -> set[str]:
        return set(annotated_kinds(ast.parse(text, mode="eval").body))

    assert kinds("Optional[int]") == {"int", "NoneType"}
    assert kinds("Union[int, 'str']") == {"int", "str"}
    assert kinds("int | Length") == set()
    assert kinds("Literal['a', 'b']") == set()
    assert kinds("dict[str, int]") == {"dict"}


def test_what_no_recorded_call_is_like_is_not_usual() -> None:
    calls = [RecordedCall("a.py", "f", (("a", str(n)),)) for n in (1, 2, 3, 8)]
    known = plausible(INPUTS, Block("def f(a: int): return a", 1, 1), [], domain_of(calls))
    assert known.is_usual(Draft("", (("a", "12"),)))
    assert not known.is_usual(Draft("", (("a", "-12"),)))
    assert known(Draft("", (("a", "-12"),)))  # which the target may refuse, as a case shows


def test_none_is_a_value_where_a_mark_of_its_own_says_that_nothing_is_given() -> None:
    assert known("def f(a=_MISSING): return a").marked == {"a"}
    assert not known("def f(a=None): return a").marked


def test_recorded_values_come_first_and_no_others_of_another_kind() -> None:
    inputs = Inputs("f", "function", pools=(Pool("a", "keyword", ("'text-1'", "True")),))
    recorded = [Draft("", (("a", "False"),)), Draft("", (("a", "True"),))]
    block = Block("def f(a): return a", 1, 1)
    found = informed(inputs, plausible(inputs, block, recorded), recorded)
    assert found.pools[0].texts == ("False", "True")
    none_left = informed(inputs, plausible(inputs, block, recorded[:1]), ())
    assert none_left.pools[0].texts == ("True",)


def test_what_the_code_tests_for_is_usual_though_no_recorded_call_passes_it() -> None:
    text = "def f(a):\n    return a if isinstance(a, dict) else a[0]"
    shared = Domain(3, (ParameterDomain("a", ("list",)),))
    meant = plausible(INPUTS, Block(text, 1, 2), [], shared)
    assert meant.is_usual(Draft("", (("a", "{}"),)))
    assert not meant.is_usual(Draft("", (("a", "'b'"),)))


HOLDER = "def f(self): return [each.strip() for each in self.names]"


@pytest.mark.parametrize(
    ("text", "state", "is_one"),
    [
        (HOLDER, "[None, 'a']", False),
        (HOLDER, "{'key': [None, 'a']}", False),
        (HOLDER, "['a', 'b']", True),
        (HOLDER, "[None]", True),
        (HOLDER, "{'key': None, 'b': 'a'}", True),
        (HOLDER.replace("self.names", "self.names if each"), "[None, 'a']", True),
        ("def f(self): return self.names.index(None)", "[None, 'a']", True),
    ],
)
def test_what_a_class_holds_has_no_gaps(text: str, state: str, is_one: bool) -> None:
    assert known(text)(Draft("", (("a", "1"),), (Statement(f"{{it}}.names = {state}"),))) == is_one


@pytest.mark.parametrize(
    ("test", "is_one"), [("STATE['n'] == 0", False), ("STATE['n'] is None", True)]
)
def test_what_a_module_holds_is_nothing_only_where_code_asks(test: str, is_one: bool) -> None:
    draft = Draft("", (("a", "1"),), (Statement("STATE = {'n': None}"),))
    assert known(f"def f(a): return a if {test} else 2")(draft) == is_one


def test_kinds_that_the_docstring_names_are_meant_though_no_test_passes_them() -> None:
    said = '\n    """Do it.\n\n    Args:\n        a (str or list): what to call.\n    """\n'
    calls = [RecordedCall("a.py", "f", (("a", repr(text)),)) for text in ("x", "y", "z")]
    block = Block(f"def f(a=None):{said}    g(a)\n", 1, 8)
    recorded = [Draft("", each.arguments) for each in calls]
    found = plausible(INPUTS, block, recorded, domain_of(calls))
    assert found.is_usual(Draft("", (("a", "['x']"),)))
    assert not found.is_usual(Draft("", (("a", "5"),)))


def test_who_looks_at_the_kinds_of_one_parameter_is_not_given_any_for_another() -> None:
    text = "def f(b, a=2.0):\n    return g(b, a) if isinstance(b, Table) else b * a\n"
    assert not takes(text, "'text-1'")
    assert takes("def f(b, a=2.0):\n    c = g(a)\n    return isinstance(c, str)\n", "'text-1'")


def test_numbers_without_bound_are_given_where_code_tells_them() -> None:
    text = "def f(a=1.5):\n    return 0 if isnan(a) else a\n"
    assert "float('nan')" in informed(INPUTS, known(text), []).pools[0].texts
    plain = known("def f(a=1.5):\n    return a\n")
    assert "float('nan')" not in informed(INPUTS, plain, []).pools[0].texts


def test_what_a_receiver_is_made_with_or_set_to_is_given_like_an_argument() -> None:
    draft = Draft(
        "Number(base=16)", (("text", "'ff'"),), (Statement("{it}.base = 0"), Statement("import os"))
    )
    assert named_arguments(draft) == {"self.base": "0", "text": "'ff'"}
    made = named_arguments(Draft("Number(base=16)", (("text", "'ff'"),)))
    assert made == {"self.base": "16", "text": "'ff'"}
