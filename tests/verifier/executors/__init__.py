"""Tests of executors: one contract, everybody must pass it."""
