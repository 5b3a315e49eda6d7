"""Stands in for pigpio: the daemon is there, pins remember, waves are sent at once."""

from slice_func_mocks import StubClass, record, stub_argument, stub_chosen, stub_tires

INPUT, OUTPUT, ALT5, ALT4, ALT0, ALT1, ALT2, ALT3 = range(8)
LOW, HIGH, CLEAR, SET, OFF, ON, TIMEOUT = 0, 1, 0, 1, 0, 1, 2
PUD_OFF, PUD_DOWN, PUD_UP = 0, 1, 2
RISING_EDGE, FALLING_EDGE, EITHER_EDGE = 0, 1, 2
WAVE_MODE_ONE_SHOT, WAVE_MODE_REPEAT = 0, 1
WAVE_MODE_ONE_SHOT_SYNC, WAVE_MODE_REPEAT_SYNC = 2, 3


class error(Exception):
    """Something is wrong."""


class pulse:
    """One step of a wave."""

    def __init__(self, gpio_on, gpio_off, delay):
        self.gpio_on, self.gpio_off, self.delay = gpio_on, gpio_off, delay


class callback_of_a_pin:
    """A callback: nothing happens on its own."""

    def __init__(self):
        self.count = 0

    def tally(self):
        """How often it was called."""
        return self.count

    def reset_tally(self):
        """Count anew."""
        self.count = 0

    def cancel(self):
        """Call no more."""
        record("call", "pigpio.pi().callback().cancel")


class pi(StubClass):
    """The daemon of one machine."""

    def __init__(self, host="localhost", port=8888, show_errors=True):
        record("call", "pigpio.pi", host, port)
        self.connected = stub_chosen("pigpio.pi().connected", True)
        self._levels, self._modes, self._reads, self._duty = {}, {}, {}, {}
        self._ticks = 0
        self._waves = 0

    def stop(self):
        """Leave the daemon."""
        record("call", "pigpio.pi().stop")
        self.connected = False

    def set_mode(self, gpio, mode):
        """What a pin is."""
        record("call", "pigpio.pi().set_mode", gpio, mode)
        self._modes[gpio] = mode
        return 0

    def get_mode(self, gpio):
        """What a pin is."""
        return self._modes.get(gpio, INPUT)

    def set_pull_up_down(self, gpio, pud):
        """Pull a pin."""
        record("call", "pigpio.pi().set_pull_up_down", gpio, pud)
        return 0

    def write(self, gpio, level):
        """Set a pin."""
        record("write", "pigpio.pi().write", gpio, level)
        self._levels[gpio] = int(bool(level))
        return 0

    def read(self, gpio):
        """A pin's level: as it was set, else as the case says, else by turns."""
        record("read", "pigpio.pi().read", gpio)
        if gpio in self._levels:
            return self._levels[gpio]
        stub_tires("pigpio.pi().read", str(gpio))
        count = self._reads[gpio] = self._reads.get(gpio, -1) + 1
        turn = (0, 1, 1, 0)[count % 4]
        return stub_chosen("pigpio.pi().read()", turn) if count < 100 else turn

    def _set(self, what, gpio, value):
        record("write", f"pigpio.pi().{what}", gpio, stub_argument(value))
        self._duty[what, gpio] = value
        return 0

    def set_PWM_dutycycle(self, user_gpio, dutycycle):
        """How much of the time a pin is on."""
        return self._set("set_PWM_dutycycle", user_gpio, dutycycle)

    def get_PWM_dutycycle(self, user_gpio):
        """As it was set."""
        return self._duty.get(("set_PWM_dutycycle", user_gpio), 0)

    def set_PWM_frequency(self, user_gpio, frequency):
        """How often a pin pulses."""
        self._set("set_PWM_frequency", user_gpio, frequency)
        return frequency

    def get_PWM_frequency(self, user_gpio):
        """As it was set."""
        return self._duty.get(("set_PWM_frequency", user_gpio), 800)

    def set_PWM_range(self, user_gpio, range_):
        """What full is."""
        return self._set("set_PWM_range", user_gpio, range_)

    def set_servo_pulsewidth(self, user_gpio, pulsewidth):
        """Turn a servo."""
        return self._set("set_servo_pulsewidth", user_gpio, pulsewidth)

    def get_servo_pulsewidth(self, user_gpio):
        """As it was set."""
        return self._duty.get(("set_servo_pulsewidth", user_gpio), 0)

    def hardware_PWM(self, gpio, PWMfreq, PWMduty):
        """Pulses made by the chip."""
        return self._set("hardware_PWM", gpio, [PWMfreq, PWMduty])

    def gpio_trigger(self, user_gpio, pulse_len=10, level=1):
        """A short pulse."""
        record("write", "pigpio.pi().gpio_trigger", user_gpio, pulse_len, level)
        return 0

    def callback(self, user_gpio, edge=RISING_EDGE, func=None):
        """Nothing happens on its own."""
        record("call", "pigpio.pi().callback", user_gpio, edge)
        return callback_of_a_pin()

    def wait_for_edge(self, user_gpio, edge=RISING_EDGE, wait_timeout=60.0):
        """The edge comes at once."""
        record("call", "pigpio.pi().wait_for_edge", user_gpio, edge)
        return stub_chosen("pigpio.pi().wait_for_edge()", True)

    def get_current_tick(self):
        """Microseconds: a thousand from one question to the next."""
        self._ticks += 1000
        return self._ticks

    def wave_clear(self):
        """No waves."""
        record("call", "pigpio.pi().wave_clear")
        return 0

    def wave_add_generic(self, pulses):
        """Steps of the wave that is made next."""
        steps = [[each.gpio_on, each.gpio_off, each.delay] for each in pulses]
        record("write", "pigpio.pi().wave_add_generic", stub_argument(steps))
        return len(steps)

    def wave_create(self):
        """The number of a new wave."""
        self._waves += 1
        return self._waves - 1

    def _send(self, what, wave):
        record("write", f"pigpio.pi().{what}", stub_argument(wave))
        return 1

    def wave_send_once(self, wave_id):
        """Send a wave."""
        return self._send("wave_send_once", wave_id)

    def wave_send_repeat(self, wave_id):
        """Send it again and again."""
        return self._send("wave_send_repeat", wave_id)

    def wave_chain(self, data):
        """Send several."""
        return self._send("wave_chain", list(data))

    def wave_tx_busy(self):
        """It is sent already."""
        return 0

    def wave_delete(self, wave_id):
        """Forget a wave."""
        record("call", "pigpio.pi().wave_delete", wave_id)
        return 0
