"""Sequences: what follows what, in abstract items with times (decision 54)."""
