"""Each reason code has a hint, and what brings it about gives it."""

from __future__ import annotations

import ast
import inspect

import pytest
from slicefunc.driver.pipeline import rejection_reasons
from slicefunc.driver.record import reason_codes
from slicefunc.driver.record.reason_codes import ADVICE, needed, of_error, reason
from slicefunc.slicer.errors import SourceError
from slicefunc.verifier.errors import SandboxError


@pytest.mark.parametrize("code", ADVICE)
def test_each_code_says_what_to_do(code: str) -> None:
    assert reason(code, "a.py", 3, "").hint == ADVICE[code]
    assert reason(code, "a.py", 3, "seen").hint == f"seen ({ADVICE[code]})"
    assert str(reason(code, "a.py", 3, "")).startswith(f"a.py:3: {code}: ")


def test_every_code_that_a_check_gives_has_a_hint() -> None:
    codes = ast.literal_eval(
        inspect.getsource(rejection_reasons).split("_CODES = ")[1].split('\n"""')[0]
    )
    assert set(codes.values()) <= set(ADVICE)
    assert {code for code, _ in reason_codes._SIGNS} <= set(ADVICE)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("RuntimeError: Found no NVIDIA driver on your system", "needs_gpu"),
        ("AssertionError: Torch not compiled with CUDA enabled", "needs_gpu"),
        ("TclError: no display name and no $DISPLAY environment variable", "needs_display"),
        ("ConnectionRefusedError: [Errno 111] Connection refused", "needs_network"),
        ("gaierror: [Errno -3] Temporary failure in name resolution", "needs_network"),
        ("ModuleNotFoundError: No module named 'x'", "missing_module"),
        ("ImportError: cannot import name 'f' from 'x' (/v/x.py)", "missing_name"),
        ("FileNotFoundError: [Errno 2] No such file or directory: 'a'", "needs_file"),
        ("ValueError: 3", "does_not_run"),
    ],
)
def test_an_error_tells_what_is_missing(text: str, code: str) -> None:
    assert needed("does_not_run", text) == code


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (SourceError("a.py:1: does not parse"), "source"),
        (SandboxError("no executor works here"), "sandbox"),
        (RecursionError("deep"), "too_deep"),
        (KeyError("x"), "internal"),
    ],
)
def test_an_exception_is_a_reason(error: Exception, code: str) -> None:
    found = of_error(error, "a.py")
    assert (found.code, found.path, found.line) == (code, "a.py", None)
    assert str(error) in found.hint
