"""Audits: people look at a sample of environments without knowing what our checks say of them."""
