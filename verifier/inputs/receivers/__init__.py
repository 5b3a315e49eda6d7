"""Receivers: the instances that methods are called on, and the states they can be in."""
