"""Mutants of a target, one small change each, and cheap solutions that cases must reject."""
