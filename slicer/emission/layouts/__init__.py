"""The layouts that a slice can be written in, one folder each.

A folder says in its `__init__.py` what its layout is like (`LAYOUT`), and writes it in
`<name>_layout.py` (`write`), which is imported on first use.
"""

NAMES = ("flat", "modules", "package")
"""In the order in which they are tried where just a script is asked for."""
