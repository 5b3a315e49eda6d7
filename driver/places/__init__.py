"""Places where scripts run: interpreters, locks, installed packages."""
