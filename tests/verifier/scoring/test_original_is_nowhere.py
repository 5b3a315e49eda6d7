"""The original's text is in no place that a candidate can reach, in any layout."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from slicefunc.slicer import Repository, slice_function
from slicefunc.verifier.execution.executors.interface import Case, Executor, Job
from slicefunc.verifier.scoring.module_holes import FilledText
from slicefunc.verifier.scoring.substitute import template

MARK = "7291"
MODULE = f'''\
"""A module."""
from bank.rates import RATE


def deco(function):
    return function


# a comment QXZ-COMMENT-{MARK}
@deco  # QXZ-BESIDE-{MARK}
def settle(amount, fee=3):
    """A docstring QXZ-DOCSTRING-{MARK}."""
    if amount < 0:
        raise ValueError("QXZ-CODE-{MARK}")
    # QXZ-INSIDE-{MARK}
    return amount * RATE
'''
RATES = """\
RATE = 3


def again(amount):
    from bank import ledger
    return ledger.settle(amount)
"""
CYCLE = {"bank/__init__.py": "from bank.ledger import settle\n", "bank/rates.py": RATES}
SEARCH = """\
def settle(amount, fee=3):
    import gc, linecache, os, re, sys
    found = []
    mark = re.compile(rb"QX[Z]-[A-Z]{2,9}-7291|QX[Z]-LEFT-7291")
    def look(where, text):
        if isinstance(text, str):
            text = text.encode("utf-8", "replace")
        if mark.search(text):
            found.append(where)
    for file, entry in list(linecache.cache.items()):
        look("linecache " + file, "".join(entry[2]) if len(entry) > 1 else "")
    for one in gc.get_objects():
        try:
            look("heap", " ".join(map(str, one)) if type(one) in (list, tuple) else str(one))
        except BaseException:
            continue
    for name, module in list(sys.modules.items()):
        look("docstring " + name, str(getattr(module, "__doc__", "")))
    for finder in sys.meta_path:
        if hasattr(finder, "slice_identity"):
            for name in finder.names:
                try:
                    look("finder", finder.get_source(name))
                except Exception:
                    continue
    for top in (".", "/box", "/tmp", "/dev/shm", "/proc/self"):
        for folder, inner, names in os.walk(top):
            skipped = ("site-packages", "task", "cwd", "root", "net")
            inner[:] = [n for n in inner if n not in skipped]
            for name in names:
                path = os.path.join(folder, name)
                if name in ("kmsg", "kcore", "mem", "pagemap", "clear_refs"):
                    continue
                try:
                    with open(path, "rb") as stream:
                        look("file " + path, stream.read(4 << 20))
                except OSError:
                    continue
    if True:
        with open("/proc/self/maps") as maps, open("/proc/self/mem", "rb", 0) as memory:
            for line in maps.read().splitlines():
                place, rights, *_ = line.split()
                if not rights.startswith("rw"):
                    continue
                first, last = (int(part, 16) for part in place.split("-"))
                try:
                    memory.seek(first)
                    look("memory " + line, memory.read(last - first))
                except (OSError, ValueError, OverflowError):
                    continue
    print("FOUND", sorted(set(found)))
"""


def _script(folder: Path, emit: str, files: dict[str, str]) -> str:
    for path, text in {"bank/__init__.py": "", **files}.items():
        (folder / path).parent.mkdir(exist_ok=True)
        (folder / path).write_text(text)
    found = slice_function(Repository(folder), ("bank/ledger.py::settle",), emit=emit)  # type: ignore[arg-type]
    return found.source


LAYOUTS = {
    "flat": ("flat", {"bank/ledger.py": MODULE, "bank/rates.py": RATES}),
    "visible body": ("modules", {"bank/ledger.py": MODULE, "bank/rates.py": RATES}),
    "carried": ("modules", {"bank/ledger.py": MODULE, **CYCLE}),
}


@pytest.mark.parametrize("name", LAYOUTS)
def test_original_is_nowhere(tmp_path: Path, executor: Executor, name: str) -> None:
    script = _script(tmp_path, *LAYOUTS[name])
    assert MARK in script
    new = template(script, "bank/ledger.py", "settle").filled(SEARCH)
    assert isinstance(new, FilledText)
    assert "QXZ" not in new.text
    assert _found(executor, new.text) == "FOUND []\n"


@pytest.mark.parametrize("name", LAYOUTS)
def test_search_finds_what_is_left(tmp_path: Path, executor: Executor, name: str) -> None:
    script = _script(tmp_path, *LAYOUTS[name])
    left = SEARCH + f'LEFT = "QXZ-LEFT-{MARK}"\nprint(LEFT[:0])\n'
    new = template(script, "bank/ledger.py", "settle").filled(left)
    assert isinstance(new, FilledText)
    found = _found(executor, new.text)
    for where in ("heap", "file ", "memory ", "linecache "):
        assert where in found


def _found(executor: Executor, script: str) -> str:
    case = Case("case", "def case():\n    return settle(2)\n")
    outcome = executor.run(Job(script, task="cases", cases=(case,), target="settle"))
    assert outcome.end == "exited", outcome
    observation = json.loads(outcome.records[1])["observation"]
    assert observation["outcome"] == "returned", observation
    return observation["stdout"]
