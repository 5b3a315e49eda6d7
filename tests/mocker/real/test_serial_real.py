"""A port that is not there behaves like a real pyserial at a terminal with a device behind it."""

from __future__ import annotations

import os
import threading
import time
import tty
from collections.abc import Iterator
from pathlib import Path

import pytest
from slicefunc.driver.pipeline.passes import Options, compile_slice
from slicefunc.slicer import Repository

pytest.importorskip("serial")

METER = """\
import serial


class Meter:
    def __init__(self, port):
        self.ser = serial.Serial(port, 115200, timeout=1)

    def ask(self, *commands):
        found = []
        with self.ser as ser:
            found.append(ser.readline())
            for command in commands:
                found.append(ser.write(command.encode() + b"\\n"))
                found.append(float(ser.readline().decode().strip()))
            found.append(ser.write(b"last"))
            found.append(ser.read_until(b"2"))
            found.append(ser.read(10))
            found.append(ser.read())
            found.append(ser.in_waiting)
        try:
            ser.write(b"x")
        except serial.SerialException as error:
            found.append(str(error))
        return found, ser.is_open, ser.baudrate, ser.parity == serial.PARITY_NONE


def ask(port, *commands):
    return Meter(port).ask(*commands)
"""


@pytest.fixture
def device() -> Iterator[tuple[str, list[bytes]]]:
    """A device that says a line at first, and one after each thing that it is told."""
    ours, theirs = os.openpty()
    tty.setraw(ours)
    tty.setraw(theirs)
    told: list[bytes] = []

    def answer() -> None:
        os.read(ours, 5)  # opening a port empties it: what comes before is lost
        time.sleep(0.2)
        os.write(ours, b"42\r\n")
        while True:
            try:
                data = os.read(ours, 100)
            except OSError:
                return
            if not data or data == b"over":
                return
            told.append(data)
            os.write(ours, b"42\r\n")

    thread = threading.Thread(target=answer, daemon=True)
    thread.start()
    yield os.ttyname(theirs), told
    os.write(theirs, b"over")
    thread.join(5)
    os.close(ours)
    os.close(theirs)


def loaded(folder: Path, mock: str) -> dict[str, object]:
    (folder / "meter.py").write_text(METER)
    sliced = compile_slice(Repository(folder), ["meter.py::ask"], Options(mock=mock))
    names: dict[str, object] = {"__name__": "script"}
    exec(compile(sliced.source, "script", "exec"), names)
    return names


def test_values_and_what_the_device_is_told_are_the_same(
    tmp_path: Path, device: tuple[str, list[bytes]]
):
    port, told = device
    ask = loaded(tmp_path, "none")["ask"]
    line = os.open(port, os.O_RDWR | os.O_NOCTTY)
    os.write(line, b"begin")
    os.close(line)
    real = ask(port, "MEAS?", "VOLT?")
    names = loaded(tmp_path, "auto")
    try:
        mocked = names["ask"](port, "MEAS?", "VOLT?")
        written = [effect[2] for effect in names["_effects"] if effect[0] == "write"]
    finally:
        import slice_func_mocks

        slice_func_mocks.stop()
    assert mocked == real
    assert written == told
