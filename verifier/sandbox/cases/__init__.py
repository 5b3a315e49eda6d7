"""Run a script or its cases, and observe each call."""
