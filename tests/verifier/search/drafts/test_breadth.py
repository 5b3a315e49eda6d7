"""Breadth changes one literal to another value of the same kind."""

from __future__ import annotations

import ast
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from slicefunc.verifier.inputs.types.value_kinds import kind_of
from slicefunc.verifier.search.drafts.code_literals import CodeLiterals, words_of
from slicefunc.verifier.search.variation.text_breadth import texts
from slicefunc.verifier.search.variation.type_aware_values import changed_twice, variations

WORDS = CodeLiterals(("alpha", "beta"), (7, 30, 2.5), (b"raw",), (), ("a-1",))
PLAIN = st.booleans() | st.integers(-99, 10**6) | st.floats(0, 1e9) | st.text(max_size=12)
VALUES = st.recursive(
    PLAIN | st.binary(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=6,
)


def made(text: str) -> list[object]:
    return [ast.literal_eval(each.text) for each in variations(text, WORDS)]


@given(VALUES)
def test_every_variation_is_of_the_kind_of_the_value(value: object) -> None:
    for each in variations(repr(value), WORDS):
        assert kind_of(each.text) == kind_of(repr(value))


@given(VALUES)
def test_no_variation_is_tagged_and_made_differently_another_time(value: object) -> None:
    assert list(variations(repr(value), WORDS)) == list(variations(repr(value), WORDS))


def test_collections_come_in_many_sizes_with_repeats_and_out_of_order() -> None:
    found = [each for each in made("[4, 9]") if isinstance(each, list)]
    sizes = {len(each) for each in found}
    assert {0, 1, 2, 3, 10, 25} <= sizes
    assert any(len(set(each)) < len(each) for each in found)
    assert any(each != sorted(each) for each in found)


def test_a_text_keeps_its_structure_with_other_parts() -> None:
    found = made("'key=1;other=2'")
    assert "key=2;other=2" in found  # another number
    assert "key=1;other=2;key=1;other=7" in found  # a key again, with another value
    assert "key==1;other=2" in found
    assert "" in found


def test_a_text_has_signs_that_shells_and_formats_read() -> None:
    assert "--x=1$'\"*;" in made("'--x=1'")
    assert "-x=1$'\"*;" in made("'--x=1'")


def test_the_name_of_a_file_also_stands_in_a_folder() -> None:
    assert "folder/report-1.txt" in made("'report-1.txt'")
    assert not any(str(each).startswith("folder/") for each in made("'report-1'"))


def test_a_word_begins_with_another_of_the_text() -> None:
    assert "usage: prog [x] prog2" in made("'usage: prog [x]'")


def test_a_character_that_is_looked_for_among_others_becomes_each_of_them_and_none() -> None:
    source = ast.parse("def f(r):\n    kind = r[1]\n    return kind in '268' or kind in '37'\n")
    words = words_of([source])
    assert words.characters == "26837"
    found = {ast.literal_eval(each.text) for each in variations("'S20F'", words)}
    assert {"S60F", "S80F", "S30F", "S70F"} <= found
    assert {"S10F", "S40F", "S50F", "S90F"} <= found


def test_a_text_of_json_stays_one() -> None:
    assert '{"size": 4}' in made("""'{"size": 3}'""")


def test_numbers_lie_beside_and_between_those_of_the_code() -> None:
    assert {0, 6, 7, 8, 29, 30, 31} <= set(made("12"))  # type: ignore[arg-type]


def test_items_of_objects_are_varied_in_their_arguments() -> None:
    found = [each.text for each in variations("[Length(1.5, 'm')]", WORDS)]
    assert any(each.count("Length(") == 3 for each in found)
    assert "[Length(2.0, 'm')]" in found


def test_names_of_modules_and_members_stay() -> None:
    text = "__import__('decimal').Decimal('1.5')"
    assert all("__import__('decimal')" in each.text for each in variations(text, WORDS))


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("Exception('no')", "KeyError('no')"),
        ("datetime.datetime(2024, 5, 6)", ".timezone.utc"),
        ("datetime.timedelta(seconds=5)", "datetime.timedelta(days=2, hours=3, microseconds=5)"),
        (
            "type('Filter', (), {'apply': lambda self, *args: None})()",
            "lambda self, *args: 'answer-1'",
        ),
    ],
)
def test_values_that_are_no_literals_have_others_of_their_kind(text: str, other: str) -> None:
    assert any(other in each.text for each in variations(text, WORDS))


def test_stand_ins_in_a_list_answer_differently() -> None:
    stand_in = "type('Filter', (), {'apply': lambda self, *args: None})()"
    found = [each.text for each in variations(f"[{stand_in}, {stand_in}]", WORDS)]
    assert any("'answer-1'" in each and "lambda self, *args: 7" in each for each in found)


def test_keys_of_the_forms_that_the_code_looks_for_have_siblings() -> None:
    words = CodeLiterals((), (), (), (), ("k[one]",))
    found = [ast.literal_eval(each.text) for each in variations("{'a': 1}", words)]
    assert any(set(each) == {"k[one]", "k[Zebra]"} for each in found)


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("2024-01-01T10:00:00+0000", "2024-01-01T10:00:00+1400"),
        ("2024-01-01 10:00:00-05:00", "2024-01-01 10:00:00-09:30"),
        ("10:00Z", "10:00+05:45"),
    ],
)
def test_times_of_day_are_in_other_zones(text: str, other: str) -> None:
    assert other in [made for _, made in texts(text, WORDS)]


def test_what_a_stand_in_notes_of_its_calls_stays_as_it_is() -> None:
    members = "{'ring': lambda self, *args: calls.append(('ring', *args)) or 'bell-1'}"
    text = f"(lambda calls: type('Bell', (), {members})())([])"
    found = [each.text for each in variations(text, WORDS)]
    assert found
    assert all("calls.append(('ring', *args))" in each for each in found)


def test_what_is_read_in_blocks_is_also_as_long_as_a_block_and_longer() -> None:
    text = (
        "SIZE = 8 * 2\n\n"
        "def copied(source):\n    while part := source.read(SIZE):\n        yield part\n\n"
        "def cut(data, chunk_size=5):\n    return [data[i:i + 3] for i in range(0, 9, 4)]\n"
    )
    words = words_of(ast.parse(text).body)
    assert set(words.blocks) == {16, 5, 4, 3}
    made = {len(eval(each.text)) for each in variations("b'xyz'", replace(words, blocks=(16,)))}
    assert {16, 17, 33} <= made
    assert not [n for n in made if n > 120]


def test_code_without_blocks_makes_no_long_values() -> None:
    assert words_of(ast.parse("def f(a, size=3):\n    return a[1:size] + a[:7]").body).blocks == ()


def test_one_more_of_some_records_has_all_that_the_others_have() -> None:
    found = {each.text for each in variations("{'a': {'url': 'u-1', 'size': 2}}", CodeLiterals())}
    assert "{'a': {'url': 'u-1', 'size': 2}, 'a2': {'url': 'u-2', 'size': 6}}" in found


def test_one_text_is_changed_in_its_parts_and_in_its_characters_at_once() -> None:
    random = Random(1)
    found = [changed_twice("f('--x=a')", WORDS, random) for _ in range(400)]
    made = {each.text for each in found if each is not None}
    assert any(text.startswith("f('-x=") and set(text) & set("$*;&< ") for text in made)
    assert changed_twice("f(3)", WORDS, random) is None


def test_each_sign_also_comes_alone() -> None:
    found = [text for text in made("'--x=ab'") if isinstance(text, str)]
    alone = [text for text in found if "$" in text and not set("'\"*; ") & set(text)]
    assert "--x=a$b" in alone
