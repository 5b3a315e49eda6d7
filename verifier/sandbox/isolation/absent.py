"""The replacement of a hidden module."""

ABSENT = 'raise ModuleNotFoundError(f"No module named {__name__!r}", name=__name__)\n'
"""Its text: importing it fails as if the module was not installed."""
