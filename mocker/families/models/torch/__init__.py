"""`torch` stays real, and runs on the CPU whatever device is asked for."""
