"""Stands in for smbus: registers hold what was written, or small numbers."""

from slice_func_mocks import StubClass, record, stub_argument, stub_chosen, stub_tires


class SMBus(StubClass):
    """A bus with a chip at every address."""

    def __init__(self, bus=None, force=False):
        record("call", f"{__name__}.SMBus", bus)
        stub_chosen(f"{__name__}.SMBus()", None)
        self._registers = {}

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.close()

    def open(self, bus):
        """Open it."""
        record("call", f"{__name__}.SMBus().open", bus)

    def close(self):
        """Close it."""
        record("call", f"{__name__}.SMBus().close")

    def _read(self, what, default, address, register):
        record("read", f"{__name__}.SMBus().{what}", address, register)
        stub_tires(f"{__name__}.SMBus().{what}", f"{address} {register}")
        if (address, register) in self._registers:
            return self._registers[address, register]
        return stub_chosen(f"{__name__}.SMBus().{what}()", default)

    def _write(self, what, address, register, value):
        record("write", f"{__name__}.SMBus().{what}", address, register, stub_argument(value))
        stub_chosen(f"{__name__}.SMBus().{what}()", None)
        self._registers[address, register] = value

    def write_quick(self, i2c_addr, force=None):
        """Ask whether a chip is there."""
        record("write", f"{__name__}.SMBus().write_quick", i2c_addr)
        stub_chosen(f"{__name__}.SMBus().write_quick()", None)

    def read_byte(self, i2c_addr, force=None):
        """One byte."""
        return self._read("read_byte", 1, i2c_addr, None)

    def write_byte(self, i2c_addr, value, force=None):
        """One byte: a command, which is not read again."""
        record("write", f"{__name__}.SMBus().write_byte", i2c_addr, value)
        stub_chosen(f"{__name__}.SMBus().write_byte()", None)

    def read_byte_data(self, i2c_addr, register, force=None):
        """One byte of a register."""
        return self._read("read_byte_data", 1, i2c_addr, register)

    def write_byte_data(self, i2c_addr, register, value, force=None):
        """One byte into a register."""
        self._write("write_byte_data", i2c_addr, register, value)

    def read_word_data(self, i2c_addr, register, force=None):
        """Two bytes of a register."""
        return self._read("read_word_data", 0x0101, i2c_addr, register)

    def write_word_data(self, i2c_addr, register, value, force=None):
        """Two bytes into a register."""
        self._write("write_word_data", i2c_addr, register, value)

    def process_call(self, i2c_addr, register, value, force=None):
        """Two bytes for two bytes."""
        return self._read("process_call", 0x0101, i2c_addr, register)

    def read_block_data(self, i2c_addr, register, force=None):
        """Some bytes of a register."""
        return list(self._read("read_block_data", [1] * 32, i2c_addr, register))

    def read_i2c_block_data(self, i2c_addr, register, length=32, force=None):
        """As many bytes as asked for."""
        found = self._read("read_i2c_block_data", [1], i2c_addr, register)
        held = list(found) if isinstance(found, (list, tuple)) else [found]
        return (held + [1] * length)[:length]

    def write_block_data(self, i2c_addr, register, data, force=None):
        """Some bytes into a register."""
        self._write("write_block_data", i2c_addr, register, list(data))

    def write_i2c_block_data(self, i2c_addr, register, data, force=None):
        """Some bytes into a register."""
        self._write("write_i2c_block_data", i2c_addr, register, list(data))
