"""PyCG, which does not run on Python 3.12 and later."""

from __future__ import annotations

import importlib.util  # noqa: F401 - the tool uses it and forgets to import it
import os
from typing import Any

from common import answer
from pycg.pycg import CallGraphGenerator


def edges_of(case: dict[str, Any]) -> list[tuple[str, str]]:
    """The edges that the tool's own output lists."""
    entries = [os.path.join(case["folder"], name) for name in case["files"]]
    generator = CallGraphGenerator(entries, case["folder"], -1, "call-graph")
    generator.analyze()
    lists = generator.output()
    return [(source, target) for source, targets in lists.items() for target in targets]


answer(edges_of)
