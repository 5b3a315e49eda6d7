"""Changes that make no difference by what the library says, and those that look like them."""

from __future__ import annotations

import pytest
from slicefunc.verifier.mutation.mutants import mutants_of
from slicefunc.verifier.mutation.mutated_block import Block

from tests.verifier.mutation.blocks import block, mutated

TRY = "def f(x):\n    try:\n        return g(x)\n    except {types}:\n        return 1\n"
# imports, what is caught, and what is left of it where that shows
HANDLERS: list[tuple[str, str, list[str]]] = [
    ("import io", "(OSError, io.UnsupportedOperation)", ["(io.UnsupportedOperation,)"]),
    ("", "(LookupError, KeyError)", ["(KeyError,)"]),
    ("import json as j", "(j.JSONDecodeError, ValueError)", ["(j.JSONDecodeError,)"]),
    ("", "(KeyError, ValueError)", ["(KeyError,)", "(ValueError,)"]),
    ("", "(IOError, OSError)", []),
    ("from requests import ConnectionError", "(OSError, ConnectionError)", ["", ""]),
    ("from errors import *", "(LookupError, KeyError)", ["", ""]),
    ("import requests", "(OSError, requests.ConnectionError)", ["", ""]),
]


@pytest.mark.parametrize(("imports", "types", "left"), HANDLERS)
def test_a_type_whose_base_is_caught_too_is_not_missed(
    imports: str, types: str, left: list[str]
) -> None:
    text = f"{imports}\n{TRY.format(types=types)}"
    made = [m.after for m in mutants_of(block(text)).records if m.operator == "except type"]
    assert len(made) == len(left)
    assert not any(left) or sorted(made) == sorted(left)


def test_the_type_of_a_cast_is_only_for_checkers() -> None:
    text = "import typing as t\ndef f(x):\n    return t.cast('int', x)\n"
    assert not [each for each in mutated(text) if each.startswith("'int' ->")]
    assert [
        each for each in mutated(text.replace("typing", "other")) if each.startswith("'int' ->")
    ]


def test_what_only_checkers_read_is_never_run() -> None:
    text = (
        "import typing\ndef f(x):\n    if typing.TYPE_CHECKING:\n        return 5\n    return 7\n"
    )
    assert "5 -> 6" not in mutated(text)
    assert "7 -> 8" in mutated(text)
    assert "5 -> 6" in mutated(text.replace("typing.", "x."))


def test_what_is_translated_without_a_catalogue_stays_itself() -> None:
    text = "from gettext import gettext as _\ndef f(x):\n    return _('a') + x\n"
    dropped = "_('a') -> 'a'"
    assert dropped not in mutated(text)
    assert "'a' -> 'aX'" in mutated(text)
    assert dropped in mutated(text.replace("from gettext import", "from texts import"))
    assert dropped in mutated("import gettext as g\ng.install('x')\n" + text)
    assert dropped in mutated(text + "_ = str.upper\n")
    other = "def g():\n    {}for _ in []:\n        pass\n"
    inner = Block(text + other.format(""), 2, 3)
    assert dropped not in [f"{m.before} -> {m.after}" for m in mutants_of(inner).records]
    inner = Block(text + other.format("global _\n    "), 2, 3)
    assert dropped in [f"{m.before} -> {m.after}" for m in mutants_of(inner).records]


def test_a_list_that_is_taken_apart_at_once_is_no_difference() -> None:
    assert "list(x) -> x" not in mutated("def f(x):\n    return sorted(list(x), key=g)\n")
    assert "list(x) -> x" in mutated("def f(x):\n    return len(list(x))\n")
    assert "list(x) -> x" in mutated("def f(x, sorted):\n    return sorted(list(x))\n")


KEYS_THAT_ARE_READ = (
    "for k in d.keys(): f(k)", "return [k for k in d.keys()]", "return x in d.keys()",
    "return sorted(d.keys(), key=f)", "return len(d.keys())",
)  # fmt: skip


@pytest.mark.parametrize("statement", KEYS_THAT_ARE_READ)
def test_a_mapping_gives_its_keys_where_it_is_gone_through(statement: str) -> None:
    text = f"def f(d, x):\n    {statement}\n"
    dropped = "d.keys() -> d"
    assert dropped not in mutated(text)
    assert dropped in mutated(text.replace("d.keys()", "d.keys() | x"))
    assert dropped in mutated(text + "class D:\n    def keys(self):\n        return []\n")


def test_keys_that_are_given_away_are_told_from_their_mapping() -> None:
    assert "d.keys() -> d" in mutated("def f(d):\n    return d.keys()\n")
    assert "d.keys() -> d" in mutated("def f(d, len):\n    return len(d.keys())\n")
    assert "d.items() -> d" in mutated("def f(d):\n    return list(d.items())\n")


# imports, bases of the class, and whether the text of a value can be told from the value
ENUMERATIONS: list[tuple[str, str, bool]] = [
    ("from enum import Enum", "str, Enum", False),
    ("import enum as e", "e.StrEnum", False),
    ("from enum import Enum", "Enum", True),
    ("from enum import Enum", "int, Enum", True),
    ("from enums import Enum", "str, Enum", True),
]


@pytest.mark.parametrize(("imports", "bases", "is_told"), ENUMERATIONS)
def test_the_value_of_an_enumeration_of_texts_is_one(
    imports: str, bases: str, is_told: bool
) -> None:
    method = "    def __str__(self):\n        return str(self.value)\n"
    text = f"{imports}\nclass Mode({bases}):\n    A = 'a'\n{method}"
    made = mutants_of(Block(text, 4, 5, ("Mode",))).records
    assert ("self.value" in [each.after for each in made]) is is_told
    changed = f"{text}    def __new__(cls, value):\n        return make(cls, value)\n"
    assert "self.value" in [m.after for m in mutants_of(Block(changed, 4, 5, ("Mode",))).records]


def test_how_many_there_are_is_not_asked_where_it_only_counts_whether_there_are_any() -> None:
    text = (
        "def f(x):\n    found = set()\n    found |= x\n    if not len(found):\n        return 1\n"
    )
    dropped = "len(found) -> found"
    assert dropped not in mutated(text)
    assert dropped in mutated(text.replace("set()", "g(x)"))
    assert dropped in mutated(text.replace("if not len(found)", "if len(found) > 1"))
    assert "bool(x) -> x" not in mutated("def f(x):\n    return 1 if a and bool(x) else 2\n")
    assert "bool(x) -> x" in mutated("def f(x):\n    return bool(x)\n")


def test_a_name_for_a_method_of_a_logger_logs() -> None:
    text = "import logging\nSAY = logging.getLogger().debug\ndef f(x):\n    SAY(x)\n    return x\n"
    assert not [each for each in mutated(text) if each.startswith("SAY(x)")]
    assert [
        each for each in mutated(text.replace(".debug", ".handle")) if each.startswith("SAY(x)")
    ]


MATCHED = (
    "import re\nDATE = re.compile('{pattern}'{flags})\n"
    "def f(x):\n    m = DATE.match(x)\n    if m:\n        return g(m)\n"
)


def test_a_match_is_true_wherever_it_is_not_none() -> None:
    dropped = "m -> (m is not None)"
    text = MATCHED.format(pattern="a", flags="")
    assert dropped not in mutated(text)
    assert dropped in mutated(text.replace("re.compile(", "g("))
    assert dropped in mutated(text.replace("    if m:", "    m = g(m)\n    if m:"))
    assert dropped in mutated(text.replace("DATE.match(x)", "x.match(DATE)"))
    assert dropped not in mutated(
        "import re\ndef f(x):\n    if m := re.match('a', x):\n        g(m)"
    )


@pytest.mark.parametrize(
    ("pattern", "flags", "is_same"),
    [
        ("^a|^(b|c)", "", False),
        ("^a(b|c)[|]", "", True),
        ("a", "", False),
        ("^a", ", re.I", True),
        ("^a", ", re.MULTILINE", False),
        ("^a", ", FLAGS", False),
    ],
)
def test_what_begins_at_the_start_is_matched_as_it_is_searched(
    pattern: str, flags: str, is_same: bool
) -> None:
    made = mutated(MATCHED.format(pattern=pattern, flags=flags))
    assert ("DATE.match -> DATE.search" not in made) is is_same
    assert "DATE.match -> DATE.fullmatch" in made


OWN = (
    "import re\nclass A:\n    date: re.Pattern = re.compile('^a')\n"
    "    def f(self, x):\n        m = self.date.match(x)\n        return g(m) if m else None\n"
)


@pytest.mark.parametrize(
    ("text", "is_known"),
    [
        (OWN, True),
        (OWN.replace("self.date.", "A.date."), True),
        (OWN.replace("re.compile('^a')", "g('^a')"), False),
        (OWN + "class B:\n    def __init__(self, a):\n        a.date = self\n", False),
    ],
)
def test_the_pattern_of_a_class_is_what_it_is_written_as(text: str, is_known: bool) -> None:
    mutants = mutants_of(Block(text, 4, 6, ("A",))).records
    made = [f"{each.before} -> {each.after}" for each in mutants]
    assert any(each.endswith(".date.fullmatch") for each in made)
    assert any(each.endswith(".date.search") for each in made) is not is_known
    assert ("m -> (m is not None)" in made) is not is_known


def test_what_is_none_is_returned_as_none() -> None:
    text = "def f(x):\n    if x is None:\n        g()\n        return x\n    return x + 1\n"
    assert "x -> None" not in mutated(text)
    assert "x -> None" in mutated(text.replace("g()", "x = g()"))
    assert "x -> None" in mutated(text.replace("is None", "is not None"))
    assert "x -> None" in mutated(text.replace("def f(x):", "def f():\n    global x"))
    assert "x -> None" in mutated(text.replace("def f(x):", "x = 3\ndef f():"))


def test_a_whole_number_is_whole_already() -> None:
    text = "def f(n: int, x):\n    return int({0})\n"
    for whole in ("n", "len(x)", "-n * 2"):
        made = mutated(text.format(whole))
        assert not {"int -> round", f"int({whole}) -> {whole}"} & {*made}
    for other in ("x", "n / 2", "n + x"):
        assert "int -> round" in mutated(text.format(other))
    assert "int -> round" in mutated("def f(n: int):\n    n = n / 2\n    return int(n)\n")
    assert "int -> round" in mutated("def f(n: float):\n    return int(n)\n")


def test_keys_are_like_a_set_beside_another_one() -> None:
    text = "def f(x, d):\n    return x | frozenset(d.keys())\n"
    dropped = "frozenset(d.keys()) -> d.keys()"
    assert dropped not in mutated(text)
    assert dropped in mutated(text.replace("x |", "x +"))
    assert dropped in mutated(text.replace("x | ", ""))


def test_a_key_that_is_not_there_has_no_first_entry() -> None:
    text = "def f(d, k):\n    if k not in d:\n        d[k] = g(k)\n    return d\n"
    kept = "d[k] = g(k) -> d.setdefault(k, g(k))"
    assert kept not in mutated(text)
    assert kept in mutated(text.replace("not in", "in"))
    assert kept in mutated(text.replace("k not in d", "k not in e"))
    assert kept in mutated(text.replace("        d[k]", "        g(d)\n        d[k]"))
