"""Flags that a target reads of another module are set before the call."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slicefunc.slicer import Repository, slice_function
from slicefunc.verifier.inputs.argument_pools import inputs_of
from slicefunc.verifier.inputs.statements import texts_of

if TYPE_CHECKING:
    from pathlib import Path


def test_a_flag_of_a_package_that_only_its_user_sets_is_turned(tmp_path: Path) -> None:
    package = tmp_path / "tool"
    package.mkdir()
    (package / "__init__.py").write_text("is_loud = False\nname = 'tool'\n")
    (package / "told.py").write_text(
        "import tool\n\n\ndef told(text):\n"
        "    return text.upper() + tool.name if tool.is_loud else text\n"
    )
    repository = Repository(tmp_path)
    found = inputs_of(repository, slice_function(repository, "tool/told.py::told"))
    assert found is not None
    (statement,) = texts_of(found.surroundings)
    assert statement.endswith("('tool').is_loud = True")


def test_a_flag_that_an_import_decides_on_is_turned(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(
        "try:\n    import json\n\n    has_json = True\nexcept ImportError:\n"
        "    has_json = False\n\n\ndef told(text):\n"
        "    return json.dumps(text) if has_json else repr(text)\n"
    )
    repository = Repository(tmp_path)
    found = inputs_of(repository, slice_function(repository, "a.py::told"))
    assert found is not None
    assert "has_json = False" in texts_of(found.surroundings)
