"""Executors: where untrusted scripts run, behind one contract."""
