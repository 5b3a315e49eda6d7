"""What handlers of a target catch can be raised, also where its text does not say how."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from slicefunc.driver.pipeline.passes import Options, compile_slice
from slicefunc.slicer import Repository
from slicefunc.verifier.inputs.argument_pools import inputs_of
from slicefunc.verifier.inputs.types.isinstance_classes import isinstance_classes

if TYPE_CHECKING:
    from pathlib import Path

ERRORS = """
import json

class NotFound(Exception):
    def __init__(self, key, code):
        super().__init__(key)
        self.key = key

class Gone(Exception):
    pass

BROKEN = (ValueError, Gone, json.JSONDecodeError)
"""
IMPORT = "__import__(\"importlib\").import_module('errors')."
NOT_FOUND = f"{IMPORT}NotFound(key='key-1', code='code-1')"
JSON = "__import__('json', fromlist=['JSONDecodeError']).JSONDecodeError"


@pytest.mark.parametrize(
    ("handler", "expected"),
    [
        ("errors.NotFound as e:\n        return e.key", {"errors.NotFound": [NOT_FOUND]}),
        ("(OSError, errors.NotFound) as e:\n        return e.key",
         {"errors.NotFound": [NOT_FOUND]}),
        ("errors.NotFound:\n        return 1", {}),
        ("errors.Gone as e:\n        return e.args", {}),
        ("ValueError:\n        return 1", {}),
        ("BAD:\n        return 1", {"BAD": ["KeyError", "OSError"]}),
        ("(BAD, TypeError):\n        return 1", {"BAD": ["KeyError", "OSError"]}),
        ("errors.BROKEN:\n        return 1",
         {"errors.BROKEN": ["ValueError", f"{IMPORT}Gone", JSON]}),
        ("errors.Unknown:\n        return 1", {}),
    ],
)  # fmt: skip
def test_handlers_say_what_is_raised(
    tmp_path: Path, handler: str, expected: dict[str, list[str]]
) -> None:
    (tmp_path / "errors.py").write_text(ERRORS)
    (tmp_path / "a.py").write_text(
        "import errors\n\nBAD = (KeyError, OSError)\n\n\ndef f(fetch):\n"
        f"    try:\n        return fetch()\n    except {handler}\n"
    )
    repository = Repository(tmp_path)
    asked = isinstance_classes(repository, compile_slice(repository, ("a.py::f",)))
    found = inputs_of(repository, compile_slice(repository, ("a.py::f",), Options(keep=asked)))
    assert found is not None
    made = {name: [each.made or each.cls for each in classes] for name, classes in found.caught}
    assert made == expected
