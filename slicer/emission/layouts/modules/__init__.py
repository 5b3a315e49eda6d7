"""The `modules` layout: one script in which every module is a real module."""

from ....model import Layout

LAYOUT = Layout("modules", carries_modules=True)
