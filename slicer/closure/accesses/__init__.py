"""Attribute accesses of the kept code, and the members that they keep."""
