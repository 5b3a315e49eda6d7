"""`torch` stays real, and runs on the CPU whatever the requested device."""
