"""Code at the left margin does what it did."""

from __future__ import annotations

import ast

from hypothesis import given
from hypothesis import strategies as st
from slicefunc.slicer.syntax.dedent import dedented

TEXTS = st.text(st.sampled_from("ab \n\t#"), max_size=12)


@given(texts=st.lists(TEXTS, min_size=1, max_size=3), depth=st.integers(0, 3))
def test_the_tree_stays_the_same_with_strings_of_several_lines(
    texts: list[str], depth: int
) -> None:
    margin = "    " * depth
    body = "".join(f"{margin}    x = f\"\"\"{text}\"\"\" + '''{text}'''\n" for text in texts)
    code = f"{margin}def f(self):\n{body}{margin}    return x\n"
    wrapped = ast.parse(f"if 1:\n{code}").body[0].body if depth else ast.parse(code).body  # type: ignore[attr-defined]
    found = dedented(code)
    assert found.startswith("def f(self):")
    assert ast.dump(ast.parse(found).body[0]) == ast.dump(wrapped[0])


def test_what_is_no_python_is_dedented_as_text() -> None:
    assert dedented("    def f(:\n        ...\n") == "def f(:\n    ...\n"


def test_code_at_the_margin_stays() -> None:
    code = 'def f():\n    """One\n  two."""\n'
    assert dedented(code) is code


def test_a_docstring_moves_with_its_function() -> None:
    code = '    def f(self):\n        """One.\n\n        Two.\n        """\n        return 1\n'
    assert dedented(code) == 'def f(self):\n    """One.\n\n    Two.\n    """\n    return 1\n'
