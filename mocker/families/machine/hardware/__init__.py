"""Hardware and other platforms: pins, ports, buses, sensors, registries, written by hand or from use."""
