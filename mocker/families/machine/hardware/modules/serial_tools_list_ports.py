"""Stands in for serial.tools.list_ports: one port is there."""

from slice_func_mocks import StubClass, record, stub_chosen


class ListPortInfo(StubClass):
    """A port, and what is at it."""

    def __init__(self, device):
        self.device = device
        self.name = device.rpartition("/")[2]
        self.description = "USB Serial"
        self.hwid = "USB VID:PID=2341:0043 SER=1 LOCATION=1-1"
        self.vid, self.pid, self.serial_number, self.location = 0x2341, 0x0043, "1", "1-1"
        self.manufacturer, self.product, self.interface = "Arduino", "Uno", None

    def __iter__(self):
        return iter((self.device, self.description, self.hwid))

    def __getitem__(self, index):
        return (self.device, self.description, self.hwid)[index]

    def __str__(self):
        return f"{self.device} - {self.description}"


def comports(include_links=False):
    """The ports."""
    record("read", "serial.tools.list_ports.comports")
    names = stub_chosen("serial.tools.list_ports.comports()", ["/dev/ttyUSB0"])
    return [ListPortInfo(name) for name in names if isinstance(name, str)]


def grep(pattern, include_links=False):
    """The ports that a pattern finds."""
    import re

    for port in comports():
        if any(re.search(pattern, text, re.IGNORECASE) for text in port):
            yield port
