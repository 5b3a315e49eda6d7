from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest
from slicefunc.driver.explanations.explain import NotInSliceError, explain, explain_name, format_hub
from slicefunc.driver.explanations.reason_hubs import chain_to, hubs_of
from slicefunc.slicer import Repository, slice_function
from slicefunc.slicer.model import Definition, Manifest, Slice

EMPTY = Manifest((), "flat", "", (), (), (), (), (), (), (), (), (), (), 0.0)


def _explained(*definitions: Definition) -> list[str]:
    return list(explain(dataclasses.replace(EMPTY, definitions=definitions)))


def _function(name: str, line: int, reason: str, path: str = "m.py") -> Definition:
    return Definition(path, name, "function", line, line + 1, reason)


def test_each_definition_stands_below_the_one_that_brought_it_in() -> None:
    lines = _explained(
        _function("f", 1, "the target"),
        _function("h", 5, "m.py::g uses h (m.py:9)"),
        _function("g", 9, "m.py::f uses g (m.py:2)"),
        _function("k", 12, "m.py::f uses k (m.py:3)"),
    )
    assert lines == [
        "f (function, m.py:1): the target",
        "  g (function, m.py:9): m.py::f uses g (m.py:2)",
        "    h (function, m.py:5): m.py::g uses h (m.py:9)",
        "  k (function, m.py:12): m.py::f uses k (m.py:3)",
    ]


def test_names_with_spaces_are_found_whole() -> None:
    lines = _explained(
        _function("f", 1, "the target", "my module.py"),
        _function("a, b", 3, "my module.py::f uses a (my module.py:2)", "my module.py"),
        _function("g", 5, "my module.py::a, b uses g (my module.py:3)", "my module.py"),
    )
    assert [len(line) - len(line.lstrip()) for line in lines] == [0, 2, 4]


def test_reasons_that_form_a_ring_are_all_shown_once() -> None:
    lines = _explained(
        _function("f", 1, "m.py::g uses f (m.py:4)"),
        _function("g", 3, "m.py::f uses g (m.py:2)"),
    )
    assert sorted(line.lstrip()[0] for line in lines) == ["f", "g"]


def test_a_long_chain_needs_no_deep_stack() -> None:
    chain = [
        _function(f"f{n}", n, f"m.py::f{n - 1} uses f{n} (m.py:{n})" if n else "the target")
        for n in range(5000)
    ]
    assert len(_explained(*chain)) == 5000


def test_the_reason_on_which_most_hangs_comes_first(tmp_path: Path) -> None:
    sliced = _sliced(tmp_path)
    (line,) = format_hub(sliced)
    assert line == "3 of 5 definitions are kept for one reason: m.py::f asks for m.py::g"


def test_one_chain_leads_to_a_definition(tmp_path: Path) -> None:
    lines = list(explain_name(_sliced(tmp_path), "h"))
    assert [line.split(" (")[0] for line in lines] == ["f", "  g", "    h"]


def test_a_definition_that_is_not_kept_has_no_chain(tmp_path: Path) -> None:
    with pytest.raises(NotInSliceError, match="other is not kept; ") as raised:
        list(explain_name(_sliced(tmp_path), "other"))
    assert raised.value.exit_status == 1


def _sliced(folder: Path) -> Slice:
    (folder / "m.py").write_text(
        "def other(): ...\ndef f(): return g(), k()\ndef g(): return h(), i()\ndef h(): ...\n"
        "def i(): return k()\ndef k(): ...\n"
    )
    return slice_function(Repository(folder), "m.py::f", explain=True)


def test_all_that_changes_an_object_while_modules_load_is_one_reason(tmp_path: Path) -> None:
    notes = "TABLE = {}\ndef f(): return TABLE\ndef note(g):\n    TABLE[g] = g\n    return g\n"
    (tmp_path / "m.py").write_text(
        notes + "".join(f"@note\ndef {name}(): ...\n" for name in "abcd")
    )
    sliced = slice_function(Repository(tmp_path), "m.py::f", explain=True)
    assert "m.py::TABLE asks for what changes m.py::TABLE" in "".join(
        f"{hub.by} asks for {hub.kept}" for hub in hubs_of(sliced)
    )
    assert chain_to(sliced, "c") == [
        "m.py::f",
        "m.py::TABLE",
        "what changes m.py::TABLE",
        "m.py::<line 10>",
        "m.py::c",
    ]


def test_what_an_abstract_base_asks_for_is_not_called_the_target(tmp_path: Path) -> None:
    (tmp_path / "m.py").write_text(
        "from collections.abc import Sized\n\nclass Box(Sized):\n"
        "    def __len__(self): return 1\n    def area(self): return 2\n"
    )
    sliced = slice_function(Repository(tmp_path), "m.py::Box.area")
    reasons = {each.qualname: each.reason for each in sliced.manifest.definitions}
    assert reasons["Box.area"] == "the target"
    assert reasons["Box.__len__"] == "its class cannot be made without it"
