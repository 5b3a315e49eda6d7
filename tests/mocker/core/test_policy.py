"""What must be stubbed: the table, and what the user says."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from slicefunc.driver.pipeline.passes import Options, compile_slice
from slicefunc.mocker.core.stub_policy import POLICY, must_stub
from slicefunc.mocker.settings import Settings
from slicefunc.slicer import Repository
from slicefunc.slicer.model import External


def external(module: str, distribution: str | None = "x") -> External:
    return External(module, distribution, ())


@pytest.mark.parametrize(
    ("module", "stubbed", "reason"),
    [
        ("RPi.GPIO", "RPi", "needs hardware"),
        ("adafruit_bme280.basic", "adafruit_bme280", "needs hardware"),
        ("win32com.client", "win32com", "is of another platform"),
        ("ida_hexrays", "ida_hexrays", "is inside a program that is not here"),
        ("gurobipy", "gurobipy", "needs a licence"),
        ("numba.cuda", "numba.cuda", "needs a CUDA device, or hours to build"),
        (
            "streamlit_local_storage",
            "streamlit_local_storage",
            "needs a display, a loudspeaker or a user",
        ),
    ],
)
def test_the_table_says_what_and_why(module: str, stubbed: str, reason: str):
    found = must_stub(external(module), Settings())
    assert found is not None
    assert (found.module, found.reason, found.is_gap) == (stubbed, reason, False)


@pytest.mark.parametrize(
    "module", ["numba", "numpy", "requests", "serialization", "canvas", "h5py"]
)
def test_what_is_not_in_it_is_left_alone(module: str):
    assert must_stub(external(module), Settings()) is None


def test_nothing_of_this_platforms_standard_library_is_in_it():
    assert not {name for name in POLICY if name in sys.builtin_module_names}
    assert must_stub(external("os.path", None), Settings()) is None


def test_what_nobody_provides_is_a_gap():
    found = must_stub(external("inhouse.api", None), Settings())
    assert found is not None
    assert (found.module, found.is_gap) == ("inhouse.api", True)


def test_settings_go_before_the_table():
    numpy = External("numpy.linalg", "numpy", ())
    serial = External("serial.tools", "pyserial", ())
    assert must_stub(numpy, Settings(stubs=("numpy",))) is not None
    found = must_stub(serial, Settings(stubs=("PySerial",)))
    assert found is not None
    assert found.reason.endswith("cannot be installed")
    assert must_stub(serial, Settings(real=("pyserial",))) is None
    assert must_stub(serial, Settings(stubs=("serial",), real=("serial",))) is None


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    (tmp_path / "code.py").write_text(
        "import requests\nimport serial\n\n\n"
        "def f():\n    return requests.get('x').json(), serial.Serial('a').read()\n"
    )
    return tmp_path


def treated(repository: Path, *stubs: str) -> dict[str, str]:
    sliced = compile_slice(Repository(repository), ["code.py::f"], Options(stubs=stubs))
    return {each.module: each.treatment for each in sliced.manifest.externals}


def test_a_library_that_the_user_wants_stubbed_is_not_faked(repository: Path):
    assert treated(repository) == {"requests": "faked", "serial": "stubbed"}
    assert treated(repository, "requests") == {"requests": "stubbed", "serial": "stubbed"}


def test_a_library_that_the_user_wants_real_is_neither(repository: Path):
    (repository / "pyproject.toml").write_text(
        '[tool.slice-func]\nreal = ["requests", "pyserial"]\n'
    )
    assert treated(repository) == {"requests": "real", "serial": "real"}


def test_what_is_stubbed_needs_no_installing(repository: Path):
    sliced = compile_slice(Repository(repository), ["code.py::f"], Options(stubs=("requests",)))
    assert sliced.manifest.requirements == ()
    assert not sliced.source.startswith("# /// script")


GUARDED = """\
try:
    import RPi.GPIO as GPIO
except ImportError:
    {handler}


def f():
    return GPIO.input(3)
"""


@pytest.mark.parametrize(
    ("handler", "treatment"),
    [
        ("GPIO = None", "stubbed"),
        ("raise SystemExit('no pins')", "stubbed"),
        ("import fake_pins as GPIO", "real"),
        ("class GPIO:\n        input = int", "real"),
    ],
)
def test_code_that_brings_something_else_along_uses_it(
    tmp_path: Path, handler: str, treatment: str
):
    (tmp_path / "code.py").write_text(GUARDED.format(handler=handler))
    (tmp_path / "fake_pins.py").write_text("def input(pin):\n    return pin\n")
    assert treated(tmp_path)["RPi.GPIO"] == treatment


def test_a_slice_without_any_of_it_is_not_touched(tmp_path: Path):
    (tmp_path / "code.py").write_text(
        "import json\n\nimport numpy as np\n\n\ndef f(x):\n    return np.abs(json.loads(x))\n"
    )
    repository = Repository(tmp_path)
    with_mocks = compile_slice(repository, ["code.py::f"], Options(mock="auto"))
    without = compile_slice(repository, ["code.py::f"], Options(mock="none"))
    assert with_mocks.source == without.source
