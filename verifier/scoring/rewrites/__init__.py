"""Rewrites that preserve behaviour: every verdict must pass them."""
