"""Variation: new drafts from known ones."""
