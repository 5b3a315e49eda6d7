"""Definitions of the target's file that the slice lacks, for candidates that use them."""

from __future__ import annotations

import ast
import textwrap

from slicefunc.verifier.scoring.candidates.candidate_text import UnusableCandidate
from slicefunc.verifier.scoring.candidates.file_neighbours import neighbours
from slicefunc.verifier.scoring.module_holes import TextWithHoles, holed

FILE = textwrap.dedent("""
    import re
    from outside import thing

    LIMIT = 3
    COUNT = 0

    def twice(x):
        return x * 2

    def four_times(x):
        return twice(twice(x))

    def needs_what_is_not_there(x):
        return thing(x)

    def counted():
        global COUNT
        COUNT += 1

    class Late(Base):
        pass

    class Box:
        size = LIMIT

        def __init__(self, x):
            self.x = x

        def __len__(self):
            return 1

        def target(self):
            return self.x

        def other(self, y):
            return self._inner + four_times(y)

        @property
        def _inner(self):
            return 100

        def gone(self):
            return thing(self)
""")
SLICE = textwrap.dedent("""
    class Box:
        def __init__(self, x):
            self.x = x

        def target(self):
            return self.x
""")


def hole(slice_: str = SLICE, target: str = "Box.target") -> TextWithHoles:
    body = ast.parse(FILE).body
    return holed(slice_, target, offered=tuple(neighbours(body, target.split("."))))


def given(candidate: str, call: str, slice_: str = SLICE, target: str = "Box.target") -> object:
    """What a call gives with a candidate in place."""
    filled = hole(slice_, target).filled(textwrap.dedent(candidate))
    assert not isinstance(filled, UnusableCandidate)
    space: dict[str, object] = {}
    exec(filled.text, space)
    return eval(call, space)


def test_a_candidate_may_call_what_the_original_does_not() -> None:
    method = "def target(self):\n    return self.other(1) + LIMIT\n"
    assert given(method, "Box(1).target()") == 107
    assert given("return self.other(1) + LIMIT\n", "Box(1).target()") == 107
    whole = "class Box:\n    def target(self):\n        return self._inner + twice(4)\n"
    assert given(whole, "Box(1).target()") == 108
    function = "def target(x):\n    return four_times(x)\n"
    assert given(function, "target(1)", "def target(x):\n    return x\n", "target") == 4


def test_what_a_candidate_defines_itself_goes_first() -> None:
    own = "def twice(x):\n    return 7\n\ndef target(self):\n    return twice(1)\n"
    assert given(own, "Box(1).target()") == 7
    whole = (
        "class Box:\n    def other(self, y):\n        return 5\n"
        "    def target(self):\n        return self.other(1)\n"
    )
    assert given(whole, "Box(1).target()") == 5


def test_only_what_finds_all_that_it_needs_is_offered() -> None:
    offered = {(each.kind, each.name) for each in hole().surroundings.offered}
    assert offered == {
        ("definition", "LIMIT"), ("definition", "twice"), ("definition", "four_times"),
        ("member", "other"), ("member", "_inner"),
    }  # fmt: skip


def test_names_for_type_checkers_are_not_needed_where_annotations_are_texts() -> None:
    file = "class Box:\n    def target(self): pass\n    def other(self) -> tuple[Row, ...]: pass\n"
    future = "from __future__ import annotations\n"
    slice_ = "class Box:\n    def target(self): pass\n"
    beside = tuple(neighbours(ast.parse(file).body, ("Box", "target")))
    textual, read = (
        holed(text, "Box.target", offered=beside).surroundings.offered
        for text in (future + slice_, slice_)
    )
    assert [each.name for each in textual] == ["other"]
    assert read == ()


def test_a_candidate_that_needs_nothing_is_as_it_was() -> None:
    filled = hole().filled("def target(self):\n    return self.x\n")
    assert not isinstance(filled, UnusableCandidate)
    assert filled.text.strip() == SLICE.strip()
    assert filled.added == frozenset()
