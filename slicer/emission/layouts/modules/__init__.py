"""The `modules` layout: one script in which every module is a real module."""
