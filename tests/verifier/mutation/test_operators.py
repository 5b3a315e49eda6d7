"""Each operator: the changes that it makes of small functions, and no others."""

from __future__ import annotations

import ast
import sys

import pytest
from slicefunc.verifier.mutation.operators.statement_operators import changes

from tests.verifier.mutation.blocks import block, changed, only

# what is returned -> operator, and what it makes of it
EXPRESSIONS = [
    ("a < b", "relational", ["(a <= b)", "(a >= b)"]),
    ("a <= b", "relational", ["(a < b)", "(a > b)"]),
    ("a == b", "relational", ["(a != b)"]),
    ("a is None", "relational", ["(a is not None)"]),
    ("a not in b", "relational", ["(a in b)"]),
    ("a < b <= c", "relational",
     ["(a <= b <= c)", "(a >= b <= c)", "(a < b < c)", "(a < b > c)"]),
    ("(a if b else c) < d", "relational", ["((a if b else c) <= d)", "((a if b else c) >= d)"]),
    ("a + b", "arithmetic", ["(a - b)"]),
    ("(a + b) * c", "arithmetic", ["((a + b) / c)", "(a - b)"]),
    ("a // b", "arithmetic", ["(a / b)"]),
    ("-a", "arithmetic", ["(a)"]),
    ("~a", "arithmetic", ["(a)"]),
    ("'x' + a", "arithmetic", []),
    ("a + 'x'", "arithmetic", []),
    ("'%s' % a", "arithmetic", []),
    ("a and b and c", "boolean", ["(a or b or c)"]),
    ("a or b and c", "boolean", ["(a and (b and c))", "(b or c)"]),
    ("a and b and c", "dropped operand", ["(b and c)", "(a and c)", "(a and b)"]),
    ("a or b.c", "dropped operand", ["b.c", "a"]),
    ("a or b and c", "dropped operand", ["(b and c)", "a", "c", "b"]),
    ("a or not b", "dropped operand", ["(not b)", "a"]),
    ("not a", "boolean", ["(a)"]),
    ("b if a else c", "negated condition", ["(not (a))"]),
    ("[x for x in a if x]", "negated condition", ["not (x)"]),
    ("3", "constant", ["4", "(2)"]),
    ("1", "constant", ["2"]),
    ("0.5", "constant", ["1.5", "(-0.5)"]),
    ("True", "constant", ["False"]),
    ("None", "constant", []),
    ("a[1:-1]", "constant", ["2", "2"]),
    ("a[b:c]", "off by one", ["b + 1", "c + 1"]),
    ("a[b or c:]", "off by one", ["(b or c) + 1"]),
    ("range(a)", "off by one", ["a + 1"]),
    ("range(1, len(a))", "off by one", ["len(a) + 1"]),
    ("range(3)", "off by one", []),
    ("'x'", "text", ["'xX'"]),
    ("''", "text", ["'X'"]),
    ("b'x'", "text", ["b'xX'"]),
    ("a['key']", "text", ["'keyX'"]),
    ("a.strip('./').rstrip(b' ')", "text", ["'X'", "b'X'"]),
    ("a.get('key')", "text", ["'keyX'"]),
    ("{'key': 'value', **a}", "text", ["'keyX'", "'valueX'"]),
    ("f(a, b)", "swapped arguments", ["f(b, a)"]),
    ("f(a, b, *c, d=1, **e)", "swapped arguments", ["f(b, a, *c, d=1, **e)"]),
    ("f(a, a)", "swapped arguments", []),
    ("max(a, b)", "swapped arguments", []),
    ("self.assertEqual(a, b)", "swapped arguments", []),
    ("np.logical_or(a, b)", "swapped arguments", []),
    ("np.power(a, b)", "swapped arguments", ["np.power(b, a)"]),
    ("f(*a, b)", "swapped arguments", []),
    ("sorted(a)", "dropped call", ["a"]),
    ("a.strip()", "dropped call", ["a"]),
    ("(a or b).strip()", "dropped call", ["(a or b)"]),
    ("sum(x for x in a)", "dropped call", ["(x for x in a)"]),
    ("a.get(b, 2)", "missed lookup", ["2"]),
    ("a.pop(b, c or d)", "missed lookup", ["(c or d)"]),
    ("next(a, None)", "missed lookup", ["None"]),
    ("getattr(a, b, c)", "missed lookup", ["c"]),
    ("a.get(b)", "missed lookup", []),
    ("a.get(*b, c)", "missed lookup", []),
    ("a.get(b, timeout=2)", "missed lookup", []),
    ("f(*a)", "dropped call", []),
    ("f(a, key=b)", "dropped call", []),
    ("(a, b, c)", "swapped elements", ["(b, a, c)"]),
    ("a, b", "swapped elements", ["(b, a)"]),
    ("(*a, b)", "swapped elements", []),
    ("a", "returned default", ["None"]),
    ("[a]", "returned default", ["[]", "None"]),
    ("{a: b}", "returned default", ["{}", "None"]),
    ("'x'", "returned default", ["''", "None"]),
    ("None", "returned default", []),
    ("True", "returned default", []),
    ("(n := a + 1)", "arithmetic", ["(a - 1)"]),
    ("lambda x, y=2: x + y", "arithmetic", ["(x - y)"]),
    ("lambda x, y=2: x", "constant", ["3", "(1)"]),
    ("f'{a}'", "text", ["''"]),
    ("f'{a}-{b}'", "formatted text", ["f'{a}-X{b}'"]),
    ("f'{a + 1!r:>5}'", "formatted text", ["f'{a - 1!r:>5}'", "f'{a + 2!r:>5}'"]),
    ("f'{f(a)}'", "formatted text", ["f'{a}'"]),
]  # fmt: skip


@pytest.mark.parametrize(("returned", "operator", "expected"), EXPRESSIONS)
def test_an_expression(returned: str, operator: str, expected: list[str]) -> None:
    found = only(operator, f"def f(a, b, c, d, e):\n    return {returned}\n")
    assert [each.partition(" -> ")[2] for each in found] == expected


# the body of a function -> operator, and its changes
STATEMENTS = [
    ("if a: b()", "negated condition", ["a -> not (a)"]),
    ("while a: b()", "negated condition", ["a -> not (a)"]),
    ("assert a", "negated condition", ["a -> not (a)"]),
    ("a = 1", "statement deletion", ["a = 1 -> pass"]),
    ("a: int = 1", "statement deletion", ["a: int = 1 -> pass"]),
    ("a: int", "statement deletion", []),
    ("a()", "statement deletion", ["a() -> pass"]),
    ("del a", "statement deletion", ["del a -> pass"]),
    ("return", "statement deletion", ["return -> pass"]),
    ("return a", "statement deletion", []),
    ("yield a", "statement deletion", []),
    ("yield a", "returned default", ["a -> None"]),
    ("a.b = c", "stored default", ["c -> None"]),
    ("a[b] = c", "stored default", ["c -> None"]),
    ("a = c", "stored default", []),
    ("a.b = c + 1", "stored default", []),
    ("a += b", "arithmetic", ["a += b -> a -= b"]),
    ("a += 'x'", "arithmetic", []),
    ("a += [b]", "arithmetic", []),
    ("a //= b + c", "arithmetic", ["a //= b + c -> a /= b + c", "b + c -> (b - c)"]),
    ("for x in a: break", "loop control", ["break -> continue"]),
    ("for x in a: continue", "loop control", ["continue -> break"]),
    ("raise KeyError(a)", "changed exception", ["KeyError -> ValueError"]),
    ("raise ValueError", "changed exception", ["ValueError -> RuntimeError"]),
    ("raise error", "changed exception", []),
    ("raise KeyError(a)", "dropped call", []),
    ("try: a()\n    except KeyError: b()", "except type", ["KeyError -> ()"]),
    ("try: a()\n    except (KeyError, OSError): b()", "except type",
     ["(KeyError, OSError) -> (OSError,)", "(KeyError, OSError) -> (KeyError,)"]),
    ("try: a()\n    except: b()", "except type", []),
    ("with f(a, b): pass", "swapped arguments", ["f(a, b) -> f(b, a)"]),
    ("match a:\n        case 1: b()", "constant", ["1 -> 2"]),
    ("match a:\n        case True: b()", "constant", ["True -> False"]),
    ("match a:\n        case {'k': [2, *_]}: b()", "text", ["'k' -> 'kX'"]),
    ("match a:\n        case {'k': [2, *_]}: b()", "constant", ["2 -> 3", "2 -> (1)"]),
    ("match a:\n        case C(x=2): b()", "constant", ["2 -> 3", "2 -> (1)"]),
    ("match a:\n        case 'x' | 'y': b()", "pattern",
     ["'x' | 'y' -> ('y')", "'x' | 'y' -> ('x')"]),
    ("match a:\n        case x if x > b: b()", "negated condition", ["x > b -> not (x > b)"]),
    ("match a:\n        case x if x > b: b()", "relational",
     ["x > b -> (x >= b)", "x > b -> (x <= b)"]),
]  # fmt: skip


@pytest.mark.parametrize(("body", "operator", "expected"), STATEMENTS)
def test_a_statement(body: str, operator: str, expected: list[str]) -> None:
    assert only(operator, f"def f(a, b, c):\n    {body}\n") == expected


EVERY = [*(f"return {returned}" for returned, *_ in EXPRESSIONS), *(b for b, *_ in STATEMENTS)]


@pytest.mark.parametrize("source", dict.fromkeys(EVERY))
def test_every_change_compiles_to_something_else(source: str) -> None:
    whole = block(f"def f(a, b, c, d, e):\n    {source}\n")
    for change in changes(whole):
        text = whole.replaced(change.node, change.text)
        assert ast.dump(ast.parse(text)) != ast.dump(whole.tree)


def test_an_await_is_removed() -> None:
    assert only("removed await", "async def f(a):\n    return await a\n") == ["await a -> (a)"]


def test_what_a_candidate_is_given_stays_as_it_is() -> None:
    text = """
        @cache(1)
        def f(a: 2 = 3, *, b=4) -> 5:
            '''Six.'''
            x: 7
            @g(8)
            def inner(c: 9 = 10) -> 11:
                '''Twelve.'''
            return inner
    """
    assert [each for each in changed(text) if each.startswith(("constant", "text"))] == [
        "constant: 10 -> 11", "constant: 10 -> (9)",
    ]  # fmt: skip


def test_a_class_inside_is_mutated() -> None:
    text = "def f():\n    class C:\n        x = 2\n        def g(self): return 3\n    return C\n"
    assert only("constant", text) == ["2 -> 3", "2 -> (1)", "3 -> 4", "3 -> (2)"]


def test_a_text_that_cannot_be_written_anew_is_left_out() -> None:
    text = "def f(a):\n    return f'{a}' f\"{a['k']}\\n\"\n"
    found = only("formatted text", text)
    assert all(each.count(" -> ") == 1 for each in found)
    if sys.version_info >= (3, 12):
        assert found


def test_a_number_too_long_for_digits_is_left_as_it_is() -> None:
    assert only("constant", f"def f():\n    return 0x{'f' * 4000}\n") == []
