"""Macros: frozen plans with a name, run with nothing interpreted and nothing planned (decision 54)."""
