"""The `flat` layout: one plain script."""

from ....model import Layout

LAYOUT = Layout(
    "flat",
    "one plain script, with a comment before each module's part",
    "for people and models to read",
    is_merged=True,
    may_refuse=True,
)
