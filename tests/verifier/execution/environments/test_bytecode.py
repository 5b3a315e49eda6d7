"""Bytecode that environments share: compiled once, and as good as if each had compiled its own."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from slicefunc.verifier.execution.environments.installer.bytecode import compile_bytecode

FAILS = "def fail():\n    raise ValueError\n"


def compiled(tmp_path: Path, name: str, files: dict[str, str]) -> Callable[[str], Path]:
    """A folder with these files, compiled with the store of the test; where its bytecode is."""
    folder = tmp_path / name
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    compile_bytecode(folder, tmp_path / "store", Path(sys.executable), 60)
    return lambda path: Path(importlib.util.cache_from_source(folder / path))


def test_what_was_compiled_is_linked(tmp_path: Path) -> None:
    one = compiled(tmp_path, "one", {"a.py": FAILS, "b.py": "B = 1\n"})
    other = compiled(tmp_path, "other", {"inner/c.py": FAILS, "b.py": "B = 2\n"})
    assert one("a.py").samefile(other("inner/c.py"))
    assert not one("b.py").samefile(other("b.py"))


def test_what_is_linked_tells_its_own_place(tmp_path: Path) -> None:
    compiled(tmp_path, "one", {"a.py": FAILS})
    other = compiled(tmp_path, "other", {"c.py": FAILS})
    (tmp_path / "other/c.py").write_text(f"raise SystemExit('the source was read')\n{FAILS}")
    code = f"import sys; sys.path.insert(0, {str(tmp_path / 'other')!r}); import c; c.fail()"
    done = subprocess.run(
        [sys.executable, "-I", "-B", "-c", code], capture_output=True, text=True, check=False
    )
    assert f'{tmp_path / "other/c.py"}", line 2, in fail' in done.stderr
    assert str(tmp_path / "one") not in done.stderr
    assert other("c.py").is_file()


def test_tests_and_what_does_not_compile_are_left(tmp_path: Path) -> None:
    files = {"bad.py": "print 1\n", "p/tests/t.py": "A = 1\n", "p/testing/t.py": "A = 2\n"}
    found = compiled(tmp_path, "one", files)
    assert [path for path in files if found(path).exists()] == ["p/testing/t.py"]


def test_without_links_it_is_copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one = compiled(tmp_path, "one", {"a.py": FAILS})

    def refuses(source: Path, target: Path) -> None:
        raise OSError(31, "Too many links", str(source), None, str(target))

    monkeypatch.setattr("os.link", refuses)
    other = compiled(tmp_path, "other", {"a.py": FAILS})
    assert other("a.py").read_bytes() == one("a.py").read_bytes()
    assert not other("a.py").samefile(one("a.py"))
