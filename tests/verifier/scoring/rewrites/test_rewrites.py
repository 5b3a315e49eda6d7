"""Each rewrite where it applies, and where it must not."""

from __future__ import annotations

import ast
import textwrap

import pytest
from slicefunc.verifier.mutation.mutated_block import Block
from slicefunc.verifier.scoring.rewrites.rewrites import most_different_rewrite, rewrites_of
from slicefunc.verifier.script.module_statements import first_line_of

from tests.verifier.mutation.blocks import block


def rewritten(text: str) -> dict[str, str]:
    """The bodies of the last function of a text, by the name of the rewrite."""
    text = textwrap.dedent(text).strip("\n") + "\n"
    found = Block(text, first_line_of(ast.parse(text).body[-1]), text.count("\n"))
    return {each.name: _body(each.text) for each in rewrites_of(found)}


def _body(text: str) -> str:
    node = ast.parse(text).body[-1]
    assert isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
    return "\n".join(ast.unparse(each).strip() for each in node.body)


APPLIES = [
    ("renamed locals", "def f(p):\n    a = p.a\n    return g(a, a=a)", "a_ = p.a\nreturn g(a_, a=a_)"),
    (
        "renamed locals",
        "def f(p):\n    a = [x for x in p]\n    def g(): return a\n    return g",
        "a_ = [x_ for x_ in p]\ndef g():\n    return a_\nreturn g",
    ),
    (
        "renamed locals",
        "def f(p):\n    try: p()\n    except E as e: return (b := str(e)) + b",
        "try:\n    p()\nexcept E as e_:\n    return (b_ := str(e_)) + b_",
    ),
    ("reordered assignments", "def f(p):\n    a = 1\n    b = [p]\n    g(a, b)", "b = [p]\na = 1\ng(a, b)"),
    ("reordered assignments", "def f(p):\n    a = 1\n    b = N\n    g(a, b)", "b = N\na = 1\ng(a, b)"),
    (
        "comprehension for a loop",
        "def f(p):\n    r = []\n    for x in p:\n        r.append(x + 1)\n    return r",
        "r = [x + 1 for x in p]\nreturn r",
    ),
    (
        "comprehension for a loop",
        "def f(p):\n    r = []\n    for i, x in p or ():\n        if x if i else i:\n"
        "            r.append((i, x))\n    return r",
        "r = [(i, x) for i, x in p or () if (x if i else i)]\nreturn r",
    ),
    (
        "swapped branches",
        "def f(p):\n    if p: a()\n    elif q: b()\n    else: c()",
        "if p:\n    a()\nelif not q:\n    c()\nelse:\n    b()",
    ),
    ("swapped branches", "def f(p):\n    return a if p else b if q else c",
     "return (c if not q else b) if not p else a"),
    ("no else after a return", "def f(p):\n    if p:\n        return 1\n    else:\n        g()\n        h()",
     "if p:\n    return 1\ng()\nh()"),
    ("else after a return", "def f(p):\n    if p:\n        return 1\n    g()\n    h()",
     "if p:\n    return 1\nelse:\n    g()\n    h()"),
    ("variable for what is returned", "def f(p):\n    return p + 1", "outcome = p + 1\nreturn outcome"),
    ("variable for what is returned", "def f(outcome):\n    if outcome: return *outcome, 1",
     "if outcome:\n    outcome_ = (*outcome, 1)\n    return outcome_"),
    ("augmented assignment spelled out", "def f(p):\n    n = 0\n    for x in p: n += 1; n -= n * 2",
     "n = 0\nfor x in p:\n    n = n + 1\n    n = n - n * 2"),
    ("keywords in another order", "def f(p):\n    print(p, sep='', end=p)", "print(p, end=p, sep='')"),
    ("keywords in another order", "def g(a, b): pass\ndef f(p):\n    g(a=p, b=N)", "g(b=N, a=p)"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "text", "after"), APPLIES)
def test_what_is_rewritten(name: str, text: str, after: str) -> None:
    assert rewritten(text)[name] == after


REFUSED = [
    ("renamed locals", "def f(p):\n    a = 1\n    return locals()"),
    ("renamed locals", "def f(p):\n    a = 1\n    return p.query('x > @a')"),
    ("renamed locals", "def f(p):\n    a = 1\n    return f'{a=}'"),
    ("renamed locals", "def f(p):\n    global a\n    a = 1"),
    ("renamed locals", "def f(p):\n    p = p + 1\n    return p"),
    ("renamed locals", "def f(p):\n    import a\n    def g(a): return a\n    return g"),
    ("renamed locals", "def f(p):\n    class A:\n        b = 1\n    return A"),
    ("reordered assignments", "def f(p):\n    a = 1\n    b = a"),
    ("reordered assignments", "def f(p):\n    a = b\n    b = 1"),
    ("reordered assignments", "def f(p):\n    a = 1\n    a = 2"),
    ("reordered assignments", "def f(p):\n    a = M\n    b = N"),
    ("reordered assignments", "def f(p):\n    a = g()\n    b = 1"),
    ("reordered assignments", "def f(p):\n    a = p.x\n    b = 1"),
    ("reordered assignments", "def f(p):\n    a = [*p]\n    b = 1"),
    ("reordered assignments", "def f(p):\n    for x in p:\n        a = 1\n        b = p"),
    ("reordered assignments", "def f(p):\n    try:\n        a = 1\n        b = N\n    except E: pass"),
    ("reordered assignments", "def f(p):\n    global a\n    a = 1\n    b = 2"),
    ("reordered assignments", "def f(p):\n    del p\n    a = p\n    b = N"),
    ("comprehension for a loop", "def f(p):\n    r = []\n    for x in p:\n        r.append(x)\n    return x"),
    ("comprehension for a loop", "def f(p):\n    r = []\n    for x in p:\n        r.append(r[:])\n    return r"),
    ("comprehension for a loop", "def f(p):\n    r = [0]\n    for x in p:\n        r.append(x)\n    return r"),
    ("comprehension for a loop", "def f(p):\n    r = []\n    for x in p:\n        g(r.append(x))\n    return r"),
    ("comprehension for a loop", "def f(p):\n    r = []\n    for x in p:\n        r.append((yield x))\n    return r"),
    ("comprehension for a loop", "def f(p):\n    r = []\n    for x in p:\n        r.append(lambda: x)\n    return r"),
    ("comprehension for a loop", "def f(p):\n    r = []\n    for x in p:\n        r.append(super().g(x))\n    return r"),
    ("comprehension for a loop",
     "def f(p):\n    r = []\n    for x in p:\n        r.append(x)\n    else: g()\n    return r"),
    ("comprehension for a loop",
     "def f(p):\n    try:\n        r = []\n        for x in p:\n            r.append(g(x))\n"
     "    except E: pass\n    return r"),
    ("comprehension for a loop",
     "def f(p):\n    def g(): return r\n    r = []\n    for x in p:\n        r.append(h(x, g))\n    return r"),
    ("comprehension for a loop",
     "def f(p):\n    x = p\n    r = []\n    for x in x:\n        r.append(x)\n    return r"),
    ("no else after a return", "def f(p):\n    if p:\n        g()\n    else:\n        h()"),
    ("else after a return", "def f(p):\n    if p:\n        g()\n    h()"),
    ("variable for what is returned", "def f(p):\n    if p: return\n    return p"),
    ("augmented assignment spelled out", "def f(p):\n    p += 1"),
    ("augmented assignment spelled out", "def f(p):\n    n = 0\n    n += p\n    n += 1"),
    ("augmented assignment spelled out", "def f(p):\n    n = 0\n    for n in p: n += 1"),
    ("augmented assignment spelled out", "def f(p):\n    n = ''\n    n += 'a'"),
    ("keywords in another order", "def f(p):\n    g(a=1, b=2)"),
    ("keywords in another order", "def g(**k): pass\ndef f(p):\n    g(a=1, b=2)"),
    ("keywords in another order", "@h\ndef g(a, b): pass\ndef f(p):\n    g(a=1, b=2)"),
    ("keywords in another order", "g = dict\ndef f(p):\n    print = g\n    return print(sep=1, end=2)"),
    ("keywords in another order", "def f(p):\n    print(p, sep=g(), end=h())"),
    ("keywords in another order", "def f(p):\n    print(p, sep=M, end=N)"),
    ("keywords in another order", "def f(p):\n    print(p, sep='', **p)"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "text"), REFUSED)
def test_what_is_left_as_it_is(name: str, text: str) -> None:
    assert name not in rewritten(text)


def test_nothing_is_rewritten_that_is_looked_at() -> None:
    for line in ("a = vars()", "a = eval('b')", "a = getsource(f)", "a = traceback.format_exc()"):
        text = f"def f(p):\n    {line}\n    if p: return 1\n    else: return a + p\n"
        assert not rewritten(text)
    assert not rewritten("@numba.njit\ndef f(p):\n    a = p\n    return a + p\n")


def test_a_method_stands_where_it_stood_with_its_decorators() -> None:
    text = "x = 1\n\n\nclass A:\n    @property\n    def f(self):\n        '''Doc.'''\n        return x\n"
    text = text.replace("return x", "return x + 1")
    found = {r.name: r.text for r in rewrites_of(Block(text, 5, 8, ("A",)))}
    (owner,) = ast.parse(found["variable for what is returned"]).body
    assert isinstance(owner, ast.ClassDef)
    (method,) = owner.body
    assert isinstance(method, ast.FunctionDef)
    assert [method.lineno, ast.get_docstring(method)] == [6, "Doc."]
    assert len(method.decorator_list) == 1


def test_several_are_also_made_one_after_another() -> None:
    found = rewritten("def f(p):\n    a = p.b\n    return a + 1")
    assert found["all of these"] == "a_ = p.b\noutcome = a_ + 1\nreturn outcome"
    assert "all of these" not in rewritten("def f(p):\n    return p")


def test_all_lines_move_even_of_what_is_looked_at() -> None:
    text = "def f(p):\n    'Doc.'\n    a = locals()\n    if p: return a\n    for x in p:\n        g()\n"
    moved = most_different_rewrite(block(text))
    assert moved is not None
    assert ast.dump(ast.parse(moved)) == ast.dump(ast.parse(text))
    lines = [[n.lineno for n in ast.parse(each).body[0].body] for each in (text, moved)]
    assert lines == [[2, 3, 4, 5], [3, 5, 7, 9]]
    assert most_different_rewrite(block("f = g(1)\n")) is None


def test_of_what_is_no_function_there_is_none() -> None:
    assert rewrites_of(block("f = g(1)\n")) == ()
    assert rewrites_of(block("f = lambda x: x if x else 1\n")) == ()
