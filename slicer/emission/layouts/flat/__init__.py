"""The `flat` layout: one plain script."""
