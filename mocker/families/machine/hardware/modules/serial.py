"""Stands in for pyserial: a line arrives at first and after each write."""

from slice_func_mocks import StubClass, record, stub_chosen, stub_tires

PARITY_NONE, PARITY_EVEN, PARITY_ODD, PARITY_MARK, PARITY_SPACE = "N", "E", "O", "M", "S"
STOPBITS_ONE, STOPBITS_ONE_POINT_FIVE, STOPBITS_TWO = 1, 1.5, 2
FIVEBITS, SIXBITS, SEVENBITS, EIGHTBITS = 5, 6, 7, 8
XON, XOFF, CR, LF = b"\x11", b"\x13", b"\r", b"\n"
VERSION = __version__ = "3.5"
_LINE = b"42\r\n"


class SerialException(IOError):
    """Something is wrong with the port."""


class SerialTimeoutException(SerialException):
    """A write takes too long."""


class PortNotOpenError(SerialException):
    """The port is closed."""

    def __init__(self):
        super().__init__("Attempting to use a port that is not open")


def _as_bytes(value):
    return value.encode() if isinstance(value, str) else bytes(value)


class Serial(StubClass):
    """A port, and what arrives at it."""

    def __init__(
        self, port=None, baudrate=9600, bytesize=8, parity="N", stopbits=1, timeout=None,
        xonxoff=False, rtscts=False, write_timeout=None, dsrdtr=False, inter_byte_timeout=None,
        exclusive=None, **kwargs,
    ):  # fmt: skip
        record("call", "serial.Serial", port, baudrate)
        self.port = self.name = self.portstr = port
        self.baudrate = baudrate
        self.bytesize = bytesize
        self.parity = parity
        self.stopbits = stopbits
        self.timeout = timeout
        self.xonxoff = xonxoff
        self.rtscts = rtscts
        self.write_timeout = write_timeout
        self.dsrdtr = dsrdtr
        self.is_open = False
        self._arrived = b""
        if port is not None:
            self.open()

    def open(self):
        """Open the port: the other side says something."""
        stub_chosen("serial.Serial()", None)
        self.is_open = True
        self._arrive()

    def _arrive(self):
        found = stub_chosen("serial.Serial().readline()", None)
        if found is None:
            found = stub_chosen("serial.Serial().read()", _LINE)
        line = _as_bytes(found)
        self._arrived += line if line.endswith(b"\n") or not line else line + b"\r\n"

    def _check(self):
        if not self.is_open:
            raise PortNotOpenError

    def isOpen(self):
        """Whether it is open."""
        return self.is_open

    def close(self):
        """Close it."""
        record("call", "serial.Serial().close")
        self.is_open = False

    def __enter__(self):
        if self.port is not None and not self.is_open:
            self.open()
        return self

    def __exit__(self, *error):
        self.close()

    @property
    def in_waiting(self):
        """How many bytes have arrived."""
        self._check()
        if not self._arrived and stub_tires("serial.Serial().in_waiting", ""):
            self._arrive()
        return len(self._arrived)

    def inWaiting(self):
        """How many bytes have arrived."""
        return self.in_waiting

    @property
    def out_waiting(self):
        """Everything is sent at once."""
        return 0

    def _take(self, what, size):
        self._check()
        taken, self._arrived = self._arrived[:size], self._arrived[size:]
        record("read", f"serial.Serial().{what}", taken)
        if not taken:
            stub_tires(f"serial.Serial().{what}", "")
        return taken

    def read(self, size=1):
        """As many bytes as asked for, or what there is: as after a time-out."""
        return self._take("read", size)

    def read_all(self):
        """All that has arrived."""
        return self._take("read_all", len(self._arrived))

    def readinto(self, buffer):
        """Into a buffer."""
        taken = self._take("readinto", len(buffer))
        buffer[: len(taken)] = taken
        return len(taken)

    def read_until(self, expected=b"\n", size=None):
        """Up to a mark."""
        at = self._arrived.find(expected)
        end = len(self._arrived) if at < 0 else at + len(expected)
        return self._take("read_until", end if size is None else min(end, size))

    def readline(self, size=-1):
        """Up to the end of a line; empty where nothing arrives."""
        end = self._arrived.find(b"\n") + 1 or len(self._arrived)
        return self._take("readline", end if size is None or size < 0 else min(end, size))

    def readlines(self, hint=-1):
        """All lines."""
        return list(self)

    def __iter__(self):
        return iter(self.readline, b"")

    def __next__(self):
        line = self.readline()
        if not line:
            raise StopIteration
        return line

    def write(self, data):
        """Send something: the other side answers with a line."""
        if isinstance(data, str):
            raise TypeError(f"unicode strings are not supported, please encode to bytes: {data!r}")
        self._check()
        sent = bytes(data) if not isinstance(data, int) else bytes([data])
        record("write", "serial.Serial().write", sent)
        stub_chosen("serial.Serial().write()", None)
        self._arrive()
        return len(sent)

    def writelines(self, lines):
        """Send several."""
        for line in lines:
            self.write(line)

    def flush(self):
        """Everything is sent already."""
        self._check()

    def reset_input_buffer(self):
        """What is waiting stays: nothing else will come by itself."""
        record("call", "serial.Serial().reset_input_buffer")

    flushInput = reset_input_buffer

    def reset_output_buffer(self):
        """Everything is sent already."""
        record("call", "serial.Serial().reset_output_buffer")

    flushOutput = reset_output_buffer

    def readable(self):
        """It is."""
        return True

    writable = readable


def serial_for_url(url, *args, do_not_open=False, **kwargs):
    """A port by its address."""
    return Serial(url, *args, **kwargs)
