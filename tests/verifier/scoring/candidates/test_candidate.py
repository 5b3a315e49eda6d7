"""Which text goes where the target was."""

from __future__ import annotations

import ast
from textwrap import dedent
from typing import Any

import pytest
from slicefunc.verifier.scoring.candidates.candidate_text import (
    MAX_CHARACTERS,
    MAX_STATEMENTS,
    UnusableCandidate,
)
from slicefunc.verifier.scoring.module_holes import FilledText, NoHoleError, holed
from slicefunc.verifier.scoring.substitute import template

MODULE = '''\
"""A module."""
import os

LIMIT = 3


# the original way
@register("one")
# beside
def scale(value, *, factor: int = LIMIT) -> int:
    """The original."""
    return value * factor


class Box:
    size = 1

    @property
    def width(self):
        return self.size

    @width.setter
    def width(self, new):
        self.size = new

\t# tabs below
    async def fetch(self, name: str):
        return name


AFTER = 1
'''.replace("\t# tabs below\n", "")


def fill(candidate: str, qualname: str = "scale", module: str = MODULE) -> str:
    """The module with a candidate; it parses."""
    found = holed(module, qualname).filled(dedent(candidate))
    assert isinstance(found, FilledText), found
    ast.parse(found.text)
    return found.text


def reason(candidate: str, qualname: str = "scale", module: str = MODULE) -> str:
    """Why a candidate is none."""
    found = holed(module, qualname).filled(candidate)
    assert isinstance(found, UnusableCandidate), found
    return found.reason


# what is kept and what is not


def test_everything_else_stays_as_it_was() -> None:
    start, end = MODULE.index("@register"), MODULE.index("\n\nclass Box")
    new = '@register("one")\ndef scale(v):\n    return v\n'
    expected = MODULE[:start].replace("# the original way", "") + new + MODULE[end:]
    assert fill("def scale(v):\n    return v") == expected


def test_nothing_of_the_original_is_left() -> None:
    text = fill("def scale(v): return v")
    assert "original" not in text
    assert "beside" not in text
    assert "factor" not in text


def test_own_decorators_replace_the_original_ones() -> None:
    text = fill("@other\ndef scale(v): return v")
    assert "@other\ndef scale" in text
    assert "register" not in text


def test_several_decorators_stay_in_their_order() -> None:
    module = "@a(\n    1,\n)\n@b\ndef f(): pass\n"
    assert fill("def f(): return 1", "f", module) == "@a(\n    1,\n)\n@b\ndef f(): return 1\n"


def test_candidate_decides_whether_it_is_asynchronous() -> None:
    assert '@register("one")\nasync def scale' in fill("async def scale(v): return v")


# imports and helpers


def test_helpers_stand_in_front_of_the_statement() -> None:
    text = fill("""
        import re

        def helper(v):
            return v

        def scale(v):
            return helper(v) + late(re)

        def late(v):
            return 1
        """)
    names = [
        "LIMIT = 3",
        "import re",
        "def helper",
        "def late",
        "@register",
        "def scale",
        "class Box",
    ]
    places = [text.index(name) for name in names]
    assert places == sorted(places)


def test_helpers_of_a_method_stand_in_front_of_its_class() -> None:
    text = fill(
        "def helper(): pass\n\nasync def fetch(self, name):\n    return helper()", "Box.fetch"
    )
    assert text.index("def helper") < text.index("class Box")
    assert "\n    async def fetch(self, name):\n        return helper()\n" in text


def test_what_uses_the_target_follows_it() -> None:
    text = fill("def scale(v): return v\nscale.cache = {}\n")
    assert text.index("def scale") < text.index("scale.cache") < text.index("class Box")


def test_what_the_module_holds_already_is_not_repeated() -> None:
    text = fill("import os\n\nLIMIT = 3\n\ndef scale(v): return v")
    assert text.count("import os\n") == 1
    assert text.count("LIMIT = 3\n") == 1


@pytest.mark.parametrize(
    "held",
    [
        "def other():\n    import re\n",
        "class Other:\n    import re\n",
        "if TYPE_CHECKING:\n    import re\n",
    ],
)
def test_an_import_in_another_scope_or_under_a_condition_holds_nothing(held: str) -> None:
    module = f"TYPE_CHECKING = False\n{held}def f(): return None\n"
    scope: dict[str, Any] = {}
    exec(fill("import re\ndef f(): return re.escape('.')", "f", module), scope)
    assert scope["f"]() == r"\."


def test_docstring_of_the_candidate_is_left_out() -> None:
    assert "Answer" not in fill('"""Answer."""\ndef scale(v): return v')


def test_future_import_only_quotes_the_candidates_annotations() -> None:
    text = fill("from __future__ import annotations\ndef scale(v: No | str = 1) -> No: return v")
    assert "__future__" not in text
    assert "def scale(v: 'No | str' = 1) -> 'No': return v" in text


def test_numbers_may_have_more_digits_than_can_be_written() -> None:
    number = "0x" + "f" * 6_000
    future = "from __future__ import annotations\n"
    text = fill(f"{future}BIG = {number}\ndef scale(v: {number}): return BIG")
    assert text.count(number) == 1
    module = f"BIG = {number}\ndef f(): pass\n"
    assert fill(f"OTHER = {number}\ndef f(): return OTHER", "f", module).count(number) == 2
    own = f"def sum(v): return v\ndef f(): return sum({number})"
    assert fill(own, "f", module).count(number) == 2


def test_annotations_stay_where_the_module_has_the_import() -> None:
    module = "from __future__ import annotations\n\ndef f(): pass\n"
    text = fill("from __future__ import annotations\ndef f(v: No): return v", "f", module)
    assert text == "from __future__ import annotations\n\ndef f(v: No): return v\n"


def test_names_that_came_along_are_known() -> None:
    found = holed(MODULE, "scale").filled(
        "import re, os\nLIMIT = 3\nX = 1\ndef scale(v): return re, os, LIMIT, X"
    )
    assert isinstance(found, FilledText)
    assert found.added == {"re", "X"}


# classes and methods


def test_method_is_taken_out_of_a_class() -> None:
    text = fill("class Box:\n  def width(self):\n    return 7\n", "Box.width")
    assert text.count("class Box") == 1
    assert "    @property\n    def width(self):\n      return 7\n" in text


def test_pairs_of_definitions_replace_one_another() -> None:
    candidate = """
        class Box:
            @property
            def width(self): return 1
            @width.setter
            def width(self, new): pass
        """
    text = fill(candidate, "Box.width")
    assert "    def width(self): return 1\n" in text
    assert "    @width.setter\n    def width(self, new): pass\n" in text


def test_functions_of_a_property_that_are_not_written_stay() -> None:
    alone = fill("@property\ndef width(self): return 1\n", "Box.width")
    assert "    def width(self): return 1\n" in alone
    assert _of_setter(alone) == _of_setter(MODULE)
    assert _of_setter(fill("return 1\n", "Box.width")) == _of_setter(MODULE)


def test_nobody_gets_the_original_for_its_setter() -> None:
    text = fill("@width.setter\ndef width(self, new): pass\n", "Box.width")
    assert "return self.size" not in text


def test_what_is_assigned_takes_the_place_of_a_whole_property() -> None:
    assert "@width.setter" not in fill("width = property(lambda self: 1)\n", "Box.width")


def _of_setter(text: str) -> str:
    return text.split("@width.setter")[1].split("\n\n", maxsplit=1)[0]


def test_members_that_the_method_needs_come_along() -> None:
    candidate = """
        class Box:
            size = 5
            unused = 1
            async def fetch(self, name):
                return self._first()
            def _first(self): return self._second
            _second = 2
        """
    text = fill(candidate, "Box.fetch")
    assert "def _first" in text
    assert "_second = 2" in text
    assert "unused" not in text
    assert "size = 5" not in text


def test_many_members_that_need_one_another_come_along() -> None:
    members = "".join(f"    def m{i}(self): self.m{i + 1}\n" for i in range(1_900))
    text = fill(f"class Box:\n    def fetch(self): self.m0\n{members}", "Box.fetch")
    assert text.count("def m") == 1_900


def test_class_is_replaced_as_a_whole() -> None:
    text = fill("class Box:\n    size = 2\n", "Box")
    assert "width" not in text
    assert text.endswith("class Box:\n    size = 2\n\n\nAFTER = 1\n")


def test_nested_function_is_replaced() -> None:
    module = "def outer():\n    def inner(a):\n        return a\n    return inner\n"
    expected = "def outer():\n    def inner(b): return 2\n    return inner\n"
    assert fill("def inner(b): return 2", "outer.<locals>.inner", module) == expected


def test_overloads_make_place_for_one_definition() -> None:
    overloads = "@overload\ndef f(a: int): ...\n@overload\ndef f(a: str): ...\n"
    module = overloads + "@deco\ndef f(a): pass\nX = 1\n"
    assert fill("def f(a): return 1", "f", module) == "@deco\ndef f(a): return 1\nX = 1\n"


def test_every_branch_gets_the_candidate() -> None:
    module = "if X:\n    def f(): return 1\nelse:\n    def f(): return 2\n"
    expected = "if X:\n    def f(): return 3\nelse:\n    def f(): return 3\n"
    assert fill("def f(): return 3", "f", module) == expected


def test_as_many_definitions_as_branches_are_shared_out() -> None:
    module = "if X:\n    def f(): return 1\nelse:\n    def f(): return 2\n"
    expected = "if X:\n    def f(): return 3\nelse:\n    def f(): return 4\n"
    assert fill("def f(): return 3\ndef f(): return 4", "f", module) == expected


def test_lambda_is_replaced_by_a_function() -> None:
    assert (
        fill("def f(a): return 1", "f", "f = lambda a: a\nX = f\n") == "def f(a): return 1\nX = f\n"
    )


def test_function_is_replaced_by_an_assignment() -> None:
    assert fill("f = max", "f", "def f(a): pass\n") == "f = max\n"


def test_definition_in_a_branch_is_taken_with_it() -> None:
    text = fill("try:\n    def f(): return 1\nexcept E:\n    f = None\n", "f", "def f(a): pass\n")
    assert text == "try:\n    def f(): return 1\nexcept E:\n    f = None\n"


# indentation


def test_strings_keep_their_lines() -> None:
    candidate = 'async def fetch(self, name):\n    return """\n  a\n\tb\n"""\n'
    text = fill(candidate, "Box.fetch")
    assert '        return """\n  a\n\tb\n"""\n' in text


def test_tabs_and_spaces_get_along() -> None:
    module = "class A:\n\tdef f(self):\n\t\treturn 1\n"
    expected = "class A:\n\tdef f(self):\n\t    return 2\n"
    assert fill("def f(self):\n    return 2\n", "A.f", module) == expected


def test_indented_definition_is_taken() -> None:
    found = holed(MODULE, "Box.fetch").filled(
        "    async def fetch(self, name):\n        return 1\n"
    )
    assert isinstance(found, FilledText)
    assert "    async def fetch(self, name):\n        return 1\n" in found.text


def test_line_ends_of_the_module_do_not_matter() -> None:
    module = MODULE.replace("\n", "\r\n")
    assert "def scale(v): return v" in fill("def scale(v): return v", module=module)


def test_characters_of_several_bytes_are_counted_right() -> None:
    module = "é = 'ü'; x = 1\ndef f(ä: 'ö' = 'é') -> 'ü':\n    return 'ß'\n"
    assert fill("return 'é'", "f", module) == (
        "é = 'ü'; x = 1\ndef f(ä: 'ö' = 'é') -> 'ü':\n    return 'é'\n"
    )


# bodies


@pytest.mark.parametrize(
    "body",
    [
        "x = 1\nreturn x",
        "    x = 1\n    return x",
        "x = 1\n    return x",
        "\n    x = 1\n    return x\n",
        "```python\nx = 1\nreturn x\n```",
        "```\n    x = 1\n    return x\n```",
    ],
)
def test_body_goes_below_the_original_signature(body: str) -> None:
    found = holed(MODULE, "scale").filled(body)
    assert isinstance(found, FilledText)
    header = '@register("one")\ndef scale(value, *, factor: int = LIMIT) -> int:\n'
    assert header + "    x = 1\n    return x\n" in found.text


def test_body_of_an_asynchronous_method() -> None:
    text = fill("return await self.other(name)", "Box.fetch")
    assert "    async def fetch(self, name: str):\n        return await self.other(name)\n" in text


def test_signature_may_be_long() -> None:
    module = (
        "def f(\n    a: dict = {1: 2},  # a: comment\n    b=lambda x: x,\n) -> (\n    int\n"
        "):  # end\n    pass\n"
    )
    expected = module.replace("  # end\n    pass", "\n    return 1")
    assert fill("return 1", "f", module) == expected


def test_definitions_after_a_body_are_helpers() -> None:
    found = holed(MODULE, "scale").filled("    return more()\n\n\ndef more():\n    return 1\n")
    assert isinstance(found, FilledText)
    assert found.text.index("def more") < found.text.index("def scale")


# answers in Markdown


def test_block_that_defines_the_target_is_taken() -> None:
    answer = (
        "First:\n```python\nimport re\n```\nthen\n```py\ndef scale(v):\n    return 8\n```\n"
        "so that\n```\n>>> scale(2)\n```\nworks.\n"
    )
    assert "return 8" in fill(answer)


def test_last_of_several_definitions_is_taken() -> None:
    answer = "```\ndef scale(v): return 1\n```\nNo:\n~~~\ndef scale(v): return 2\n~~~\n"
    text = fill(answer)
    assert "return 2" in text
    assert "return 1" not in text


def test_block_without_an_end_is_taken() -> None:
    assert "return 1" in fill("Here:\n```python\ndef scale(v):\n    return 1\n")


def test_fences_inside_a_string_are_no_fences() -> None:
    inside = '    """Like:\n    ```\n    def scale(v): return 0\n    ```\n    """\n'
    candidate = f"def scale(v):\n{inside}    return 4\n"
    assert "return 4" in fill(candidate)


# what is no candidate


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "empty"),
        ("  \n\t\n", "empty"),
        ("def scale(", "does not parse: line 1"),
        ("x = 1\ndef scale(v):\n  return )\n", "does not parse: line 3: unmatched ')'"),
        ("I cannot do that, sorry.", "does not parse: line 1"),
        ("Sorry", "is no body of it"),
        ("def other(v): return v", "does not define scale, but other"),
        ("import os\n", "does not define scale, but os"),
        ('"""Only words."""', "does not define scale, and nothing else"),
        ("def scale(v): return '\0'", "does not parse"),
        (
            "```\ndef a(): pass\n```\n```\ndef b(): pass\n```",
            "none of 2 fenced blocks defines scale",
        ),
        ("def scale(v):\n    return " + "(" * 5000 + ")" * 5000, "does not parse"),
        ("def scale(v):\n    return " + "-" * 100_000 + "1", "nested too deeply"),
        ("def scale(v):\n    return " + "a." * 80_000 + "b", "nested too deeply"),
        ("x = 1\n" * MAX_CHARACTERS, "longer than"),
        ("x = 1\n" * (MAX_STATEMENTS + 1) + "def scale(v): pass", "more than 2000 statements"),
        ("`" * MAX_CHARACTERS, "does not parse"),
    ],
)
def test_reason_is_readable(text: str, expected: str) -> None:
    assert expected in reason(text)


def test_body_is_not_enough_for_a_class() -> None:
    assert reason("return 1", "Box") == "Box is no function: a body is not enough"


@pytest.mark.parametrize(
    ("module", "expected"),
    [("x = 1\n", "not defined"), ("x = 1; f = lambda: 0\n", "shares its line")],
)
def test_target_that_cannot_be_cut_out_is_told(module: str, expected: str) -> None:
    with pytest.raises(NoHoleError, match=expected):
        holed(module, "f")


# scripts


FLAT = "# a/b.py\nclass Line:\n    pass\n\n\n# a/c.py\ndef f(x):\n    return Line()\n"


def test_imports_of_what_a_flat_script_merges_are_dropped() -> None:
    candidate = """\
from .b import Line
from a.b import Line as Row
import json

def f(x):
    from a.b import Line
    return Row()
"""
    found = template(FLAT, "a/c.py", "f").filled(candidate)
    assert isinstance(found, FilledText)
    scope: dict[str, object] = {}
    exec(found.text, scope)
    made = scope["f"]
    assert callable(made)
    assert type(made(1)) is scope["Line"]


def test_a_flat_script_merges_other_packages_too() -> None:
    script = FLAT.replace("# a/b.py", "# other/kinds/b.py")
    found = template(script, "a/c.py", "f").filled(
        "from other.kinds.b import Line\n\ndef f(x):\n    return Line()\n"
    )
    assert isinstance(found, FilledText)
    assert "from other" not in found.text


def test_unknown_imports_of_a_flat_script_stay() -> None:
    found = template(FLAT, "a/c.py", "f").filled(
        "from a.b import Missing\ndef f(x): return Missing\n"
    )
    assert isinstance(found, FilledText)
    assert "from a.b import Missing" in found.text
