"""Tests of both halves of an observation."""
