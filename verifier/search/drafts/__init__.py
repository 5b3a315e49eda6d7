"""Drafts of cases: one call of the target as data, before it is written as code."""
