"""Property-based suites: generated packages, and broken text fed to the command."""
