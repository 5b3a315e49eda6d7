"""Drafts of cases: what is given to a target, before it is written down."""
