"""Finding targets, and what is said where there is none."""

from __future__ import annotations

from pathlib import Path

import pytest
from slicefunc.slicer import Repository, TargetError
from slicefunc.slicer.goals import find_goal

FILES = {
    "base.py": "class Base:\n    def run(self): return 1\n    size = property(lambda self: 2)\n",
    "child.py": "from base import Base\nclass Child(Base):\n    class Inner(Base): pass\n"
    "    def other(self): return 3\nclass Plain(dict): pass\n",
}
SAID = {
    "Child.run": "child.py: Child does not define run; it inherits base.py::Base.run",
    "Child.size": "child.py: Child does not define size; it inherits base.py::Base.size",
    "Child.Inner.run": "child.py: Child.Inner does not define run; it inherits base.py::Base.run",
    "Child.othre": "child.py: no function or class Child.othre; did you mean Child.other",
    "Plain.keys": "child.py: no function or class Plain.keys; did you mean Plain",
}


@pytest.mark.parametrize("qualname", SAID)
def test_a_member_that_is_not_there_is_looked_for(qualname: str, tmp_path: Path) -> None:
    for path, text in FILES.items():
        (tmp_path / path).write_text(text)
    with pytest.raises(TargetError) as told:
        find_goal(Repository(tmp_path), f"child.py::{qualname}")
    assert str(told.value).startswith(SAID[qualname])
