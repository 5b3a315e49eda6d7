"""The `modules` layout: one script in which every module is a real module."""

from ....model import Layout

LAYOUT = Layout(
    "modules",
    "one script in which every module is a real module with its own namespace and `__name__`",
    "when modules clash, import each other, or are written to",
    carries_modules=True,
)
