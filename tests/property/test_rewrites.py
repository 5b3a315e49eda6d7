"""Generated functions and each of their rewrites: called alike, they do the same."""

from __future__ import annotations

import contextlib
import copy
import io
from typing import Any

from hypothesis import event, given
from hypothesis import strategies as st
from slicefunc.verifier.mutation.mutated_block import Block
from slicefunc.verifier.scoring.rewrites.rewrites import rewrites_of

_NAMES = st.sampled_from("a b c r x".split())
_HEAD = """\
from contextlib import suppress
LIMIT = 3
SEEN = []
def look(first, second=2, *, third=3):
    print(first, second, third)
    SEEN.append(first)
    return second
"""
_CALLS = ((0, [1, 2, 3]), (5, []), (2, ["u", None, 7]), (-1, [[], [4]]))


def _expressions(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    pairs = st.tuples(inner, inner)
    return st.one_of(
        pairs.map(lambda p: f"({p[0]} + {p[1]})"),
        pairs.map(lambda p: f"({p[0]} if {p[1]} else {p[0]})"),
        pairs.map(lambda p: f"look({p[0]}, second={p[1]})"),
        pairs.map(lambda p: f"look(1, third={p[0]}, second={p[1]})"),
        pairs.map(lambda p: f"[x for x in q if x != {p[0]}] == {p[1]}"),
        pairs.map(lambda p: f"(a := {p[0]}) or {p[1]}"),
        inner.map(lambda e: f"[{e}, 1]"),
        inner.map(lambda e: f"str({e})"),
        inner.map(lambda e: f"(lambda: {e})()"),
        _NAMES.map(lambda n: f"f'{{{n}}}'"),
        inner.map(lambda e: f"sorted(q, reverse={e}, key=str)"),
    )


_SIMPLE = st.one_of(_NAMES, st.sampled_from("0 1 -2 2.5 'u' None True p q LIMIT UNKNOWN".split()))
_ANY = st.recursive(_SIMPLE, _expressions, max_leaves=4)


@st.composite
def _loops(draw: st.DrawFn) -> list[str]:
    """Loops that append, most of them as they can be rewritten."""
    name = draw(_NAMES)
    variable = draw(st.sampled_from(["t", "t", "u, t", "(t, u)", "x"]))
    whole = draw(st.sampled_from(["q", "q[:2]", "range(3)", "(look(p), 1)", name]))
    items = f"enumerate({whole})" if "," in variable else whole
    test = draw(st.one_of(st.just(""), _ANY))
    value = draw(st.one_of(st.just(variable), st.just("look(t)"), _ANY))
    lines = [f"{name} = []", f"for {variable} in {items}:"]
    if test:
        lines += [f"    if {test}:", f"        {name}.append({value})"]
    else:
        lines += [f"    {name}.append({value})"]
    return lines


def _joined(found: list[list[str]]) -> list[str]:
    return [line for lines in found for line in lines]


def _indented(lines: list[str]) -> list[str]:
    return ["    " + line for line in lines]


_LINE = st.one_of(
    st.tuples(_NAMES, _SIMPLE).map(lambda p: f"{p[0]} = {p[1]}"),
    st.tuples(_NAMES, _ANY).map(lambda p: f"{p[0]} = {p[1]}"),
    st.tuples(_NAMES, _ANY).map(lambda p: f"{p[0]} += {p[1]}"),
    st.tuples(_NAMES, st.sampled_from("1 2 0.5".split())).map(lambda p: f"{p[0]} += {p[1]}"),
    _ANY.map(lambda e: f"return {e}"),
    _ANY.map(lambda e: f"q.append({e})"),
    _ANY.map(lambda e: f"print({e}, end='', sep=LIMIT)"),
    _NAMES.map(lambda n: f"del {n}"),
    _NAMES.map(lambda n: f"see = lambda: {n}"),
    st.just("print(see())"),
    st.just("raise KeyError(p)"),
)


def _blocks(inner: st.SearchStrategy[list[str]]) -> st.SearchStrategy[list[str]]:
    """Statements around statements."""
    several = st.lists(inner, min_size=1, max_size=3).map(_joined)
    body = several.map(_indented)
    return st.one_of(
        several,
        st.tuples(_ANY, body).map(lambda p: [f"if {p[0]}:", *p[1]]),
        st.tuples(_ANY, body, body).map(lambda p: [f"if {p[0]}:", *p[1], "else:", *p[2]]),
        st.tuples(_ANY, body, _ANY, body, body).map(
            lambda p: [f"if {p[0]}:", *p[1], f"elif {p[2]}:", *p[3], "else:", *p[4]]
        ),
        st.tuples(_NAMES, body).map(lambda p: [f"for {p[0]} in q[:2]:", *p[1]]),
        st.tuples(body, _NAMES, body).map(
            lambda p: ["try:", *p[0], f"except Exception as {p[1]}:", *p[2]]
        ),
        body.map(lambda lines: ["with suppress(Exception):", *lines]),
    )


_BODIES = st.recursive(
    st.one_of(_LINE.map(lambda line: [line]), _loops()), _blocks, max_leaves=8
)  # fmt: skip


@st.composite
def functions(draw: st.DrawFn) -> str:
    """The text of a function `f(p, q)`."""
    first = draw(st.lists(st.tuples(_NAMES, _SIMPLE), max_size=3))
    lines = [f"{name} = {value}" for name, value in first]
    lines += _joined(draw(st.lists(_BODIES, min_size=1, max_size=4)))
    ending = draw(st.sampled_from(["return a", "return [b, c]", "return r, x", "pass", "yield a"]))
    return "\n".join(["def f(p, q):", *_indented([*lines, ending])]) + "\n"


def outcomes(function: str) -> list[object]:
    """What calls show: value or class of the exception, text, changed arguments, globals."""
    found: list[object] = []
    for p, q in _CALLS:
        space: dict[str, Any] = {}
        exec(_HEAD + function, space)
        given, printed = copy.deepcopy(q), io.StringIO()
        with contextlib.redirect_stdout(printed):
            try:
                value = space["f"](p, given)
                shown = _shown(list(value) if hasattr(value, "send") else value)
            except Exception as error:  # noqa: BLE001 - its class is what counts
                shown = type(error).__name__
        found.append((shown, printed.getvalue(), _shown(given), _shown(space["SEEN"])))
    return found


def _shown(value: object, depth: int = 5) -> str:
    """A text of a value without addresses; a list may be in itself."""
    if isinstance(value, list | tuple) and depth:
        inner = ", ".join(_shown(each, depth - 1) for each in value)
        return f"{type(value).__name__}({inner})"
    return repr(value) if isinstance(value, int | float | str) else type(value).__name__


@given(functions())
def test_rewrites_do_the_same(text: str) -> None:
    expected = outcomes(text)
    first = _HEAD.count("\n") + 1
    block = Block(_HEAD + text, first, first + text.count("\n") - 1)
    for each in rewrites_of(block):
        event(each.name)
        assert outcomes(each.text) == expected, f"{each.name}:\n{each.text.strip()}"
