"""Running a script or its cases, and observing each call."""
