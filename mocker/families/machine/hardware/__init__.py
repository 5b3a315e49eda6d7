"""Hardware and other platforms: modules for pins, ports, buses, sensors, registries."""
