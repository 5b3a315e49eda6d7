"""Hardware and other platforms: modules for pins, ports, buses, sensors, registries."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from ....contacts import Border, Contact, Family, Mock, ModuleTreatment, StubModule, is_below
from ....core.optional_imports import has_fallback
from ....core.stub_policy import OF_MACHINES, Stubbed, must_stub
from ....stubs import import_of, stub_packages

_WRITTEN = {
    "RPi.GPIO": "RPi_GPIO",
    "Adafruit_DHT": "Adafruit_DHT",
    "_winreg": "winreg",
    "pigpio": "pigpio",
    "serial": "serial",
    "serial.tools.list_ports": "serial_tools_list_ports",
    "smbus": "smbus",
    "smbus2": "smbus",
    "spidev": "spidev",
    "winreg": "winreg",
}
"""Module → file in `mocker/families/machine/hardware/modules/` that replaces it."""
_MEASURED = {
    "temperature": "21.5", "humidity": "50.0", "relative_humidity": "50.0", "pressure": "1013.25",
    "altitude": "100.0", "distance": "0.5", "voltage": "1.65", "current": "0.1", "power": "0.5",
    "lux": "100.0", "light": "100", "gas": "10000", "moisture": "500", "co2": "400", "CO2": "400",
    "eCO2": "400", "TVOC": "10", "acceleration": "(0.0, 0.0, 9.81)", "gyro": "(0.0, 0.0, 0.0)",
    "magnetic": "(20.0, 0.0, 40.0)", "euler": "(0.0, 0.0, 0.0)", "raw_value": "512",
    "get_temperature": "21.5", "get_humidity": "50.0", "get_pressure": "1013.25",
    "get_distance": "500", "get_temp": "21.5", "get_accel_data": '{"x": 0.0, "y": 0.0, "z": 9.81}',
    "get_gyro_data": '{"x": 0.0, "y": 0.0, "z": 0.0}',
}  # fmt: skip
"""Measurements of sensors under these names: attributes, and calls of methods."""
_LOOPS = {
    "rospy.is_shutdown()": '{"default": InTurn(False, False, True)}',
    "rclpy.ok()": '{"default": InTurn(True, True, False)}',
}
"""Conditions of loops that never end."""
_LINES = tuple(f"serial.Serial().{name}()" for name in ("readline", "read", "read_until"))
"""Calls that read from a port: the data have the form that the slice parses."""
_WINDLL = ("ctypes.windll", "ctypes.WinDLL", "ctypes.oledll", "ctypes.OleDLL")


def applies(border: Border) -> tuple[Contact, ...]:
    """Return the contacts with hardware, other platforms, and libraries of Windows."""
    found = _found(border)
    imports = tuple(import_of(border, each.module) for each in found)
    return (*(border.named(*(each.module for each in found)) or imports), *border.named(*_WINDLL))


def stub(border: Border, contacts: tuple[Contact, ...]) -> Mock:
    """Each module as written by hand, else generated from the slice's uses."""
    del contacts
    found = _found(border)
    tops = [each.module for each in found]
    by_hand = [name for name in _WRITTEN if any(is_below(name, top) for top in tops)]
    reasons = {each.module: each.reason for each in found}
    packages = stub_packages(border, reasons, None, _guess, by_hand, _LINES)
    texts = {module.name: module.text for module in packages.modules}
    texts |= {name: _text(_WRITTEN[name]) for name in by_hand}
    loops = [
        f"    {place!r}: {answers},\n"
        for place, answers in _LOOPS.items()
        if border.named(place.removesuffix("()"))
    ]
    windows = [name for name in _WINDLL if border.named(name)]
    setup = packages.setup
    setup += f"expect({{\n{''.join(loops)}}})\n" if loops else ""
    setup += f"stub_windows({tuple(windows)!r})\n" if windows else ""
    treated = [ModuleTreatment(m, "stubbed", why) for m, why in packages.reasons.items()]
    treated += [ModuleTreatment(name, "stubbed", "is of another platform") for name in windows]
    return Mock(
        treated=tuple(treated),
        setup=setup,
        pieces=(*packages.pieces, *(("windows",) if windows else ())),
        modules=tuple(StubModule(name, text, is_open=True) for name, text in sorted(texts.items())),
        inputs=packages.inputs,
        answers=packages.answers,
    )


def _found(border: Border) -> tuple[Stubbed, ...]:
    found: dict[str, Stubbed] = {}
    for external in border.sliced.manifest.externals:
        if border.modules(external.module):
            stubbed = must_stub(external, border.settings)
            is_ours = stubbed is not None and stubbed.reason in OF_MACHINES
            if stubbed and is_ours and not has_fallback(border, external.module):
                found[stubbed.module] = stubbed
    return tuple(found[name] for name in sorted(found))


def _guess(place: str) -> str | None:
    name = place.rpartition(".")[2]
    if name.startswith("get_") and not name.endswith("()"):
        return None
    return _MEASURED.get(name.removesuffix("()")) if "(" in place else None


@cache
def _text(file: str) -> str:
    folder = files(__package__ or "") / "modules"
    return (folder / f"{file}.py").read_text(encoding="utf-8")


FAMILY = Family("hardware", stub, applies)
