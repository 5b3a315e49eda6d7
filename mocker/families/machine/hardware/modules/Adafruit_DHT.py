"""Stands in for Adafruit_DHT: a sensor in a room."""

from slice_func_mocks import record, stub_chosen, stub_tires

DHT11, DHT22, AM2302 = 11, 22, 22
SENSORS = [DHT11, DHT22, AM2302]
_ROOM = (50.0, 21.5)


def read(sensor, pin, platform=None):
    """Humidity and temperature; both `None` where nothing was read."""
    return _measured("read", sensor, pin)


def read_retry(sensor, pin, retries=15, delay_seconds=2, platform=None):
    """Humidity and temperature."""
    return _measured("read_retry", sensor, pin)


def _measured(what, sensor, pin):
    record("read", f"Adafruit_DHT.{what}", sensor, pin)
    stub_tires(f"Adafruit_DHT.{what}", str(pin))
    if sensor not in SENSORS:
        raise ValueError("Expected DHT11, DHT22, or AM2302 sensor value.")
    return tuple(stub_chosen(f"Adafruit_DHT.{what}()", _ROOM))
