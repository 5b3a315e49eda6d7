"""Where scripts run: interpreters, locks, what is installed."""
