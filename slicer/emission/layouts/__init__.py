"""The layouts that a slice can be written in, one folder each.

A folder describes its layout in its `__init__.py` (`LAYOUT`), and writes it in `<name>_layout.py`
(`write`), which is imported on first use.
"""

NAMES = ("flat", "modules", "package")
"""Names of the layouts, in the order in which they are tried if only a script is requested."""
