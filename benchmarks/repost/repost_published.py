"""Runs inside the sandbox: calls a sliced function with the tests of a published eval script.

Such a script holds a copy of the function, and tests that compare it with a second one, whose name
ends in `_new_implementation`. The function of the slice takes that place.
"""

from __future__ import annotations

import importlib.util
import sys
from typing import Any

NEW = "_new_implementation"


def main(qualname: str, candidate: str, published: str) -> dict[str, Any]:
    """Load both, put the candidate in, run every test; raises what a test raises."""
    space = load("published", published)
    module = load("candidate", candidate)
    *owners, name = qualname.split(".")
    found = module[owners[0]].__dict__[name] if owners else module[name]
    if owners:
        setattr(space[owners[0]], name + NEW, found)
    else:
        space[name + NEW] = found
    tests = [v for k, v in list(space.items()) if k.startswith("test") and callable(v)]
    assert tests, "the published script has no tests"
    for test in tests:
        test()
    return {qualname.partition(".")[0]: found}


def load(name: str, path: str) -> dict[str, Any]:
    """The namespace of a file that is run under the given name."""
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return vars(module)
