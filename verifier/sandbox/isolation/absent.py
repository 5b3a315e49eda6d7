"""What stands in place of a module that is hidden."""

ABSENT = 'raise ModuleNotFoundError(f"No module named {__name__!r}", name=__name__)\n'
"""Its text: whoever imports it is told what he would be told if it was not installed."""
