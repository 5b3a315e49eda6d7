"""The `flat` layout: one plain script."""

from ....model import Layout

LAYOUT = Layout("flat", is_merged=True)
