"""Anticipation: what a person may want next, offered quietly and with its reasons, and never done (decision 54)."""
