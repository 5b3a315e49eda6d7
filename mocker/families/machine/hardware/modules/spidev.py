"""Stands in for spidev: as many bytes come back as are sent."""

from slice_func_mocks import StubClass, record, stub_argument, stub_chosen, stub_tires


class SpiDev(StubClass):
    """A bus."""

    def __init__(self, bus=None, device=None):
        record("call", "spidev.SpiDev", bus, device)
        self.max_speed_hz = 500000
        self.mode = 0
        self.bits_per_word = 8

    def open(self, bus, device):
        """Open it."""
        record("call", "spidev.SpiDev().open", bus, device)
        stub_chosen("spidev.SpiDev().open()", None)

    def close(self):
        """Close it."""
        record("call", "spidev.SpiDev().close")

    def _exchange(self, what, sent):
        data = list(sent)
        record("write", f"spidev.SpiDev().{what}", stub_argument(data))
        stub_tires(f"spidev.SpiDev().{what}", repr(data))
        found = stub_chosen(f"spidev.SpiDev().{what}()", [1] * len(data))
        return (list(found) + [1] * len(data))[: len(data)]

    def xfer(self, values, *timing):
        """Send and receive."""
        return self._exchange("xfer", values)

    def xfer2(self, values, *timing):
        """Send and receive."""
        return self._exchange("xfer2", values)

    def xfer3(self, values, *timing):
        """Send and receive."""
        return tuple(self._exchange("xfer3", values))

    def readbytes(self, count):
        """Receive."""
        record("read", "spidev.SpiDev().readbytes", count)
        stub_tires("spidev.SpiDev().readbytes", str(count))
        found = list(stub_chosen("spidev.SpiDev().readbytes()", [1] * count))
        return (found + [1] * count)[:count]

    def writebytes(self, values):
        """Send."""
        record("write", "spidev.SpiDev().writebytes", stub_argument(list(values)))

    def writebytes2(self, values):
        """Send."""
        record("write", "spidev.SpiDev().writebytes2", stub_argument(list(values)))
