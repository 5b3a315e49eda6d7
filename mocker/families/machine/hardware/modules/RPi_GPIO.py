"""Stands in for RPi.GPIO: outputs remember, inputs change now and then, so that waiting ends."""

from slice_func_mocks import (
    record,
    stub_anew,
    stub_argument,
    stub_chosen,
    stub_tires,
)

BOARD, BCM, UNKNOWN = 10, 11, -1
OUT, IN, HARD_PWM, SERIAL, SPI, I2C = 0, 1, 43, 40, 41, 42
LOW, HIGH = 0, 1
PUD_OFF, PUD_DOWN, PUD_UP = 20, 21, 22
RISING, FALLING, BOTH = 31, 32, 33
VERSION = "0.7.1"
RPI_REVISION = 3
RPI_INFO = {"P1_REVISION": 3, "REVISION": "a020d3", "TYPE": "Pi 3 Model B+", "RAM": "1G"}

_mode = None
_directions = {}
_levels = {}
_pulls = {}
_reads = {}


def setmode(mode):
    """Number the pins by board or by chip."""
    global _mode
    record("call", "RPi.GPIO.setmode", mode)
    if mode not in (BOARD, BCM):
        raise ValueError("An invalid mode was passed to setmode()")
    _mode = mode


def getmode():
    """How pins are numbered."""
    return _mode


def setwarnings(flag):
    """Warnings are not shown."""
    record("call", "RPi.GPIO.setwarnings", flag)


def _channels(channel):
    return [int(each) for each in channel] if isinstance(channel, (list, tuple)) else [int(channel)]


def setup(channel, direction, pull_up_down=PUD_OFF, initial=None):
    """Make pins inputs or outputs."""
    record("call", "RPi.GPIO.setup", stub_argument(channel), direction)
    for pin in _channels(channel):
        _directions[pin] = direction
        _pulls[pin] = pull_up_down
        if initial is not None:
            _levels[pin] = int(bool(initial))


def output(channel, state):
    """Set pins."""
    record("write", "RPi.GPIO.output", stub_argument(channel), stub_argument(state))
    pins = _channels(channel)
    states = list(state) if isinstance(state, (list, tuple)) else [state] * len(pins)
    if len(states) != len(pins):
        raise RuntimeError("Number of channels != number of values")
    for pin, level in zip(pins, states):
        _levels[pin] = int(bool(level))


def input(channel):
    """The level of a pin: as it was set, else as the case says, else at rest and not, by turns."""
    record("read", "RPi.GPIO.input", channel)
    pin = int(channel)
    if pin in _levels and _directions.get(pin) != IN:
        return _levels[pin]
    stub_tires("RPi.GPIO.input", str(pin))
    count = _reads[pin] = _reads.get(pin, -1) + 1
    rest = 1 if _pulls.get(pin) == PUD_UP else 0
    turn = (rest, 1 - rest, 1 - rest, rest)[count % 4]
    return stub_chosen("RPi.GPIO.input()", turn) if count < 100 else turn


def gpio_function(channel):
    """What a pin is."""
    return _directions.get(int(channel), IN)


def cleanup(channel=None):
    """Give pins back."""
    record("call", "RPi.GPIO.cleanup", stub_argument(channel))
    for pin in _channels(channel) if channel is not None else list(_directions):
        _directions.pop(pin, None)
        _levels.pop(pin, None)


def wait_for_edge(channel, edge, bouncetime=None, timeout=None):
    """The edge comes at once."""
    record("call", "RPi.GPIO.wait_for_edge", channel, edge)
    return stub_chosen("RPi.GPIO.wait_for_edge()", channel)


def add_event_detect(channel, edge, callback=None, bouncetime=None):
    """Nothing happens on its own."""
    record("call", "RPi.GPIO.add_event_detect", channel, edge)


def add_event_callback(channel, callback):
    """Nothing happens on its own."""
    record("call", "RPi.GPIO.add_event_callback", channel)


def remove_event_detect(channel):
    """Nothing happens any more."""
    record("call", "RPi.GPIO.remove_event_detect", channel)


def event_detected(channel):
    """It has happened."""
    record("read", "RPi.GPIO.event_detected", channel)
    stub_tires("RPi.GPIO.event_detected", str(channel))
    return stub_chosen("RPi.GPIO.event_detected()", True)


class PWM:
    """A pin that pulses."""

    def __init__(self, channel, frequency):
        record("call", "RPi.GPIO.PWM", channel, frequency)

    def start(self, dutycycle):
        """Begin."""
        self._told("start", dutycycle, 0, 100)

    def ChangeDutyCycle(self, dutycycle):
        """Change how much of the time it is on."""
        self._told("ChangeDutyCycle", dutycycle, 0, 100)

    def ChangeFrequency(self, frequency):
        """Change how often it pulses."""
        self._told("ChangeFrequency", frequency, 0.1, float("inf"))

    def stop(self):
        """End."""
        record("write", "RPi.GPIO.PWM().stop")

    def _told(self, what, value, least, most):
        record("write", f"RPi.GPIO.PWM().{what}", stub_argument(value))
        if not least <= float(value) <= most:
            noun = "dutycycle must have a value from 0.0 to 100.0"
            raise ValueError(noun if most == 100 else "frequency must be greater than 0.0")


for _held in (_directions, _levels, _pulls, _reads):
    stub_anew(_held)
