"""Which changes become mutants: those that do something that is compared."""

from __future__ import annotations

from itertools import pairwise

import pytest
from slicefunc.verifier.mutation.mutants import mutants_of
from slicefunc.verifier.mutation.mutated_block import Block

from tests.verifier.mutation.blocks import block, mutated

# a body, and what of it nobody compares
UNSEEN = [
    ("logging.info('a %d', x + 1)", 1),
    ("self.logger.warning('a')", 1),
    ("logging.getLogger(__name__).error('a')", 1),
    ("warnings.warn('a')", 1),
    ("log.debug('a')", 1),
    ("raise KeyError('a' + x)", 0),
    ("raise KeyError(f'a{x}')", 0),
    ("raise KeyError('a %s' % x)", 0),
    ("raise KeyError('a {}'.format(x))", 0),
    ("raise KeyError(message='a')", 0),
    ("raise KeyError(_('a {}').format(x))", 0),
    ("m = 'a'\n    raise KeyError(m)", 0),
    ("m = f'a{x}'\n    if x:\n        m += 'a'\n    raise KeyError(m)", 0),
    ("m = 'a %s'\n    raise KeyError(f'{m}' % x)", 0),
    ("print('a', x)\n    return x", 1),
    ("print('a', str(x).upper(), sep=';')\n    return x", 1),
    ("sys.stdout.write('a')\n    return x", 1),
    ("print('a')\n    yield x", 1),
    ("print('a', file=sys.stderr)", 1),
    ("traceback.print_exc()", 1),
    ("sys.stderr.write('a')", 1),
    ("log_verbose('a', level='debug')", 1),
    ("time.sleep(x + 1)\n    print('a')\n    return x", 1),
    ("if 0:\n        x += 1\n    return x", 1),
    ("if False:\n        x += len(x)\n    else:\n        return x", 1),
]


def test_a_condition_of_what_is_only_printed_does_not_count() -> None:
    inner = "        print('a')\n        if self:\n            print('b')\n"
    body = f"    if x > 1:\n{inner}    return x\n"
    found = mutants_of(block(f"def f(self, x):\n{body}"))
    assert found.not_compared
    assert {made.before for made in found.records} <= {"x", "return x"}
    found = mutants_of(block(f"def f(self, x):\n{body.replace('return x', 'pass')}"))
    assert "x > 1" in {made.before for made in found.records}
    found = mutants_of(block("def f(x):\n    if x.pop():\n        print('a')\n    return x\n"))
    assert "x.pop()" in {made.before for made in found.records}


HELPERS = """\
def line(size=40):
    return "-" * size


def head(text):
    shown = text.center(42)
    print(line())
    if text:
        print(shown)


def ask(text):
    print(text)
    return input()


def keep(rows):
    print(rows)
    rows.append(1)


"""
# statements of a function that returns something, and what mutants are of
WITH_HELPERS = [
    ("head('A')", False),
    ("print(line(3))", False),
    ("keep(x)", True),
    ("y = ask('A')", True),
    ("n = 1\n    for each in x:\n        print(n, each)\n        n += 1", False),
    ("n = len(x)\n    print(n)", False),
    ("n = 1\n    print(n)\n    x.n = n", True),
    ("n = x['a']\n    print(n)", True),
    ("n = x.pop()\n    print(n)", True),
    ("global n\n    n = 1\n    print(n)", True),
    ("int(input('A: '))", True),
]


@pytest.mark.parametrize(("body", "counts"), WITH_HELPERS)
def test_what_only_leads_to_a_print_does_not_count(body: str, counts: bool) -> None:
    def changed(end: str) -> set[str]:
        text = f"{HELPERS}def f(x):\n    {body}\n    {end}\n"
        first = HELPERS.count("\n") + 1
        made = mutants_of(Block(text, first, text.count("\n"))).records
        return {m.before for m in made if m.operator != "two at a time"} - {"x", end}

    assert bool(changed("return x")) == counts
    assert "'A: '" not in changed("return x")
    assert changed("pass") > changed("return x") or counts


@pytest.mark.parametrize(("body", "deleted"), UNSEEN)
def test_what_nobody_compares_does_not_count(body: str, deleted: int) -> None:
    found = mutants_of(block(f"def f(self, x):\n    {body}\n"))
    assert found.not_compared
    assert not [m for m in found.records if m.before.lstrip("f").startswith("'a")]
    first = body.partition("\n")[0]
    assert (first not in [made.before for made in found.records if made.after == "pass"]) == deleted


@pytest.mark.parametrize(
    ("body", "counts"),
    [
        ("for _ in x:\n        sleep(2)\n    return x", False),
        ("time.sleep(x.pop())\n    return x", True),
        ("while x.waits():\n        time.sleep(2)\n    return x", True),
        ("then = time.time()\n    time.sleep(2)\n    return time.time() - then", True),
        ("self.sleep(2)\n    return x", True),
    ],
)
def test_a_pause_counts_only_where_it_could_be_seen(body: str, counts: bool) -> None:
    found = mutants_of(block(f"def f(self, x):\n    {body}\n"))

    assert any("sleep" in m.before and m.after == "pass" for m in found.records) == counts


@pytest.mark.parametrize(
    ("body", "counts"),
    [
        ("try:\n        raise TypeError()\n    except:\n        pass", False),
        (
            "try:\n        if x:\n            raise KeyError\n    except Exception:\n        x = 1",
            False,
        ),
        ("try:\n        raise SystemExit()\n    except Exception:\n        pass", True),
        ("try:\n        raise TypeError()\n    except Exception as e:\n        x = str(e)", True),
        ("try:\n        raise TypeError()\n    except Exception as e:\n        x = 0", False),
        ("try:\n        raise TypeError()\n    except TypeError:\n        pass", True),
        ("try:\n        raise TypeError()\n    except:\n        raise", True),
        ("try:\n        raise TypeError()\n    except:\n        x = sys.exc_info()", True),
        ("try:\n        x()\n    except:\n        raise TypeError()", True),
    ],
)
def test_which_exception_is_caught_unseen_does_not_count(body: str, counts: bool) -> None:
    found = mutants_of(block(f"def f(x):\n    {body}\n    return x\n"))
    assert any(each.operator == "changed exception" for each in found.records) == counts


def test_who_logs_and_raises_again_need_not_catch_at_all() -> None:
    text = (
        "def f(x):\n    try:\n        x.a()\n    except KeyError:\n        return None\n"
        "    except ValueError as e:\n        print(e)\n        raise\n"
        "    except Exception:\n        log.error('a')\n        raise\n"
    )

    def changed(text: str) -> set[str]:
        return {made.before for made in mutants_of(block(text)).records}

    assert not changed(text) & {"ValueError", "Exception", "print(e)"}
    assert "KeyError" in changed(text)
    stopped = text.replace("log.error('a')\n        raise", "return 1")
    assert changed(stopped) >= {"KeyError", "ValueError"}
    inside = text.replace("    ", "        ").replace("        try", "    try:\n        try", 1)
    inside += "    except OSError:\n        pass\n"
    assert changed(inside.replace("def f(x):\n        ", "def f(x):\n    ")) >= {"ValueError"}


@pytest.mark.parametrize(
    ("call", "counts"),
    [
        ("ask('A: ')", False),
        ("ask(prompt='A: ')", False),
        ("ask('A: ', limit='9')", True),
        ("ask(prompt=x.pop())", True),
        ("ask(*['A: '])", True),
        ("kept('A: ')", True),
    ],
)
def test_what_a_function_only_asks_with_does_not_count(call: str, counts: bool) -> None:
    helpers = (
        "def ask(prompt, limit=1):\n    n = input(prompt)\n    return int(n) % int(limit)\n\n\n"
        "def kept(text):\n    print(text)\n    return text\n\n\n"
    )
    text = f"{helpers}def f(x):\n    return {call}\n"
    made = mutants_of(Block(text, helpers.count("\n") + 1, text.count("\n"))).records

    inside = {each.before for each in made} - {call, f"return {call}", "f"}
    assert bool({each for each in inside if "'" in each or "x" in each}) == counts


SEEN = [
    "print('a')",
    "print('a')\n    return",
    "print('a')\n    return None",
    "print('a', file=x)\n    return x",
    "print('a', x.pop())\n    return x",
    "print('a', g(x))\n    return x",
    "self.log.append('a')",
    "math.log('a')",
    "m = 'a'\n    if x:\n        raise KeyError(m)\n    return m",
    "m = 'a'\n    self.m = m\n    raise KeyError(m)",
    "m = 'a'\n    raise KeyError(g(m))",
    "global m\n    m = 'a'\n    raise KeyError(m)",
    "self.log('a')",
]


@pytest.mark.parametrize("body", SEEN)
def test_what_does_more_counts(body: str) -> None:
    assert any(each.startswith("'a'") for each in mutated(f"def f(self, x):\n    {body}\n"))


EQUIVALENT = [
    "def f():\n    return 1\n    return 2\n",
    "def f():\n    'doc'\n    'not a doc'\n",
    "def f(x):\n    g(x)\n    return None\n",
    "def f(x):\n    y = 5\n    return x\n",
    "def f(x):\n    y = (x, -5, ['a'])\n    return x\n",
    "def f(x):\n    for i in x:\n        y: int = 5\n    return x\n",
    "def f(x):\n    y: int = 5\n    if x:\n        y = x\n    else:\n        y = g()\n    g(y)\n",
    "def f(x):\n    y = 5\n    try:\n        y = x\n    finally:\n        g()\n    return y\n",
]


@pytest.mark.parametrize("text", EQUIVALENT)
def test_a_change_that_makes_no_difference_is_equivalent(text: str) -> None:
    found = mutants_of(block(text))
    assert found.equivalent
    assert not [m for m in found.records if set("235") & set(m.before) or m.before == "return None"]


DIFFERENT = [
    "def f(x):\n    y = 5\n    return lambda: y\n",
    "def f(x):\n    global y\n    y = 5\n",
    "def f(x):\n    y = 5\n    return locals()\n",
    "def f(x):\n    y = 5\n    y += x\n",
    "def f(x):\n    self.y = 5\n",
    "def f(x):\n    y = 0\n    def g():\n        nonlocal y\n        y = 5\n    return g\n",
    "def f(x):\n    class C:\n        y = 5\n    return C\n",
    "def f(x):\n    return x in {5, 'a', 'b'}\n",
    "def f(x):\n    y = 5\n    if x:\n        y = x\n    return y\n",
    "def f(x):\n    y = 5\n    try:\n        y = g()\n    except E:\n        pass\n    return y\n",
    "def f(x):\n    y = 5\n    with x:\n        y = g()\n    return y\n",
    "def f(x):\n    while x():\n        g(y)\n        y = 5\n",
]


@pytest.mark.parametrize("text", DIFFERENT)
def test_a_store_that_somebody_may_read_is_none(text: str) -> None:
    assert "5 -> 6" in mutated(text)


def test_a_dead_store_of_what_may_fail_counts() -> None:
    assert "y = g(5) -> pass" in mutated("def f(x):\n    y = g(5)\n")
    assert "y = x -> pass" in mutated("def f(x):\n    del x\n    y = x\n")


def test_what_does_the_same_as_another_mutant_is_made_once() -> None:
    assert mutated("def f(x):\n    return x == 1\n").count("x == 1 -> (x != 1)") == 1
    assert len(mutated("def f(x):\n    if x == 1: g()\n")) == len(
        {m.mutant.text for m in mutants_of(block("def f(x):\n    if x == 1: g()\n")).records}
    )


LONG = "def f(x):\n" + "".join(f"    x = g(x, {n})\n" for n in range(100)) + "    return x\n"


def test_at_most_so_many_are_spread_over_the_text() -> None:
    every, some = mutants_of(block(LONG), 10**6), mutants_of(block(LONG), 50)
    assert len(every.records) > 300
    assert len(some.records) == 50
    assert some.not_drawn == len(every.records) - 50
    assert {m.mutant for m in some.records} <= {m.mutant for m in every.records}
    assert [m.line for m in some.records] == sorted(m.line for m in some.records)
    gaps = [b.line - a.line for a, b in pairwise(some.records)]
    assert max(gaps) <= 10


def test_a_rare_operator_is_not_crowded_out() -> None:
    rare = {"returned default"}
    assert rare < {m.operator for m in mutants_of(block(LONG)).records}
    assert rare < {m.operator for m in mutants_of(block(LONG), 8).records}


def test_a_third_is_held_out_and_the_rest_is_seen() -> None:
    found = mutants_of(block(LONG), 60)
    apart = [m for m in found.records if m.is_held_out]
    assert len(apart) == 20
    assert [*found.training().records] == [m for m in found.records if m not in apart]


def test_of_few_mutants_none_is_held_out() -> None:
    made = mutants_of(block("def f(x):\n    return x + 1\n")).records
    assert 3 < len(made) < 15
    assert not any(m.is_held_out for m in made)


def test_what_is_held_out_depends_on_the_change_and_not_on_its_place_in_the_file() -> None:
    def held(text: str, first: int) -> set[tuple[str, str]]:
        made = mutants_of(Block(text, first, text.count("\n"))).records
        return {(m.before, m.after) for m in made if m.is_held_out}

    text = "def f(x):\n    return x + 1 if x > 2 else x * 3 - len(x[1:]) or g(x, 1)\n"
    assert held(text, 1) == held("a = 1\n\n\n" + text, 4) != set()
    longer = "def f(x):\n    g(x)\n    return x + 1 if x > 2 else x * 3 - len(x[1:]) or g(x, 1)\n"
    assert held(longer, 1) != held(text, 1)


def test_the_mutants_of_a_text_are_always_the_same() -> None:
    assert mutants_of(block(LONG)) == mutants_of(block(LONG))


def test_names_are_distinct() -> None:
    names = [made.mutant.name for made in mutants_of(block(LONG)).records]
    assert len(set(names)) == len(names)


def test_a_console_that_only_shows_what_is_returned_too_is_not_compared() -> None:
    shown = "def f(x):\n    console.log('began')\n    return x + 1\n"
    assert not any("began" in each for each in mutated(shown))
    other = "def f(x):\n    table.log('began')\n    return x + 1\n"
    assert any("began" in each for each in mutated(other))


FIRST_OF_LOOP = """
def f(self, xs):
    low = 50
    for i, x in {items}:
        {first}self.made(i)
        if {test}:
            low = x
    {last}
"""


@pytest.mark.parametrize(
    ("items", "test", "last", "is_dead"),
    [
        ("enumerate(xs)", "i == 0 or low > x", "return self", True),
        ("enumerate(xs)", "not i or low > x", "return self", True),
        ("enumerate(xs)", "i < 1 or low > x", "return self", True),
        ("enumerate(xs)", "i == 0 or low > x", "return low", False),  # there may be no item
        ("enumerate(xs)", "low > x or i == 0", "return self", False),
        ("enumerate(xs, 1)", "i == 0 or low > x", "return self", False),
        ("enumerate(xs)", "i == 1 or low > x", "return self", False),
        ("zip(xs, xs)", "i == 0 or low > x", "return self", False),
    ],
)
def test_what_the_first_iteration_replaces_is_dead(
    items: str, test: str, last: str, is_dead: bool
) -> None:
    text = FIRST_OF_LOOP.format(items=items, test=test, last=last, first="")
    assert ("50 -> 51" not in mutated(text)) is is_dead


def test_a_range_of_known_length_runs_at_least_once() -> None:
    text = (
        "def f(self):\n    low = 50\n    for i in range({}):\n        x = self.lost(i)\n"
        "        if i == 0 or low > x:\n            low = x\n    return low\n"
    )
    assert "50 -> 51" not in mutated(text.format("8"))
    assert "50 -> 51" not in mutated(text.format("0, 8"))
    assert "50 -> 51" in mutated(text.format("0"))
    assert "50 -> 51" in mutated(text.format("2, 8"))
    assert "50 -> 51" in mutated(text.format("self.n"))
    hidden = text.format("8").replace("(self)", "(self, range)")
    assert "50 -> 51" in mutated(hidden)


def test_the_first_iteration_may_be_left_before_it_binds() -> None:
    for first in ("if x: break\n        ", "if x: continue\n        ", "i = g(x)\n        "):
        text = FIRST_OF_LOOP.format(
            items="enumerate(xs)", test="i == 0 or low > x", last="return self", first=first
        )
        assert "50 -> 51" in mutated(text)


def test_words_that_another_function_raises_are_not_compared() -> None:
    checked = "def check(x, message='no'):\n    if x is None:\n        raise ValueError(message)\n"
    text = "def f(x):\n    check(x, message='is needed')\n    return x\n"
    whole = Block(checked + text, 4, 6)
    made = [f"{each.before} -> {each.after}" for each in mutants_of(whole).records]
    assert "'is needed' -> 'is neededX'" not in made
    told = Block(checked.replace("raise", "g(message)\n        raise") + text, 5, 7)
    made = [f"{each.before} -> {each.after}" for each in mutants_of(told).records]
    assert "'is needed' -> 'is neededX'" in made
