"""Hardware and other platforms: pins, ports, buses, sensors, registries, written by hand or from use."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from ....contacts import Border, Contact, Example, Family, Mock, StubModule, Treated, is_below
from ....core.optional_imports import has_fallback
from ....core.stub_policy import OF_MACHINES, Stubbed, must_stub
from ....stubs import import_of, stub_packages

_WRITTEN = {
    "RPi.GPIO": "RPi_GPIO",
    "Adafruit_DHT": "Adafruit_DHT",
    "_winreg": "winreg",
    "msvcrt": "msvcrt",
    "pigpio": "pigpio",
    "serial": "serial",
    "serial.tools.list_ports": "serial_tools_list_ports",
    "smbus": "smbus",
    "smbus2": "smbus",
    "spidev": "spidev",
    "winreg": "winreg",
}
"""Module → file in `mocker/families/machine/hardware/modules/` that stands in for it."""
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
"""What sensors give under these names: attributes, and calls of methods."""
_LOOPS = {
    "rospy.is_shutdown()": '{"default": InTurn(False, False, True)}',
    "rclpy.ok()": '{"default": InTurn(True, True, False)}',
}
"""Questions of loops that never end."""
_LINES = tuple(f"serial.Serial().{name}()" for name in ("readline", "read", "read_until"))
"""What arrives at a port has the form that the slice parses."""
_WINDLL = ("ctypes.windll", "ctypes.WinDLL", "ctypes.oledll", "ctypes.OleDLL")


def applies(border: Border) -> tuple[Contact, ...]:
    """Modules of hardware and of platforms that this is not; and libraries of Windows."""
    found = _found(border)
    imports = tuple(import_of(border, each.module) for each in found)
    return (*(border.named(*(each.module for each in found)) or imports), *border.named(*_WINDLL))


def stub(border: Border, contacts: tuple[Contact, ...]) -> Mock:
    """Each module as it is written by hand, else as the slice uses it."""
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
    treated = [Treated(m, "stubbed", why) for m, why in packages.reasons.items()]
    treated += [Treated(name, "stubbed", "is of another platform") for name in windows]
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


EXAMPLES = (
    Example(
        title="a motor, a button, and an echo that is waited for",
        source="""\
import time

import RPi.GPIO as GPIO

GPIO.setmode(GPIO.BCM)


class Rover:
    def __init__(self, left, echo, trigger):
        self.left, self.echo, self.trigger = left, echo, trigger
        GPIO.setup([left, trigger], GPIO.OUT, initial=GPIO.LOW)
        GPIO.setup(echo, GPIO.IN, pull_up_down=GPIO.PUD_DOWN)
        self.pwm = GPIO.PWM(left, 100)

    def drive(self, speed):
        self.pwm.start(0)
        try:
            self.pwm.ChangeDutyCycle(speed)
        except ValueError as error:
            return str(error)
        GPIO.output(self.trigger, GPIO.HIGH)
        GPIO.output(self.trigger, GPIO.LOW)
        waited = held = 0
        while GPIO.input(self.echo) == GPIO.LOW:
            waited += 1
        while GPIO.input(self.echo) == GPIO.HIGH:
            held += 1
        return waited, held, GPIO.input(self.trigger)
""",
        target="Rover.drive",
        call="Rover(17, 27, 22).drive(50), Rover(17, 27, 22).drive(101)",
        gives="((1, 1, 0), 'dutycycle must have a value from 0.0 to 100.0')",
        effects=(
            "call RPi.GPIO.setup",
            "call RPi.GPIO.setup",
            "call RPi.GPIO.PWM",
            "write RPi.GPIO.PWM().start",
            "write RPi.GPIO.PWM().ChangeDutyCycle",
            "write RPi.GPIO.output",
            "write RPi.GPIO.output",
            "read RPi.GPIO.input",
            "read RPi.GPIO.input",
            "read RPi.GPIO.input",
            "read RPi.GPIO.input",
            "read RPi.GPIO.input",
            "call RPi.GPIO.setup",
            "call RPi.GPIO.setup",
            "call RPi.GPIO.PWM",
            "write RPi.GPIO.PWM().start",
            "write RPi.GPIO.PWM().ChangeDutyCycle",
        ),
    ),
    Example(
        title="a device at a serial port that answers commands",
        source="""\
import serial
from serial.tools import list_ports


class Meter:
    def __init__(self, port=None):
        port = port or list_ports.comports()[0].device
        try:
            self.ser = serial.Serial(port, 115200, timeout=1)
        except serial.SerialException as error:
            raise RuntimeError(f"no meter at {port}") from error

    def ask(self, command):
        self.ser.reset_input_buffer()
        self.ser.write(command.encode() + b"\\n")
        lines = []
        while True:
            line = self.ser.readline().decode().strip()
            if not line:
                break
            lines.append(float(line))
        return lines

    def close(self):
        if self.ser.is_open:
            self.ser.close()


def measure():
    meter = Meter()
    found = meter.ask("MEAS?")
    meter.close()
    return found, meter.ser.port
""",
        target="measure",
        call="measure()",
        gives="([42.0, 42.0], '/dev/ttyUSB0')",
        effects=(
            "read serial.tools.list_ports.comports",
            "call serial.Serial",
            "call serial.Serial().reset_input_buffer",
            "write serial.Serial().write",
            "read serial.Serial().readline",
            "read serial.Serial().readline",
            "read serial.Serial().readline",
            "call serial.Serial().close",
        ),
    ),
    Example(
        title="registers of a chip on a bus",
        source="""\
from smbus2 import SMBus

ADDRESS = 0x68
POWER = 0x6B


class Accelerometer:
    def __init__(self, bus=1):
        self.bus = SMBus(bus)
        self.bus.write_byte_data(ADDRESS, POWER, 0)

    def word(self, register):
        high = self.bus.read_byte_data(ADDRESS, register)
        low = self.bus.read_byte_data(ADDRESS, register + 1)
        value = (high << 8) + low
        return value - 65536 if value >= 0x8000 else value

    def all(self):
        block = self.bus.read_i2c_block_data(ADDRESS, 0x3B, 6)
        return [self.word(0x3B) / 16384, self.bus.read_byte_data(ADDRESS, POWER), len(block)]
""",
        target="Accelerometer.all",
        call="Accelerometer().all()",
        gives="[0.01568603515625, 0, 6]",
        effects=(
            "call smbus2.SMBus",
            "write smbus2.SMBus().write_byte_data",
            "read smbus2.SMBus().read_i2c_block_data",
            "read smbus2.SMBus().read_byte_data",
            "read smbus2.SMBus().read_byte_data",
            "read smbus2.SMBus().read_byte_data",
        ),
    ),
    Example(
        title="sensors in a room",
        source="""\
import Adafruit_DHT
import adafruit_bme280
import board
import busio

i2c = busio.I2C(board.SCL, board.SDA)
bme = adafruit_bme280.Adafruit_BME280_I2C(i2c, address=0x76)


def report(pin=4):
    humidity, temperature = Adafruit_DHT.read_retry(Adafruit_DHT.DHT22, pin)
    if humidity is None or temperature is None:
        return "nothing"
    mean = (bme.temperature + temperature) / 2
    return f"{mean:.1f} C, {humidity:.0f} %, {bme.pressure:.2f} hPa"
""",
        target="report",
        call="report()",
        gives="'21.5 C, 50 %, 1013.25 hPa'",
        effects=("read Adafruit_DHT.read_retry",),
    ),
    Example(
        title="values of a registry",
        source="""\
import winreg

RUN = r"Software\\Microsoft\\Windows\\CurrentVersion\\Run"


def autostart(name, path=None):
    try:
        with winreg.OpenKey(winreg.HKEY_CURRENT_USER, RUN, 0, winreg.KEY_ALL_ACCESS) as key:
            if path:
                winreg.SetValueEx(key, name, 0, winreg.REG_SZ, path)
            value, kind = winreg.QueryValueEx(key, name)
            winreg.DeleteValue(key, name)
            winreg.QueryValueEx(key, name)
    except FileNotFoundError:
        return value, kind == winreg.REG_SZ
    return None
""",
        target="autostart",
        call="autostart('tool', 'C:/tool.exe')",
        gives="('C:/tool.exe', True)",
        effects=(
            "read winreg.OpenKey",
            "write winreg.SetValueEx",
            "read winreg.QueryValueEx",
            "write winreg.DeleteValue",
            "read winreg.QueryValueEx",
        ),
    ),
    Example(
        title="a library of Windows, a window of another program, and a loop of a robot",
        source="""\
import ctypes

import rospy
import win32gui
from std_msgs.msg import Float64

user32 = ctypes.windll.user32


def title():
    size = user32.GetSystemMetrics(0)
    window = win32gui.GetForegroundWindow()
    return size > 0, bool(win32gui.GetWindowText(window))


def turn():
    publisher = rospy.Publisher("/joint", Float64, queue_size=10)
    rate = rospy.Rate(10)
    angle = 0.0
    while not rospy.is_shutdown():
        publisher.publish(angle)
        angle += 0.5
        rate.sleep()
    return angle, title()
""",
        target="turn",
        call="turn()",
        gives="(1.0, (True, True))",
        effects=(
            "call rospy.Publisher",
            "call rospy.Rate",
            "call rospy.is_shutdown",
            "call rospy.Publisher().publish",
            "call rospy.Rate().sleep",
            "call rospy.is_shutdown",
            "call rospy.Publisher().publish",
            "call rospy.Rate().sleep",
            "call rospy.is_shutdown",
            "call ctypes.windll.user32.GetSystemMetrics",
            "call win32gui.GetForegroundWindow",
            "call win32gui.GetWindowText",
        ),
    ),
)

FAMILY = Family("hardware", applies, stub, EXAMPLES)
