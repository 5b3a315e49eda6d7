"""A candidate may use what its target's file imports, though the slice has not kept it."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from slicefunc.slicer.emission.text_literal import text_literal
from slicefunc.verifier.scoring.candidates.offered_names import OfferedName
from slicefunc.verifier.scoring.module_holes import FilledText, holed
from slicefunc.verifier.scoring.substitute import template

OFFERED = (
    OfferedName("json", "import json"),
    OfferedName("Path", "from pathlib import Path"),
    OfferedName("os", "import os"),
    OfferedName("os", "import os.path"),
    OfferedName("tool", "try:\n    import no_such as tool\nexcept ImportError:\n    tool = None"),
    OfferedName("open", "from io import BytesIO as open"),
)
MODULE = """\
def helper(x):
    import json
    return json.dumps(open)


class Box:
    text = "[1]"

    def json(self):
        return 0


def outer(Path):
    def inner():
        return 0

    return inner()


def f(x=None, os=3):
    return 0
"""


def script(
    candidate: str, name: str = "f", module: str = MODULE, roots: Iterable[str] = ()
) -> FilledText:
    found = holed(module, name, frozenset(roots), OFFERED).filled(candidate)
    assert isinstance(found, FilledText), found
    return found


def run(call: str, candidate: str, name: str = "f", module: str = MODULE) -> object:
    """What a call returns in the script with the candidate."""
    scope: dict[str, object] = {}
    exec(script(candidate, name, module).text, scope)
    return eval(call, scope)


@pytest.mark.parametrize(
    ("candidate", "expected"),
    [
        ("def f(x):\n    return json.loads(x)\n", [7]),
        ("def f(x):\n    def g(y=json):\n        return y.loads(x)\n    return g()\n", [7]),
        ("def f(x: Path) -> json.JSONDecoder:\n    return 1\n", 1),
        ("def f(x):\n    return Path(os.path.join(x, 'b')).name\n", "b"),
        ("def h(x):\n    return json.loads(x)\n\ndef f(x):\n    return h(x)\n", [7]),
        ("import json as j\ndef f(x):\n    return json is j\n", True),
        ("    'Text.'\n    return json.loads(x), f.__doc__\n", ([7], "Text.")),
        ("return [os for _ in json.loads(x)]\n", [3]),
        ("def f(x):\n    return tool\n", None),
        ("def f(x):\n    return open(b'a').read()\n", b"a"),
        ("```python\ndef f(x):\n    return json.loads(x)\n```\n", [7]),
    ],
)
def test_a_candidate_uses_an_import_that_it_was_shown(candidate: str, expected: object) -> None:
    assert run("f('[7]')", candidate) == expected


def test_a_method_uses_it_whatever_its_own_name_is() -> None:
    for text in (
        "def json(self):\n    return json.loads(self.text)\n",
        "class Box:\n    def json(self):\n        return json.loads(self.text)\n",
    ):
        assert run("Box().json()", text, "Box.json") == [1]


@pytest.mark.parametrize(
    "candidate",
    [
        "def f(x):\n    return x.json\n",
        "def f(json):\n    return json\n",
        "def f(x):\n    return [json for json in x]\n",
        "def f(x):\n    return 'json'\n",
        "json = 3\n\ndef f(x):\n    return json\n",
        "def f(x):\n    global json\n    json = 3\n    return json\n",
        "json = x\nreturn json\n",
        "return os\n",
        "return 0\n",
    ],
)
def test_what_is_no_use_of_it_brings_nothing(candidate: str) -> None:
    offered = script(candidate)
    bare = holed(MODULE, "f").filled(candidate)
    assert offered == bare


def test_what_functions_around_the_target_bind_is_theirs() -> None:
    assert run("outer(4)", "def inner():\n    return Path\n", "outer.<locals>.inner") == 4


def test_what_the_module_binds_stays_what_it_is() -> None:
    module = "json = 5\n" + MODULE
    assert run("f()", "def f(x=None):\n    return json\n", "f", module) == 5


def test_in_merged_modules_a_name_may_be_another_modules() -> None:
    module = "class json:\n    pass\n\n\n" + MODULE
    text = script("def f(x):\n    return json.loads(x)\n", "f", module, ["shop"]).text
    scope: dict[str, object] = {}
    exec(text, scope)
    assert eval("f('[7]'), json.__name__", scope) == ([7], "json")
    kept = script("def f(x):\n    return json\n", "f", "import json\n" + MODULE, ["shop"])
    assert kept.text.count("import json") == 2
    assert kept.added == frozenset()


def test_other_code_keeps_its_builtins() -> None:
    assert run("(f(1), open.__name__)", "def f(x):\n    return open is len\n") == (False, "open")
    assert "open" not in script("def f(x):\n    return open\n").added


def test_annotations_that_are_text_need_nothing() -> None:
    module = "from __future__ import annotations\n" + MODULE
    assert "pathlib" not in script("def f(x: Path) -> Path:\n    y: Path = x\n", "f", module).text
    assert "pathlib" in script("def f(x: Path):\n    return Path\n", "f", module).text


def test_what_only_type_checkers_import_is_not_there_when_it_runs() -> None:
    module = "TYPE_CHECKING = False\nif TYPE_CHECKING:\n    import json\n" + MODULE
    for text in ("def f(x):\n    return json.loads(x)\n",) * 2:
        assert run("f('[7]')", text, "f", module) == [7]
        assert run("f('[7]')", "import json\n" + text, "f", module) == [7]


def test_what_another_function_imports_is_not_the_modules() -> None:
    assert run("f('[7]')", "import json\n\ndef f(x):\n    return json.loads(x)\n") == [7]


def test_a_carried_module_takes_them_too() -> None:
    carried = text_literal(MODULE)
    text = f"def _slice_func(*a): pass\n_slice_func((('a.py', False, ((1, {carried}),)),))\n"
    found = template(text, "a.py", "f", OFFERED).filled("def f(x):\n    return json.loads(x)\n")
    assert isinstance(found, FilledText)
    assert "import json as json_2" in found.text
    assert template(text, "a.py", "f").names == {"helper", "Box", "outer", "f"}
