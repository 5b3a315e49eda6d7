"""What a gap of the slice brings about is no case, and what the target's own code raises is."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from slicefunc.driver.pipeline.case_synthesis import search_cases
from slicefunc.driver.pipeline.checks import Verified
from slicefunc.driver.pipeline.passes import compile_slice
from slicefunc.driver.pipeline.rejection_reasons import why_not
from slicefunc.slicer import Repository
from slicefunc.slicer.model import Gap, Slice
from slicefunc.verifier.same_code.ast_equivalence import Equivalence
from slicefunc.verifier.search.corpus.gap_endings import MissingNames
from slicefunc.verifier.search.corpus.search_result import Synthesis
from slicefunc.verifier.search.exploration import Budget

from tests.verifier.one_executor import one_executor

QUICK = Budget(drafts=70, idle_rounds=1)

PROGRAMS = {
    "a name": ("return HELPER(x)\n", ""),
    "a name of a module": ("return config.LIMIT + x\n", "from pkg import config\n"),
    "a value that a stub has": (
        "return json.dumps(local_settings.thing)\n",
        "import json, local_settings\n",
    ),
}


def _searched(folder: Path, text: str) -> tuple[Slice, Synthesis]:
    files = {"__init__.py": "", "config.py": "A = 1\n", "code.py": text}
    (folder / "pkg").mkdir()
    for name, content in files.items():
        (folder / "pkg" / name).write_text(content)
    repository = Repository(folder)
    sliced = compile_slice(repository, ("pkg/code.py::f",))
    return sliced, search_cases(repository, sliced, one_executor().run, QUICK)


@pytest.mark.parametrize("name", PROGRAMS)
def test_calls_that_end_at_a_gap_are_not_kept(name: str, tmp_path: Path) -> None:
    body, imports = PROGRAMS[name]
    text = f"{imports}\n\ndef f(x):\n    if x < 3:\n        raise NameError('own')\n    if x > 5:\n"
    _, found = _searched(tmp_path, text + "        " + body + "    return x + 1\n")
    assert found.cases
    assert not [text for text in found.observations if "Error" in text and "own" not in text]
    assert any("own" in text for text in found.observations)
    assert found.coverage is not None
    assert found.coverage.share < 1
    assert found.gap is not None


def test_where_all_calls_end_at_a_gap_the_reason_names_it(tmp_path: Path) -> None:
    sliced, found = _searched(tmp_path, "def f(x):\n    y = x\n    return HELPER(y)\n")
    assert not found.cases
    (why,) = why_not(sliced, found, Verified((), Equivalence((), ())))
    assert (why.code, why.path, why.line) == ("gap", "pkg/code.py", 3)
    assert "name 'HELPER' is bound nowhere" in why.hint


def _raised(kind: str, text: str, **state: str) -> str:
    exception = {"kind": "exception", "type": kind, "args": [text], "state": [*state.items()]}
    seen = dict.fromkeys(("arguments", "globals", "files", "effects", "shared"), ())
    told = {"outcome": "raised", "exception": exception, **seen, "stdout": "", "stderr": ""}
    return json.dumps(told)


@pytest.mark.parametrize(
    ("gap", "observation", "is_met"),
    [
        (
            ("undefined-name", "name 'go' is bound nowhere"),
            _raised("NameError", "name 'go' is not defined", name="go"),
            True,
        ),
        (
            ("undefined-name", "name 'go' is bound nowhere"),
            _raised("NameError", "name 'gone' is not defined", name="gone"),
            False,
        ),
        (
            ("undefined-name", "name 'go' is bound nowhere"),
            _raised("AttributeError", "'int' object has no attribute 'go'", name="go"),
            False,
        ),
        (
            ("undefined-name", "name 'go' is bound nowhere"),
            _raised("ImportError", "cannot import name 'go' from 'p' (/t/p.py)", name="p"),
            True,
        ),
        (
            ("unresolved-import", "no module p.gone in the repository"),
            _raised("ModuleNotFoundError", "No module named 'p.gone'", name="p.gone"),
            True,
        ),
        (
            ("unresolved-import", "no module p.gone in the repository"),
            _raised("ImportError", "cannot import name 'gone' from 'p' (/t/p.py)", name="p"),
            True,
        ),
        (
            ("unresolved-import", "no module p.gone in the repository"),
            _raised("ModuleNotFoundError", "No module named 'yaml'", name="yaml"),
            False,
        ),
        (
            ("dynamic-import", "module named at run time: name"),
            _raised("ModuleNotFoundError", "No module named 'own.part'", name="own.part"),
            True,
        ),
        (
            ("dynamic-import", "module named at run time: name"),
            _raised("ModuleNotFoundError", "No module named 'a'", name="a"),
            False,
        ),
        (
            ("own-metadata", "importlib.metadata.version('own') reads the metadata of ..."),
            _raised("importlib.metadata.PackageNotFoundError", "own"),
            True,
        ),
        (
            ("data-file", "p/big.bin (9000000 bytes) is read and not carried"),
            _raised("FileNotFoundError", "No such file", filename="/tmp/slice/p/big.bin"),
            True,
        ),
        (
            ("data-file", "p/big.bin (9000000 bytes) is read and not carried"),
            _raised("FileNotFoundError", "No such file", filename="other.bin"),
            False,
        ),
    ],
)
def test_a_gap_is_met_where_what_is_missing_bears_its_name(
    gap: tuple[str, str], observation: str, is_met: bool
) -> None:
    known = Gap(gap[0], "a.py", 3, gap[1])
    lacks = MissingNames((known,), None, lambda name: name.startswith("own"))
    assert lacks(observation) == (known if is_met else None)
