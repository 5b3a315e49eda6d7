"""The universal stand-in is carried where a slice names what no stub module defines."""

from __future__ import annotations

from pathlib import Path

import pytest
from slicefunc.driver.pipeline.passes import compile_slice
from slicefunc.slicer import Repository

DEFINED = """\
import RPi.GPIO as GPIO


def pulse(pin):
    GPIO.setup(pin, GPIO.OUT)
    GPIO.output(pin, GPIO.HIGH)
    return GPIO.input(pin)
"""
NOT_DEFINED = {
    "an attribute": DEFINED.replace("GPIO.HIGH", "GPIO.HALF"),
    "a name in a from-import": DEFINED.replace(
        "GPIO\n", "GPIO\nfrom RPi.GPIO import brighten\n", 1
    ).replace("GPIO.HIGH", "brighten()"),
    "a name that is made up": DEFINED.replace("GPIO.HIGH", "getattr(GPIO, 'HI' + 'GH')"),
    "a module that is written from use": "import neopixel\n" + DEFINED.replace(
        "GPIO.HIGH", "neopixel.NeoPixel(pin, 8).fill(1)"
    ),
}  # fmt: skip


def mocked(source: str, folder: Path) -> str:
    (folder / "a.py").write_text(source)
    return compile_slice(Repository(folder), ["a.py::pulse"]).source


def test_what_the_modules_define_needs_no_universal_stand_in(tmp_path: Path):
    text = mocked(DEFINED, tmp_path)
    assert "def setup(channel, direction" in text
    assert "def stub_getattr(" not in text
    assert "class Stub" not in text.replace("class StubFinder", "").replace("class StubParents", "")


@pytest.mark.parametrize("source", NOT_DEFINED.values(), ids=NOT_DEFINED)
def test_any_other_name_is_a_stub(source: str, tmp_path: Path):
    text = mocked(source, tmp_path)
    assert "def stub_getattr(" in text
    assert "__getattr__ = stub_getattr(__name__)" in text
