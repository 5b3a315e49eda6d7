"""Engines: where the workers of a build run. Each has the same interface."""
