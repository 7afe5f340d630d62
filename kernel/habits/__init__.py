"""Habits: what a person did again and again, seen in the ledger, with what speaks for it (decision 54)."""
