"""Classes that a library notes when they are made: nobody names them, their instances come back."""

from __future__ import annotations

from pathlib import Path

from slicefunc.slicer import Repository, slice_function


def _sliced(folder: Path, marks: str, target: str) -> str:
    (folder / "marks.py").write_text(marks)
    (folder / "m.py").write_text(f"import yaml\nimport marks\ndef f(): return {target}\n")
    return slice_function(Repository(folder), "m.py::f").source


MARKS = (
    "import yaml\n"
    "class Mark(yaml.YAMLObject):\n    yaml_tag = '!Mark'\n    yaml_loader = yaml.SafeLoader\n"
    "    def told(self): return self.text\n"
)


def test_they_are_kept_where_the_library_is_used(tmp_path: Path) -> None:
    sliced = _sliced(tmp_path, MARKS, "yaml.safe_load('!Mark {text: a}').told()")
    assert "class Mark(yaml.YAMLObject)" in sliced
    assert "yaml_tag" in sliced
    assert "def told" in sliced


def test_they_are_not_where_it_is_not(tmp_path: Path) -> None:
    assert "class Mark" not in _sliced(tmp_path, MARKS, "marks.__name__")
